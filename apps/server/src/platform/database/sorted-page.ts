import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { idAfter, type PageQuery, unknownPage } from './page.ts'

interface SortedBy {
  /** The id of a row, which decides between equal texts. */
  id: RawBuilder<string>
  /** The key by which rows are compared, see `orderOf`; never null. Without it the id alone is the order. */
  text?: RawBuilder<string> | undefined
  isReverse: boolean
}

/** An order of a list, and the place in it where a page begins. */
interface SortedPage {
  /** The text that callers select as `sortText`, for the key of the last row. */
  text: RawBuilder<string>
  orderBy: RawBuilder<unknown>
  isAfter: RawBuilder<boolean>
}

const idLength = 36

/**
 * Completes a key of the previous release, which is an id, with the text of its record: during a rolling update one
 * client reads pages from both. `textOf` selects that text as `text`.
 */
export async function withSortText<Query extends PageQuery>(
  db: Db,
  query: Query,
  textOf: (id: string) => RawBuilder<{ text: string }>,
): Promise<Query> {
  const { after } = query
  if (after?.length !== idLength) return query
  const { rows } = await textOf(idAfter({ after }) ?? '').execute(db)
  const [row] = rows
  if (row === undefined) throw unknownPage()
  return { ...query, after: `${after}${row.text}` }
}

/** Orders a list by a text or by its ids. An index on both answers a page in either direction. */
export function sortedPage({ after }: PageQuery, { id, text, isReverse }: SortedBy): SortedPage {
  const direction = isReverse ? sql`desc` : sql`asc`
  const sign = isReverse ? sql`<` : sql`>`
  const lastId =
    after === undefined
      ? undefined
      : idAfter({ after: text === undefined ? after : after.slice(0, idLength) })
  if (text !== undefined && after?.length === idLength) throw unknownPage()
  if (text === undefined) {
    return {
      text: sql`''`,
      orderBy: sql`${id} ${direction}`,
      isAfter: lastId === undefined ? sql`true` : sql`${id} ${sign} ${lastId}::uuid`,
    }
  }
  return {
    text,
    orderBy: sql`${text} ${direction}, ${id} ${direction}`,
    isAfter:
      lastId === undefined
        ? sql`true`
        : sql`(${text}, ${id}) ${sign} (${after?.slice(idLength)}::text, ${lastId}::uuid)`,
  }
}

/** The key of a page: the id and the text of its last row. */
export const keyOfSorted = ({ id, sortText }: { id: string; sortText: string }) => `${id}${sortText}`
