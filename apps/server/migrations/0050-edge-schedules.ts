import { type Kysely, sql } from 'kysely'

/** Schedules that start jobs for a group of edges, and their runs (decision record 170). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge_schedule (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      command jsonb not null,
      group_id uuid references edge_group on delete set null,
      cron text not null,
      time_zone text not null,
      at_once int not null,
      stop_percent int,
      is_paused boolean not null default false,
      next_at timestamptz,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index edge_schedule_project on edge_schedule (project_id, lower(label), id);
    create index edge_schedule_next on edge_schedule (next_at) where next_at is not null;
    create index edge_schedule_group on edge_schedule (group_id);

    -- The key lets each due time have one run.
    create table edge_schedule_run (
      schedule_id uuid not null references edge_schedule on delete cascade,
      due_at timestamptz not null,
      job_id uuid references edge_job on delete set null,
      missed text check (missed in ('late', 'noRight', 'groupGone', 'reachesNone', 'tooMany')),
      count int not null default 1,
      primary key (schedule_id, due_at)
    );
    create index edge_schedule_run_job on edge_schedule_run (job_id);
  `.execute(db)
}
