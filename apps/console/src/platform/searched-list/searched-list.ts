import type { Endpoint, z } from '@pult/contract'
import { type AnyCall, callQuery, readEvery, readingOf } from '@pult/sdk/host'
import { useSettled } from '@pult/sdk/resource'
import { type QueryFunctionContext, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

interface Page<Item> {
  items: Item[]
  total: number
  next?: string | undefined
}

export interface SearchedList<Item, Answer extends Page<Item> = Page<Item>> {
  /** The call that returns a page. */
  endpoint: Endpoint<string, Endpoint['query'], Endpoint['body'], z.ZodMiniType<Answer>>
  /** Which list it is, with all fields of the query but `search` and `after`. */
  input: { params?: Record<string, string>; query?: Record<string, string | undefined> }
  /** Approximates the server's search on loaded records. Without it the server always searches. */
  matches?: (item: Item, search: string) => boolean
  /** Pause between two reads in milliseconds. Without it, only changes and events cause them. */
  every?: number
}

const typingPause = 250

/**
 * A paginated list of the contract with search. When all pages are loaded, the search runs locally and filters on
 * every keystroke. Otherwise the server searches.
 */
export function useSearchedList<Item, Answer extends Page<Item> = Page<Item>>(
  list: SearchedList<Item, Answer>,
  text: string,
) {
  const search = text.trim()
  const settled = useSettled(search, typingPause)
  const all = useInfiniteQuery(pagesOf(list, ''))
  const { matches } = list
  const isLeftToServer = (all.hasNextPage || matches === undefined) && search !== ''
  const found = useInfiniteQuery(pagesOf(list, settled, isLeftToServer && settled !== ''))

  const loaded = itemsOf<Item>(all.data)
  const isFound = isLeftToServer && settled === search && found.data !== undefined
  const items = isFound
    ? itemsOf<Item>(found.data)
    : search === ''
      ? loaded
      : loaded?.filter((item) => matches?.(item, search) ?? true)
  const shown = isFound ? found : isLeftToServer ? null : all
  return {
    /** Undefined until the first page has loaded. */
    items,
    /** Number of records that the search finds; undefined until the server has answered. */
    foundTotal: isFound ? found.data.pages[0]?.total : isLeftToServer ? undefined : items?.length,
    /** Number of records without the search. */
    total: all.data?.pages[0]?.total ?? 0,
    /** Number of loaded pages; undefined until the server has answered. */
    pageCount: shown?.data?.pages.length,
    /** The response to the search is pending. */
    isSearching: isLeftToServer && !isFound && found.error === null,
    error: isLeftToServer ? (all.error ?? found.error) : all.error,
    retry: () => void (isLeftToServer ? found : all).refetch(),
    /** The query of the list without the search. */
    reading: all,
    /** Loads the next page; null on the last page. */
    more: moreOf(shown),
  }
}

function pagesOf<Item, Answer extends Page<Item>>(
  { endpoint, input, every }: SearchedList<Item, Answer>,
  search: string,
  isEnabled = true,
) {
  const { queryKey, enabled } = callQuery(api, endpoint as Endpoint, {
    ...input,
    query: { ...input.query, search },
  })
  return {
    queryKey: [...queryKey, 'pages'],
    queryFn: (context: QueryFunctionContext<QueryKey, string | null>) =>
      (api as AnyCall)(endpoint, {
        ...input,
        query: { ...input.query, search: search || undefined, after: context.pageParam ?? undefined },
        ...readingOf(context),
      }) as Promise<Answer>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Answer) => next ?? null,
    // The list of a record that the user leaves is not read, like other data of the record.
    enabled: isEnabled && (enabled as (query: unknown) => boolean),
    ...(every !== undefined && { refetchInterval: readEvery(every) }),
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
