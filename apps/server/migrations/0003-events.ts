import { type Kysely, sql } from 'kysely'

/**
 * Events for all nodes. A row is written in the transaction of its change. Readers use xid to recognise final rows,
 * because a lower id can commit after a higher one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event (
      id bigint generated always as identity primary key,
      xid xid8 not null default pg_current_xact_id(),
      topic text not null,
      name text not null,
      data jsonb not null default '{}',
      created_at timestamptz not null default now()
    );
    create index event_xid on event (xid, id);
    create index event_created_at on event (created_at);
  `.execute(db)
}
