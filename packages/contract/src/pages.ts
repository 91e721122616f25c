import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { searchText } from './text.ts'

/* Apart from collection.ts, because the login page loads that one. */

/** Reply of a paged list (keyset pagination). */
// @__NO_SIDE_EFFECTS__
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** Number of all matching records, exact up to 10,000. */
    total: z.number(),
    /** True if more than `total` records match. */
    totalIsCapped: z.optional(z.boolean()),
    /** Present if another page follows: the value for `after`. */
    next: z.optional(z.string()),
  })
}

/** Query of a paged list. */
export const pageQuery = z.strictObject({
  /** `next` of the previous page: an id and the text by which the list is sorted. */
  after: z.optional(z.string().check(z.maxLength(2000))),
  /** Records per page, 1 to 200; 50 if omitted. */
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'Must be a number from 1 to 200'))),
  /** Words, and `key:value` for the fields that the list supports; all terms must match. */
  search: z.optional(searchText(limits.searchMax)),
})
