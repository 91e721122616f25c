import { uptime } from 'node:os'
import { type EdgeReport, type EdgeSample, edgeSamplesAtOnce, edgeTimes, edgeValuesOf } from '@pult/contract'

/** Maximum size of the samples in one message, in bytes: with the largest report they stay below the server's limit. */
const bytesAtOnce = 16_000

/** The monotonic clocks of a machine in milliseconds. The clock of Node stands still while the machine sleeps. */
interface Clocks {
  awake: () => number
  /** Since the start of the machine. Throws if the system does not report it. */
  sinceBoot: () => number
}

/** Both clocks are read one after the other, and that of the machine counts hundredths of a second. */
const inaccuracy = 1000

/**
 * Creates a clock in epoch milliseconds that never runs backwards: changes of the system clock do not matter, and the
 * time in which the machine sleeps counts.
 */
export function createClock({ awake, sinceBoot }: Clocks, origin: number): () => number {
  const difference = (): number => {
    try {
      return sinceBoot() - awake()
    } catch {
      return Number.NaN
    }
  }
  const first = difference()
  let asleep = 0
  return () => {
    const found = difference() - first
    if (found > asleep + inaccuracy) asleep = found
    return Math.round(origin + awake() + asleep)
  }
}

/** The time of this process's samples. */
export const clock = createClock(
  { awake: () => performance.now(), sinceBoot: () => uptime() * 1000 },
  performance.timeOrigin,
)

/** Stores the samples of the last minutes that no server has confirmed. */
export function createSamples() {
  let waiting: EdgeSample[] = []
  /** Number of samples, from the first, that were sent on the current connection. */
  let sent = 0

  function drop(count: number): void {
    waiting = waiting.slice(count)
    sent = Math.max(0, sent - count)
  }

  return {
    take(report: EdgeReport): void {
      const at = clock()
      waiting.push({ at, values: edgeValuesOf(report) })
      drop(waiting.filter((sample) => sample.at < at - edgeTimes.kept).length)
    },

    /** Marks all samples as unsent, for a new connection. */
    begin(): void {
      sent = 0
    },

    hasNext: () => sent < waiting.length,

    /** Returns the oldest unsent samples, as many as fit into one message. */
    next(): EdgeSample[] {
      const samples: EdgeSample[] = []
      let bytes = 0
      for (const sample of waiting.slice(sent, sent + edgeSamplesAtOnce)) {
        bytes += JSON.stringify(sample).length
        if (samples.length > 0 && bytes > bytesAtOnce) break
        samples.push(sample)
      }
      sent += samples.length
      return samples
    },

    kept(until: number): void {
      drop(waiting.filter(({ at }) => at <= until).length)
    },
  }
}
