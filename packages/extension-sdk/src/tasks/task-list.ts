import { type Task, task, taskUpdate, z } from '@pult/contract'

/** The known tasks of a project: all running ones, and the newest of the ended ones. */
export interface TaskList {
  byId: ReadonlyMap<string, Task>
  /** Ids, newest first. Stays the same array if only the contents of tasks change. */
  ids: readonly string[]
  /** The loaded pages. */
  read: ReadPages
}

/** Pages of the server's list, the newest first. */
export interface ReadPages {
  pages: number
  /** Cursor of the next page; null if all pages are loaded. */
  next: string | null
}

/** The events of a project's task topic. */
export interface TaskNews {
  name: string
  data: unknown
}

const taskEvent = z.object({ task })
const updateEvent = z.object({ tasks: z.array(taskUpdate) })
const archivedEvent = z.object({ _id: z.string() })

/** Returns whether a task waits for a driver or is running. */
export const isOpen = ({ fulfilledAt }: Pick<Task, 'fulfilledAt'>): boolean => fulfilledAt === null

/** Returns the list with these tasks added. The later revision of a task wins. */
export function listWith(tasks: Iterable<Task>, read: ReadPages, before?: TaskList): TaskList {
  const byId = new Map(before?.byId)
  let isComplete = before !== undefined
  for (const one of tasks) {
    const known = byId.get(one._id)
    if (known !== undefined && known.revision >= one.revision) continue
    isComplete &&= known !== undefined
    byId.set(one._id, one)
  }
  return { byId, ids: isComplete && before ? before.ids : newestFirst(byId), read }
}

/**
 * Returns the list after an event, or the same list if the event is late or repeated. Returns null for an event about
 * an unknown task, after which the list must be refetched.
 */
export function withNews(list: TaskList, { name, data }: TaskNews): TaskList | null {
  if (name === 'task:state') return withUpdates(list, data)
  if (name === 'task:archived') return withoutTask(list, data)
  const news = taskEvent.safeParse(data)
  if (!news.success) return null
  const { task: one } = news.data
  const known = list.byId.get(one._id)
  return known !== undefined && known.revision >= one.revision ? list : listWith([one], list.read, list)
}

function withUpdates(list: TaskList, data: unknown): TaskList | null {
  const news = updateEvent.safeParse(data)
  if (!news.success) return null
  let byId: Map<string, Task> | undefined
  for (const { _id, state, revision, startedAt } of news.data.tasks) {
    const known = list.byId.get(_id)
    if (known === undefined) return null
    if (known.revision >= revision) continue
    byId ??= new Map(list.byId)
    byId.set(_id, { ...known, state, revision, startedAt: startedAt ?? known.startedAt })
  }
  return byId === undefined ? list : { ...list, byId }
}

function withoutTask(list: TaskList, data: unknown): TaskList | null {
  const news = archivedEvent.safeParse(data)
  if (!news.success) return null
  const { _id } = news.data
  if (!list.byId.has(_id)) return list
  const byId = new Map(list.byId)
  byId.delete(_id)
  return { ...list, byId, ids: list.ids.filter((known) => known !== _id) }
}

/** Ids are UUIDv7, which sort by creation. */
function newestFirst(byId: ReadonlyMap<string, Task>): string[] {
  return [...byId.keys()].toSorted((one, other) => (one < other ? 1 : -1))
}
