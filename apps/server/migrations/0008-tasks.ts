import { type Kysely, sql } from 'kysely'

/** Long-running tasks, their logs, and the tokens with which services drive them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Progress is written several times a second. Free space on each page and no index on the changed columns keep
    -- these writes cheap.
    create table task (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      type text not null,
      kind text not null check (kind in ('info', 'download-generation')),
      title text not null,
      state text not null check (state in ('queued', 'running', 'finished', 'rejected', 'timed-out', 'aborted')),
      progress_done float8,
      progress_total float8,
      info text,
      error text,
      file_id uuid,
      file_name text,
      payload jsonb,
      -- Deleted when the task is archived; the audit log keeps it.
      created_by uuid references person on delete set null,
      -- Token of the service that drives the task; null if the server runs it.
      token_id uuid,
      -- Identifies a repeated create.
      repeat_key text,
      -- Whether it may restart after a crash.
      can_restart boolean not null default false,
      -- How often its driver was lost.
      losses int not null default 0,
      -- Fencing number: the writes of a driver with an older number are rejected.
      fence int not null default 0,
      lease_for interval not null,
      lease_until timestamptz,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      deadline_at timestamptz not null,
      fulfilled_at timestamptz,
      archived_at timestamptz,
      revision int not null default 1,
      check ((fulfilled_at is null) = (state in ('queued', 'running'))),
      check (archived_at is null or fulfilled_at is not null)
    ) with (fillfactor = 60);
    -- The lists: of a project, of all projects, and the user's own.
    create index task_listed on task (project_id, id) where archived_at is null;
    create index task_listed_everywhere on task (id) where archived_at is null;
    create index task_created_by on task (created_by, id) where created_by is not null;
    -- Open tasks, and queued tasks.
    create index task_open on task (project_id, id) where fulfilled_at is null;
    create index task_queued on task (type, id) where state = 'queued';
    create unique index task_repeat_key on task (token_id, repeat_key) where repeat_key is not null;
    create index task_archived on task (archived_at) where archived_at is not null;

    create table task_log (
      task_id uuid not null references task on delete cascade,
      id bigint generated always as identity,
      at timestamptz not null default now(),
      line text not null,
      primary key (task_id, id)
    );

    create table task_token (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      types text[] not null,
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      created_by uuid references person on delete set null,
      last_used_at timestamptz
    );
    create index task_token_project on task_token (project_id);
    create index task_token_created_by on task_token (created_by);
  `.execute(db)
}
