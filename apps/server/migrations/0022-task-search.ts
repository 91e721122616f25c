import { type Kysely, sql } from 'kysely'

/** A trigram index for the search of tasks (decision record 43). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Info is part of it once the task has ended: reports of progress change it several times a second and must not write
    -- all indexes of the row.
    alter table task add column search text not null generated always as (
      lower(title || E'\\n' || type || case when fulfilled_at is null then '' else E'\\n' || coalesce(info, '') end)
    ) stored;
    create index task_search on task using gin (search gin_trgm_ops) where archived_at is null;
  `.execute(db)
}
