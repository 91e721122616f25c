import { type Kysely, sql } from 'kysely'

/** The marks of the folders and buckets that the installation uses (decision record 240). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table place_mark (
      -- files, or the path or address of backups.
      place text primary key,
      mark text not null,
      noted_at timestamptz not null default now()
    );
  `.execute(db)
}
