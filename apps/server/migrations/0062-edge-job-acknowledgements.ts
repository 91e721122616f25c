import { type Kysely, sql } from 'kysely'

/** A line of a job is `running` from the first answer of its agent on (decision record 219). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Sent, but never answered.
    update edge_job_line set state = 'waiting' where state = 'running' and heard_at = sent_at;

    -- The work that an event names, and the round over all unfinished jobs.
    create index edge_job_line_due on edge_job_line (edge_id) where state in ('waiting', 'running');
    create index edge_job_round on edge_job (id) where ended_at is null;
  `.execute(db)
}
