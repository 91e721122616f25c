import { type Kysely, sql } from 'kysely'

/** Which extensions run, what their apps keep, and the keys with which their services know who calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What somebody decided about an extension. Without a row those that come with the product run, and no other does.
    create table extension (
      id text primary key,
      is_enabled boolean not null,
      -- Of the manifest that was enabled, which has the digest of every file: another one has to be enabled again. Null
      -- stands for the version that comes with the product, whose files change with each release of it.
      digest text,
      -- Where the extension's own service is.
      backend_url text,
      changed_at timestamptz not null default now()
    );

    -- Values by key, for each app and project. In the order of bytes, so that a prefix is one range of the index.
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

    -- With the newest one the services of extensions are told who calls. The private key is sealed.
    create table identity_key (
      id uuid primary key,
      public_key jsonb not null,
      private_key bytea not null,
      created_at timestamptz not null default now()
    );
  `.execute(db)
}
