import {
  ApiError,
  useApi,
  useCall,
  useChange,
  useLive,
  usePages,
  useProject,
  useReadAgain,
  useRun,
} from '@pult/sdk'
import { type BodyOf, type MediaItem, mediaEndpoints, type QueryOf } from '@pult/sdk/api'
import { conflictOf, isGone } from '@pult/sdk/resource'

/** The number of tiles on a large screen. */
const pageSize = '60'

/** Polling interval while formats are generated, because a lost task sends no event. Milliseconds. */
const processingInterval = 3000

/** Replies that a change of media makes stale. */
export const mediaReads = [mediaEndpoints.list, mediaEndpoints.read, mediaEndpoints.tags]

type ListQuery = Pick<QueryOf<typeof mediaEndpoints.list>, 'search' | 'kind' | 'sort'>

/** Reads the list, which follows its topic: changes by other users and finished formats. */
export function useMediaList(query: ListQuery) {
  const { _id: projectId } = useProject()
  useLive(`/projects/${projectId}/media`, { touches: mediaReads })
  return usePages(mediaEndpoints.list, { params: { projectId }, query: { ...query, limit: pageSize } })
}

export function useMedium(itemId: string) {
  const { _id: projectId } = useProject()
  useLive(`/projects/${projectId}/media`, { touches: mediaReads })
  return useCall(
    mediaEndpoints.read,
    { params: { projectId, itemId } },
    {
      every: ({ data, error }) =>
        (data === undefined ? !isGone(error) : data.state === 'processing') && processingInterval,
    },
  )
}

/** Creates a medium of the project from an uploaded file. */
export function useAddMedium() {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain(...mediaReads)
  return async (file: string): Promise<void> => {
    await call(mediaEndpoints.create, { params: { projectId }, body: { file }, idempotencyKey: file })
    void readAgain()
  }
}

interface MediumChange {
  body: BodyOf<typeof mediaEndpoints.update>
  /** Revision of the medium on which the change is based. */
  revision?: number | undefined
}

/** Updates the given fields of one medium. */
export function useChangeMedium(itemId: string) {
  const { _id: projectId } = useProject()
  return useChange(
    mediaEndpoints.update,
    (change: MediumChange) => ({ params: { projectId, itemId }, ...change }),
    { touches: mediaReads },
  )
}

interface TagChange {
  add: readonly string[]
  remove: readonly string[]
}

/** Returns a function that changes the tags of a medium. Tags that another user has added meanwhile stay. */
function useTagging() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return async function tag(item: MediaItem, { add, remove }: TagChange): Promise<MediaItem> {
    const { _id: itemId, revision, tags } = item
    const body = { tags: [...new Set([...tags, ...add])].filter((each) => !remove.includes(each)) }
    try {
      return await call(mediaEndpoints.update, { params: { projectId, itemId }, body, revision })
    } catch (error) {
      const current = conflictOf(error, mediaEndpoints.update)
      if (current === null) throw error
      return tag(current, { add, remove })
    }
  }
}

/** Sets the tags of one medium. */
export function useSetTags(item: MediaItem) {
  const tag = useTagging()
  return useRun(
    (tags: readonly string[]) =>
      tag(item, {
        add: tags.filter((each) => !item.tags.includes(each)),
        remove: item.tags.filter((each) => !tags.includes(each)),
      }),
    { touches: mediaReads },
  )
}

/** What an action for several media has reached before its first fault. */
interface Reached {
  done: readonly MediaItem[]
  /** Media that another user has deleted meanwhile. */
  gone: readonly MediaItem[]
  /** Undefined if it has reached all. */
  error: unknown
}

/**
 * Runs an action for several media: one call each, a few at a time, until one fails. `run` returns `gone` for a medium
 * that another user has deleted meanwhile.
 */
function useForEach(run: (item: MediaItem) => Promise<unknown>) {
  const runAll = async (items: readonly MediaItem[]): Promise<Reached> => {
    const waiting = [...items]
    const done: MediaItem[] = []
    const gone: MediaItem[] = []
    let error: unknown
    const work = async () => {
      for (let item = waiting.shift(); item !== undefined && error === undefined; item = waiting.shift())
        try {
          const reached = (await run(item)) === 'gone' ? gone : done
          reached.push(item)
        } catch (fault) {
          error ??= fault
        }
    }
    await Promise.all(Array.from({ length: 4 }, work))
    // In the order of the list, in which calls do not end.
    const inOrder = (reached: readonly MediaItem[]) => items.filter((item) => reached.includes(item))
    return { done: inOrder(done), gone: inOrder(gone), error }
  }
  return useRun(runAll, { touches: mediaReads })
}

export function useDeleteMedia() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useForEach(({ _id: itemId }) =>
    call(mediaEndpoints.remove, { params: { projectId, itemId } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return 'gone'
      throw error
    }),
  )
}

/** Returns a function that restores deleted media. It works after the app has closed. */
export function useRestoreMedia(): (items: readonly MediaItem[]) => Promise<void> {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain(...mediaReads)
  return async (items) => {
    try {
      for (const { _id: itemId } of items)
        await call(mediaEndpoints.restore, { params: { projectId, itemId } })
    } finally {
      await readAgain()
    }
  }
}

export function useAddTags(tags: readonly string[]) {
  const tag = useTagging()
  return useForEach((item) => tag(item, { add: tags, remove: [] }))
}
