import { parseArgs } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { createReplicas } from '#platform/database/replicas.ts'
import type { Database } from '#platform/database/schema.ts'
import { pult } from '#platform/program-name.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createBackupReader } from '../backup/read-backups.ts'
import { createConditionReader } from '../condition/condition.service.ts'
import { openFileStore } from '../files/open-store.ts'
import type { Command } from './command.ts'
import { withExtensions } from './extensions.ts'
import { withInstallation } from './installation.ts'

const help = `Lists what is wrong with the installation and how to fix it, as the page Root does. Changes nothing. Running nodes
report their clocks and proxies. Ends with code 1 when something is wrong.

  ${pult('doctor')}`

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'lists what is wrong with the installation and how to fix it',
  help,
  read(args) {
    parseArgs({ args, options: {} })
    return ({ environment, say }) =>
      withInstallation(environment, async (installation) => {
        const { config, dataFolder, database, log } = installation
        await refuseEmpty(database.db)
        await withExtensions(installation, async (extensions) => {
          const replicas = createReplicas({ url: config.databaseReplicaUrl, database, log })
          await replicas.look()
          await replicas.stop()
          const condition = createConditionReader({
            db: database.db,
            config,
            driver: await openFileStore(config, dataFolder),
            extensions,
            heartbeat: { write: async () => {} },
            replicas,
            readBackups: createBackupReader({ db: database.db, config }),
            build: { version: manifest.version },
            log,
          })
          const { checks } = await condition.read('de')
          if (checks.length === 0) return say('Nothing is wrong.')
          for (const { level, what, fix } of checks)
            say(`${level === 'danger' ? 'Error  ' : 'Warning'}  ${what}.\n         ${fix}.`)
          throw new Error(checks.length === 1 ? '1 thing to do' : `${checks.length} things to do`)
        })
      })
  },
}

/** Other commands also create an installation. Its server adds the queue of jobs. */
async function refuseEmpty(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    select to_regclass('pgboss.version') is null as "isEmpty"`.execute(db)
  if (rows[0]?.isEmpty !== false)
    throw new Error('the installation is empty: start its server once before the doctor examines it')
}
