import { type Kysely, sql } from 'kysely'

/** Uploads to an external store continue where they stopped (decision record 203). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The id of the store for an upload in parts; null until its first part is requested, and for other uploads.
    alter table upload_ticket add column multipart_id text;
  `.execute(db)
}
