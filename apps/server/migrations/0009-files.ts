import { type Kysely, sql } from 'kysely'

/** Files that users upload or the server makes. The file store contains their bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file (
      id uuid primary key,
      -- The stored name, created by the server and never by a client.
      filename text not null unique,
      -- No foreign key: a file outlives its project until its bytes are deleted.
      project_id uuid,
      person_id uuid references person on delete set null,
      -- All readers of the project, or only that person and root.
      readers text not null check (readers in ('project', 'person')),
      name text not null,
      content_type text not null,
      -- The announced size until the bytes are stored, then the real one.
      size bigint not null,
      -- Null if the bytes did not pass through this server.
      sha256 bytea,
      width int,
      height int,
      created_at timestamptz not null default now(),
      -- Time at which all bytes were stored and checked.
      stored_at timestamptz,
      -- Time at which a record claimed the file; unclaimed files are deleted after a day.
      claimed_at timestamptz,
      expires_at timestamptz,
      -- Time of release; the bytes may be deleted.
      released_at timestamptz
    );
    -- The quota of a project.
    create index file_project on file (project_id) include (size, stored_at);
    create index file_person on file (person_id);
    create index file_unclaimed on file (created_at) where claimed_at is null;
    create index file_expires on file (expires_at) where expires_at is not null;
    create index file_released on file (released_at) where released_at is not null;

    -- Addresses for the upload of one file each; deleted when its bytes are stored.
    create table upload_ticket (
      token_hash bytea primary key,
      file_id uuid not null unique references file on delete cascade,
      -- The ticket expires with the session that requested it.
      session_id uuid references session on delete cascade,
      -- Bytes that are durably on disk.
      received bigint not null default 0,
      expires_at timestamptz not null,
      -- The upload that holds the ticket, and until when it may be silent.
      held_by uuid,
      held_until timestamptz
    );
    create index upload_ticket_session on upload_ticket (session_id);
  `.execute(db)
}
