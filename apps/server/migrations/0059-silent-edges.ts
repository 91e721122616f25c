import { type Kysely, sql } from 'kysely'

/** Edges whose agent is connected but does not report (decision record 209). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge_presence
      -- The last contact of a node with the agent of an edge that does not report. It expires.
      add column contact_at timestamptz,
      -- Why its reports are not accepted; null if it sends none.
      add column silence text;
    create index edge_presence_contact on edge_presence (contact_at) where contact_at is not null;
  `.execute(db)
}
