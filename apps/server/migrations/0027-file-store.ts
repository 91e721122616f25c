import { type Kysely, sql } from 'kysely'

/** The file store of each node, so that nodes notice that they do not share one. Null for nodes of an older version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table node add column file_store text`.execute(db)
}
