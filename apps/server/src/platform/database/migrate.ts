import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './schema.ts'

const minimalMajor = 15

/**
 * Brings the schema to this version. Safe from several processes at once: the migrator holds an advisory lock.
 * Refuses a database of a newer version, because this one's statements may not fit it.
 */
export async function migrateToLatest(
  db: Kysely<Database>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version_num') as version`.execute(db)
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < minimalMajor) {
    throw new Error(`PostgreSQL ${major} is too old: Pult needs version ${minimalMajor} or later`)
  }

  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const message = error instanceof Error ? error.message : 'unknown reason'
  throw new Error(
    /previously executed migration .* is missing/.test(message)
      ? 'The database belongs to a newer version of Pult. Start that version, or restore a backup'
      : `The database schema could not be brought up to date: ${message}`,
    { cause: error },
  )
}
