import { type Kysely, sql } from 'kysely'

/** Hash of the first request with an idempotency key. Null for keys of an earlier version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table idempotency add column request_hash bytea;
    alter table task add column repeat_hash bytea;
  `.execute(db)
}
