import type { MediaItem } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import {
  countUpTo,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import type { KeptFormat, MediaType } from './medium.ts'

const mimes = sql<string[]>`array(
  select format ->> 'mime' from jsonb_array_elements(media.formats) format where format ->> 'name' = 'original'
)`

const searchable = {
  text: [sql<string>`media.label`, sql<string>`array_to_string(media.tags, ' ')`],
  keys: {
    label: { text: sql<string>`media.label` },
    tag: { texts: sql<string[]>`media.tags` },
    type: { text: sql<string>`media.type` },
    mime: { texts: mimes },
  },
}

/** Makes of a kept format what a client is shown. */
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
  /** sha256 of the original, where somebody knows it already. */
  digest: string | null
  taskId?: string
  personId: string | null
}

/** What is known of a medium beside what people see. */
export interface StoredMedium {
  id: string
  label: string
  type: MediaType
  tags: string[]
  state: MediaItem['state']
  formats: KeptFormat[]
  digest: string | null
  revision: number
}

const asJson = (formats: readonly KeptFormat[]) => sql<never>`${JSON.stringify(formats)}::jsonb`

/** The media of a project. */
export function createMediaRepository(db: Db, projectId: string) {
  const ofProject = db
    .selectFrom('media')
    .leftJoin('person as changer', 'changer.id', 'media.updated_by')
    .leftJoin('task', (join) =>
      join.onRef('task.id', '=', 'media.task_id').on('task.archived_at', 'is', null),
    )
    .where('media.project_id', '=', projectId)

  // What makes the formats may have ended without a word: its node was lost, or somebody took its time.
  const state: RawBuilder<MediaItem['state']> = sql`case
    when media.state = 'processing' and (task.id is null or task.fulfilled_at is not null) then 'failed'
    else media.state end`

  const columns = [
    'media.id',
    'media.label',
    'media.type',
    'media.tags',
    'media.formats',
    'media.created_at',
    'media.revision',
    'media.updated_at',
    'task.id as taskId',
    'changer.id as updatedById',
    'changer.firstname as updatedByFirstname',
    'changer.lastname as updatedByLastname',
    state.as('state'),
  ] as const

  const stored = () =>
    db
      .selectFrom('media')
      .select(['id', 'label', 'type', 'tags', 'state', 'formats', 'digest', 'revision'])
      .where('project_id', '=', projectId)

  return {
    /** The newest first. */
    async list(query: PageQuery, show: ShowFormat): Promise<Page<MediaItem>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const matching = ofProject.where(searchCondition(query.search, searchable))
      const [rows, count] = await Promise.all([
        matching
          .select(columns)
          .$if(after !== undefined, (from) => from.where('media.id', '<', after ?? ''))
          .orderBy('media.id', 'desc')
          .limit(size + 1)
          .execute(),
        countUpTo(db, matching.select('media.id')),
      ])
      return pageOf(rows, {
        size,
        count,
        keyOf: ({ id }) => id,
        itemOf: (row) => itemOf(row, projectId, show),
      })
    },

    async find(mediaId: string, show: ShowFormat): Promise<MediaItem | undefined> {
      const row = await ofProject.select(columns).where('media.id', '=', mediaId).executeTakeFirst()
      return row && itemOf(row, projectId, show)
    },

    async stored(mediaId: string): Promise<StoredMedium | undefined> {
      const row = await stored().where('id', '=', mediaId).executeTakeFirst()
      return row as unknown as StoredMedium | undefined
    },

    /** Nobody else changes it until the transaction ends. */
    async lock(mediaId: string): Promise<StoredMedium | undefined> {
      const row = await stored().where('id', '=', mediaId).forUpdate().executeTakeFirst()
      return row as unknown as StoredMedium | undefined
    },

    /** In the order in which they came, from the given one on. */
    async slice(after: string | undefined, most: number): Promise<StoredMedium[]> {
      const rows = await stored()
        .$if(after !== undefined, (from) => from.where('id', '>', after ?? ''))
        .orderBy('id')
        .limit(most)
        .execute()
      return rows as unknown as StoredMedium[]
    },

    /** Those that a task has still to make formats of. */
    async waitingFor(taskId: string): Promise<StoredMedium[]> {
      const rows = await stored()
        .where('task_id', '=', taskId)
        .where('state', '=', 'processing')
        .orderBy('id')
        .execute()
      return rows as unknown as StoredMedium[]
    },

    /** Whether it is there already; a file whose digest nobody knows yet is another. */
    async hasDigest(digest: string): Promise<boolean> {
      const found = await stored().where('digest', '=', digest).limit(1).executeTakeFirst()
      return found !== undefined
    },

    /** The project's row is held, so that it is not deleted in between. Undefined when it is gone. */
    async add({ label, type, tags, state: begins, formats, digest, taskId, personId }: NewMedium) {
      const { rows } = await sql<{ id: string }>`
        insert into media (id, project_id, label, type, tags, state, formats, digest, task_id, updated_by)
        select ${uuidv7()}::uuid, project.id, ${label}, ${type}, ${[...tags]}::text[], ${begins}, ${asJson(formats)},
          ${digest}, ${taskId ?? null}::uuid, ${personId}::uuid
        from project where project.id = ${projectId} for key share
        returning id`.execute(db)
      return rows[0]?.id
    },

    /** `personId` is left out where the installation does it: who changed it last stays then. */
    async update(
      mediaId: string,
      changes: Partial<Pick<StoredMedium, 'label' | 'type' | 'tags' | 'state' | 'formats'>> & {
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

    /** Part of what made or changed the medium, and no change of its own. */
    async setTask(mediaId: string, taskId: string): Promise<void> {
      await db.updateTable('media').set({ task_id: taskId }).where('id', '=', mediaId).execute()
    },

    async remove(mediaId: string): Promise<void> {
      await db.deleteFrom('media').where('id', '=', mediaId).where('project_id', '=', projectId).execute()
    },

    /** Answers what they were. */
    async removeAll(): Promise<{ formats: KeptFormat[] }[]> {
      const rows = await db
        .deleteFrom('media')
        .where('project_id', '=', projectId)
        .returning('formats')
        .execute()
      return rows as unknown as { formats: KeptFormat[] }[]
    },

    /** The tags of all, most used first. */
    async tags(): Promise<{ tag: string; count: number }[]> {
      const { rows } = await sql<{ tag: string; count: number }>`
        select tag, count(*) from media, unnest(tags) tag where project_id = ${projectId}
        group by tag order by count(*) desc, tag limit 1000`.execute(db)
      return rows
    },
  }
}
export type MediaRepository = ReturnType<typeof createMediaRepository>

interface MediaRow {
  id: string
  label: string
  type: string
  tags: string[]
  state: MediaItem['state']
  formats: object[]
  taskId: string | null
  created_at: Date
  revision: number
  updated_at: Date
  updatedById: string | null
  updatedByFirstname: string | null
  updatedByLastname: string | null
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
  task: row.taskId,
  createdAt: row.created_at.toISOString(),
  revision: row.revision,
  updatedAt: row.updated_at.toISOString(),
  updatedBy:
    row.updatedById === null
      ? null
      : {
          _id: row.updatedById,
          firstname: row.updatedByFirstname ?? '',
          lastname: row.updatedByLastname ?? '',
        },
})
