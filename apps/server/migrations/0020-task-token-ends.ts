import { type Kysely, sql } from 'kysely'

/** Task tokens expire. Those that exist stay valid for 90 more days, which the project's list of tokens shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table task_token add column expires_at timestamptz not null default now() + interval '90 days';
    -- A token ends when its creator loses the right to edit the project. A token without a creator belongs to the
    -- project's owner.
    update task_token set created_by = project.owner_id from project
      where project.id = task_token.project_id and task_token.created_by is null;
  `.execute(db)
}
