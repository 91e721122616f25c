import { type Kysely, sql } from 'kysely'

/**
 * Searches ignore accents (decision record 259). Nodes of the previous release use the lower-case trigram indexes until
 * they stop, so a later migration drops those: `note_search`, `media_search`, `task_search`, `edge_search`,
 * `edge_instance_search` and `person_search`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The same as foldCase in the contract. In NFC, so that positions are those of the text, but for ß.
    create function fold(value text) returns text language sql immutable parallel safe
      return replace(translate(lower(normalize(
        regexp_replace(normalize(value, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC)), 'łøđıς', 'lodiσ'), 'ß', 'ss');

    create index note_folded on note using gin (fold(label || E'\\n' || text) gin_trgm_ops);
    create index media_folded on media using gin (fold(label || E'\\n' || tags_text(tags)) gin_trgm_ops);
    create index task_folded on task using gin (fold(search) gin_trgm_ops) where archived_at is null;
    create index edge_folded on edge using gin (fold(label) gin_trgm_ops);
    create index edge_instance_folded on edge_instance using gin (fold(label) gin_trgm_ops);
    create index person_folded on person using gin (fold(firstname || ' ' || lastname) gin_trgm_ops);
  `.execute(db)
}
