import { type Kysely, sql } from 'kysely'

/** Deleted records that can still be restored (DEC-20, decision record 95). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table removed_record (
      id uuid primary key,
      -- The table that the row was deleted from.
      collection text not null,
      project_id uuid not null references project on delete cascade,
      record jsonb not null,
      removed_at timestamptz not null default now()
    );
    create index removed_record_project on removed_record (project_id);
    create index removed_record_age on removed_record (removed_at);
  `.execute(db)
}
