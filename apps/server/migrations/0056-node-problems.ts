import { type Kysely, sql } from 'kysely'

/** The problems that each node knows, so that every node and the command line can show them (decision record 201). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Nodes of the previous release write no problems.
  await sql`alter table node add column problems jsonb not null default '[]';`.execute(db)
}
