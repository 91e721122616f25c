import {
  type Edge,
  edgeEndpoints,
  type StreamDecks,
  type Task,
  taskEndpoints,
  taskUpdate,
} from '@pult/contract'
import { readAgain } from '@pult/sdk/host'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import type { ShownKey, ShownKeys } from './deck-picture.ts'
import { texts } from './stream-decks.texts.ts'

type Key = StreamDecks['keys'][number]

const tasksKey = (projectId: string) => ['stream-decks', 'tasks', projectId]
const edgesKey = (projectId: string) => ['stream-decks', 'edges', projectId]

/** Returns the current content of each slot's keys: labels, icons, progress of tasks and presence of edges. */
export function useShownKeys(settings: StreamDecks | null): (slot: number | null) => ShownKeys {
  const keys = settings?.keys
  const taskProjects = useMemo(() => projectsOf(keys ?? [], 'task'), [keys])
  const edgeProjects = useMemo(() => projectsOf(keys ?? [], 'edge'), [keys])
  const tasks = useOpenTasks(taskProjects)
  const edges = useEdges(edgeProjects)
  return useMemo(() => {
    const bySlot = new Map<number, Map<number, ShownKey>>()
    for (const key of keys ?? []) {
      const slot = bySlot.get(key.slot) ?? new Map<number, ShownKey>()
      slot.set(key.key, {
        label: key.label,
        icon: key.icon,
        ...taskStateOf(key, tasks),
        ...edgeStateOf(key, edges),
      })
      bySlot.set(key.slot, slot)
    }
    return (slot) => bySlot.get(slot ?? -1) ?? new Map()
  }, [keys, tasks, edges])
}

const projectsOf = (keys: readonly Key[], type: 'task' | 'edge'): string[] => [
  ...new Set(keys.flatMap(({ action }) => (action?.type === type ? [action.project] : []))),
]

function taskStateOf({ action }: Key, tasks: readonly Task[]): Partial<ShownKey> {
  if (action?.type !== 'task') return {}
  const running = tasks.find(({ project, type }) => project === action.project && type === action.task)
  if (running === undefined) return {}
  const [done, total] = running.state.progress ?? [0, 0]
  const progress = total > 0 ? done / total : null
  const text = progress === null ? texts.running : `${Math.floor(progress * 100)} %`
  return { progress, state: { text, tone: 'running' } }
}

function edgeStateOf({ action }: Key, edges: readonly Edge[]): Partial<ShownKey> {
  const edge = action?.type === 'edge' ? edges.find(({ _id }) => _id === action.edge) : undefined
  if (edge === undefined) return {}
  const isOnline = edge.state === 'online'
  return { state: { text: isOnline ? texts.online : texts.offline, tone: isOnline ? 'good' : 'bad' } }
}

/** Returns the edges of these projects. */
function useEdges(projectIds: readonly string[]): readonly Edge[] {
  const lists = useQueries({
    queries: projectIds.map((projectId) => edgesQuery(projectId)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  useEffect(() => {
    const stops = projectIds.map((projectId) =>
      subscribe(`/projects/${projectId}/edges`, ({ kind }) => {
        if (kind !== 'ended') void readAgain(queryClient, edgesKey(projectId))
      }),
    )
    return () => stops.forEach((stop) => stop())
  }, [projectIds])
  return lists
}

/** The first page of edges only. The app's search finds further ones. */
export const edgesQuery = (projectId: string) =>
  queryOptions({
    queryKey: edgesKey(projectId),
    queryFn: async ({ signal }) =>
      (
        await api(edgeEndpoints.list, {
          params: { projectId },
          query: { limit: '200' },
          signal,
          background: true,
        })
      ).items,
  })

/** Returns the running tasks of these projects, newest first. A project without access has none. */
function useOpenTasks(projectIds: readonly string[]): readonly Task[] {
  const lists = useQueries({
    queries: projectIds.map((projectId) => ({
      queryKey: tasksKey(projectId),
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (
          await api(taskEndpoints.list, {
            params: { projectId },
            query: { state: 'open', limit: '200' },
            signal,
            background: true,
          })
        ).items,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  useEffect(() => {
    const stops = projectIds.map((projectId) =>
      subscribe(`/projects/${projectId}/LTT`, (news) => {
        if (news.kind === 'event' && news.name === 'task:state') follow(projectId, news.data)
        else if (news.kind !== 'ended') void readAgain(queryClient, tasksKey(projectId))
      }),
    )
    return () => stops.forEach((stop) => stop())
  }, [projectIds])
  return lists
}

/** Applies progress events to the cached tasks, because they arrive several times a second. */
function follow(projectId: string, data: unknown): void {
  const updates =
    typeof data === 'object' && data !== null && 'tasks' in data && Array.isArray(data.tasks)
      ? data.tasks.flatMap((update) => taskUpdate.safeParse(update).data ?? [])
      : []
  queryClient.setQueryData<Task[]>(tasksKey(projectId), (tasks) =>
    tasks?.map((task) => {
      const update = updates.find(({ _id, revision }) => _id === task._id && revision > task.revision)
      return update === undefined ? task : { ...task, state: update.state, revision: update.revision }
    }),
  )
}
