import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'

/** The answer of a list of the contract that comes in pages. */
interface Page<Item> {
  items: Item[]
  total: number
  totalIsCapped?: boolean | undefined
  next?: string | undefined
}

export interface PagedList<Item> {
  /** Names the list, with all that decides what is in it. */
  queryKey: readonly unknown[]
  /** Reads one page, the first without `after`. In the `background` something is on screen already. */
  fetchPage: (place: {
    after: string | undefined
    signal: AbortSignal
    background: boolean
  }) => Promise<Page<Item>>
  /** It stays as it was read until `retry`, so that nothing moves under somebody who reads. */
  isHeld?: boolean
}

/**
 * A list that is shown a page at a time, however long it is. Each page is an entry of the history, so that the way back
 * leads to where one was; another search begins at the first page. One page is shown until the next one is there.
 */
export function usePagedList<Item>({ queryKey, fetchPage, isHeld = false }: PagedList<Item>) {
  const location = useLocation()
  const navigate = useNavigate()
  const cursors = cursorsIn(location.state)
  const after = cursors.at(-1)
  const { data, error, refetch, isPlaceholderData } = useQuery({
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
    /** Undefined until the first page is here. */
    items: data?.items,
    total: data?.total ?? 0,
    /** There are more than `total`. */
    isCapped: data?.totalIsCapped ?? false,
    /** Counted from 0. */
    pageIndex: cursors.length,
    /** What is shown is not yet what was asked for. */
    isWaiting: isPlaceholderData,
    error,
    /** Reads the page again. */
    retry: () => void refetch(),
    /** Null on the last page. */
    goNext: next === undefined || isPlaceholderData ? null : () => goTo([...cursors, next]),
    /** Null on the first page. */
    goBack: cursors.length === 0 ? null : () => goTo(cursors.slice(0, -1)),
    goFirst: () => goTo([]),
  }
}

/** A paged list, as it stands on screen. */
export type PagedListState<Item> = ReturnType<typeof usePagedList<Item>>

function cursorsIn(state: unknown): readonly string[] {
  const { cursors } = (state ?? {}) as { cursors?: unknown }
  return Array.isArray(cursors) ? cursors.filter((cursor) => typeof cursor === 'string') : []
}
