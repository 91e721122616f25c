import { type Kysely, sql } from 'kysely'

/** Calls without an account look up a browser by its secret alone (decision record 187). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index known_device_secret on known_device (secret_hash);`.execute(db)
}
