import { parseSearch } from '@pult/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/** A list's query as the contract's `pageQuery` lets it through. */
export interface PageQuery {
  after?: string | undefined
  limit?: string | undefined
  search?: string | undefined
}

export interface Page<Item> {
  items: Item[]
  total: number
  totalIsCapped?: boolean
  next?: string
}

const usualSize = 50

/** Counting more takes longer than anybody cares for the number. */
const countedMost = 10_000

export const pageSizeOf = ({ limit }: PageQuery): number => (limit === undefined ? usualSize : Number(limit))

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id that a page begins after, of a list in the order of its ids; undefined for the first page. */
export function idAfter({ after }: PageQuery): string | undefined {
  if (after === undefined || uuid.test(after)) return after
  const message = 'Must be the next of the page before'
  throw new AppError('VALIDATION_FAILED', { issues: [{ path: ['after'], message }] })
}

/** As many rows as tell how many there are, or that there are more than are counted. */
export const countedAtMost = countedMost + 1

/** How many rows a query finds, counted no further than the answer says. */
export async function countUpTo(db: Db, query: SelectQueryBuilder<Database, never, object>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${query.clearOrderBy().limit(countedAtMost)}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * A page of rows that were read in order, one more than fit: that one tells that there is another page. `next` is the
 * key of the last row that fits.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  {
    size,
    count,
    keyOf,
    itemOf,
  }: { size: number; count: number; keyOf: (row: Row) => string; itemOf: (row: Row) => Item },
): Page<Item> {
  const fitting = rows.slice(0, size)
  const last = rows.length > size ? fitting.at(-1) : undefined
  return {
    items: fitting.map(itemOf),
    total: Math.min(count, countedMost),
    ...(count > countedMost && { totalIsCapped: true }),
    ...(last !== undefined && { next: keyOf(last) }),
  }
}

const escaped = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** What a list can be searched by. */
export interface Searchable {
  /** Texts in which words are looked for. */
  text: readonly RawBuilder<string>[]
  /**
   * Keys of `key:value` terms: texts match by their beginning, of several one is enough, booleans as `true` and `false`.
   */
  keys: Readonly<
    Record<
      string,
      { text: RawBuilder<string> } | { texts: RawBuilder<string[]> } | { boolean: RawBuilder<boolean> }
    >
  >
}

/** The condition that a search puts on the rows; all of its terms must match. Signs of patterns are nothing special. */
export function searchCondition(search: string | undefined, { text, keys }: Searchable): RawBuilder<boolean> {
  const { words, fields } = parseSearch(search ?? '', Object.keys(keys))
  const conditions = [
    ...words.map(
      (word) =>
        sql`(${sql.join(
          text.map((column) => sql`${column} ilike ${`%${escaped(word)}%`}`),
          sql` or `,
        )})`,
    ),
    ...fields.map(({ key, value }) => {
      const column = keys[key]
      if (column === undefined) return sql`false`
      if ('texts' in column)
        return sql`exists (select from unnest(${column.texts}) one where one ilike ${`${escaped(value)}%`})`
      return 'text' in column
        ? sql`${column.text} ilike ${`${escaped(value)}%`}`
        : sql`${column.boolean}::text = ${value.toLowerCase()}`
    }),
  ]
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
