import { type Kysely, sql } from 'kysely'

/** Retries of tasks whose database or file store did not answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table task
      add column retries int not null default 0,
      add column retry_at timestamptz
  `.execute(db)
}
