import { type Kysely, sql } from 'kysely'

/** A restored backup at another address is a copy until root puts it into service (decision record 244). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation
      -- The address at which the installation is in service.
      add column public_url text,
      add column is_copy boolean not null default false;
  `.execute(db)
}
