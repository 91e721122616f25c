import * as z from 'zod/mini'
import { limits } from './limits.ts'

/** UUIDv7 (any version is read), the `_id` of every record. */
export const id = z.guid()

/** An instant as ISO 8601 in UTC, e.g. `2026-01-31T09:12:04.120Z`. */
export const instant = z.string()

/** The literal `true`: the answer of calls without a result. */
export const done = z.literal(true)

/** The answer of every list: `total` counts all matching records, not those of this page. */
// @__NO_SIDE_EFFECTS__
export function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), total: z.number() })
}

/** A list that comes in pages. */
// @__NO_SIDE_EFFECTS__
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** All matching records, exact up to 10,000. */
    total: z.number(),
    /** Set when there are more than `total` records. */
    totalIsCapped: z.optional(z.boolean()),
    /** Set when another page follows: send this value as `after`. */
    next: z.optional(z.string()),
  })
}

/** The query of a list that comes in pages. */
export const pageQuery = z.strictObject({
  /** `next` of the page before. */
  after: z.optional(z.string().check(z.maxLength(500))),
  /** Records on a page, 1 to 200; 50 when left out. */
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'Must be a number from 1 to 200'))),
  /** Words, and `key:value` for the fields the list knows; all of them must match. */
  search: z.optional(z.string().check(z.maxLength(limits.searchMax))),
})

/**
 * Counts the changes of a record, from 1. An update that sends it as `If-Match: "3"` is refused with
 * REVISION_CONFLICT when the record has changed since; the answers of reading and writing carry it as `ETag` as well.
 */
export const revision = z.number()

/** Who changed a record last, and when. */
export const lastChange = {
  updatedAt: instant,
  /** Null when the installation did it, or the person is gone. */
  updatedBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
} as const

/**
 * A whole number from `min` to `max`. Uses only the parts of zod that the contract already contains, because every
 * further part would be loaded by the login page.
 */
// @__NO_SIDE_EFFECTS__
export const wholeNumber = (min: number, max: number) =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= min && value <= max,
        `Must be a whole number from ${min} to ${max}`,
      ),
    )

/** A number from `min` to `max`; see {@link wholeNumber}. */
// @__NO_SIDE_EFFECTS__
export const numberBetween = (min: number, max: number) =>
  z
    .number()
    .check(z.refine((value) => value >= min && value <= max, `Must be a number from ${min} to ${max}`))

/** A person as shown to other users. */
export const personRecord = z.object({
  _id: id,
  firstname: z.string(),
  lastname: z.string(),
  /** The default address. */
  email: z.string(),
})
export type PersonRecord = z.infer<typeof personRecord>

/** A record's label. */
export const label = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(limits.labelMax), z.regex(/^\P{Cc}*$/u))
