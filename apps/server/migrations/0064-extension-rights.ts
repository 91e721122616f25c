import { type Kysely, sql } from 'kysely'

/**
 * The rights that root allowed with the enabled version of an extension (decision record 225). Null for bundled
 * versions, and for versions that were enabled before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table extension add column rights jsonb`.execute(db)
}
