import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResult, Migrator } from 'kysely/migration'
import manifest from '../../../package.json' with { type: 'json' }
import { AppError, explain } from '../app-error.ts'
import { pult } from '../program-name.ts'
import { StartFault } from '../start-fault.ts'
import { codeOf } from './database.ts'
import { causeOf, DatabaseFaultError } from './database-fault.ts'
import { renewNameOrder } from './name-order.ts'
import type { Database } from './schema.ts'
import { minimalMajor } from './start-check.ts'

export interface MigrateOptions {
  /** Runs before the first change to an existing installation, in only one of several processes. */
  beforeUpdate?: (pending: readonly string[]) => Promise<void>
  /** Receives the reason for which an update waits, once. */
  onWaiting?: (reason: string) => void
  /** Milliseconds for which an update tries to lock the tables of other clients before it fails. */
  patience?: number
}

/**
 * Migrates the schema to this version. Safe to run from several processes: the migrator holds an advisory lock.
 * Refuses a database of a newer version, because this version's statements may not fit it.
 */
export async function migrateToLatest(
  db: Kysely<Database>,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<void> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version_num') as version`.execute(db)
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < minimalMajor) {
    throw new StartFault(`PostgreSQL ${major} is too old: Pult needs version ${minimalMajor} or later`)
  }
  // One connection for all statements, because the lock belongs to it.
  await db.connection().execute(async (one) => {
    const migrator = new Migrator({ db: one, provider: { getMigrations: async () => migrations } })
    if (await isPending(migrator)) await update(one, migrator)
    else await migrate(one, migrator, options)
    await renewNameOrder(one)
  })

  async function update(one: Kysely<Database>, migrator: Migrator): Promise<void> {
    await updateLock('pg_advisory_lock').execute(one)
    try {
      const known = await migrator.getMigrations()
      const pending = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
      const isUpdate = pending.length > 0 && pending.length < known.length
      if (isUpdate) await options.beforeUpdate?.(pending)
      await migrate(one, migrator, options)
      // The start stores the version in the row of a new installation, which does not exist yet.
      if (isUpdate) await one.updateTable('installation').set({ migrated_by: manifest.version }).execute()
    } finally {
      await updateLock('pg_advisory_unlock').execute(one)
    }
  }
}

const updateLock = (call: 'pg_advisory_lock' | 'pg_advisory_unlock') =>
  sql`select ${sql.raw(call)}(hashtextextended('pult update', 0))`

async function isPending(migrator: Migrator): Promise<boolean> {
  const known = await migrator.getMigrations()
  return known.some(({ executedAt }) => executedAt === undefined)
}

/** Serialization failure, deadlock and lock timeout: other nodes of a rolling update use the same tables. */
const lockedCodes: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

/** Within this time the start of the server is not repeated, which would take another backup. */
const usualPatience = 30 * 60_000

/** Milliseconds between two attempts: the first, and the longest. */
const firstPause = 500
const longestPause = 30_000

/**
 * Executes the pending migrations in one transaction. A migration waits only briefly for a lock, because the calls of
 * other nodes wait behind it: while another client, such as a dump, reads a table for hours, it is tried again and again.
 */
async function migrate(
  db: Kysely<Database>,
  migrator: Migrator,
  { onWaiting, patience = usualPatience }: MigrateOptions,
): Promise<void> {
  const until = performance.now() + patience
  await sql`set lock_timeout = '2s'`.execute(db)
  try {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const { error, results } = await migrator.migrateToLatest()
      if (error === undefined) return
      if (!lockedCodes.has(codeOf(error instanceof AppError ? error.cause : error)))
        return await throwFailure(db, error, results)
      if (performance.now() + pause > until)
        throw new DatabaseFaultError({
          cause: `other clients lock the tables that a migration changes (${explain(error)})`,
          remedy: 'If this repeats, end these clients, or stop the other nodes until this one is ready',
          isFinal: false,
        })
      if (pause === firstPause) onWaiting?.(`other clients lock tables that it changes${await blockerIn(db)}`)
      await sleep(pause)
    }
  } finally {
    // The connection may be lost.
    await sql`set lock_timeout = 0`.execute(db).catch(() => {})
  }
}

/** Returns the client with the oldest transaction. */
async function blockerIn(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ client: string }>`
    select format('; the oldest transaction is that of %s, process %s, since %s',
      coalesce(nullif(application_name, ''), usename, 'another user'), pid, to_char(xact_start at time zone 'UTC', 'HH24:MI:SS "UTC"')) as client
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db)
  return rows[0]?.client ?? ''
}

async function throwFailure(
  db: Kysely<Database>,
  error: unknown,
  results: MigrationResult[] | undefined,
): Promise<never> {
  // The start is repeated once the database is available.
  if (error instanceof Error && causeOf(error)?.isFinal === false) throw error
  const message = error instanceof Error ? error.message : 'unknown reason'
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(message) ?? []
  const name = results?.find(({ status }) => status === 'Error')?.migrationName
  throw new StartFault(
    unknown === undefined
      ? `The migration ${name ?? 'of the schema'} failed, and the schema is unchanged: ${message}. Start the former ` +
          `version of Pult again. ${wayBack('the backup from before the update')}`
      : `The database belongs to ${await newerVersion(db)}: the migration ${unknown} is unknown here. Start that version. ` +
          wayBack('a backup of this version or an older one'),
    { cause: error },
  )
}

/** Names the version of Pult to which a database with unknown migrations belongs. */
export async function newerVersion(db: Kysely<Database>): Promise<string> {
  // The migrations may be those of a version in development, which has the same number or lacks the column.
  const row = await db
    .selectFrom('installation')
    .select('migrated_by')
    .executeTakeFirst()
    .catch(() => undefined)
  const version = row?.migrated_by ?? manifest.version
  return version === manifest.version ? 'a newer version of Pult' : `Pult ${version}`
}

const wayBack = (backup: string) => `To go back, restore ${backup}: ${pult('restore ARCHIVE --replace')}`
