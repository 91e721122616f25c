import { type Task, task, taskUpdate, z } from '@pult/contract'

/** What is known of the tasks of a project: all that go on, and of those that have ended the newest. */
export interface TaskList {
  byId: ReadonlyMap<string, Task>
  /** The newest first. Stays the same array while tasks only change. */
  ids: readonly string[]
  /** How far it was read. */
  read: ReadPages
}

/** Pages of the server's list, the newest first. */
export interface ReadPages {
  pages: number
  /** Where the older ones begin; null when all are here. */
  next: string | null
}

/** What the topic of a project's tasks tells. */
export interface TaskNews {
  name: string
  data: unknown
}

const told = z.object({ task })
const toldUpdates = z.object({ tasks: z.array(taskUpdate) })
const toldArchived = z.object({ _id: z.string() })

/** A task that goes on: nobody has begun yet, or somebody drives it. */
export const isOpen = ({ fulfilledAt }: Pick<Task, 'fulfilledAt'>): boolean => fulfilledAt === null

/** A list with these tasks. Of two that are the same one the later revision stays. */
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
 * The list after what the topic has told; the same list when it says nothing new, however often and late it comes. Null
 * when it tells of something that the list cannot know: then it has to be read again.
 */
export function withNews(list: TaskList, { name, data }: TaskNews): TaskList | null {
  if (name === 'task:state') return withUpdates(list, data)
  if (name === 'task:archived') return withoutTask(list, data)
  const news = told.safeParse(data)
  if (!news.success) return null
  const { task: one } = news.data
  const known = list.byId.get(one._id)
  return known !== undefined && known.revision >= one.revision ? list : listWith([one], list.read, list)
}

function withUpdates(list: TaskList, data: unknown): TaskList | null {
  const news = toldUpdates.safeParse(data)
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
  const news = toldArchived.safeParse(data)
  if (!news.success) return null
  const { _id } = news.data
  if (!list.byId.has(_id)) return list
  const byId = new Map(list.byId)
  byId.delete(_id)
  return { ...list, byId, ids: list.ids.filter((known) => known !== _id) }
}

/** Ids are UUIDv7, whose order is that of their creation. */
function newestFirst(byId: ReadonlyMap<string, Task>): string[] {
  return [...byId.keys()].toSorted((one, other) => (one < other ? 1 : -1))
}
