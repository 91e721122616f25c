import type { BodyOf, Note, noteEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import {
  countUpTo,
  idAfter,
  type PageQuery,
  pageOf,
  pageSizeOf,
  scanEnd,
  searchCondition,
} from '#platform/database/page.ts'
import { forgetRemoved, removeRecord, restoreRecord } from '#platform/database/removed-records.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import type { ResourceStore } from '#platform/resource/resource.ts'

const searchable = {
  indexed: sql<string>`lower(note.label || E'\\n' || note.text)`,
  keys: {
    label: { text: sql<string>`note.label`, isIndexed: true },
    pinned: { boolean: sql<boolean>`note.is_pinned` },
  },
}

/** The notes of a project; `personId` is the user who changes them. */
export function createNoteRepository(
  db: Db,
  { projectId, personId }: { projectId: string; personId: string },
): ResourceStore<Note, BodyOf<typeof noteEndpoints.create>> {
  const ofProject = db
    .selectFrom('note')
    .leftJoin('person as changer', 'changer.id', 'note.updated_by')
    .where('note.project_id', '=', projectId)

  const columns = [
    'note.id',
    'note.label',
    'note.text',
    'note.is_pinned',
    'note.created_at',
    'note.revision',
    'note.updated_at',
    ...changerColumns,
  ] as const

  return {
    /** Lists pinned notes first, both groups newest first, in the order of the index `note_project`. */
    async list(query) {
      const size = pageSizeOf(query)
      const after = placeAfter(query)
      const inOrder = sql<PlaceRow>`
        select is_pinned, id from note where project_id = ${projectId} order by is_pinned desc, id desc`
      const end = await scanEnd(db, query.search, searchable, inOrder)
      const matching = ofProject
        .where(searchCondition(query.search, searchable))
        .$if(end !== undefined, (from) =>
          from.where(sql<boolean>`(note.is_pinned, note.id) >= (${end?.is_pinned}, ${end?.id})`),
        )
      const [rows, count] = await Promise.all([
        matching
          .select(columns)
          .$if(after !== undefined, (from) =>
            from.where(sql<boolean>`(note.is_pinned, note.id) < (${after?.isPinned}, ${after?.id})`),
          )
          .orderBy('note.is_pinned', 'desc')
          .orderBy('note.id', 'desc')
          .limit(size + 1)
          .execute(),
        countUpTo(db, matching.select('note.id')),
      ])
      return pageOf(rows, { size, count, isPartial: end !== undefined, keyOf: placeOf, itemOf: noteOf })
    },

    async find(noteId) {
      const row = await ofProject.select(columns).where('note.id', '=', noteId).executeTakeFirst()
      return row && noteOf(row)
    },

    async lock(noteId) {
      await db
        .selectFrom('note')
        .select('id')
        .where('id', '=', noteId)
        .where('project_id', '=', projectId)
        .forUpdate()
        .execute()
    },

    /** Locks the project row against deletion. */
    async add({ label, text = '' }) {
      const { rows } = await sql<{ id: string }>`
        insert into note (id, project_id, label, text, updated_by)
        select ${uuidv7()}::uuid, project.id, ${label}, ${text}, ${personId}::uuid
        from project where project.id = ${projectId} for key share
        returning id`.execute(db)
      return rows[0]?.id
    },

    async update(noteId, { label, text, isPinned }) {
      await db
        .updateTable('note')
        .set((eb) => ({
          ...(label !== undefined && { label }),
          ...(text !== undefined && { text }),
          ...(isPinned !== undefined && { is_pinned: isPinned }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: personId,
        }))
        .where('id', '=', noteId)
        .where('project_id', '=', projectId)
        .execute()
    },

    async remove(noteId) {
      await removeRecord(db, { table: 'note', projectId, id: noteId })
    },

    restore: (noteId) => restoreRecord(db, { table: 'note', projectId, id: noteId }),

    async removeAll() {
      const { numDeletedRows } = await db
        .deleteFrom('note')
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

/** Deletes notes that can no longer be restored. */
export async function sweepRemovedNotes(db: Db): Promise<void> {
  await forgetRemoved(db, 'note')
}

interface PlaceRow {
  is_pinned: boolean
  id: string
}

/** The key of a page: `1` for a pinned note or `0` for another, and the id. */
const placeOf = ({ is_pinned, id }: PlaceRow) => `${is_pinned ? 1 : 0}${id}`

function placeAfter({ after }: PageQuery): { isPinned: boolean; id: string } | undefined {
  if (after === undefined) return undefined
  const [, pinned, rest = ''] = /^([01])(.*)$/.exec(after) ?? []
  const id = idAfter({ after: rest })
  return id === undefined ? undefined : { isPinned: pinned === '1', id }
}

interface NoteRow extends RevisedRow {
  id: string
  label: string
  text: string
  is_pinned: boolean
}

const noteOf = (row: NoteRow): Note => ({
  _id: row.id,
  label: row.label,
  text: row.text,
  isPinned: row.is_pinned,
  ...revisedOf(row),
})
