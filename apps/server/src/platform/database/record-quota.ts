import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Limits of the rows of one project. Here instead of in the contract, whose limits every page of the console loads. */
export const recordLimits = {
  notesMax: 2000,
  /** Titles and texts of all notes, in UTF-8. */
  notesBytesMax: 16 * 1024 ** 2,
  mediaMax: 50_000,
  taskTokensMax: 100,
  /** Values of all apps, as the database stores them. */
  storeBytesMax: 64 * 1024 ** 2,
} as const

/** A table with `id` and `project_id` of which a project has a limited number of rows. */
type Limited = 'note' | 'media' | 'task_token'

/**
 * Locks the number of a project's rows until the transaction ends, so that concurrent calls cannot exceed a limit.
 * Call it before the rows are counted.
 */
export async function lockRecords(db: Db, table: Limited, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} of ${projectId}`}, 0))`.execute(db)
}

/** Returns whether a project has at least this number of rows. */
export async function hasRecords(
  db: Db,
  table: Limited,
  projectId: string,
  number: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where project_id = ${projectId} offset ${number - 1}::int limit 1`.execute(
    db,
  )
  return rows.length > 0
}
