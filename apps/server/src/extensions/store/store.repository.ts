import type { StoreEntry } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'

export interface StorePlace {
  projectId: string
  app: string
}

/** The entries of one app in one project. */
export function createStoreRepository(db: Db, { projectId, app }: StorePlace) {
  const entries = db
    .selectFrom('app_store')
    .leftJoin('person as changer', 'changer.id', 'app_store.updated_by')
    .where('app_store.project_id', '=', projectId)
    .where('app_store.app', '=', app)
    .select([
      'app_store.key',
      'app_store.value',
      'app_store.created_at',
      'app_store.revision',
      'app_store.updated_at',
      ...changerColumns,
    ])

  return {
    /** Locks the entries of the project against other writers until the transaction ends. */
    async lock(): Promise<void> {
      const place = `app_store ${projectId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(db)
    },

    async list(prefix: string | undefined): Promise<StoreEntry[]> {
      const rows = await entries
        .$if(prefix !== undefined, (from) => from.where(sql<boolean>`starts_with(key, ${prefix})`))
        .orderBy('app_store.key')
        .execute()
      return rows.map(entryOf)
    },

    async find(key: string): Promise<StoreEntry | undefined> {
      const row = await entries.where('app_store.key', '=', key).executeTakeFirst()
      return row && entryOf(row)
    },

    async count(): Promise<number> {
      const { count } = await db
        .selectFrom('app_store')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('app', '=', app)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Returns the stored bytes of the values of all apps in the project. */
    async usedBytes(): Promise<number> {
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(pg_column_size(value)), 0)::bigint as bytes
        from app_store where project_id = ${projectId}`.execute(db)
      return rows[0]?.bytes ?? 0
    },

    /** Writes an entry. Returns whether the project still exists, and locks it until the transaction ends. */
    async write(key: string, json: string, personId: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into app_store (project_id, app, key, value, updated_by)
        select project.id, ${app}, ${key}, ${json}::jsonb, ${personId}::uuid
        from project where project.id = ${projectId} for key share
        on conflict (project_id, app, key) do update
        set value = excluded.value, updated_by = excluded.updated_by, updated_at = clock_timestamp(),
          revision = app_store.revision + 1`.execute(db)
      return numAffectedRows === 1n
    },

    async remove(key: string): Promise<void> {
      await db
        .deleteFrom('app_store')
        .where('project_id', '=', projectId)
        .where('app', '=', app)
        .where('key', '=', key)
        .execute()
    },
  }
}

interface StoreRow extends RevisedRow {
  key: string
  value: unknown
}

const entryOf = (row: StoreRow): StoreEntry => ({
  key: row.key,
  value: row.value,
  ...revisedOf(row),
})
