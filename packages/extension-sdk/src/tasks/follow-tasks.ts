import { type Task, taskEndpoints } from '@pult/contract'
import { type QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import type { Call } from '../call.ts'
import { readingOf } from '../data/call-query.ts'
import { keyOf } from '../data/query-key.ts'
import { isReadSinceOpening, noteMadeOf } from '../data/read-position.ts'
import type { ConsoleHost } from '../host.ts'
import { oneAtATime, readAgain } from '../read-again.ts'
import { listWith, type TaskList, type TaskNews, withNews } from './task-list.ts'

const pageSize = '200'

interface Following {
  watchers: number
  stop: () => void
  /** Events received since the start of each running request, whose response may be older. */
  readings: Set<TaskNews[]>
}

/** One subscription per page and project, for any number of components. */
const followings = new WeakMap<QueryClient, Map<string, Following>>()

/** Returns the query for the tasks of a project, which {@link followTasks} keeps up to date. */
export const taskListQuery = (call: Call, projectId: string) =>
  queryOptions({
    queryKey: [...keyOf(taskEndpoints.list, { params: { projectId } }), 'followed'],
    queryFn: (context) => readWhileFollowing(call, projectId, context),
  })

async function readWhileFollowing(
  call: Call,
  projectId: string,
  context: QueryFunctionContext,
): Promise<TaskList> {
  const received: TaskNews[] = []
  const readings = followings.get(context.client)?.get(projectId)?.readings
  readings?.add(received)
  try {
    const read = await readTasks(call, projectId, context)
    // An event about an unknown task has already triggered a refetch.
    return received.reduce((list, news) => withNews(list, news) ?? list, read)
  } finally {
    readings?.delete(received)
  }
}

/** Reads as many pages as before, and all running tasks of any age. */
async function readTasks(call: Call, projectId: string, context: QueryFunctionContext): Promise<TaskList> {
  const { queryKey, client } = context
  const pages = client.getQueryData<TaskList>(queryKey)?.read.pages ?? 1
  const how = { ...readingOf(context), params: { projectId } }
  const read = (query: { state?: 'open'; after?: string }) =>
    call(taskEndpoints.list, { ...how, query: { limit: pageSize, ...query } })

  const newest = await read({})
  let list = listWith(newest.items, { pages: 1, next: newest.next ?? null })
  while (list.read.next !== null && list.read.pages < pages)
    list = withPage(list, await read({ after: list.read.next }))
  if (list.read.next === null) return noteMadeOf(list, newest)
  let after: string | undefined
  do {
    const open = await read({ state: 'open', ...(after !== undefined && { after }) })
    list = listWith(open.items, list.read, list)
    after = open.next
  } while (after !== undefined)
  return noteMadeOf(list, newest)
}

const withPage = (list: TaskList, { items, next }: { items: Task[]; next?: string | undefined }): TaskList =>
  listWith(items, { pages: list.read.pages + 1, next: next ?? null }, list)

/** Loads older tasks. */
export async function readOlderTasks(client: QueryClient, call: Call, projectId: string): Promise<void> {
  const { queryKey } = taskListQuery(call, projectId)
  const after = client.getQueryData(queryKey)?.read.next
  if (after === null || after === undefined) return
  const page = await call(taskEndpoints.list, { params: { projectId }, query: { limit: pageSize, after } })
  client.setQueryData(queryKey, (list) => list && withPage(list, page))
}

/** Updates a known task of the list with the reply of a call. */
export function keepTask(client: QueryClient, call: Call, task: Task): void {
  client.setQueryData(taskListQuery(call, task.project).queryKey, (list) =>
    list?.byId.has(task._id) ? listWith([task], list.read, list) : list,
  )
}

/**
 * Keeps the tasks of a project up to date from the events of its topic, until the returned function is called. After a
 * gap, or an event about an unknown task, it refetches the list.
 */
export function followTasks(
  client: QueryClient,
  { call, subscribe }: Pick<ConsoleHost, 'call' | 'subscribe'>,
  projectId: string,
): () => void {
  const ofClient = followings.get(client) ?? new Map<string, Following>()
  followings.set(client, ofClient)
  const following = ofClient.get(projectId) ?? begin()
  ofClient.set(projectId, following)
  following.watchers += 1
  return () => {
    following.watchers -= 1
    if (following.watchers > 0) return
    following.stop()
    ofClient.delete(projectId)
  }

  function begin(): Following {
    const { queryKey } = taskListQuery(call, projectId)
    const readings = new Set<TaskNews[]>()
    const readTheList = oneAtATime(() => readAgain(client, queryKey))
    let openedAt: string | undefined
    const readIfOlder = oneAtATime(() =>
      readAgain(client, queryKey, ({ state }) => !isReadSinceOpening(state.data, openedAt)),
    )
    const stop = subscribe(`/projects/${projectId}/LTT`, (news) => {
      if (news.kind === 'gap') {
        openedAt = news.at
        readIfOlder()
      }
      if (news.kind !== 'event') return
      for (const received of readings) received.push(news)
      const list = client.getQueryData<TaskList>(queryKey)
      if (list === undefined) return
      const after = withNews(list, news)
      if (after === null) readTheList()
      else if (after !== list) client.setQueryData(queryKey, after)
    })
    return { watchers: 0, stop, readings }
  }
}
