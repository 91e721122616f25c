import { type Overview, type OverviewSort, overviewEndpoints, type ProjectState } from '@pult/contract'
import { oneAtATime, readAgain } from '@pult/sdk/host'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { api } from '#platform/api.ts'
import { readEvery } from '#platform/desk/retry-pause.ts'
import { callOf, isWorthRepeating, queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

/** Polling interval for the state of projects out of view. Milliseconds. */
const overviewEvery = 15_000
/** Polling interval of `useProblemsElsewhere`. Milliseconds. */
export const elsewhereEvery = 60_000
/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 1000
/** Maximum number of followed rows, because each one subscribes to two topics. */
const followedAtMost = 20

/** A child of the key `projects`, which events of the topic `projects` refetch. */
const allOverviews = ['projects', 'overview']

interface OverviewOrder {
  orgId?: string
  sort?: OverviewSort
}

const keyOf = ({ orgId = '', sort = 'worst' }: OverviewOrder) => [...allOverviews, orgId, sort]

const listOf = (order: OverviewOrder): SearchedList<ProjectState> => ({
  queryKey: keyOf(order),
  fetchPage: (page, call) => {
    const { orgId, sort } = order
    const query = { ...page, ...(sort !== undefined && { sort }) }
    return orgId === undefined
      ? api(overviewEndpoints.read, { ...call, query })
      : api(overviewEndpoints.ofOrganisation, { ...call, query, params: { orgId } })
  },
})

/** Returns the projects that the user may see with their state, by default the worst first, page by page. Live. */
export function useOverview({ search = '', ...order }: OverviewOrder & { search?: string }) {
  const list = useSearchedList(listOf(order), search)
  const client = useQueryClient()
  const key = [...keyOf(order), '']
  useFollowed(
    (list.items ?? []).slice(0, followedAtMost).map(({ _id }) => _id),
    key,
  )
  const pages = client.getQueryData<Pages>(key)?.pages
  const found = client.getQueryData<Pages>([...keyOf(order), search.trim()])?.pages
  return {
    ...list,
    summary: pages?.[0]?.summary ?? null,
    /** All projects, unfiltered by the search; null until the last page is loaded. */
    all: pages?.at(-1)?.next === undefined ? (pages?.flatMap(({ items }) => items) ?? null) : null,
    /** Search, order and number of pages of `items`. */
    question: [order.sort, search.trim(), list.isSearching, found?.length].join(' '),
  }
}

interface Pages {
  pages: Overview[]
}

/**
 * Returns the worst problems of the user's other projects, for home. Polled slowly and without topics, because home
 * subscribes only to its own project.
 */
export function useProblemsElsewhere(projectId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: [...allOverviews, 'elsewhere', projectId],
    queryFn: (context) =>
      api(overviewEndpoints.read, {
        ...callOf(context),
        query: { limit: '1', attentionExcept: projectId },
      }),
    select: ({ summary }) => summary?.attention ?? [],
    refetchInterval: (query) => readEvery((query.state.data?.total ?? 0) > 1 && elsewhereEvery)(query),
    enabled: isEnabled,
  })
}

/**
 * Returns the states of the user's worst projects by id, at most one page. The problems of all other projects are no
 * worse.
 */
export function useProjectStates(): ReadonlyMap<string, ProjectState> {
  const { data } = useQuery({
    queryKey: [...allOverviews, 'states'],
    queryFn: (context) => api(overviewEndpoints.read, { ...callOf(context), query: {} }),
    staleTime: overviewEvery,
  })
  return useMemo(() => new Map(data?.items.map((state) => [state._id, state])), [data])
}

function useFollowed(projectIds: readonly string[], queryKey: readonly string[]): void {
  const joined = projectIds.join(' ')
  // A failed query retries automatically, at the time that its card shows.
  const isRepeated = useEffectEvent(() => isWorthRepeating(queryClient.getQueryState(queryKey)?.error))
  useEffect(() => {
    const read = oneAtATime(async () => {
      await readAgain(queryClient, allOverviews)
      await new Promise((resolve) => setTimeout(resolve, readsApart))
    })
    const timer = setInterval(() => document.hidden || isRepeated() || read(), overviewEvery)
    const topics = (joined === '' ? [] : joined.split(' ')).flatMap((projectId) => [
      `/projects/${projectId}/edges`,
      `/projects/${projectId}/LTT`,
    ])
    const stops = topics.map((topic) =>
      subscribe(topic, (news) => {
        if (news.kind === 'event' && news.name !== 'task:state') read()
      }),
    )
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [joined])
}
