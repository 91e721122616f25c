import { type RawBuilder, sql } from 'kysely'

/**
 * What a stored time means although the clock may have been wrong when it was written. A clock that stood in the
 * future and was corrected leaves times that no right clock can have written. They must not decide for as long as the
 * clock was ahead: no lease, lock or "done" lasts longer than the interval that it was given.
 */

/** Transactions that began later may have committed earlier, and the clocks of two hosts differ a little. */
const slack = sql`interval '5 seconds'`

/** Returns whether a time is none of the future. Null for a missing time. */
export const isPast = (time: RawBuilder<unknown>) => sql<boolean>`(${time} <= now() + ${slack})`

/**
 * Returns whether a time that the database wrote is at most `age` ago. A time of the future counts as old. Null for a
 * missing time.
 */
export const isWithin = (time: RawBuilder<unknown>, age: RawBuilder<unknown>) =>
  sql<boolean>`(${time} > now() - ${age} and ${isPast(time)})`

/**
 * Returns whether the end of an interval that was at most `most` long has come. An end that is further away counts as
 * come. Null for a missing time.
 */
export const hasCome = (time: RawBuilder<unknown>, most: RawBuilder<unknown>) =>
  sql<boolean>`(${time} <= now() or ${time} > now() + ${most} + ${slack})`
