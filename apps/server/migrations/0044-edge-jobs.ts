import { type Kysely, sql } from 'kysely'

/** Jobs: one command for several edges, with a line for each of them (decision record 164). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge_job (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text,
      command jsonb not null,
      command_label text,
      -- As it was named at the start; null for named edges.
      group_label text,
      at_once int not null,
      stop_after int,
      stopped text check (stopped in ('cancelled', 'failures', 'noRight')),
      total int not null default 0,
      -- Edges by state, once the job has ended.
      counts jsonb,
      created_at timestamptz not null default now(),
      created_by uuid references person on delete set null,
      expires_at timestamptz not null,
      ended_at timestamptz
    );
    create index edge_job_project on edge_job (project_id, id);
    create index edge_job_open on edge_job (project_id) where ended_at is null;

    -- The id is the id of the command that the agent receives.
    create table edge_job_line (
      id uuid primary key,
      job_id uuid not null references edge_job on delete cascade,
      edge_id uuid references edge on delete set null,
      label text not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'running', 'done', 'failed', 'expired', 'cancelled')),
      info text,
      log text[] not null default '{}',
      -- The connection that has received the command.
      connection uuid,
      sent_at timestamptz,
      heard_at timestamptz,
      ended_at timestamptz
    );
    create index edge_job_line_job on edge_job_line (job_id, lower(label), id);
    create index edge_job_line_open on edge_job_line (job_id, state) where state in ('waiting', 'running');
    create index edge_job_line_edge on edge_job_line (edge_id);
  `.execute(db)
}
