import { type Kysely, sql } from 'kysely'

/** Tags and places of edges (decision record 157). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge add column tags text[] not null default '{}', add column place text;
    create index edge_tags on edge using gin (tags);
    create index edge_place on edge (project_id, place) where place is not null;
  `.execute(db)
}
