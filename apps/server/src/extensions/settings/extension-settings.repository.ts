import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Both ids null: the installation. */
export interface SettingsPlace {
  extension: string
  projectId: string | null
  personId: string | null
}

export interface SettingsRow {
  /** A map, because manifests choose the ids: one can be called `constructor`. */
  values: ReadonlyMap<string, unknown>
  revision: number
  updatedAt: Date
  updatedBy: { _id: string; firstname: string; lastname: string } | null
}

const lockKey = ({ extension, projectId, personId }: SettingsPlace) =>
  `extension_settings ${extension} ${projectId} ${personId}`

export function createExtensionSettingsRepository(db: Db) {
  return {
    async lock(place: SettingsPlace): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${lockKey(place)}, 0))`.execute(db)
    },

    async find({ extension, projectId, personId }: SettingsPlace): Promise<SettingsRow | undefined> {
      const { rows } = await sql<Omit<SettingsRow, 'values'> & { values: object }>`
        select s."values", s.revision, s.updated_at as "updatedAt",
          case when p.id is not null then
            json_build_object('_id', p.id, 'firstname', p.firstname, 'lastname', p.lastname)
          end as "updatedBy"
        from extension_settings s left join person p on p.id = s.updated_by
        where s.extension = ${extension} and s.project_id is not distinct from ${projectId}::uuid
          and s.person_id is not distinct from ${personId}::uuid`.execute(db)
      const [row] = rows
      return row && { ...row, values: new Map(Object.entries(row.values)) }
    },

    async write(
      { extension, projectId, personId }: SettingsPlace,
      values: SettingsRow['values'],
      changedBy: string,
    ): Promise<void> {
      const json = JSON.stringify(Object.fromEntries(values))
      await sql`
        insert into extension_settings (extension, project_id, person_id, "values", updated_by)
        values (${extension}, ${projectId}::uuid, ${personId}::uuid, ${json}::jsonb,
          ${changedBy}::uuid)
        on conflict (extension, project_id, person_id) do update
        set "values" = excluded."values", updated_by = excluded.updated_by, updated_at = clock_timestamp(),
          revision = extension_settings.revision + 1`.execute(db)
    },
  }
}
