import { type Kysely, sql } from 'kysely'

/** Members, grants, and records that several people change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- revision counts the changes of a record, so that an update based on an older one is detected.
    alter table organisation
      add column revision int not null default 1,
      add column updated_at timestamptz not null default now(),
      add column updated_by uuid references person on delete set null;

    -- The owner is a member as well, so that one table contains all members.
    create table membership (
      organisation_id uuid not null references organisation on delete cascade,
      person_id uuid not null references person on delete cascade,
      created_at timestamptz not null default now(),
      primary key (organisation_id, person_id)
    );
    create index membership_person on membership (person_id);
    insert into membership (organisation_id, person_id, created_at)
      select id, owner_id, created_at from organisation;

    alter table project
      add column revision int not null default 1,
      add column updated_at timestamptz not null default now(),
      add column updated_by uuid references person on delete set null,
      add column meta jsonb not null default '{}',
      add column products text[] not null default '{}';

    -- product_role is 'product/role' of an extension's manifest; null grants no role yet.
    create table project_grant (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      person_id uuid not null references person on delete cascade,
      product_role text,
      created_at timestamptz not null default now(),
      unique nulls not distinct (project_id, person_id, product_role)
    );
    create index project_grant_person on project_grant (person_id);

    -- default_project_id is first in this person's list of projects. revision, updated_at and updated_by concern
    -- root's changes to an account, not the profile.
    alter table person
      add column default_project_id uuid references project on delete set null,
      add column revision int not null default 1,
      add column updated_at timestamptz not null default now(),
      add column updated_by uuid references person on delete set null;

    -- Includes ended sessions, which the last activity and the deletion of an account need.
    drop index session_person;
    create index session_person on session (person_id);

    create table note (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      text text not null default '',
      is_pinned boolean not null default false,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index note_project on note (project_id, is_pinned desc, id desc);

    -- A create that is repeated with one key makes one record: the repeat returns the first answer.
    create table idempotency (
      person_id uuid not null references person on delete cascade,
      path text not null,
      key text not null,
      record_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (person_id, path, key)
    );
    create index idempotency_created_at on idempotency (created_at);

    -- The target of an invitation ('organisation:ID', 'project:ID', '' for an account only). An address may have
    -- invitations to several targets, and the newest is valid for each.
    alter table token_link add column target text not null default '';
    drop index token_link_open;
    create unique index token_link_open on token_link (action, email_key, target)
      where used_at is null and voided_at is null and person_id is null;
    create index token_link_target on token_link (target) where target <> '';

    -- Indexes for the order of rows and for searches. "C" supports prefix searches.
    drop index audit_at;
    create index audit_at on audit (at, id);
    create index audit_project on audit (project_id, at, id) where project_id is not null;
    create index audit_event on audit (event collate "C", at);
    create index audit_target_begin on audit (lower(target) collate "C");
  `.execute(db)
}
