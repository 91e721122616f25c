import { type Kysely, sql } from 'kysely'

/** The language that the first root chose for the installation; null until then (DEC-28). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation add column language text check (language in ('de', 'en', 'de-DE'));
  `.execute(db)
}
