import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { readingOf } from './data/call-query.ts'
import { staleSince } from './stale/stale-since.ts'

/** One page of a paginated list of the contract. */
export interface Page<Item> {
  items: Item[]
  total: number
  totalIsCapped?: boolean | undefined
  next?: string | undefined
}

export interface PagedList<Item, Answer extends Page<Item> = Page<Item>> {
  /** Query key of the list, including all its parameters. */
  queryKey: readonly unknown[]
  /** Reads one page, the first without `after`. `background` marks a refetch of a page that is already loaded. */
  fetchPage: (place: {
    after: string | undefined
    signal: AbortSignal
    background: boolean
  }) => Promise<Answer>
  /** Stops refetching until `retry`, so that rows do not move while the user reads. */
  isHeld?: boolean
}

/** As {@link usePages}, for a list that is not one call of the contract. */
export function usePagedList<Item, Answer extends Page<Item> = Page<Item>>({
  queryKey,
  fetchPage,
  isHeld = false,
}: PagedList<Item, Answer>): PagedListState<Item, Answer> {
  const places = usePlaces()
  const page = useQuery({
    queryKey: [...queryKey, places.after ?? null],
    queryFn: (context) => fetchPage({ after: places.after, ...readingOf(context) }),
    placeholderData: keepPreviousData,
    ...(isHeld && { staleTime: Number.POSITIVE_INFINITY }),
  })
  return pagedListOf(page, places)
}

/** The page of a list that the history entry shows. */
export function usePlaces() {
  const location = useLocation()
  const navigate = useNavigate()
  const places = placesIn(location.state)
  const { after, before } = places.at(-1) ?? { after: undefined, before: 0 }
  return {
    places,
    after,
    before,
    goTo: (next: readonly Place[]) => void navigate({ search: location.search }, { state: { places: next } }),
  }
}

/** Returns the state of a paged list from the query of its page. */
export function pagedListOf<Item, Answer extends Page<Item>>(
  {
    data,
    error,
    refetch,
    isPlaceholderData,
    dataUpdatedAt,
    fetchStatus,
  }: Pick<
    UseQueryResult<Answer>,
    'data' | 'error' | 'refetch' | 'isPlaceholderData' | 'dataUpdatedAt' | 'fetchStatus'
  >,
  { places, before, goTo }: ReturnType<typeof usePlaces>,
) {
  const next = data?.next
  return {
    /** The complete reply of the shown page, with the fields of this list. Undefined until it has loaded. */
    answer: data,
    /** Undefined until the first page has loaded. */
    items: data?.items,
    total: data?.total ?? 0,
    /** Set if more than `total` records exist. */
    isCapped: data?.totalIsCapped ?? false,
    /** Index of the page, from 0. */
    pageIndex: places.length,
    /** Number of records on the previous pages. */
    before,
    /** Set while the shown rows belong to the previous request. */
    isWaiting: isPlaceholderData,
    error,
    /**
     * When the shown page was read, in milliseconds since 1970, if it could not be read again since; null otherwise.
     */
    staleSince: staleSince({ data, error, dataUpdatedAt, fetchStatus }),
    /** Refetches the page. */
    retry: () => void refetch(),
    /** Null on the last page. */
    goNext:
      next === undefined || isPlaceholderData
        ? null
        : () => goTo([...places, { after: next, before: before + (data?.items.length ?? 0) }]),
    /** Null on the first page. */
    goBack: places.length === 0 ? null : () => goTo(places.slice(0, -1)),
    goFirst: () => goTo([]),
  }
}

/** The current state of a paged list. */
export type PagedListState<Item, Answer extends Page<Item> = Page<Item>> = ReturnType<
  typeof pagedListOf<Item, Answer>
>

/**
 * Adapts an unpaginated list to a {@link ListFrame}.
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
    before: 0,
    isWaiting: false,
    error,
    staleSince: staleSince({ data, error, dataUpdatedAt, fetchStatus }),
    retry: () => void refetch(),
    goNext: null,
    goBack: null,
    goFirst: () => {},
  }
}

/** The start of a page after the first one, as stored in the history. */
interface Place {
  /** `next` of the previous page. */
  after: string
  /** Number of records on the previous pages. */
  before: number
}

function placesIn(state: unknown): readonly Place[] {
  const { places } = (state ?? {}) as { places?: unknown }
  return Array.isArray(places) ? places.filter(isPlace) : []
}

function isPlace(place: unknown): place is Place {
  const { after, before } = (place ?? {}) as Partial<Place>
  return typeof after === 'string' && typeof before === 'number'
}
