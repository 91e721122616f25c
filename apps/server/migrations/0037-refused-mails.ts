import { type Kysely, sql } from 'kysely'

/** The recipient of a mail that a mail server refused for good (decision record 143). The record of the mail is pruned with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail add column refused_recipient text`.execute(db)
}
