import { type Kysely, sql } from 'kysely'

/**
 * Remarks about pictures, such as damage (decision record 207). Nullable, because deleted media of earlier releases are
 * restored without the column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media add column notes text[]`.execute(db)
}
