/** One page of a list, in one form for all servers. */
export interface ListPage<Item> {
  rows: Row<Item>[]
  /** Number of all matching records, exact unless it is capped. */
  total: number
  isCapped: boolean
  /** Cursor of the next page; null on the last page. */
  next: string | null
}

export interface Row<Item> {
  id: string
  item: Item
}

export type IdOf<Item> = (item: Item) => string

/** Returns a record's `_id`. */
export const defaultId: IdOf<unknown> = (item) => {
  if (typeof item === 'object' && item !== null && '_id' in item) return String(item._id)
  throw new TypeError('A record of this list has no _id')
}

/**
 * Parses the response of a list: `items` with `total` or `countTotal`, or a bare array. Throws for other responses.
 *
 * @param idOf Returns a record's id: its `_id` by default.
 */
export function readListPage<Item>(answer: unknown, idOf: IdOf<Item> = defaultId): ListPage<Item> {
  if (Array.isArray(answer)) return readListPage({ items: answer }, idOf)
  const { items, total, countTotal, totalIsCapped, next } = answer as Answer<Item>
  if (!Array.isArray(items)) throw new TypeError('The response is not a list')
  return {
    rows: items.map((item) => ({ id: idOf(item), item })),
    total: total ?? countTotal ?? items.length,
    isCapped: totalIsCapped ?? false,
    next: next ?? null,
  }
}

interface Answer<Item> {
  items?: Item[]
  total?: number
  countTotal?: number
  totalIsCapped?: boolean
  next?: string | null
}
