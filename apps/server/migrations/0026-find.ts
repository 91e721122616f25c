import { type Kysely, sql } from 'kysely'

/** Trigram indexes for the search across projects (decision record 93). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index edge_search on edge using gin (lower(label) gin_trgm_ops);
    create index edge_instance_search on edge_instance using gin (lower(label) gin_trgm_ops);
    create index person_search on person using gin (lower(firstname || ' ' || lastname) gin_trgm_ops);
  `.execute(db)
}
