import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Normalises texts that were stored as they were typed: nodes of the previous release do so during an update. Migration
 * 54 lists the columns. A week after the migration no such node is left, and the tables are no longer read.
 */
export async function normaliseTexts(db: Kysely<Database>): Promise<void> {
  await sql`
    select normalise_texts() from kysely_migration
    where name = '0054-normalised-texts' and timestamp::timestamptz > now() - interval '7 days'`.execute(db)
}
