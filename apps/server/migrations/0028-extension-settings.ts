import { type Kysely, sql } from 'kysely'

/** Values that extensions take from their users (decision record 98). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table extension_settings (
      extension text not null,
      -- Both null: the installation.
      project_id uuid references project on delete cascade,
      person_id uuid references person on delete cascade,
      -- By id; a secret is {"sealed": base64}.
      "values" jsonb not null,
      revision int not null default 1,
      updated_at timestamptz not null default now(),
      updated_by uuid references person on delete set null,
      check (project_id is null or person_id is null),
      unique nulls not distinct (extension, project_id, person_id)
    );
    create index extension_settings_project on extension_settings (project_id) where project_id is not null;
    create index extension_settings_person on extension_settings (person_id) where person_id is not null;
  `.execute(db)
}
