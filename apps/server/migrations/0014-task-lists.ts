import { type Kysely, sql } from 'kysely'

/** Lists and deletion of millions of tasks. Uploads end with the token that requested them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Tasks outlive their project until they are deleted in batches: deleting a million takes minutes, too long for
    -- the call that deletes a project.
    alter table task drop constraint task_project_id_fkey;
    create index task_project on task (project_id, id);

    -- Begins with a column that is equal in all its rows. As an index of ids alone, PostgreSQL preferred it to the
    -- index of a project's own list and scanned the tasks of all other projects.
    drop index task_listed_everywhere;
    create index task_listed_everywhere on task (archived_at, id) where archived_at is null;

    -- Ended tasks that no user has archived.
    create index task_left on task (fulfilled_at) where archived_at is null and fulfilled_at is not null;

    -- An upload expires with the task token that requested it.
    alter table upload_ticket add column token_id uuid references task_token on delete cascade;
    create index upload_ticket_token on upload_ticket (token_id);
  `.execute(db)
}
