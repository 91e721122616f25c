/** A page of a list: its cursor in the order of the server, and its number of rows when it was last read. */
interface PagePlace {
  after: string | null
  size: number
  /** Set for the last page of the list. */
  isEnd: boolean
}

/** The known pages of a list, from the first one on. The last one may not be loaded yet. */
export type PagePlaces = readonly PagePlace[]

export const noPlaces: PagePlaces = [{ after: null, size: 0, isEnd: false }]

/**
 * Updates the known pages after one was loaded. If its end has moved, the pages after it are dropped and loaded again
 * from there, so that no row is missing or duplicated.
 */
export function learnPage(
  places: PagePlaces,
  at: number,
  { size, next }: { size: number; next: string | null },
): PagePlaces {
  const place = places[at]
  if (place === undefined) return places
  const isEnd = next === null
  const isSameEnd = isEnd ? at === places.length - 1 : places[at + 1]?.after === next
  if (isSameEnd && place.size === size && place.isEnd === isEnd) return places
  return [
    ...places.slice(0, at),
    { ...place, size, isEnd },
    ...(isSameEnd ? places.slice(at + 1) : isEnd ? [] : [{ after: next, size: 0, isEnd: false }]),
  ]
}

/** Returns the index of each page's first row, and finally the index after the last row. */
export function firstRowsOf(places: PagePlaces): number[] {
  const first = [0]
  for (const { size } of places) first.push((first.at(-1) ?? 0) + size)
  return first
}
