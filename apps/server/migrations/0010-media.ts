import { type Kysely, sql } from 'kysely'

/** Pictures, videos and sounds of projects, and whom a batch of invitations has invited already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media (
      id uuid primary key,
      project_id uuid not null references project on delete cascade,
      label text not null,
      -- image, video, audio
      type text not null,
      tags text[] not null default '{}',
      -- processing, ready, failed: of the formats that are made of a picture.
      state text not null,
      -- What makes them. Not a reference: tasks are swept away, media stay.
      task_id uuid,
      -- [{name, file, mime, size, width, height}], the original first; file is an id in the room of files.
      formats jsonb not null,
      -- sha256 of the original, once somebody has read it: what is brought twice is there once.
      digest text,
      created_at timestamptz not null default now(),
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null
    );
    create index media_project on media (project_id, id);
    create index media_digest on media (project_id, digest);

    -- Written with each invitation: a batch that begins anew after a crash invites nobody twice.
    create table batch_invitation (
      task_id uuid not null,
      email_key text not null,
      created_at timestamptz not null default now(),
      primary key (task_id, email_key)
    );
    create index batch_invitation_age on batch_invitation (created_at);
  `.execute(db)
}
