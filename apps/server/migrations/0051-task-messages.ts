import { type Kysely, sql } from 'kysely'

/**
 * The texts of the server's own tasks as codes with values (decision record 181). `info`, `error` and `line` keep their
 * default text, for the search and for nodes of the previous release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table task add column info_message jsonb, add column error_message jsonb;
    alter table task_log add column message jsonb;
  `.execute(db)
}
