import { type Kysely, sql } from 'kysely'

/** The ids of what a person sees, from the indexes alone and in their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index project_owner_id on project (owner_id, id);
    drop index project_owner;
    create index project_organisation_id on project (organisation_id, id);
    drop index project_organisation;
    create index project_grant_person_project on project_grant (person_id, project_id);
    drop index project_grant_person;
  `.execute(db)
}
