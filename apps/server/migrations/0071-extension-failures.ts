import { type Kysely, sql } from 'kysely'

/** Failures of the code of extensions in browsers, which only the user in front of one saw (decision record 254). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table extension_failure (
      extension text collate "C" not null,
      version text not null,
      -- The part of the extension that failed: an app, a card, a tab.
      part text not null,
      -- The last error.
      message text not null,
      count int not null default 1,
      first_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      primary key (extension, version, part)
    );
  `.execute(db)
}
