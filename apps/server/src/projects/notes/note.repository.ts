import type { BodyOf, Note, noteEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
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
import { lockRecords, recordLimits } from '#platform/database/record-quota.ts'
import { forgetRemoved, removeRecord, restoreRecord } from '#platform/database/removed-records.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import type { ResourceStore } from '#platform/resource/resource.ts'

const searchable = {
  indexed: sql<string>`note.label || E'\\n' || note.text`,
  keys: {
    label: { text: sql<string>`note.label`, isIndexed: true },
    pinned: { boolean: sql<boolean>`note.is_pinned` },
  },
}

/** Bytes of text on one page of the list. */
const pageBytes = 1024 ** 2

/** Deleted notes of a project that can be restored, so that creating and deleting cannot fill the disk. */
const removedMost = 500

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

  async function used(): Promise<{ count: number; bytes: number }> {
    const { rows } = await sql<{ count: number; bytes: number }>`
      select count(*), coalesce(sum(octet_length(label) + octet_length(text)), 0)::bigint as bytes
      from note where project_id = ${projectId}`.execute(db)
    return rows[0] ?? { count: 0, bytes: 0 }
  }

  /** Throws if a change makes the notes of the project exceed a limit. No concurrent change does. */
  async function withinLimits<Result>(change: () => Promise<Result>): Promise<Result> {
    await lockRecords(db, 'note', projectId)
    const before = await used()
    const result = await change()
    const after = await used()
    const isTooMany = after.count > recordLimits.notesMax && after.count > before.count
    const isTooLong = after.bytes > recordLimits.notesBytesMax && after.bytes > before.bytes
    if (isTooMany || isTooLong) throw new AppError('PROJECT_FULL', full)
    return result
  }

  return {
    /**
     * Lists pinned notes first, both groups newest first, in the order of the index `note_project`. A page ends before
     * its texts exceed {@link pageBytes}.
     */
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
      const asked = matching
        .select([
          ...columns,
          sql<number>`sum(octet_length(note.text)) over (order by note.is_pinned desc, note.id desc rows unbounded preceding)`.as(
            'reach',
          ),
          sql<number>`octet_length(note.text)`.as('bytes'),
        ])
        .$if(after !== undefined, (from) =>
          from.where(sql<boolean>`(note.is_pinned, note.id) < (${after?.isPinned}, ${after?.id})`),
        )
        .orderBy('note.is_pinned', 'desc')
        .orderBy('note.id', 'desc')
        .limit(size + 1)
      const [rows, count] = await Promise.all([
        // With the first note that does not fit, which shows that another page follows.
        db
          .selectFrom(asked.as('asked'))
          .selectAll()
          .where(sql<boolean>`reach - bytes <= ${pageBytes}`)
          .orderBy('is_pinned', 'desc')
          .orderBy('id', 'desc')
          .execute(),
        countUpTo(db, matching.select('note.id')),
      ])
      const fitting = rows.filter(({ reach }) => reach <= pageBytes).length
      return pageOf(rows, {
        size: Math.min(size, fitting),
        count,
        isPartial: end !== undefined,
        keyOf: placeOf,
        itemOf: noteOf,
      })
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
      const { rows } = await withinLimits(() =>
        sql<{ id: string }>`
          insert into note (id, project_id, label, text, updated_by)
          select ${uuidv7()}::uuid, project.id, ${label}, ${text}, ${personId}::uuid
          from project where project.id = ${projectId} for key share
          returning id`.execute(db),
      )
      return rows[0]?.id
    },

    async update(noteId, { label, text, isPinned }) {
      const write = () =>
        db
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
      await (label === undefined && text === undefined ? write() : withinLimits(write))
    },

    async remove(noteId) {
      await removeRecord(db, { table: 'note', projectId, id: noteId })
      await sql`
        delete from removed_record where id in (
          select id from removed_record where project_id = ${projectId} and collection = 'note'
          order by removed_at desc, id desc offset ${removedMost}::int)`.execute(db)
    },

    restore: (noteId) => withinLimits(() => restoreRecord(db, { table: 'note', projectId, id: noteId })),

    async removeAll() {
      const { numDeletedRows } = await db
        .deleteFrom('note')
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

const full = {
  message: {
    de: `A project can have ${recordLimits.notesMax} notes and ${recordLimits.notesBytesMax / 1024 ** 2} MiB of text in them. Delete notes or shorten them first`,
    'de-DE': `Ein Projekt fasst ${recordLimits.notesMax} Notizen mit zusammen ${recordLimits.notesBytesMax / 1024 ** 2} MiB Text. Löschen oder kürzen Sie zuerst Notizen`,
  },
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
