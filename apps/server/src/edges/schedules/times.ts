import { Cron } from 'croner'
import { AppError } from '#platform/app-error.ts'

interface Rhythm {
  cron: string
  timeZone: string
}

const minute = 60_000
const day = 86_400_000

/** Minimum time between two runs. */
const leastGap = 5 * minute
/** Number of runs that is sufficient to find the smallest gap of each pattern of minutes. */
const comparedRuns = 15

const cronOf = ({ cron, timeZone }: Rhythm) => new Cron(cron, { timezone: timeZone, mode: '5-part' })

/** @throws {AppError} EDGE_SCHEDULE_NOT_VALID */
export function checkRhythm(rhythm: Rhythm, now: Date): void {
  const times = timesAfter(rhythm, now, comparedRuns)
  const isTooOften = times.some((time, index) => {
    const before = times[index - 1]
    return before !== undefined && time.getTime() - before.getTime() < leastGap
  })
  if (isTooOften || times.length === 0) throw new AppError('EDGE_SCHEDULE_NOT_VALID')
}

/**
 * Returns the next times of a rhythm. A time that the clock skips is the end of the skipped hour; a time that occurs
 * twice counts once. Rhythms with several runs an hour omit skipped ones.
 *
 * @throws {AppError} EDGE_SCHEDULE_NOT_VALID
 */
export function timesAfter(rhythm: Rhythm, now: Date, most: number): Date[] {
  try {
    return cronOf(rhythm).nextRuns(most, now)
  } catch {
    throw new AppError('EDGE_SCHEDULE_NOT_VALID')
  }
}

/** Returns the first run within a year that a clock change of the zone moves. */
export function movedAfter(rhythm: Rhythm, now: Date): Date | null {
  const cron = cronOf(rhythm)
  const offset = offsetIn(rhythm.timeZone)
  for (let from = now.getTime(); from < now.getTime() + 366 * day; from += day) {
    if (offset(from + day) <= offset(from)) continue
    // The clock change is between the two. Finds it to the minute.
    let [before, after] = [from, from + day]
    while (after - before > minute) {
      const middle = Math.floor((before + after) / 2)
      if (offset(middle) > offset(from)) after = middle
      else before = middle
    }
    const run = cron.nextRun(new Date(before - 1000))
    if (run !== null && run.getTime() <= after + minute && !cron.match(run)) return run
  }
  return null
}

/** Returns the minutes that a zone is ahead of UTC at a time. */
function offsetIn(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }
}

/** Maximum number of due times that are listed individually. */
export const dueMost = 100

/** A run that is late by less than this still begins, so that a restart of the server misses none. */
const grace = 10 * minute

/** Splits the due times up to now into the one that begins now and those that were missed. */
export function dueTimes(
  rhythm: Rhythm,
  { nextAt, now }: { nextAt: Date; now: Date },
): { begins: Date | undefined; missed: Date[]; next: Date | null } {
  const later = timesAfter(rhythm, nextAt, dueMost - 1).filter((time) => time <= now)
  const due = [nextAt, ...later]
  const last = due.at(-1) as Date
  const begins = due.length < dueMost && now.getTime() - last.getTime() <= grace ? last : undefined
  const [next = null] = timesAfter(rhythm, now, 1)
  return { begins, missed: begins === undefined ? due : due.slice(0, -1), next }
}
