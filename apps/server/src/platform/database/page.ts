import { parseSearch } from '@pult/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/** A list query as validated by the contract's `pageQuery`. */
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

/** Counts end here, because counting more rows takes longer than the number is worth (DEC-42). */
const countedMost = 10_000

export const pageSizeOf = ({ limit }: PageQuery): number => (limit === undefined ? usualSize : Number(limit))

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the id after which a page begins, in a list ordered by id; undefined for the first page. */
export function idAfter({ after }: PageQuery): string | undefined {
  if (after === undefined || uuid.test(after)) return after
  throw unknownPage()
}

/** The error for an `after` that no page of this list has returned, or whose record no longer exists. */
export const unknownPage = () =>
  new AppError('VALIDATION_FAILED', {
    issues: [{ path: ['after'], message: 'Must be the next value of the previous page' }],
  })

/** The number of rows that shows whether the total is capped. */
export const countedAtMost = countedMost + 1

/** Counts the rows of a query up to the cap. */
export async function countUpTo(db: Db, query: SelectQueryBuilder<Database, never, object>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${query.clearOrderBy().limit(countedAtMost)}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Makes a page from ordered rows, one more than fit: the extra row shows that another page follows. `next` is the key
 * of the last row that fits.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  {
    size,
    count,
    isPartial = false,
    keyOf,
    itemOf,
  }: {
    size: number
    count: number
    /** The search did not read all rows. */
    isPartial?: boolean
    keyOf: (row: Row) => string
    itemOf: (row: Row) => Item
  },
): Page<Item> {
  const fitting = rows.slice(0, size)
  const last = rows.length > size ? fitting.at(-1) : undefined
  return {
    items: fitting.map(itemOf),
    total: Math.min(count, countedMost),
    ...((count > countedMost || isPartial) && { totalIsCapped: true }),
    ...(last !== undefined && { next: keyOf(last) }),
  }
}

const escaped = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** The keys by which a list can be searched. */
export interface Searchable {
  /** The texts in which words are searched, for a list without `indexed`. */
  text?: readonly RawBuilder<string>[]
  /** An expression whose `fold` has a trigram index, in which words are searched. */
  indexed?: RawBuilder<string>
  /**
   * Keys of `key:value` terms. A text matches by its beginning, and one of several texts is enough. A boolean is
   * `true` or `false`. The texts of keys with `isIndexed` are part of `indexed`.
   */
  keys: Readonly<
    Record<
      string,
      | { text: RawBuilder<string>; isIndexed?: boolean }
      | { texts: RawBuilder<string[]>; isIndexed?: boolean }
      | { boolean: RawBuilder<boolean> }
    >
  >
}

/** Returns whether the text has three consecutive letters or digits, which a trigram index needs. */
export const isLong = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * Matches a text that contains the other one, without case and accents (decision record 259). A trigram index on the
 * text's `fold` answers it.
 */
export const contains = (text: RawBuilder<string>, part: string): RawBuilder<boolean> =>
  sql`fold(${text}) like fold(${`%${escaped(part)}%`})`

/** Matches a text that begins with the other one, without case and accents. */
export const begins = (text: RawBuilder<string>, part: string): RawBuilder<boolean> =>
  sql`fold(${text}) like fold(${`${escaped(part)}%`})`

/** Returns the condition of a search: all its terms must match. Pattern characters are literal. */
export function searchCondition(
  search: string | undefined,
  { text = [], indexed, keys }: Searchable,
): RawBuilder<boolean> {
  const { words, fields } = parseSearch(search ?? '', Object.keys(keys))
  const conditions = [
    ...words.map((word) =>
      indexed === undefined
        ? sql`(${sql.join(
            text.map((column) => contains(column, word)),
            sql` or `,
          )})`
        : contains(indexed, word),
    ),
    ...fields.flatMap(({ key, value }) => {
      const column = keys[key]
      if (column === undefined) return sql`false`
      if ('boolean' in column) return sql`${column.boolean}::text = ${value.toLowerCase()}`
      const matches =
        'texts' in column
          ? sql`exists (select from unnest(${column.texts}) one where ${begins(sql`one`, value)})`
          : begins(column.text, value)
      return indexed === undefined || column.isIndexed !== true
        ? matches
        : [contains(indexed, value), matches]
    }),
  ]
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Maximum number of rows that a search without an index reads. */
export const scannedMost = 20_000

/**
 * Returns the position at which a search without an index must stop: the last of the newest 20,000 of `rows`, in list
 * order. Returns undefined for every other search and for shorter lists.
 */
export async function scanEnd<Row>(
  db: Db,
  search: string | undefined,
  { indexed, keys }: Pick<Searchable, 'indexed' | 'keys'>,
  rows: RawBuilder<Row>,
): Promise<Row | undefined> {
  const { words, fields } = parseSearch(search ?? '', Object.keys(keys))
  if (words.length + fields.length === 0) return undefined
  const isOfIndex = ({ key, value }: { key: string; value: string }) => {
    const column = keys[key]
    return column !== undefined && 'isIndexed' in column && column.isIndexed && isLong(value)
  }
  if (indexed !== undefined && (words.some(isLong) || fields.some(isOfIndex))) return undefined
  return lastScanned(db, rows)
}

/**
 * Returns the last of the newest 20,000 of `rows`, which are in the order of the list. Undefined for a shorter list.
 */
export async function lastScanned<Row>(db: Db, rows: RawBuilder<Row>): Promise<Row | undefined> {
  const { rows: found } = await sql<Row>`${rows} offset ${scannedMost - 1}::int limit 1`.execute(db)
  return found[0]
}

const resolvedMost = 1000

/**
 * Returns the ids that a name resolves to, or undefined for more than 1,000. With known ids, PostgreSQL estimates the
 * number of rows correctly and uses an index instead of reading the whole table.
 */
export async function idsOf(db: Db, ids: RawBuilder<unknown>): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`${ids} limit ${resolvedMost + 1}::int`.execute(db)
  return rows.length > resolvedMost ? undefined : rows.map(({ id }) => id)
}

/**
 * Runs a search over all rows. Without an index for it, or after a statement timeout, it covers only the newest rows.
 */
export async function runSearch<Result>(
  db: Db,
  { isIndexed }: { isIndexed: boolean },
  run: (trx: Db, isOfNewest: boolean) => Promise<Result>,
): Promise<Result> {
  // PostgreSQL plans each statement for its own values: a word may occur in half of all rows or in one of a million.
  const attempt = (isOfNewest: boolean) =>
    db.transaction().execute(async (trx) => {
      await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
      return run(trx, isOfNewest)
    })
  if (!isIndexed) return attempt(true)
  try {
    return await attempt(false)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'QUERY_TIMEOUT')) throw error
    return attempt(true)
  }
}
