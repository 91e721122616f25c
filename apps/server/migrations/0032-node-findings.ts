import { type Kysely, sql } from 'kysely'

/** What each node notices about its surroundings, so that every node and the command line can report it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table node
      -- Milliseconds by which its clock is ahead of the database's.
      add column clock_offset float8,
      -- A proxy that forwards requests and is not in TRUSTED_PROXIES.
      add column untrusted_proxy text,
      add column untrusted_proxy_seen_at timestamptz;
  `.execute(db)
}
