import { type Kysely, sql } from 'kysely'

/** A version of Pult that is too old for the database names the one to start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The version of Pult that created the database or ran its last migration.
    alter table installation add column migrated_by text;
  `.execute(db)
}
