import { type Kysely, sql } from 'kysely'

/** What is wrong in projects, found without reading all edges and tasks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge_presence
      -- Troubles of the last report with the time at which each began: "disk", "program:{key}". Null without any.
      add column troubles jsonb,
      -- The end of the last outage or trouble; null if there was none since this version.
      add column well_since timestamptz,
      add column programs int not null default 0,
      add column programs_running int not null default 0,
      add column decks int not null default 0;
    -- The values in these indexes change seldom, so that most reports still update no index.
    create index edge_presence_offline on edge_presence (edge_id) where not is_online;
    create index edge_presence_trouble on edge_presence (edge_id) where is_online and troubles is not null;

    -- Failed tasks that are still listed, of all projects; and all of a project.
    create index task_failed on task (fulfilled_at) where state in ('rejected', 'timed-out') and archived_at is null;
    create index task_failed_of_project on task (project_id, fulfilled_at) where state in ('rejected', 'timed-out');

    -- Pending invitations to projects.
    create index token_link_pending on token_link (expires_at)
      where action = 'invite:registration' and target like 'project:%' and used_at is null and voided_at is null;
  `.execute(db)
}
