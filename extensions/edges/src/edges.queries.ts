import { callOf, useApi, useLiveQueries, usePagedList, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints, projectEndpoints, taskEndpoints } from '@pult/sdk/api'
import { refetchWhileOpen } from '@pult/sdk/resource'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const all = 'app-edges'

/** How often loads and disks on screen are read again, which nothing tells of. */
const readEvery = 5000

export function useEdgeList(search: string) {
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
  return usePagedList<Edge>({
    queryKey: [all, projectId, 'list', search],
    fetchPage: ({ after, signal, background }) =>
      call(edgeEndpoints.list, {
        params: { projectId },
        query: { ...(after !== undefined && { after }), ...(search !== '' && { search }) },
        signal,
        background,
      }),
  })
}

export function useEdge(edgeId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/edges`, [all, projectId])
  return useQuery<Edge>({
    queryKey: [all, projectId, 'edge', edgeId],
    queryFn: (context) => call(edgeEndpoints.read, { params: { projectId, edgeId }, ...callOf(context) }),
    ...refetchWhileOpen,
  })
}

/** The projects that an instance may be given to: those that the person may edit. */
export function useEditableProjects() {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'projects'],
    queryFn: (context) => call(projectEndpoints.list, { query: { limit: '200' }, ...callOf(context) }),
    select: ({ items }) => items.filter(({ access }) => access !== 'grant'),
  })
}

const taskPolling = 1000

/** A task that was begun here, and what it has logged, while it goes on. */
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
    refetchInterval: hasEnded ? false : taskPolling,
  })
  // Lines are only ever added, and the same one may come twice.
  const lines = (log.data?.items ?? []).map(({ line }, index) => ({ line, key: `${index} ${line}` }))
  return { task: task.data, lines }
}

/** Reads again what is on screen of edges. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: [all, projectId] })
}
