import * as z from 'zod/mini'

/** UUIDv7 (any version is read), the `_id` of every record. */
export const id = z.guid()

/** An instant as ISO 8601 in UTC, e.g. `2026-01-31T09:12:04.120Z`. */
export const instant = z.string()

/** The literal `true`: the reply of calls without a result. */
export const done = z.literal(true)

/** Reply of a list without pages: `total` is the number of all matching records. */
// @__NO_SIDE_EFFECTS__
export function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), total: z.number() })
}

/**
 * Version of a record, counted from 1. An update with `If-Match: "3"` fails with REVISION_CONFLICT if the record has
 * changed since. Replies of reads and writes also send the revision as `ETag`.
 */
export const revision = z.number()

/** The user and the time of the last change of a record. */
export const lastChange = {
  updatedAt: instant,
  /** Null for a change by the installation or by a deleted account. */
  updatedBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
} as const

/**
 * A whole number from `min` to `max`. Uses only parts of zod that the contract already contains, because the login page
 * loads every part.
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

/** A user as shown to other users. */
export const personRecord = z.object({
  _id: id,
  firstname: z.string(),
  lastname: z.string(),
  /** The default address. */
  email: z.string(),
  /** False if neither a mail nor root has confirmed the address, so it may belong to another person. */
  isEmailVerified: z._default(z.boolean(), true),
})
export type PersonRecord = z.infer<typeof personRecord>
