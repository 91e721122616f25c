import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { staleSince } from './resource/stale-since.ts'

/** The answer of a list of the contract that comes in pages. */
interface Page<Item> {
  items: Item[]
  total: number
  totalIsCapped?: boolean | undefined
  next?: string | undefined
}

export interface PagedList<Item, Answer extends Page<Item> = Page<Item>> {
  /** Query key of the list, including all its parameters. */
  queryKey: readonly unknown[]
  /** Reads one page, the first without `after`. In the `background` something is on screen already. */
  fetchPage: (place: {
    after: string | undefined
    signal: AbortSignal
    background: boolean
  }) => Promise<Answer>
  /** The data stays as read until `retry`, so that rows do not move while the user reads. */
  isHeld?: boolean
}

/**
 * A list that is shown a page at a time, however long it is. Each page is an entry of the history, so that the way back
 * leads back to the same page; another search begins at the first page. One page is shown until the next one is there.
 */
export function usePagedList<Item, Answer extends Page<Item> = Page<Item>>({
  queryKey,
  fetchPage,
  isHeld = false,
}: PagedList<Item, Answer>) {
  const location = useLocation()
  const navigate = useNavigate()
  const cursors = cursorsIn(location.state)
  const after = cursors.at(-1)
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt, fetchStatus } = useQuery({
    queryKey: [...queryKey, after ?? null],
    queryFn: ({ signal, client, queryKey: key }) =>
      fetchPage({ after, signal, background: client.getQueryData(key) !== undefined }),
    placeholderData: keepPreviousData,
    ...(isHeld && { staleTime: Number.POSITIVE_INFINITY }),
  })
  const goTo = (next: readonly string[]) =>
    void navigate({ search: location.search }, { state: { cursors: next } })
  const next = data?.next
  return {
    /** The whole answer of the shown page, with fields that only this list has. Undefined until it is here. */
    answer: data,
    /** Undefined until the first page is here. */
    items: data?.items,
    total: data?.total ?? 0,
    /** Set when there are more than `total`. */
    isCapped: data?.totalIsCapped ?? false,
    /** Counted from 0. */
    pageIndex: cursors.length,
    /** The shown rows do not match the current request yet. */
    isWaiting: isPlaceholderData,
    error,
    /** When the shown page was read, in milliseconds since 1970, if it could not be read again since; null otherwise. */
    staleSince: staleSince({ data, error, dataUpdatedAt, fetchStatus }),
    /** Reads the page again. */
    retry: () => void refetch(),
    /** Null on the last page. */
    goNext: next === undefined || isPlaceholderData ? null : () => goTo([...cursors, next]),
    /** Null on the first page. */
    goBack: cursors.length === 0 ? null : () => goTo(cursors.slice(0, -1)),
    goFirst: () => goTo([]),
  }
}

/** A paged list in its current state. */
export type PagedListState<Item> = ReturnType<typeof usePagedList<Item>>

/**
 * A list that comes whole, for a {@link ListFrame}.
 *
 * @example const list = wholeListOf(useQuery({ queryKey: ['cues'], queryFn }))
 */
export function wholeListOf<Item>({
  data,
  error,
  refetch,
  dataUpdatedAt,
  fetchStatus,
}: Pick<
  UseQueryResult<{ items: Item[] }>,
  'data' | 'error' | 'refetch' | 'dataUpdatedAt' | 'fetchStatus'
>): Omit<PagedListState<Item>, 'answer'> {
  return {
    items: data?.items,
    total: data?.items.length ?? 0,
    isCapped: false,
    pageIndex: 0,
    isWaiting: false,
    error,
    staleSince: staleSince({ data, error, dataUpdatedAt, fetchStatus }),
    retry: () => void refetch(),
    goNext: null,
    goBack: null,
    goFirst: () => {},
  }
}

function cursorsIn(state: unknown): readonly string[] {
  const { cursors } = (state ?? {}) as { cursors?: unknown }
  return Array.isArray(cursors) ? cursors.filter((cursor) => typeof cursor === 'string') : []
}
