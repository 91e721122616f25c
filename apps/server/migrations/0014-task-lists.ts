import { type Kysely, sql } from 'kysely'

/** Tasks by the million: their lists, their end, and the end of their projects; uploads end with the token that asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Tasks outlive their project until they have been deleted in portions: a million of them at once takes minutes in
    -- which the call that deletes a project cannot wait.
    alter table task drop constraint task_project_id_fkey;
    create index task_project on task (project_id, id);

    -- Led by what is the same in all of its rows: as an index of ids alone it looked as good as that of a project's own
    -- list, and a project without tasks was listed by going through all tasks of all others.
    drop index task_listed_everywhere;
    create index task_listed_everywhere on task (archived_at, id) where archived_at is null;

    -- What is archived because nobody has done it.
    create index task_left on task (fulfilled_at) where archived_at is null and fulfilled_at is not null;

    -- An upload ends with the token of the service that asked for it.
    alter table upload_ticket add column token_id uuid references task_token on delete cascade;
    create index upload_ticket_token on upload_ticket (token_id);
  `.execute(db)
}
