import type { MediaCounts, MediaItem, MediaKind, MediaSort } from '@pult/contract'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import {
  countedAtMost,
  countUpTo,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  scanEnd,
  searchCondition,
} from '#platform/database/page.ts'
import { hasRecords, lockRecords, recordLimits } from '#platform/database/record-quota.ts'
import { removeRecord, restoreRecord } from '#platform/database/removed-records.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import { keyOfSorted, sortedPage } from '#platform/database/sorted-page.ts'
import type { KeptFormat, MediaType } from './medium.ts'

const mimes = sql<string[]>`array(
  select format ->> 'mime' from jsonb_array_elements(media.formats) format where format ->> 'name' = 'original'
)`

const searchable = {
  indexed: sql<string>`media.label || E'\\n' || tags_text(media.tags)`,
  keys: {
    label: { text: sql<string>`media.label`, isIndexed: true },
    tag: { texts: sql<string[]>`media.tags`, isIndexed: true },
    type: { text: sql<string>`media.type` },
    mime: { texts: mimes },
  },
}

/** Converts a stored format to the form of the API. */
export type ShowFormat = (
  format: KeptFormat,
  item: { projectId: string; label: string },
) => MediaItem['source']['formats'][number]

export interface NewMedium {
  label: string
  type: MediaType
  tags: readonly string[]
  state: MediaItem['state']
  formats: readonly KeptFormat[]
  /** sha256 of the original, if it is known. */
  digest: string | null
  taskId?: string
  personId: string | null
}

/** A medium with its internal fields. */
export interface StoredMedium {
  id: string
  label: string
  type: MediaType
  tags: string[]
  state: MediaItem['state']
  formats: KeptFormat[]
  /** Null for media of earlier releases. */
  notes: string[] | null
  digest: string | null
  revision: number
}

const asJson = (formats: readonly KeptFormat[]) => sql<never>`${JSON.stringify(formats)}::jsonb`

/** Number of tags in the list. The search finds all others. */
const listedTags = 1000

export interface MediaListQuery extends PageQuery {
  kind?: MediaKind | undefined
  sort?: MediaSort | undefined
}

/** The media of a project. */
export function createMediaRepository(db: Db, projectId: string) {
  const ofProject = db
    .selectFrom('media')
    .leftJoin('person as changer', 'changer.id', 'media.updated_by')
    .leftJoin('task', (join) =>
      join.onRef('task.id', '=', 'media.task_id').on('task.archived_at', 'is', null),
    )
    .where('media.project_id', '=', projectId)

  // The task may have ended without setting the state: its node died, a user aborted it, or it missed its deadline.
  const state: RawBuilder<MediaItem['state']> = sql`case
    when media.state = 'processing' and (task.id is null or task.fulfilled_at is not null) then 'failed'
    else media.state end`

  const ofType = (type: MediaType) => sql<boolean>`media.type = ${type}`
  const kinds: Record<MediaKind, RawBuilder<boolean>> = {
    image: ofType('image'),
    video: ofType('video'),
    audio: ofType('audio'),
    failed: sql`${state} = 'failed'`,
  }

  async function countKinds(media: Expression<{ type: string; state: string }>): Promise<MediaCounts> {
    const { rows } = await sql<MediaCounts>`
      select count(*) filter (where type = 'image') as image, count(*) filter (where type = 'video') as video,
        count(*) filter (where type = 'audio') as audio, count(*) filter (where state = 'failed') as failed,
        count(*) = ${countedAtMost}::int as "isCapped"
      from ${media} counted`.execute(db)
    return rows[0] as MediaCounts
  }

  const columns = [
    'media.id',
    'media.label',
    'media.type',
    'media.tags',
    'media.formats',
    'media.notes',
    'media.created_at',
    'media.revision',
    'media.updated_at',
    'task.id as taskId',
    ...changerColumns,
    state.as('state'),
  ] as const

  const stored = () =>
    db
      .selectFrom('media')
      .select(['id', 'label', 'type', 'tags', 'state', 'formats', 'notes', 'digest', 'revision'])
      .where('project_id', '=', projectId)

  /** Throws if the media of the project exceed their limit after a change. */
  async function refuseTooMany(): Promise<void> {
    if (await hasRecords(db, 'media', projectId, recordLimits.mediaMax + 1))
      throw new AppError('PROJECT_FULL', full)
  }

  return {
    /** Lists the media, newest first unless sorted otherwise. */
    async list(query: MediaListQuery, show: ShowFormat): Promise<Page<MediaItem> & { counts: MediaCounts }> {
      const size = pageSizeOf(query)
      const { sort = '-created', kind } = query
      const isByLabel = sort.endsWith('label')
      const order = sortedPage(query, {
        id: sql`media.id`,
        text: isByLabel ? orderOf(sql`media.label`) : undefined,
        isReverse: sort.startsWith('-'),
      })
      const inOrder = sql<{ id: string }>`
        select id from media where project_id = ${projectId} order by id desc`
      const end = await scanEnd(db, query.search, searchable, inOrder)
      const matching = ofProject
        .where(searchCondition(query.search, searchable))
        .$if(end !== undefined, (from) => from.where('media.id', '>=', end?.id ?? ''))
      const asked = kind === undefined ? matching : matching.where(kinds[kind])
      const [rows, count, counts] = await Promise.all([
        asked
          .select(columns)
          .select(order.text.as('sortText'))
          .where(order.isAfter)
          .orderBy(order.orderBy)
          .limit(size + 1)
          .execute(),
        countUpTo(db, asked.select('media.id')),
        countKinds(
          matching.select([sql<string>`media.type`.as('type'), state.as('state')]).limit(countedAtMost),
        ),
      ])
      const page = pageOf(rows, {
        size,
        count,
        isPartial: end !== undefined,
        keyOf: isByLabel ? keyOfSorted : ({ id }) => id,
        itemOf: (row) => itemOf(row, projectId, show),
      })
      return { ...page, counts }
    },

    async find(mediaId: string, show: ShowFormat): Promise<MediaItem | undefined> {
      const row = await ofProject.select(columns).where('media.id', '=', mediaId).executeTakeFirst()
      return row && itemOf(row, projectId, show)
    },

    async stored(mediaId: string): Promise<StoredMedium | undefined> {
      const row = await stored().where('id', '=', mediaId).executeTakeFirst()
      return row as unknown as StoredMedium | undefined
    },

    /** Locks the medium until the transaction ends. */
    async lock(mediaId: string): Promise<StoredMedium | undefined> {
      const row = await stored().where('id', '=', mediaId).forUpdate().executeTakeFirst()
      return row as unknown as StoredMedium | undefined
    },

    /** Reads media in order of creation, after the given id. */
    async slice(after: string | undefined, most: number): Promise<StoredMedium[]> {
      const rows = await stored()
        .$if(after !== undefined, (from) => from.where('id', '>', after ?? ''))
        .orderBy('id')
        .limit(most)
        .execute()
      return rows as unknown as StoredMedium[]
    },

    /** Returns the media whose formats the task must still make. */
    async waitingFor(taskId: string): Promise<StoredMedium[]> {
      const rows = await stored()
        .where('task_id', '=', taskId)
        .where('state', '=', 'processing')
        .orderBy('id')
        .execute()
      return rows as unknown as StoredMedium[]
    },

    /** Returns whether the project has a medium with this digest. Media without a digest never match. */
    async hasDigest(digest: string): Promise<boolean> {
      const found = await stored().where('digest', '=', digest).limit(1).executeTakeFirst()
      return found !== undefined
    },

    /** Locks the project row against deletion. Returns undefined if the project was deleted. */
    async add({ label, type, tags, state: begins, formats, digest, taskId, personId }: NewMedium) {
      await lockRecords(db, 'media', projectId)
      const { rows } = await sql<{ id: string }>`
        insert into media (id, project_id, label, type, tags, state, formats, digest, task_id, updated_by)
        select ${uuidv7()}::uuid, project.id, ${label}, ${type}, ${[...tags]}::text[], ${begins}, ${asJson(formats)},
          ${digest}, ${taskId ?? null}::uuid, ${personId}::uuid
        from project where project.id = ${projectId} for key share
        returning id`.execute(db)
      await refuseTooMany()
      return rows[0]?.id
    },

    /** Updates a medium. Without `personId` the installation made the change, and the last editor is unchanged. */
    async update(
      mediaId: string,
      changes: Partial<Pick<StoredMedium, 'label' | 'type' | 'tags' | 'state' | 'formats' | 'notes'>> & {
        digest?: string | null
      },
      personId?: string,
    ): Promise<number | undefined> {
      const { formats, ...fields } = changes
      const row = await db
        .updateTable('media')
        .set((eb) => ({
          ...fields,
          ...(formats !== undefined && { formats: asJson(formats) }),
          revision: eb('revision', '+', 1),
          ...(personId !== undefined && {
            updated_at: sql<Date>`clock_timestamp()`,
            updated_by: personId,
          }),
        }))
        .where('id', '=', mediaId)
        .where('project_id', '=', projectId)
        .returning('revision')
        .executeTakeFirst()
      return row?.revision
    },

    /** Sets the task of a medium. Part of its creation or change, so the revision does not change. */
    async setTask(mediaId: string, taskId: string): Promise<void> {
      await db.updateTable('media').set({ task_id: taskId }).where('id', '=', mediaId).execute()
    },

    async remove(mediaId: string): Promise<void> {
      await removeRecord(db, { table: 'media', projectId, id: mediaId })
    },

    async restore(mediaId: string) {
      await lockRecords(db, 'media', projectId)
      const isBack = await restoreRecord(db, { table: 'media', projectId, id: mediaId })
      if (isBack) await refuseTooMany()
      return isBack
    },

    /** Deletes all media of the project and returns their formats. */
    async removeAll(): Promise<{ formats: KeptFormat[] }[]> {
      const rows = await db
        .deleteFrom('media')
        .where('project_id', '=', projectId)
        .returning('formats')
        .execute()
      return rows as unknown as { formats: KeptFormat[] }[]
    },

    /** Returns the most used tags of all media, and the number of all tags. */
    async tags(): Promise<{ items: { tag: string; count: number }[]; total: number }> {
      const { rows } = await sql<{ tag: string; count: number; total: number }>`
        select tag, count(*), count(*) over () as total from media, unnest(tags) tag where project_id = ${projectId}
        group by tag order by count(*) desc, ${orderOf(sql`tag`)}, tag collate "C" limit ${listedTags}::int`.execute(
        db,
      )
      return { items: rows.map(({ tag, count }) => ({ tag, count })), total: rows[0]?.total ?? 0 }
    },
  }
}
export type MediaRepository = ReturnType<typeof createMediaRepository>

const full = {
  message: {
    de: `A project can have ${recordLimits.mediaMax} media. Delete media first`,
    'de-DE': `Ein Projekt fasst ${recordLimits.mediaMax} Medien. Löschen Sie zuerst Medien`,
  },
}

interface MediaRow extends RevisedRow {
  id: string
  label: string
  type: string
  tags: string[]
  state: MediaItem['state']
  formats: object[]
  notes: string[] | null
  taskId: string | null
}

const itemOf = (row: MediaRow, projectId: string, show: ShowFormat): MediaItem => ({
  _id: row.id,
  label: row.label,
  tags: row.tags,
  source: {
    type: row.type as MediaType,
    formats: (row.formats as KeptFormat[]).map((format) => show(format, { projectId, label: row.label })),
  },
  state: row.state,
  notes: row.notes ?? [],
  task: row.taskId,
  ...revisedOf(row),
})
