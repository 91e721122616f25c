import { type Kysely, sql } from 'kysely'

/** Requests of users for a role of a project (decision record 96). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_request (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      person_id uuid not null references person on delete cascade,
      product_role text not null,
      message text not null default '',
      created_at timestamptz not null default now(),
      -- All three null: pending.
      ended_at timestamptz,
      outcome text check (outcome in ('granted', 'declined')),
      ended_by uuid references person on delete set null,
      check ((ended_at is null) = (outcome is null))
    );
    create unique index access_request_pending
      on access_request (project_id, person_id, product_role) where ended_at is null;
    create index access_request_person on access_request (person_id);
    create index access_request_ended_by on access_request (ended_by) where ended_by is not null;
  `.execute(db)
}
