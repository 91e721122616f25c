import { parseArgs } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { createReplicas } from '#platform/database/replicas.ts'
import type { Database } from '#platform/database/schema.ts'
import { requireUsable } from '#platform/database/usable.ts'
import { pult } from '#platform/program-name.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createBackupReader } from '../backup/read-backups.ts'
import { createConditionReader } from '../condition/condition.service.ts'
import { failureOf } from '../condition/failures.ts'
import { openFileStore } from '../files/open-store.ts'
import { totalOf } from '../files/space.ts'
import type { Command } from './command.ts'
import { withExtensions } from './extensions.ts'
import { withInstallation } from './installation.ts'

const help = `Lists the problems of the installation and their fixes, like the Root page. Changes nothing. Running nodes
report their clocks and proxies. Exits with code 1 if it finds a problem.

  ${pult('doctor')}`

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'lists the problems of the installation and their fixes',
  help,
  read(args) {
    parseArgs({ args, options: {} })
    return ({ environment, print }) =>
      withInstallation(environment, async (installation) => {
        const { config, dataFolder, database, log } = installation
        await refuseEmpty(database.db)
        await withExtensions(installation, async (extensions) => {
          const replicas = createReplicas({ url: config.databaseReplicaUrl, database, log })
          await replicas.check()
          await replicas.stop()
          const driver = await openFileStore(config, dataFolder)
          const condition = createConditionReader({
            db: database.db,
            config,
            driver,
            fileTotal: await totalOf(config, driver),
            extensions,
            heartbeat: { write: async () => {} },
            replicas,
            readiness: {
              read: () => requireUsable(database, Object.keys(migrations)).then(() => null, failureOf),
            },
            readBackups: createBackupReader({ db: database.db, config }),
            build: { version: manifest.version },
            log,
          })
          const { checks } = await condition.read('de')
          if (checks.length === 0) return print('No problems found.')
          // A line of the settings must remain as it is.
          for (const { level, what, fix } of checks)
            print(
              `${level === 'danger' ? 'Error  ' : 'Warning'}  ${what}.\n         ${fix}${fix.includes('=') ? '' : '.'}`,
            )
          throw new Error(checks.length === 1 ? '1 problem found' : `${checks.length} problems found`)
        })
      })
  },
}

/**
 * Refuses an installation whose server has never started. Other commands create one, but only the server adds the job
 * queue.
 */
async function refuseEmpty(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    select to_regclass('pgboss.version') is null as "isEmpty"`.execute(db)
  if (rows[0]?.isEmpty !== false)
    throw new Error('the installation is empty: start its server once before the doctor examines it')
}
