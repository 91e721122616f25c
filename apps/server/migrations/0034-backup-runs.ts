import { type Kysely, sql } from 'kysely'

/** Backups that this server has made, and their restore drills (decision record 119). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup_run (
      id uuid primary key,
      cause text not null check (cause in ('schedule', 'root')),
      person_id uuid references person on delete set null,
      started_at timestamptz not null default now(),
      -- The node that makes it renews this. A run that is not renewed is lost.
      seen_at timestamptz not null default now(),
      ended_at timestamptz,
      -- How far its current step is, in a unit of that step.
      step text,
      done bigint,
      total bigint,
      -- The name of the complete archive.
      archive text,
      files integer,
      missing integer,
      error text,
      proven_at timestamptz,
      -- Why the archive could not be restored on trial.
      proof_error text
    );
    create unique index backup_run_one on backup_run ((true)) where ended_at is null;
    create index backup_run_started on backup_run (started_at desc);
    create index backup_run_person on backup_run (person_id);
  `.execute(db)
}
