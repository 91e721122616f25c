import { type Kysely, sql } from 'kysely'

/**
 * Indexes in the orders of lists, which no longer depend on the collation of the database (decision record 196). Nodes
 * of the previous release use the former indexes until they stop, so a later migration drops those: `person_name`,
 * `email_default`, `media_label` and `edge_job_line_job`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index person_by_name on person (lower(firstname || ' ' || lastname) collate "C", id);
    create index email_by_address on email (lower(email) collate "C", person_id) where is_default;
    create index media_by_label on media (project_id, lower(label) collate "C", id);
    create index edge_job_line_by_label on edge_job_line (job_id, lower(label) collate "C", id);
  `.execute(db)
}
