import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/**
 * Locks a project until the transaction ends, so that concurrent changes count each other. Returns whether the project
 * exists. The count must be a later statement: a statement that waits for the lock counts the rows of its beginning.
 */
export async function lockProject(trx: Db, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from project where id = ${projectId} for no key update`.execute(trx)
  return rows.length > 0
}
