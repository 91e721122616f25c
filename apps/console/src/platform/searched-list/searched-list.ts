import { useSettled } from '@pult/sdk/resource'
import { type QueryFunctionContext, useInfiniteQuery } from '@tanstack/react-query'
import { callOf } from '../query-client.ts'

interface Page<Item> {
  items: Item[]
  total: number
  next?: string | undefined
}

interface PageQuery {
  after?: string
  search?: string
}

export interface SearchedList<Item> {
  queryKey: readonly string[]
  fetchPage: (query: PageQuery, call: ReturnType<typeof callOf>) => Promise<Page<Item>>
  /** Approximates the server's search on loaded records. Without it the server always searches. */
  matches?: (item: Item, search: string) => boolean
}

const typingPause = 250

/**
 * A paginated list of the contract with search. When all pages are loaded, the search runs locally and filters on
 * every keystroke. Otherwise the server searches.
 */
export function useSearchedList<Item>(list: SearchedList<Item>, text: string) {
  const search = text.trim()
  const settled = useSettled(search, typingPause)
  const all = useInfiniteQuery(pagesOf(list, ''))
  const { matches } = list
  const isLeftToServer = (all.hasNextPage || matches === undefined) && search !== ''
  const found = useInfiniteQuery({ ...pagesOf(list, settled), enabled: isLeftToServer && settled !== '' })

  const loaded = itemsOf(all.data)
  const isFound = isLeftToServer && settled === search && found.data !== undefined
  const items = isFound
    ? itemsOf(found.data)
    : search === ''
      ? loaded
      : loaded?.filter((item) => matches?.(item, search) ?? true)
  return {
    /** Undefined until the first page has loaded. */
    items,
    /** Number of records that the search finds; undefined until the server has answered. */
    foundTotal: isFound ? found.data.pages[0]?.total : isLeftToServer ? undefined : items?.length,
    /** Number of records without the search. */
    total: all.data?.pages[0]?.total ?? 0,
    /** The response to the search is pending. */
    isSearching: isLeftToServer && !isFound && found.error === null,
    error: isLeftToServer ? (all.error ?? found.error) : all.error,
    retry: () => void (isLeftToServer ? found : all).refetch(),
    /** The query of the list without the search. */
    reading: all,
    /** Loads the next page; null on the last page. */
    more: moreOf(isFound ? found : isLeftToServer ? null : all),
  }
}

function pagesOf<Item>({ queryKey, fetchPage }: SearchedList<Item>, search: string) {
  return {
    queryKey: [...queryKey, search],
    queryFn: (context: QueryFunctionContext<string[], string | null>) => {
      const after = context.pageParam
      return fetchPage(
        { ...(after !== null && { after }), ...(search !== '' && { search }) },
        callOf(context),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Page<Item>) => next ?? null,
  }
}

const itemsOf = <Item>(data: { pages: readonly Page<Item>[] } | undefined) =>
  data?.pages.flatMap(({ items }) => items)

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

const moreOf = (pages: Pages | null) =>
  pages?.hasNextPage === true
    ? { load: () => void pages.fetchNextPage(), isPending: pages.isFetchingNextPage }
    : null
