import { type Kysely, sql } from 'kysely'

/** Pictures, videos and sounds of projects, and the invitations that a batch has already sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      -- image, video, audio
      type text not null,
      tags text[] not null default '{}',
      -- processing, ready or failed: the state of a picture's formats.
      state text not null,
      -- The task that makes the formats. No foreign key, because tasks are deleted and media remain.
      task_id uuid,
      -- [{name, file, mime, size, width, height}], the original first; file is an id in the room of files.
      formats jsonb not null,
      -- sha256 of the original once it was read, so that an import adds it only once.
      digest text,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index media_project on media (project_id, id);
    create index media_digest on media (project_id, digest);

    -- Written with each invitation, so that a restarted batch invites no person twice.
    create table batch_invitation (
      task_id uuid not null,
      email_key text not null,
      created_at timestamptz not null default now(),
      primary key (task_id, email_key)
    );
    create index batch_invitation_age on batch_invitation (created_at);
  `.execute(db)
}
