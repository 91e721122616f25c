import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Normalises texts that were stored as they were typed: nodes of the previous release do so during an update. Migration
 * 54 lists the columns.
 */
export async function normaliseTexts(db: Kysely<Database>): Promise<void> {
  await sql`select normalise_texts()`.execute(db)
}
