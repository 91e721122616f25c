const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Distances between two ticks. Days are counted from a Monday. */
const distances = [
  ...[1, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 3, 7, 14].map((count) => count * day),
]

export interface TimeTicks {
  /** Instants in epoch milliseconds, ascending. */
  times: number[]
  /** Set if every tick is a midnight, so that its label needs no time of day. */
  areDays: boolean
}

/**
 * Returns round times of the viewer's time zone between two instants. From an hour on they follow the calendar, because
 * days on which the clocks change have 23 or 25 hours.
 *
 * @param room Number of labels that fit, by whether they are days.
 */
export function timeTicks(from: number, to: number, room: (areDays: boolean) => number): TimeTicks {
  const step =
    distances.find((distance) => (to - from) / distance <= room(distance >= day)) ??
    Math.ceil((to - from) / day / Math.max(1, room(true))) * day
  const times: number[] = []
  for (const time of roundTimes(from, step)) {
    if (time > to) break
    // A time that the clocks skip is the next one.
    if (time >= from && time !== times.at(-1)) times.push(time)
  }
  return { times, areDays: step >= day }
}

/** Generates multiples of a step, from the last one before an instant on. */
function* roundTimes(from: number, step: number): Generator<number, never> {
  const start = new Date(from)
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()]
  const [days, hours] = [Math.floor(step / day), Math.floor(step / hour)]
  // 1 January 1970 was a Thursday.
  const past = days > 0 ? (Date.UTC(year, month, date) / day + 3) % days : 0
  const zone = start.getTimezoneOffset() * minute
  const first = Math.floor((from - zone) / step) * step + zone
  for (let count = 0; ; count += 1) {
    if (days > 0) yield new Date(year, month, date - past + count * days).getTime()
    else if (hours > 0)
      yield new Date(
        year,
        month,
        date,
        start.getHours() - (start.getHours() % hours) + count * hours,
      ).getTime()
    else yield first + count * step
  }
}
