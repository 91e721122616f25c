import { type Kysely, sql } from 'kysely'

/** What a person has set, apart by what it is about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      person_id uuid not null references person on delete cascade,
      -- 'console' or 'stream-decks'
      name text not null,
      -- What was changed of it; the rest is as it is by default.
      value jsonb not null default '{}',
      -- 0 until something is changed: the row is there first, to be locked.
      revision int not null default 0,
      updated_at timestamptz not null default now(),
      primary key (person_id, name)
    );
  `.execute(db)
}
