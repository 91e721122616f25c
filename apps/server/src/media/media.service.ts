import { type BodyOf, type MediaItem, type mediaEndpoints, mediaTag } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { forgetRemoved } from '#platform/database/removed-records.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { ResourceStore } from '#platform/resource/resource.ts'
import { namesToStore } from '#platform/stored-names.ts'
import type { FileRecord, Files } from '../files/file-store.ts'
import type { TaskService } from '../tasks/task.service.ts'
import {
  createMediaRepository,
  type MediaListQuery,
  type MediaRepository,
  type NewMedium,
  type ShowFormat,
  type StoredMedium,
} from './media.repository.ts'
import { type KeptFormat, labelOf, mediaTypeOf, originalOf } from './medium.ts'

export interface MediaServiceParts {
  db: Kysely<Database>
  events: Events
  files: Files
  tasks: Pick<TaskService, 'start'>
}

/** The kind of task that makes the formats of a picture. */
export const transcodeType = 'media-transcode'

export interface TranscodePayload {
  mediaId: string
}

/** Milliseconds. The contract promises an hour; this covers a page that stays open for an afternoon. */
const linkLifetime = 4 * 3_600_000

type Input = BodyOf<typeof mediaEndpoints.create>
/** Changes as the client sends them: `file` is not a field of a medium. */
type Changes = Partial<MediaItem> & { file?: string }

/** Media of a project. Claims uploads as media and releases their files when a medium is deleted. */
export function createMediaService({ db, files, tasks }: Omit<MediaServiceParts, 'events'>) {
  const showTo =
    (caller: Pick<Caller, 'sessionId'>): ShowFormat =>
    ({ name, file, mime, size, width, height, isAnimated = false }) => ({
      name,
      mime,
      size,
      meta: { width, height },
      isAnimated,
      url: files.link(caller, { id: file, contentType: mime }, { lifetime: linkLifetime, inline: true }),
    })

  /**
   * Enqueues the task that makes the formats of a picture, in the same transaction. Other media have only the
   * original.
   */
  async function begin(
    trx: Transaction<Database>,
    emit: Emit,
    {
      projectId,
      personId,
      mediaId,
      label,
    }: { projectId: string; personId: string; mediaId: string; label: string },
  ): Promise<void> {
    const payload: TranscodePayload = { mediaId }
    const task = await tasks.start(trx, emit, {
      type: transcodeType,
      projectId,
      title: label,
      payload,
      createdBy: personId,
    })
    await createMediaRepository(trx, projectId).setTask(mediaId, task._id)
  }

  async function claimed(
    trx: Transaction<Database>,
    upload: { filename: string; projectId: string; personId: string },
  ): Promise<{ file: FileRecord; type: NewMedium['type'] }> {
    const file = await files.claim(trx, upload)
    const type = mediaTypeOf(file.contentType)
    if (type === null) throw new AppError('NOT_MEDIA')
    return { file, type }
  }

  /** Whether a medium has this file: the reply to an earlier call may have been lost. */
  async function isOriginal(
    trx: Transaction<Database>,
    { formats }: { formats: readonly KeptFormat[] },
    filename: string,
  ): Promise<boolean> {
    const original = formats.find(({ name }) => name === 'original')
    return original !== undefined && (await files.find(original.file, trx))?.filename === filename
  }

  const filesOf = ({ formats }: { formats: readonly KeptFormat[] }) => formats.map(({ file }) => file)

  /** The media of a project for one caller. Changes need a transaction. */
  function store(
    from: Db,
    { projectId }: { projectId: string },
    caller: Pick<Caller, 'personId' | 'sessionId'>,
    emit?: Emit,
  ): ResourceStore<MediaItem, Input> {
    const { personId } = caller
    const show = showTo(caller)
    const media = createMediaRepository(from, projectId)
    const change = () => {
      if (emit === undefined || !from.isTransaction) throw new Error('Media are changed in a transaction')
      return { trx: from as Transaction<Database>, emit }
    }

    return {
      list: (query: MediaListQuery) => media.list(query, show),
      find: (mediaId) => media.find(mediaId, show),

      async lock(mediaId) {
        await media.lock(mediaId)
      },

      async add({ file: filename, label, tags = [] }) {
        const { trx, emit: publish } = change()
        const { file, type } = await claimed(trx, { filename, projectId, personId })
        const name = label ?? labelOf(file)
        const mediaId = await media.add({
          label: name,
          type,
          tags: distinct(tags),
          state: type === 'image' ? 'processing' : 'ready',
          formats: [originalOf(file)],
          digest: file.sha256,
          personId,
        })
        if (mediaId !== undefined && type === 'image')
          await begin(trx, publish, { projectId, personId, mediaId, label: name })
        return mediaId
      },

      async update(mediaId, changes) {
        const { label, tags, state, file: filename } = changes as Changes
        const { trx, emit: publish } = change()
        const before = await media.lock(mediaId)
        if (before === undefined) return
        const isGiven = filename !== undefined && !(await isOriginal(trx, before, filename))
        const replaced = isGiven ? await claimed(trx, { filename, projectId, personId }) : undefined
        const type = replaced?.type ?? before.type
        const needsFormats = replaced !== undefined || state === 'processing'
        await media.update(
          mediaId,
          {
            ...(label !== undefined && { label }),
            ...(tags !== undefined && {
              tags: namesToStore(tags, { stored: before.tags, rule: mediaTag, path: ['tags'] }),
            }),
            ...(replaced !== undefined && {
              type,
              formats: [originalOf(replaced.file)],
              digest: replaced.file.sha256,
              notes: [],
            }),
            ...(needsFormats && { state: type === 'image' ? ('processing' as const) : ('ready' as const) }),
          },
          personId,
        )
        if (replaced !== undefined) await files.release(trx, filesOf(before))
        if (needsFormats && type === 'image')
          await begin(trx, publish, { projectId, personId, mediaId, label: label ?? before.label })
      },

      async remove(mediaId) {
        await media.remove(mediaId)
      },

      /**
       * Restores a medium. A task that was making its formats did not find the medium, so the formats are made again.
       */
      async restore(mediaId) {
        const { trx, emit: publish } = change()
        const isBack = await media.restore(mediaId)
        const medium = isBack ? await media.lock(mediaId) : undefined
        if (medium?.state === 'processing')
          await begin(trx, publish, { projectId, personId, mediaId, label: medium.label })
        return isBack
      },

      async removeAll() {
        const { trx } = change()
        const removed = await media.removeAll()
        await files.release(trx, removed.flatMap(filesOf))
        return removed.length
      },
    }
  }

  /** Deletes media that can no longer be restored, with their files. */
  async function sweepRemovedMedia(): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const removed = await forgetRemoved<Pick<StoredMedium, 'formats'>>(trx, 'media')
      await files.release(trx, removed.flatMap(filesOf))
    })
  }

  return {
    store,
    sweepRemovedMedia,
    tags: (projectId: string) => createMediaRepository(db, projectId).tags(),
  }
}
export type MediaService = ReturnType<typeof createMediaService>
export type { StoredMedium } from './media.repository.ts'

/** The media of a project, for tasks that export or import all of them. */
export type MediaOf = (
  from: Db,
  projectId: string,
) => Pick<MediaRepository, 'slice' | 'hasDigest' | 'add' | 'waitingFor'>

export const mediaOf: MediaOf = (from, projectId) => createMediaRepository(from, projectId)

const distinct = (tags: readonly string[]) => [...new Set(tags)]
