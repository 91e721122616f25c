import { type Kysely, sql } from 'kysely'

/** A deck acts for an account only after its person has agreed (decision record 221). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for the accounts that owners have assigned before: their persons have not been asked.
  await sql`alter table edge_deck add column agreed_at timestamptz`.execute(db)
}
