import { type Kysely, sql } from 'kysely'

/** When each edge's connection was let in: nodes write them down a moment later, and not in their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table edge_presence add column connected_at timestamptz not null default 'epoch'`.execute(
    db,
  )
}
