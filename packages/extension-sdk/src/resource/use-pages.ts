import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListPage, Row } from './list-page.ts'
import { firstRowsOf, learnPage, noPlaces } from './page-places.ts'
import type { ResourceCalls } from './use-resource.ts'

/** Number of rows that are loaded before they come into view. */
const ahead = 60

/** Assumed number of rows after the known ones in a list of unknown length. */
const supposed = 50

/** Indices of the first and the last row on screen. */
export interface RowRange {
  first: number
  last: number
}

export interface Pages<Item> {
  /** Number of rows of the list, estimated until the end is known. */
  count: number
  /** Returns a row; undefined until it has loaded. */
  rowAt: (index: number) => Row<Item> | undefined
  /** Error of a page that failed to load. */
  error: Error | null
  retry: () => void
}

/**
 * Reads a list of any length with keyset pagination. Each page is a separate query. Only the pages on screen are loaded
 * and kept fresh; a jump also loads the pages before its target.
 *
 * @param head The first page.
 */
export function usePages<Item>(
  calls: ResourceCalls<Item>,
  search: string,
  head: ListPage<Item>,
  view: RowRange,
): Pages<Item> {
  const client = useQueryClient()
  const [places, setPlaces] = useState(() => learnPage(noPlaces, 0, summaryOf(head)))
  const firstRows = firstRowsOf(places)
  const firstRow = (at: number) => firstRows[at] ?? 0

  const needed = places.flatMap((place, at) => {
    const isUnread = place.size === 0 && !place.isEnd
    const isNear = firstRow(at) <= view.last + ahead && (isUnread || firstRow(at + 1) > view.first)
    return isNear ? [{ at, after: place.after }] : []
  })
  const results = useQueries({ queries: needed.map(({ after }) => calls.page(search, after)) })

  const known = needed.reduce((found, { at, after }, index) => {
    const page = results[index]?.data
    // An earlier page may have dropped this one.
    return page && found[at]?.after === after ? learnPage(found, at, summaryOf(page)) : found
  }, places)
  if (known !== places) setPlaces(known)

  const loaded = firstRow(places.length)
  const isWhole = places.at(-1)?.isEnd === true
  const failed = results.find(({ error, data }) => error !== null && data === undefined)
  return {
    count: isWhole ? loaded : Math.max(head.total, head.isCapped ? loaded + supposed : loaded + 1),
    rowAt: (index) => {
      const at = firstRows.findLastIndex((first) => first <= index)
      const place = places[at]
      if (place === undefined) return undefined
      return client.getQueryData(calls.page(search, place.after).queryKey)?.rows[index - firstRow(at)]
    },
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

const summaryOf = ({ rows, next }: ListPage<unknown>) => ({ size: rows.length, next })
