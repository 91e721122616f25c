import { type Kysely, sql } from 'kysely'

/** Edges, how they are, what they run, and what their Stream Decks show. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      -- With the code an agent becomes this edge; it is null once it was used. With the token it connects.
      code_hash bytea unique,
      code_expires_at timestamptz,
      token_hash bytea unique,
      -- Minutes offline after which people are told.
      alert_after int default 1,
      created_at timestamptz not null default now(),
      enrolled_at timestamptz,
      revoked_at timestamptz,
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index edge_project on edge (project_id, lower(label), id);

    -- Apart from what people change, because it is written every few seconds. No index has what these writes change, and
    -- pages have room, so that a row is written anew beside itself.
    create table edge_presence (
      edge_id uuid primary key references edge on delete cascade,
      -- The newest connection: what an older one says does not count.
      connection uuid not null,
      -- The agent's process.
      run uuid not null,
      version text not null,
      is_online boolean not null,
      seen_at timestamptz not null,
      offline_since timestamptz,
      -- When people were told of this outage, and when the last mail about this edge left.
      alerted_at timestamptz,
      mailed_at timestamptz,
      report jsonb
    ) with (fillfactor = 50);

    create table edge_instance (
      id uuid primary key,
      edge_id uuid not null references edge on delete cascade,
      -- In the settings of the agent; null for one that was made here.
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
