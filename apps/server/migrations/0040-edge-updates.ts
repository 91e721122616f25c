import { type Kysely, sql } from 'kysely'

/** How the agents of a project are updated, and the last order of each edge (decision record 148). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge_update_policy (
      project_id uuid primary key references project on delete cascade,
      policy jsonb not null
    );

    create table edge_update (
      edge_id uuid primary key references edge on delete cascade,
      version text not null,
      ordered_at timestamptz not null
    );
  `.execute(db)
}
