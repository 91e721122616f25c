import { type Kysely, sql } from 'kysely'

/** Trigram indexes for the searches of notes and media (decision record 43). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists pg_trgm;

    create index note_search on note using gin (lower(label || E'\\n' || text) gin_trgm_ops);

    create function tags_text(tags text[]) returns text language sql immutable parallel safe
      return array_to_string(tags, ' ');
    create index media_search on media using gin (lower(label || E'\\n' || tags_text(tags)) gin_trgm_ops);
  `.execute(db)
}
