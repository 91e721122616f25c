/**
 * Milliseconds without an answer of the database after which the last written reports may be too old. Reports arrive
 * every 5 s and are written every 2 s, and after 15 s an edge counts as offline.
 */
const outageAfter = 5000

/**
 * Decides whether edges may be marked as offline. After a start, a step of the clock and an outage of the database they
 * may not for `time` milliseconds, because no node could write reports. An outage is a time without any answer: single failures
 * postpone nothing.
 */
export function createOutageGrace(time: number, now = () => performance.now()) {
  let answeredAt = now()
  let graceUntil = answeredAt + time

  return {
    /** Called when the database has answered. */
    answered(): void {
      if (now() - answeredAt > outageAfter) graceUntil = now() + time
      answeredAt = now()
    },

    /** Called when the reports in the database cannot be compared with its clock. */
    begin(): void {
      graceUntil = now() + time
    },

    isOver: (): boolean => now() >= graceUntil && now() - answeredAt <= outageAfter,
  }
}
