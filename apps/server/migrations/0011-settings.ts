import { type Kysely, sql } from 'kysely'

/** Settings of a person, one row per subject. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      person_id uuid not null references person on delete cascade,
      -- 'console' or 'stream-decks'
      name text not null,
      -- The changed values; all others have their defaults.
      value jsonb not null default '{}',
      -- 0 before the first change: the row is created first, so that it can be locked.
      revision int not null default 0,
      updated_at timestamptz not null default now(),
      primary key (person_id, name)
    );
  `.execute(db)
}
