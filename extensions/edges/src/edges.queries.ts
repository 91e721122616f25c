import {
  type Touched,
  useApi,
  useCall,
  useChange,
  useLive,
  usePages,
  useProject,
  useReadAgain,
} from '@pult/sdk'
import {
  type BodyOf,
  type Edge,
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEventEndpoints,
  edgeGroupEndpoints,
  edgeTagEndpoints,
  edgeUpdateEndpoints,
  projectEndpoints,
  type QueryOf,
  type ReplyOf,
  type Task,
  taskEndpoints,
} from '@pult/sdk/api'
import { whileOpen } from '@pult/sdk/resource'
import { useTaskWords } from '@pult/sdk/tasks'
import { keepPreviousData } from '@tanstack/react-query'

/** Polling interval of the values by which the fleet can be filtered. Milliseconds. */
const facetsEvery = 60_000

/** Polling interval of data without events, such as shown loads and disks. Milliseconds. */
export const readEvery = 5000

/** Rows of a page. The table renders only the visible ones. */
const pageSize = '200'

const besideEdge: readonly Touched[] = [
  edgeEndpoints.list,
  edgeDeckEndpoints.read,
  edgeEventEndpoints.list,
  edgeUpdateEndpoints.read,
]

const filterValues: readonly Touched[] = [edgeTagEndpoints.facets, edgeGroupEndpoints.list]

/** What a change or an event of edges makes stale. Their values and logs are polled. */
export const edgeData: readonly Touched[] = [edgeEndpoints.read, ...besideEdge]

/** What a change of tags, places or groups makes stale. */
export const fleetData: readonly Touched[] = [...edgeData, ...filterValues]

export type EdgeListQuery = Pick<
  QueryOf<typeof edgeEndpoints.list>,
  'search' | 'state' | 'tags' | 'anyTags' | 'place' | 'version' | 'group' | 'sort'
>

export function useEdgeList(listQuery: EdgeListQuery) {
  const { _id: projectId } = useProject()
  useLive(`/projects/${projectId}/edges`, { touches: edgeData })
  const query = { ...listQuery, limit: pageSize }
  return usePages(edgeEndpoints.list, { params: { projectId }, query }, { every: readEvery })
}

/** Returns a function that reads the edges of all pages. */
export function useAllEdges(): (listQuery: EdgeListQuery) => Promise<Edge[]> {
  const call = useApi()
  const { _id: projectId } = useProject()
  return async (listQuery) => {
    const edges: Edge[] = []
    let after: string | undefined
    do {
      const query = { ...listQuery, limit: pageSize, after }
      const page: ReplyOf<typeof edgeEndpoints.list> = await call(edgeEndpoints.list, {
        params: { projectId },
        query,
      })
      edges.push(...page.items)
      after = page.next
    } while (after !== undefined)
    return edges
  }
}

export function useEdge(edgeId: string) {
  const { _id: projectId } = useProject()
  useLive(`/projects/${projectId}/edges`, { touches: edgeData })
  return useCall(edgeEndpoints.read, { params: { projectId, edgeId } }, { every: whileOpen })
}

/** The values by which the fleet can be filtered. A separate query, because the list is refetched every few seconds. */
export function useEdgeFacets() {
  const { _id: projectId } = useProject()
  return useCall(edgeTagEndpoints.facets, { params: { projectId } }, { every: facetsEvery })
}

/** The saved groups. */
export function useEdgeGroups() {
  const { _id: projectId } = useProject()
  const input = { params: { projectId }, query: { limit: '200' } }
  return useCall(edgeGroupEndpoints.list, input, { select: itemsOf, every: facetsEvery })
}

export const itemsOf = <Item>({ items }: { items: Item[] }) => items

/** The versions of the agents, and the policy of their updates. */
export function useEdgeUpdates(options: { every?: number } = {}) {
  const { _id: projectId } = useProject()
  return useCall(edgeUpdateEndpoints.read, { params: { projectId } }, options)
}

/** The projects that the user may edit, one page at most. A search finds the others. */
export const useEditableProjects = (search: string) =>
  useCall(
    projectEndpoints.list,
    { query: { limit: pageSize, search } },
    { select: editable, placeholderData: keepPreviousData },
  )

const editable = ({ items, next }: ReplyOf<typeof projectEndpoints.list>) => ({
  items: items.filter(({ access }) => access !== 'grant'),
  hasMore: next !== undefined,
})

const taskPolling = 1000

/** A task started here and its log, polled while it runs. */
export function useEdgeTask(taskId: string) {
  const { _id: projectId } = useProject()
  const input = { params: { projectId, taskId } }
  useLive(`/projects/${projectId}/LTT`, { touches: [`/v2/projects/${projectId}/ltt/tasks/${taskId}`] })
  const { data: task } = useCall(taskEndpoints.read, input)
  const isRunning = task?.fulfilledAt == null
  const { data: log } = useCall(taskEndpoints.log, input, isRunning ? { every: taskPolling } : {})
  // The log is append-only and may repeat lines, so the index is part of the key.
  const { lineOf } = useTaskWords()
  const lines = (log?.items ?? []).map((line, index) => ({
    line: lineOf(line),
    key: `${index} ${line.line}`,
  }))
  return { task, lines }
}

/** Options of a change that begins a task, which the events of the edge contain. */
export const begins = (onBegun: (taskId: string) => void) => ({
  touches: [edgeEventEndpoints.list],
  onSuccess: ({ _id }: Task) => onBegun(_id),
})

/** Changes an edge, based on a revision. */
export function useUpdateEdge(edgeId: string) {
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain(edgeEndpoints.read)
  const params = { projectId, edgeId }
  return useChange(
    edgeEndpoints.update,
    ({ revision, ...body }: BodyOf<typeof edgeEndpoints.update> & { revision: number | undefined }) => ({
      params,
      body,
      revision,
    }),
    {
      // The next change is based on the revision of the reply, and does not wait until the edge is read again.
      shows: () => [edgeEndpoints.read, { params }],
      touches: [...besideEdge, ...filterValues],
      onError: () => void readAgain(),
    },
  )
}

/** Runs a command for several edges, a few concurrently. Returns the first failure and the number of failures. */
export function useForEdges() {
  const readAgain = useReadAgain(...edgeData)
  return async (edges: readonly Edge[], run: (edge: Edge) => Promise<unknown>) => {
    const waiting = [...edges]
    const failures: unknown[] = []
    const work = async () => {
      for (let edge = waiting.shift(); edge !== undefined; edge = waiting.shift())
        await run(edge).catch((error: unknown) => failures.push(error))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    void readAgain()
    return { error: failures[0], failed: failures.length }
  }
}

const atOnce = 4
