import { type Kysely, sql } from 'kysely'

/** A database that other programs have copied is recognised at another address (decision record 244). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation
      -- The cluster and the database in which the installation is in service. Null until the next start.
      add column database_id text;
  `.execute(db)
}
