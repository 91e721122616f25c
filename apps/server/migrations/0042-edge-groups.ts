import { type Kysely, sql } from 'kysely'

/** Saved groups of edges: rules, not lists of members (decision record 158). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge_group (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      -- The rule; an empty part matches every edge.
      all_tags text[] not null,
      any_tags text[] not null,
      places text[] not null,
      versions text[] not null,
      states text[] not null,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index edge_group_project on edge_group (project_id, lower(label), id);
  `.execute(db)
}
