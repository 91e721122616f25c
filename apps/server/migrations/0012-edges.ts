import { type Kysely, sql } from 'kysely'

/** Edges with their presence, instances and Stream Decks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      -- An agent enrols with the code, which is null after its use, and connects with the token.
      code_hash bytea unique,
      code_expires_at timestamptz,
      token_hash bytea unique,
      -- Minutes offline before an alert.
      alert_after int default 1,
      created_at timestamptz not null default now(),
      enrolled_at timestamptz,
      revoked_at timestamptz,
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index edge_project on edge (project_id, lower(label), id);

    -- Separate from the user's settings, because it is written every few seconds. No index contains the changed
    -- columns, and pages have free space, so that updates stay on their page.
    create table edge_presence (
      edge_id uuid primary key references edge on delete cascade,
      -- The newest connection; reports of older ones are ignored.
      connection uuid not null,
      -- The process of the agent.
      run uuid not null,
      version text not null,
      is_online boolean not null,
      seen_at timestamptz not null,
      offline_since timestamptz,
      -- Time of the alert for this outage, and of the last mail about this edge.
      alerted_at timestamptz,
      mailed_at timestamptz,
      report jsonb
    ) with (fillfactor = 50);

    create table edge_instance (
      id uuid primary key,
      edge_id uuid not null references edge on delete cascade,
      -- The key in the agent's settings; null for an instance created in the console.
      key text,
      reported_label text,
      label text not null,
      is_reported boolean not null,
      -- Null is the edge's own project.
      project_id uuid references project on delete set null,
      unique (edge_id, key)
    );
    create index edge_instance_project on edge_instance (project_id) where project_id is not null;

    create table edge_deck (
      edge_id uuid not null references edge on delete cascade,
      serial text not null,
      brightness float8 not null default 0.8,
      picture bytea,
      primary key (edge_id, serial)
    );
  `.execute(db)
}
