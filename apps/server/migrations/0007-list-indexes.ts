import { type Kysely, sql } from 'kysely'

/** Indexes for lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Ids of the projects that a person may see, in order and from the indexes alone.
    create index project_owner_id on project (owner_id, id);
    drop index project_owner;
    create index project_organisation_id on project (organisation_id, id);
    drop index project_organisation;
    create index project_grant_person_project on project_grant (person_id, project_id);
    drop index project_grant_person;

    -- Audit rows by network address, and failures.
    create index audit_address on audit (address collate "C", at);
    create index audit_failure on audit (at, id) where result = 'failure';
  `.execute(db)
}
