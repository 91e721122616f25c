import { type Kysely, sql } from 'kysely'

/** The time at which each edge's connection was accepted. Nodes write connections with a delay and out of order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table edge_presence add column connected_at timestamptz not null default 'epoch'`.execute(
    db,
  )
}
