import { callOf, useApi, useLiveQueries, usePagedList, useProject } from '@pult/sdk'
import { type BodyOf, type MediaItem, mediaEndpoints } from '@pult/sdk/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

/** As many as fill a large screen. */
const pageSize = '60'

/** While formats are made, their end is looked for: a task that is lost tells nobody. Milliseconds. */
const processingInterval = 3000

const isProcessing = ({ state }: MediaItem) => state === 'processing'

const keyOf = (projectId: string) => ['media-library', projectId] as const

/** What the page shows is followed: changes of others, and formats that are ready. */
export function useMediaList(search: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/media`, keyOf(projectId))
  return usePagedList<MediaItem>({
    queryKey: [...keyOf(projectId), 'list', search],
    fetchPage: ({ after, signal, background }) =>
      call(mediaEndpoints.list, {
        params: { projectId },
        query: {
          limit: pageSize,
          ...(after !== undefined && { after }),
          ...(search !== '' && { search }),
        },
        signal,
        background,
      }),
  })
}

export function useTags() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery({
    queryKey: [...keyOf(projectId), 'tags'],
    queryFn: (context) => call(mediaEndpoints.tags, { params: { projectId }, ...callOf(context) }),
    select: ({ items }) => items,
  })
}

export function useMedium(itemId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/media`, keyOf(projectId))
  return useQuery({
    queryKey: [...keyOf(projectId), 'medium', itemId],
    queryFn: (context) => call(mediaEndpoints.read, { params: { projectId, itemId }, ...callOf(context) }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isProcessing(data) ? processingInterval : false,
  })
}

/** Reads again what is on screen, after something of it was changed here. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: keyOf(projectId) })
}

type Change = BodyOf<typeof mediaEndpoints.update>

/** Makes an uploaded file a medium of the project. */
export function useAddMedium() {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain()
  return async (file: string): Promise<void> => {
    await call(mediaEndpoints.create, { params: { projectId }, body: { file } })
    void readAgain()
  }
}

/** Changes the sent fields of one medium. */
export function useChangeMedium(itemId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: (body: Change) => call(mediaEndpoints.update, { params: { projectId, itemId }, body }),
    onSettled: readAgain,
  })
}

/** Makes the formats of a picture anew, where that had failed. */
export function useTranscode(itemId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: () =>
      call(mediaEndpoints.exec, { params: { projectId, itemId, command: 'transcode' }, body: {} }),
    onSettled: readAgain,
  })
}

/** What is done to several: one call each, a few at a time. */
function useForEach(run: (item: MediaItem) => Promise<unknown>) {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: async (items: readonly MediaItem[]) => {
      const waiting = [...items]
      const work = async () => {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
      }
      await Promise.all(Array.from({ length: 4 }, work))
    },
    onSettled: readAgain,
  })
}

export function useDeleteMedia() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useForEach(({ _id: itemId }) => call(mediaEndpoints.remove, { params: { projectId, itemId } }))
}

export function useAddTags(tags: readonly string[]) {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useForEach(({ _id: itemId, tags: present }) =>
    call(mediaEndpoints.update, {
      params: { projectId, itemId },
      body: { tags: [...new Set([...present, ...tags])] },
    }),
  )
}
