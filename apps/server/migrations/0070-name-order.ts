import { type Kysely, sql } from 'kysely'

/**
 * Lists have the order of names that users expect (decision record 252). Nodes of the previous release use the bytewise
 * indexes of migration 55 until they stop, so a later migration drops those: `person_by_name`, `email_by_address`,
 * `media_by_label` and `edge_job_line_by_label`. The indexes before them have no more users.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A former version leaves it when it restores a backup.
    do $$ begin
      create collation if not exists name_order (provider = icu, locale = 'und-u-kn-true');
    exception when feature_not_supported then
      -- A PostgreSQL that was built without ICU.
      create collation name_order from "C";
    end $$;

    create index person_in_order on person (lower(firstname || ' ' || lastname) collate name_order, id);
    create index email_in_order on email (lower(email) collate name_order, person_id) where is_default;
    create index media_in_order on media (project_id, lower(label) collate name_order, id);
    create index edge_job_line_in_order on edge_job_line (job_id, lower(label) collate name_order, id);

    drop index person_name, email_default, media_label, edge_job_line_job;
  `.execute(db)
}
