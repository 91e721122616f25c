import { type QueryOf, type TaskOfPerson, type TaskSort, taskEndpoints } from '@pult/contract'
import { useLive, usePages } from '@pult/sdk'
import { keyOf } from '@pult/sdk/host'
import { queryClient } from '#platform/query-client.ts'
import { withProgress } from './tasks.queries.ts'

/** Milliseconds. Topics update listed projects. Polling finds new tasks in other projects. */
const lookEvery = 10_000

export interface TasksAsked {
  state: QueryOf<typeof taskEndpoints.mine>['state']
  own: boolean
  search: string
  sort: TaskSort
}

/** The tasks of all projects that the user can see, page by page. Live. */
export function useOwnTasks({ state, own, search, sort }: TasksAsked) {
  const order = sort === 'newest' ? undefined : sort
  const query = { state, own: own ? ('true' as const) : undefined, search, sort: order }
  const list = usePages(taskEndpoints.mine, { query }, { every: lookEvery })
  const projects = new Set(list.items?.map(({ project }) => project))
  useLive(
    [...projects].toSorted().map((projectId) => `/projects/${projectId}/LTT`),
    {
      touches: [taskEndpoints.mine],
      onEvent: ({ name, data }) => name === 'task:state' && showProgress(data),
    },
  )
  return list
}

/** Updates the progress of listed tasks in the cache, without a request. */
function showProgress(event: unknown): true {
  queryClient.setQueriesData<{ items: TaskOfPerson[] }>(
    // Each page and each filter.
    { queryKey: keyOf(taskEndpoints.mine) },
    (page) => page && { ...page, items: withProgress(page.items, event) },
  )
  return true
}
