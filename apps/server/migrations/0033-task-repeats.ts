import { type Kysely, sql } from 'kysely'

/** Failed tasks can be ordered again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table task
      -- Until then the inputs of the task exist; null for a task that cannot be retried.
      add column retry_until timestamptz,
      -- The task that repeats this one.
      add column retry_id uuid;
  `.execute(db)
}
