import {
  type QueryOf,
  type ReplyOf,
  type TaskOfPerson,
  type TaskSort,
  taskEndpoints,
  taskUpdate,
  z,
} from '@pult/contract'
import { usePagedList } from '@pult/sdk'
import { oneAtATime, readAgain } from '@pult/sdk/host'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'

/** Milliseconds. Topics update listed projects. Polling finds new tasks in other projects. */
const lookEvery = 10_000

const ownTasks = ['tasks', 'mine']

export interface TasksAsked {
  state: QueryOf<typeof taskEndpoints.mine>['state']
  own: boolean
  search: string
  sort: TaskSort
}

/** The tasks of all projects that the user can see, page by page. Live. */
export function useOwnTasks({ state, own, search, sort }: TasksAsked) {
  const list = usePagedList<TaskOfPerson, ReplyOf<typeof taskEndpoints.mine>>({
    queryKey: [...ownTasks, state, own, search, sort],
    fetchPage: ({ after, ...how }) =>
      api(taskEndpoints.mine, {
        ...how,
        query: {
          ...(after !== undefined && { after }),
          ...(state !== undefined && { state }),
          ...(own && { own: 'true' as const }),
          ...(search !== '' && { search }),
          ...(sort !== 'newest' && { sort }),
        },
      }),
  })
  useFollowedProjects([...new Set(list.items?.map(({ project }) => project))].toSorted())
  return list
}

function useFollowedProjects(projectIds: readonly string[]): void {
  const joined = projectIds.join(' ')
  useEffect(() => {
    const read = oneAtATime(() => readAgain(queryClient, ownTasks))
    const timer = setInterval(() => document.hidden || read(), lookEvery)
    const followed = joined === '' ? [] : joined.split(' ')
    const stops = followed.map((projectId) =>
      subscribe(`/projects/${projectId}/LTT`, (news) => {
        if (news.kind === 'event' && news.name === 'task:state') showProgress(news.data)
        else if (news.kind !== 'ended') read()
      }),
    )
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [joined])
}

const progressEvent = z.object({ tasks: z.array(taskUpdate) })

/** Updates the progress of listed tasks in the cache. */
function showProgress(data: unknown): void {
  const event = progressEvent.safeParse(data)
  if (!event.success) return
  const updates = new Map(event.data.tasks.map((update) => [update._id, update]))
  queryClient.setQueriesData<{ items: TaskOfPerson[] }>(
    { queryKey: ownTasks },
    (page) =>
      page && {
        ...page,
        items: page.items.map((task) => {
          const update = updates.get(task._id)
          if (update === undefined || update.revision <= task.revision) return task
          return { ...task, ...update, startedAt: update.startedAt ?? task.startedAt }
        }),
      },
  )
}
