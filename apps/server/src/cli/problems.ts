import type { Condition } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { createReplicas } from '#platform/database/replicas.ts'
import type { Database } from '#platform/database/schema.ts'
import { requireUsable } from '#platform/database/usable.ts'
import { requireJobs } from '#platform/jobs/jobs.ts'
import { createStoreNotes } from '#platform/places/place-marks.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createBackupReader } from '../backup/read-backups.ts'
import { createConditionReader } from '../condition/condition.service.ts'
import { type Failure, failureOf } from '../condition/failures.ts'
import { createFileStoreWatch } from '../condition/file-store-watch.ts'
import { openFileStore } from '../files/open-store.ts'
import { totalOf } from '../files/space.ts'
import { findUnknownSettings } from '../unknown-settings.ts'
import { withExtensions } from './extensions.ts'
import type { Environment, Installation } from './installation.ts'

/** Returns whether a server has started on this database: it adds the job queue, unlike other commands. */
export async function hasStarted(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ hasQueue: boolean }>`
    select to_regclass('pgboss.version') is not null as "hasQueue"`.execute(db)
  return rows[0]?.hasQueue === true
}

/** Returns why a server with this database could not sign people in, write or run background work. */
export async function unreadyOf({ database }: Pick<Installation, 'database'>): Promise<Failure | null> {
  try {
    await requireUsable(database, Object.keys(migrations))
    if (await hasStarted(database.db)) await requireJobs((text) => database.read({ text }, []))
    return null
  } catch (error) {
    return failureOf(error)
  }
}

/**
 * Returns the problems that the Root page shows, also those that running nodes report. A server must have started on the
 * database. `unready` is the result of `unreadyOf`.
 */
export async function readProblems(
  installation: Installation,
  environment: Environment,
  unready: Failure | null,
): Promise<Condition['checks']> {
  const { config, dataFolder, database, log } = installation
  return withExtensions(installation, async (extensions) => {
    const replicas = createReplicas({ url: config.databaseReplicaUrl, database, log })
    await replicas.check()
    await replicas.stop()
    const store = await openFileStore(config, dataFolder, undefined, createStoreNotes(database.db))
    const driver = {
      ...store,
      check: () => store.check({ isReading: true }),
      space: () => store.space({ isReading: true }),
    }
    const condition = createConditionReader({
      db: database.db,
      config,
      dataFolder,
      driver,
      fileStore: createFileStoreWatch({ driver, log }),
      space: { total: await totalOf(config, driver) },
      extensions,
      heartbeat: { id: null, write: async () => {} },
      replicas,
      readiness: { read: async () => unready },
      unknownSettings: findUnknownSettings(environment),
      readBackups: createBackupReader({ db: database.db, config }),
      build: { version: manifest.version },
      log,
    })
    return (await condition.read('de')).checks
  })
}
