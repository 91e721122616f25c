import { callOf, useApi, useLiveQueries, usePagedList, useProject } from '@pult/sdk'
import {
  type Edge,
  type EdgeFacets,
  type EdgeUpdates,
  edgeEndpoints,
  edgeGroupEndpoints,
  edgeTagEndpoints,
  edgeUpdateEndpoints,
  projectEndpoints,
  type QueryOf,
  type ReplyOf,
  taskEndpoints,
} from '@pult/sdk/api'
import { refetchWhileOpen } from '@pult/sdk/resource'
import { useTaskWords } from '@pult/sdk/tasks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const all = 'app-edges'
const facets = 'app-edges-facets'

/** Polling interval of the values by which the fleet can be filtered. Milliseconds. */
const facetsEvery = 60_000

/** Polling interval of shown loads and disks, which have no events. Milliseconds. */
const readEvery = 5000

/** Rows of a page. The table renders only the visible ones. */
const pageSize = '200'

const edgeKey = (projectId: string, edgeId: string) => [all, projectId, 'edge', edgeId]

export type EdgeListQuery = Pick<
  QueryOf<typeof edgeEndpoints.list>,
  'search' | 'state' | 'tags' | 'anyTags' | 'place' | 'version' | 'group' | 'sort'
>

export function useEdgeList(listQuery: EdgeListQuery) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readEdgesAgain = useReadAgain()
  useLiveQueries(`/projects/${projectId}/edges`, [all, projectId])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void readEdgesAgain()
    }, readEvery)
    return () => clearInterval(timer)
  })
  return usePagedList<Edge, ReplyOf<typeof edgeEndpoints.list>>({
    queryKey: [all, projectId, 'list', listQuery],
    fetchPage: ({ after, signal, background }) =>
      call(edgeEndpoints.list, {
        params: { projectId },
        query: { ...listQuery, limit: pageSize, ...(after !== undefined && { after }) },
        signal,
        background,
      }),
  })
}

/** Returns a function that reads the edges of all pages. */
export function useAllEdges(): (listQuery: EdgeListQuery) => Promise<Edge[]> {
  const call = useApi()
  const { _id: projectId } = useProject()
  return async (listQuery) => {
    const edges: Edge[] = []
    let after: string | undefined
    do {
      const page: ReplyOf<typeof edgeEndpoints.list> = await call(edgeEndpoints.list, {
        params: { projectId },
        query: { ...listQuery, limit: pageSize, ...(after !== undefined && { after }) },
      })
      edges.push(...page.items)
      after = page.next
    } while (after !== undefined)
    return edges
  }
}

export function useEdge(edgeId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/edges`, [all, projectId])
  return useQuery<Edge>({
    queryKey: edgeKey(projectId, edgeId),
    queryFn: (context) => call(edgeEndpoints.read, { params: { projectId, edgeId }, ...callOf(context) }),
    ...refetchWhileOpen,
  })
}

/** The values by which the fleet can be filtered. A separate query, because the list is refetched every few seconds. */
export function useEdgeFacets() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery<EdgeFacets>({
    queryKey: [facets, projectId],
    queryFn: (context) => call(edgeTagEndpoints.facets, { params: { projectId }, ...callOf(context) }),
    refetchInterval: facetsEvery,
  })
}

/** The saved groups. */
export function useEdgeGroups() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery({
    queryKey: [facets, projectId, 'groups'],
    queryFn: (context) =>
      call(edgeGroupEndpoints.list, { params: { projectId }, query: { limit: '200' }, ...callOf(context) }),
    select: ({ items }) => items,
    refetchInterval: facetsEvery,
  })
}

/** The versions of the agents, and the policy of their updates. */
export function useEdgeUpdates() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery<EdgeUpdates>({
    queryKey: [all, projectId, 'updates'],
    queryFn: (context) => call(edgeUpdateEndpoints.read, { params: { projectId }, ...callOf(context) }),
  })
}

/** The projects that the user may edit, one page at most. A search finds the others. */
export function useEditableProjects(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'projects', search],
    queryFn: (context) =>
      call(projectEndpoints.list, {
        query: { limit: pageSize, ...(search !== '' && { search }) },
        ...callOf(context),
      }),
    select: ({ items, next }) => ({
      items: items.filter(({ access }) => access !== 'grant'),
      hasMore: next !== undefined,
    }),
    placeholderData: keepPreviousData,
  })
}

const taskPolling = 1000

/** A task started here and its log, polled while it runs. */
export function useEdgeTask(taskId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const params = { projectId, taskId }
  const key = [all, projectId, 'task', taskId]
  useLiveQueries(`/projects/${projectId}/LTT`, key)
  const task = useQuery({
    queryKey: [...key, 'state'],
    queryFn: (context) => call(taskEndpoints.read, { params, ...callOf(context) }),
  })
  const hasEnded = task.data?.fulfilledAt != null
  const log = useQuery({
    queryKey: [...key, 'log', hasEnded],
    queryFn: (context) => call(taskEndpoints.log, { params, ...callOf(context) }),
    placeholderData: (before) => before,
    ...(!hasEnded && { refetchInterval: taskPolling }),
  })
  // The log is append-only and may repeat lines, so the index is part of the key.
  const { lineOf } = useTaskWords()
  const lines = (log.data?.items ?? []).map((line, index) => ({
    line: lineOf(line),
    key: `${index} ${line.line}`,
  }))
  return { task: task.data, lines }
}

/** Returns a function that refetches the shown edge data. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: [all, projectId] })
}

/** Returns a function that refetches the shown edges and the filter values after a change of tags or places. */
export function useReadTagsAgain(): () => Promise<void> {
  const client = useQueryClient()
  const readAgain = useReadAgain()
  const { _id: projectId } = useProject()
  return async () => {
    await Promise.all([readAgain(), client.invalidateQueries({ queryKey: [facets, projectId] })])
  }
}

/**
 * Returns a function that shows an edge from a server reply, so that the next change here is based on its revision even
 * before the edges are refetched.
 */
export function useShowEdge(): (edge: Edge) => void {
  const client = useQueryClient()
  const readAgain = useReadTagsAgain()
  const { _id: projectId } = useProject()
  return (edge) => {
    client.setQueryData(edgeKey(projectId, edge._id), edge)
    void readAgain()
  }
}

/** Runs a command for several edges, a few concurrently. Returns the first failure and the number of failures. */
export function useForEdges() {
  const readAgain = useReadAgain()
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
