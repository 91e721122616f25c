import { type Kysely, sql } from 'kysely'

/** Enrolment keys, and machines that wait for a decision (decision record 159). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The machine that the agent of an edge runs on. Null until an agent has named it.
    alter table edge add column machine jsonb;

    create table edge_key (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      hash bytea not null unique,
      tags text[] not null,
      needs_approval boolean not null,
      -- Null: any number.
      uses_left int check (uses_left >= 0),
      used int not null default 0,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      created_by uuid references person on delete set null
    );
    create index edge_key_project on edge_key (project_id, created_at);

    create table edge_request (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      -- A newcomer has a token of its own. A copy presents the token of an edge, and is known by its hardware.
      token_hash bytea unique,
      edge_id uuid references edge on delete cascade,
      hardware text,
      label text not null,
      tags text[] not null,
      key_label text,
      machine jsonb,
      version text,
      address text not null,
      created_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      -- A refused copy is remembered, so that it does not ask again.
      refused_at timestamptz,
      unique (edge_id, hardware),
      check ((token_hash is null) = (edge_id is not null and hardware is not null))
    );
    create index edge_request_project on edge_request (project_id, created_at);
  `.execute(db)
}
