import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

const batch = 1000

/**
 * Deletes all rows that meet a condition, in short statements, so that no writer waits for long.
 *
 * @param table A table or one partition: rows of two partitions can have the same `ctid`.
 */
export async function deleteInBatches(
  db: Kysely<Database>,
  table: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  let deleted: bigint
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${batch}::int))`.execute(db)
    deleted = numAffectedRows
  } while (deleted >= batch)
}
