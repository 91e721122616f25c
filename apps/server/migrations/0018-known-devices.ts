import { type Kysely, sql } from 'kysely'

/** Browsers that have signed in to an account. Only the hash of the browser's own secret is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_device (
      person_id uuid not null references person on delete cascade,
      secret_hash bytea not null,
      last_used_at timestamptz not null default now(),
      primary key (person_id, secret_hash)
    );
  `.execute(db)
}
