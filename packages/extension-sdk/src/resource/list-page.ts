/** One page of a list, whatever the server's answer looked like. */
export interface ListPage<Item> {
  rows: Row<Item>[]
  /** All matching records, exact unless it is capped. */
  total: number
  isCapped: boolean
  /** Where the next page begins; null on the last one. */
  next: string | null
}

export interface Row<Item> {
  id: string
  item: Item
}

export type IdOf<Item> = (item: Item) => string

/** A record is called by its `_id`. */
export const defaultId: IdOf<unknown> = (item) => {
  if (typeof item === 'object' && item !== null && '_id' in item) return String(item._id)
  throw new TypeError('A record of this list has no _id')
}

/**
 * Reads the answer of a list: `items` with `total` or `countTotal`, or a bare array.
 *
 * @param idOf Returns a record's id: its `_id` by default.
 */
export function readListPage<Item>(answer: unknown, idOf: IdOf<Item> = defaultId): ListPage<Item> {
  if (Array.isArray(answer)) return readListPage({ items: answer }, idOf)
  const { items, total, countTotal, totalIsCapped, next } = answer as Answer<Item>
  if (!Array.isArray(items)) throw new TypeError('This is not the answer of a list')
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
