import { type Kysely, sql } from 'kysely'

/** Revisions of the policies of updates, so that two people do not overwrite each other unnoticed (decision record 148). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge_update_policy
      add column revision int not null default 1,
      add column updated_at timestamptz not null default now(),
      add column updated_by uuid references person on delete set null;
  `.execute(db)
}
