import { type Kysely, sql } from 'kysely'

/**
 * What changed, for every node to hear. A row is written in the transaction of the change; xid lets a reader tell
 * which rows are final, because a lower id can still commit after a higher one.
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
