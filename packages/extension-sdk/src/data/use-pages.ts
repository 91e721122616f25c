import type { Endpoint, ReplyOf } from '@pult/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { type Page, type PagedListState, pagedListOf, usePlaces } from '../paged-list.ts'
import type { ReadInput, ReadOptions } from './call-query.ts'
import { useCall } from './use-call.ts'

export interface PagesOptions<Reply> extends Pick<ReadOptions<Reply>, 'every'> {
  /** Stops reading again until `retry`, so that rows do not move while the user reads. */
  isHeld?: boolean
}

/**
 * Reads a list of the contract page by page, for a {@link ListFrame}. Each page is a history entry, so that back navigation
 * returns to the same page. Another search starts at the first page. The current page stays on screen until the next one
 * has loaded.
 *
 * @example const list = usePages(mediaEndpoints.list, { params: { projectId }, query: { search, limit: '60' } })
 */
export function usePages<E extends Endpoint>(
  endpoint: E,
  input: ReadInput<E>,
  { isHeld = false, ...options }: PagesOptions<ReplyOf<E>> = {},
): PagedListState<ItemOf<ReplyOf<E>>, ReplyOf<E> & Page<ItemOf<ReplyOf<E>>>> {
  const places = usePlaces()
  const { query = {} } = input as { query?: object }
  const page = useCall(
    endpoint,
    { ...input, query: { ...query, after: places.after } },
    {
      ...options,
      placeholderData: keepPreviousData as never,
      ...(isHeld && { staleTime: Number.POSITIVE_INFINITY }),
    },
  )
  return pagedListOf(page as never, places)
}

export type ItemOf<Reply> = Reply extends { items: (infer Item)[] } ? Item : never
