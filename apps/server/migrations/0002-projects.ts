import { type Kysely, sql } from 'kysely'

/** Organisations and the projects that belong to them or are private. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation (
      id uuid primary key,
      label text not null,
      owner_id uuid not null references person,
      created_at timestamptz not null default now()
    );
    create index organisation_owner on organisation (owner_id);

    create table project (
      id uuid primary key,
      label text not null,
      organisation_id uuid references organisation,
      owner_id uuid not null references person,
      config jsonb not null default '{}',
      created_at timestamptz not null default now()
    );
    create index project_owner on project (owner_id);
    create index project_organisation on project (organisation_id);
  `.execute(db)
}
