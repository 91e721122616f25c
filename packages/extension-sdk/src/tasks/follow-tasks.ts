import { type Task, taskEndpoints } from '@pult/contract'
import { type QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { type Call, callOf } from '../call.ts'
import type { ConsoleHost } from '../host.ts'
import { oneAtATime, readAgain } from '../read-again.ts'
import { listWith, type TaskList, type TaskNews, withNews } from './task-list.ts'

const pageSize = '200'

interface Following {
  watchers: number
  stop: () => void
  /** The news since each running request began, whose answer may be older. */
  readings: Set<TaskNews[]>
}

/** One for each page and project, however many components watch its tasks. */
const followings = new WeakMap<QueryClient, Map<string, Following>>()

/** The tasks of a project, kept up to date by {@link followTasks}. */
export const taskListQuery = (call: Call, projectId: string) =>
  queryOptions({
    queryKey: ['tasks', projectId, 'list'],
    queryFn: (context) => readWhileFollowing(call, projectId, context),
  })

async function readWhileFollowing(
  call: Call,
  projectId: string,
  context: QueryFunctionContext,
): Promise<TaskList> {
  const heard: TaskNews[] = []
  const readings = followings.get(context.client)?.get(projectId)?.readings
  readings?.add(heard)
  try {
    const read = await readTasks(call, projectId, context)
    // News about an unknown task has already triggered a refetch.
    return heard.reduce((list, news) => withNews(list, news) ?? list, read)
  } finally {
    readings?.delete(heard)
  }
}

/** As many pages as before, and all running tasks, wherever they are in the list. */
async function readTasks(call: Call, projectId: string, context: QueryFunctionContext): Promise<TaskList> {
  const { queryKey, client } = context
  const wanted = client.getQueryData<TaskList>(queryKey)?.read.pages ?? 1
  const how = { ...callOf(context), params: { projectId } }
  const read = (query: { state?: 'open'; after?: string }) =>
    call(taskEndpoints.list, { ...how, query: { limit: pageSize, ...query } })

  const newest = await read({})
  let list = listWith(newest.items, { pages: 1, next: newest.next ?? null })
  while (list.read.next !== null && list.read.pages < wanted)
    list = withPage(list, await read({ after: list.read.next }))
  if (list.read.next === null) return list
  let after: string | undefined
  do {
    const open = await read({ state: 'open', ...(after !== undefined && { after }) })
    list = listWith(open.items, list.read, list)
    after = open.next
  } while (after !== undefined)
  return list
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

/** Adds the answer of a call to the list. */
export function keepTask(client: QueryClient, call: Call, task: Task): void {
  client.setQueryData(taskListQuery(call, task.project).queryKey, (list) =>
    list?.byId.has(task._id) ? listWith([task], list.read, list) : list,
  )
}

/**
 * Keeps the tasks of a project up to date from its topic without refetching, until the returned function is called.
 * After a gap, or news about an unknown task, they are refetched.
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
    const stop = subscribe(`/projects/${projectId}/LTT`, (news) => {
      if (news.kind === 'gap') readTheList()
      if (news.kind !== 'event') return
      for (const heard of readings) heard.push(news)
      const list = client.getQueryData<TaskList>(queryKey)
      if (list === undefined) return
      const after = withNews(list, news)
      if (after === null) readTheList()
      else if (after !== list) client.setQueryData(queryKey, after)
    })
    return { watchers: 0, stop, readings }
  }
}
