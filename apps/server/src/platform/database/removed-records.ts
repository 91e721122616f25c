import { sql } from 'kysely'
import type { Db } from './database.ts'

/** How long a deleted or archived record can be restored: DEC-20. */
export const restorableFor = sql`interval '10 minutes'`

/** A table with `id`, `project_id`, `revision` and `updated_by` whose deleted rows can be restored. */
type Restorable = 'note' | 'media'

interface RecordPlace {
  table: Restorable
  projectId: string
  id: string
}

/** Deletes a row and keeps its content for {@link restoreRecord}. */
export async function removeRecord(db: Db, { table, projectId, id }: RecordPlace): Promise<void> {
  await sql`
    with gone as (
      delete from ${sql.table(table)} where id = ${id}::uuid and project_id = ${projectId}::uuid returning *
    )
    insert into removed_record (id, collection, project_id, record)
    select id, ${table}, project_id, to_jsonb(gone) from gone`.execute(db)
}

/**
 * Restores a deleted row with the next revision. Returns false if it was deleted too long ago. Locks the project row
 * against deletion. An editor whose account has been deleted since then is omitted.
 */
export async function restoreRecord(db: Db, { table, projectId, id }: RecordPlace): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with back as (
      delete from removed_record where id = ${id}::uuid and collection = ${table}
        and project_id = ${projectId}::uuid and removed_at > now() - ${restorableFor}
      returning project_id, record
    )
    insert into ${sql.table(table)}
    select restored.* from back join project on project.id = back.project_id
    cross join lateral jsonb_populate_record(null::${sql.table(table)}, back.record || jsonb_build_object(
      'revision', (back.record ->> 'revision')::int + 1,
      'updated_by', (select person.id from person where person.id = (back.record ->> 'updated_by')::uuid)
    )) restored
    for key share of project`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes the content of rows that can no longer be restored, and returns it. */
export async function forgetRemoved<Content>(db: Db, table: Restorable): Promise<Content[]> {
  const { rows } = await sql<{ record: Content }>`
    delete from removed_record where collection = ${table} and removed_at <= now() - ${restorableFor}
    returning record`.execute(db)
  return rows.map(({ record }) => record)
}
