import { type Kysely, sql } from 'kysely'

/** Archived tasks can be restored for 10 minutes (decision record 139). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One call that archives. No foreign keys: the clean-up job ends it, and with it the traces of its tasks.
    create table task_archiving (
      id uuid primary key,
      project_id uuid not null,
      person_id uuid not null,
      at timestamptz not null default now(),
      -- Since then it archives no further task: it was undone, or its time is over.
      ended_at timestamptz
    );
    create index task_archiving_at on task_archiving (at);

    -- The call that archived the task, while it can be restored. Until then its creator and its file stay.
    alter table task add column archiving_id uuid;
    create index task_archived_by on task (archiving_id, id) where archiving_id is not null;
  `.execute(db)
}
