import { type Overview, type OverviewSort, overviewEndpoints, type ProjectState } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { type ConsoleHost, followLive } from '@pult/sdk/host'
import { useEffect, useMemo } from 'react'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

/** Polling interval for the state of projects out of view. Milliseconds. */
export const overviewEvery = 15_000
/** Polling interval of `useProblemsElsewhere`. Milliseconds. */
export const elsewhereEvery = 60_000
/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 1000
/** Maximum number of followed rows, because each one subscribes to two topics. */
const followedAtMost = 20

/** The calls that return the state of projects. */
export const overviews = [overviewEndpoints.read, overviewEndpoints.ofOrganisation]

interface OverviewOrder {
  orgId?: string
  sort?: OverviewSort
}

const listOf = ({ orgId, sort }: OverviewOrder): SearchedList<ProjectState, Overview> => ({
  ...(orgId === undefined
    ? { endpoint: overviewEndpoints.read, input: { query: { sort } } }
    : { endpoint: overviewEndpoints.ofOrganisation, input: { params: { orgId }, query: { sort } } }),
  every: overviewEvery,
})

/** Returns the projects that the user may see with their state, by default the worst first, page by page. Live. */
export function useOverview({ search = '', ...order }: OverviewOrder & { search?: string }) {
  const list = useSearchedList(listOf(order), search)
  useFollowed((list.items ?? []).slice(0, followedAtMost).map(({ _id }) => _id))
  const pages = list.reading.data?.pages
  return {
    ...list,
    summary: pages?.[0]?.summary ?? null,
    /** All projects, unfiltered by the search; null until the last page is loaded. */
    all: pages?.at(-1)?.next === undefined ? (pages?.flatMap(({ items }) => items) ?? null) : null,
    /** Search, order and number of pages of `items`. */
    question: [order.sort, search.trim(), list.isSearching, list.pageCount].join(' '),
  }
}

/**
 * Returns the worst problems of the user's other projects, for home. Polled slowly and without topics, because home
 * subscribes only to its own project.
 */
export const useProblemsElsewhere = (projectId: string, isEnabled: boolean) =>
  useCall(
    overviewEndpoints.read,
    { query: { limit: '1', attentionExcept: projectId } },
    {
      select: ({ summary }) => summary?.attention ?? [],
      every: ({ data }) => ((data?.total ?? 0) > 1 ? elsewhereEvery : undefined),
      enabled: isEnabled,
    },
  )

/**
 * Returns the states of the user's worst projects by id, at most one page. The problems of all other projects are no
 * worse.
 */
export function useProjectStates(): ReadonlyMap<string, ProjectState> {
  const { data } = useCall(overviewEndpoints.read, {}, { staleTime: overviewEvery })
  return useMemo(() => new Map(data?.items.map((state) => [state._id, state])), [data])
}

function useFollowed(projectIds: readonly string[]): void {
  const joined = projectIds.join(' ')
  useEffect(() => {
    const followed = joined === '' ? [] : joined.split(' ')
    const topics = followed.flatMap((id) => [`/projects/${id}/edges`, `/projects/${id}/LTT`])
    return followLive({ client: queryClient, subscribe: subscribeToEvents }, topics, {
      touches: overviews,
      apart: readsApart,
      // Rows count tasks, but do not show their progress.
      onEvent: ({ name }) => name === 'task:state',
    })
  }, [joined])
}

/** Without gaps: each new order of rows would begin with 40 of them, and the topic `projects` covers lost events. */
const subscribeToEvents: ConsoleHost['subscribe'] = (topic, listener) =>
  subscribe(topic, (news) => {
    if (news.kind === 'event') listener(news)
  })
