import { type Kysely, sql } from 'kysely'

/** Indexes in the orders of lists that sort by a text (decision record 132). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index person_name on person (lower(firstname || ' ' || lastname), id);
    create index email_default on email (lower(email), person_id) where is_default;
    create index media_label on media (project_id, lower(label), id);
  `.execute(db)
}
