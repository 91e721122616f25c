import {
  type Edge,
  edgeEndpoints,
  type StreamDecks,
  type Task,
  taskEndpoints,
  taskUpdate,
} from '@pult/contract'
import { callQuery, readAgain, readTouched } from '@pult/sdk/host'
import { isGone } from '@pult/sdk/resource'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import type { TopicNews } from '#platform/topics.ts'
import type { ShownKey, ShownKeys } from './deck-picture.ts'
import { texts } from './stream-decks.texts.ts'

type Key = StreamDecks['keys'][number]

/** What a key shows the state of: an edge, or the newest running task of a type. */
interface Subject {
  project: string
  /** Id of the edge, or type of the task. */
  of: string
}

/** Several calls find the newest task, so its key is no path. */
const tasksKey = (projectId: string) => ['stream-decks', 'tasks', projectId]

/** Returns the current content of each slot's keys: labels, icons, progress of tasks and presence of edges. */
export function useShownKeys(settings: StreamDecks | null): (slot: number | null) => ShownKeys {
  const keys = settings?.keys
  const tasks = useOpenTasks(useMemo(() => subjectsOf(keys, 'task'), [keys]))
  const edges = useEdges(useMemo(() => subjectsOf(keys, 'edge'), [keys]))
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

/** Returns what the keys of a type show, each once. */
function subjectsOf(keys: readonly Key[] | undefined, type: 'task' | 'edge'): readonly Subject[] {
  const subjects = (keys ?? []).flatMap(({ action }): Subject[] => {
    if (action?.type !== type) return []
    return [{ project: action.project, of: action.type === 'task' ? action.task : action.edge }]
  })
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()]
}

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

/** Returns the edges that the user may see. Each is read on its own, because a project can have thousands. */
function useEdges(subjects: readonly Subject[]): readonly Edge[] {
  const edges = useQueries({
    queries: subjects.map(({ project: projectId, of: edgeId }) =>
      callQuery(api, edgeEndpoints.read, { params: { projectId, edgeId } }),
    ),
    // The last state of a deleted edge is no longer its state.
    combine: (results) => results.flatMap(({ data, error }) => (isGone(error) ? [] : (data ?? []))),
  })
  useNews(subjects, 'edges', readChangedEdges)
  return edges
}

function readChangedEdges(projectId: string, news: TopicNews): void {
  const changed = news.kind === 'event' ? edgesIn(news.data) : null
  void readTouched(
    queryClient,
    [edgeEndpoints.read],
    ({ queryKey: [, project, , edge] }) => project === projectId && (changed?.includes(edge) ?? true),
  )
}

/** Returns the ids of the edges that an event of their topic names; null if it can concern all of them. */
function edgesIn(data: unknown): readonly unknown[] | null {
  if (typeof data !== 'object' || data === null) return null
  if ('edges' in data && Array.isArray(data.edges))
    return data.edges.map((edge: { _id?: unknown }) => edge._id)
  return 'id' in data ? [data.id] : null
}

/** Returns the newest running task of each type. A project without access has none. */
function useOpenTasks(subjects: readonly Subject[]): readonly Task[] {
  const tasks = useQueries({
    queries: subjects.map(({ project, of: type }) => ({
      queryKey: [...tasksKey(project), type],
      queryFn: ({ signal }: { signal: AbortSignal }) => newestTask(project, type, signal),
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  useNews(subjects, 'LTT', readChangedTasks)
  return tasks
}

function readChangedTasks(projectId: string, news: TopicNews): void {
  if (news.kind === 'event' && news.name === 'task:state') follow(projectId, news.data)
  else void readAgain(queryClient, tasksKey(projectId))
}

async function newestTask(projectId: string, type: string, signal: AbortSignal): Promise<Task | null> {
  let after: string | undefined
  do {
    const { items, next } = await api(taskEndpoints.list, {
      params: { projectId },
      // The search also finds types that begin with this one.
      query: { state: 'open', search: `type:${type}`, limit: '200', ...(after !== undefined && { after }) },
      signal,
      background: true,
    })
    const found = items.find((task) => task.type === type)
    if (found !== undefined) return found
    after = next
  } while (after !== undefined)
  return null
}

/** Applies progress events to the cached tasks, because they arrive several times a second. */
function follow(projectId: string, data: unknown): void {
  const updates =
    typeof data === 'object' && data !== null && 'tasks' in data && Array.isArray(data.tasks)
      ? data.tasks.flatMap((update) => taskUpdate.safeParse(update).data ?? [])
      : []
  queryClient.setQueriesData<Task | null>({ queryKey: tasksKey(projectId) }, (task) => {
    const update = updates.find(({ _id, revision }) => _id === task?._id && revision > task.revision)
    return task && update ? { ...task, state: update.state, revision: update.revision } : task
  })
}

/** Listens to a topic of each project while the component is mounted. */
function useNews(
  subjects: readonly Subject[],
  topic: 'edges' | 'LTT',
  listen: (projectId: string, news: TopicNews) => void,
): void {
  useEffect(() => {
    const projects = new Set(subjects.map(({ project }) => project))
    const stops = [...projects].map((projectId) =>
      subscribe(`/projects/${projectId}/${topic}`, (news) => {
        if (news.kind !== 'ended') listen(projectId, news)
      }),
    )
    return () => stops.forEach((stop) => stop())
  }, [subjects, topic, listen])
}
