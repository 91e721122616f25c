import { type RawBuilder, sql } from 'kysely'
import { idAfter, type PageQuery } from './page.ts'

interface SortedBy {
  /** The id of a row, which decides between equal texts. */
  id: RawBuilder<string>
  /** The text by which rows are compared, never null. Without it the id alone is the order. */
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

/** Orders a list by a text or by its ids. An index on both answers a page in either direction. */
export function sortedPage({ after }: PageQuery, { id, text, isReverse }: SortedBy): SortedPage {
  const direction = isReverse ? sql`desc` : sql`asc`
  const sign = isReverse ? sql`<` : sql`>`
  const lastId =
    after === undefined ? undefined : idAfter({ after: text === undefined ? after : after.slice(0, 36) })
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
        : sql`(${text}, ${id}) ${sign} (${after?.slice(36)}::text, ${lastId}::uuid)`,
  }
}

/** The key of a page: the id and the text of its last row. */
export const keyOfSorted = ({ id, sortText }: { id: string; sortText: string }) => `${id}${sortText}`
