import { type Kysely, sql } from 'kysely'

/** An agent that cannot store an update, or loses each download, is ordered less and less often. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge_update
      -- The consecutive orders of this version.
      add column orders int not null default 1;
  `.execute(db)
}
