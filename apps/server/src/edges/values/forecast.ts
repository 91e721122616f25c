import { type RingKind, rings } from './rings.ts'

/** The recorded values of one kind. Sizes in bytes, times in days. */
export interface Course {
  kind: RingKind
  bytes: number
  /** Bytes that are added in a day. */
  perDay: number
  /** Age of the oldest value. */
  age: number
  /** The retention that root has set. */
  days: number
}

/** Days of values that the quota does not delete, because their points do not exist yet. */
const leastDays: Record<RingKind, number> = { sample: 1.5 / 24, minute: 1, quarter: 0 }

/** Returns the days after which the clean-up truncates the partition of a value. */
const longestOf = ({ kind, days }: Course) => days + rings[kind].days

/** Returns the days over which the present values were written. */
const spanOf = (course: Course) => Math.min(course.age, longestOf(course))

/** Returns the bytes after some days without a quota. The oldest values expire first. */
function bytesAfter(course: Course, later: number): number {
  const { bytes, perDay } = course
  const [longest, span] = [longestOf(course), spanOf(course)]
  const expired = span === 0 ? 0 : Math.min(1, Math.max(0, (later - longest + span) / span))
  return bytes * (1 - expired) + perDay * Math.min(later, longest)
}

/** Returns the bytes of all kinds after some days without a quota. */
export const totalAfter = (courses: readonly Course[], later: number): number =>
  courses.reduce((sum, course) => sum + bytesAfter(course, later), 0)

/** Returns the days at which the growth changes. It is constant between them, and ends with the last. */
const turnsOf = (courses: readonly Course[]): number[] =>
  [0, ...courses.flatMap((course) => [longestOf(course) - spanOf(course), longestOf(course)])].toSorted(
    (one, other) => one - other,
  )

/** Returns the largest size without a quota, in bytes. */
export const largestOf = (courses: readonly Course[]): number =>
  Math.max(...turnsOf(courses).map((turn) => totalAfter(courses, turn)))

/** Returns the days until the values exceed a quota, 0 if they exceed it now, and null if they never do. */
export function daysUntilFull(courses: readonly Course[], quota: number): number | null {
  const turns = turnsOf(courses)
  const over = turns.findIndex((turn) => totalAfter(courses, turn) > quota)
  const [from, to] = [turns[over - 1], turns[over]]
  if (to === undefined) return null
  if (from === undefined) return 0
  const [before, after] = [totalAfter(courses, from), totalAfter(courses, to)]
  return from + ((to - from) * (quota - before)) / (after - before)
}

export interface Kept extends Course {
  /** Days for which the values are kept under a quota. */
  kept: number
}

/**
 * Adds the days for which a quota keeps each kind when the growth has ended. `courses` have the order in which the quota
 * deletes them.
 */
export function keptUnder(courses: readonly Course[], quota: number): Kept[] {
  const leastOf = ({ kind, perDay }: Course) => leastDays[kind] * perDay
  let room = quota - courses.reduce((sum, course) => sum + leastOf(course), 0)
  const kept = courses.toReversed().map((course) => {
    const { kind, perDay, days } = course
    const least = leastOf(course)
    const others = longestOf(course) * perDay - least
    const fitting = Math.min(others, Math.max(0, room))
    room -= fitting
    if (fitting === others) return { ...course, kept: days }
    // The quota deletes whole steps.
    const { quotaDays } = rings[kind]
    const steps = Math.floor((least + fitting) / perDay / quotaDays)
    return { ...course, kept: Math.min(days, steps * quotaDays) }
  })
  return kept.toReversed()
}
