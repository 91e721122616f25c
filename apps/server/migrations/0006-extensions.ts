import { type Kysely, sql } from 'kysely'

/** Which extensions run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What somebody decided about an extension. Without a row those that come with the product run, and no other does.
    create table extension (
      id text primary key,
      is_enabled boolean not null,
      -- Of the manifest that was enabled, which has the digest of every file: another one has to be enabled again.
      digest text,
      changed_at timestamptz not null default now()
    );
  `.execute(db)
}
