import { type Kysely, sql } from 'kysely'

/** The browser of a session: its next sign-in ends the session that it replaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column device_hash bytea`.execute(db)
}
