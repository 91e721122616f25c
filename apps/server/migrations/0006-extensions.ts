import { type Kysely, sql } from 'kysely'

/** Enabled extensions, the data of their apps, and the keys that authenticate Pult to their services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Stored decisions about extensions. Without a row, bundled extensions run and others do not.
    create table extension (
      id text primary key,
      is_enabled boolean not null,
      -- Digest of the enabled manifest, which contains the digests of all files: another manifest must be enabled
      -- again. Null stands for the bundled version, whose files change with each release.
      digest text,
      -- URL of the extension's own service.
      backend_url text,
      changed_at timestamptz not null default now()
    );

    -- Values by key, per app and project. In bytewise order, so that a prefix is one range of the index.
    create table app_store (
      project_id uuid not null references project on delete cascade,
      app text not null,
      key text collate "C" not null,
      value jsonb not null,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null,
      primary key (project_id, app, key)
    );

    -- Keys that sign the identity of callers for the services of extensions; the newest one is used. The private key
    -- is encrypted.
    create table identity_key (
      id uuid primary key,
      public_key jsonb not null,
      private_key bytea not null,
      created_at timestamptz not null default now()
    );
  `.execute(db)
}
