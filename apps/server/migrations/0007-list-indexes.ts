import { type Kysely, sql } from 'kysely'

/** What lists are read from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The ids of what a person sees, from the indexes alone and in their order.
    create index project_owner_id on project (owner_id, id);
    drop index project_owner;
    create index project_organisation_id on project (organisation_id, id);
    drop index project_organisation;
    create index project_grant_person_project on project_grant (person_id, project_id);
    drop index project_grant_person;

    -- Rows of the audit log that are looked for by where they came from, and those that tell of a failure.
    create index audit_address on audit (address collate "C", at);
    create index audit_failure on audit (at, id) where result = 'failure';
  `.execute(db)
}
