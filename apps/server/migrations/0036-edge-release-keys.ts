import { type Kysely, sql } from 'kysely'

/** Keys that sign the releases of the edge agent (decision record 146). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The newest key signs, and the one before has signed its announcement. The private key is encrypted.
    create table edge_release_key (
      id uuid primary key,
      public_key bytea not null,
      private_key bytea not null,
      announcement text,
      signature text,
      created_at timestamptz not null default now()
    );
  `.execute(db)
}
