import * as z from 'zod/mini'

/** UUIDv7 (any version is read), the `_id` of every record. */
export const id = z.guid()

/** An instant as ISO 8601 in UTC, e.g. `2026-01-31T09:12:04.120Z`. */
export const instant = z.string()

/** A literal `true`: the answer of calls that have nothing else to say. */
export const done = z.literal(true)

/** The answer of every list: `total` counts all matching records, not those of this page. */
// @__NO_SIDE_EFFECTS__
export function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), total: z.number() })
}
