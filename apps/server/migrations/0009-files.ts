import { type Kysely, sql } from 'kysely'

/** Files that people upload and that the server makes. Their bytes are in the file store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file (
      id uuid primary key,
      -- Under which the bytes are kept: made by the server, never by a client.
      filename text not null unique,
      -- No foreign key: a file outlives its project until the bytes have been deleted with it.
      project_id uuid,
      person_id uuid references person on delete set null,
      -- Everybody who sees the project, or that person and root alone.
      readers text not null check (readers in ('project', 'person')),
      name text not null,
      content_type text not null,
      -- Announced until the bytes are there, then theirs.
      size bigint not null,
      -- Null when the bytes never came through this server.
      sha256 bytea,
      width int,
      height int,
      created_at timestamptz not null default now(),
      -- Since when all bytes are there and were looked at.
      stored_at timestamptz,
      -- Since when it is part of something; until then it is swept away after a day.
      claimed_at timestamptz,
      expires_at timestamptz,
      -- Since when nobody sees it any more and its bytes may go.
      released_at timestamptz
    );
    -- What a project's files take together.
    create index file_project on file (project_id) include (size, stored_at);
    create index file_person on file (person_id);
    create index file_unclaimed on file (created_at) where claimed_at is null;
    create index file_expires on file (expires_at) where expires_at is not null;
    create index file_released on file (released_at) where released_at is not null;

    -- Addresses to which one file each may be uploaded; gone once its bytes are there.
    create table upload_ticket (
      token_hash bytea primary key,
      file_id uuid not null unique references file on delete cascade,
      -- It ends with the session that asked for it.
      session_id uuid references session on delete cascade,
      -- Bytes that are on disk for good.
      received bigint not null default 0,
      expires_at timestamptz not null,
      -- Which upload writes now, and until when it does so without saying anything.
      held_by uuid,
      held_until timestamptz
    );
    create index upload_ticket_session on upload_ticket (session_id);
  `.execute(db)
}
