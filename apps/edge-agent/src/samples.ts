import { type EdgeReport, type EdgeSample, edgeSamplesAtOnce, edgeTimes, edgeValuesOf } from '@pult/contract'

/** Maximum size of the samples in one message, in bytes: with the largest report they stay below the server's limit. */
const bytesAtOnce = 16_000

/** Epoch milliseconds of a monotonic clock, independent of changes of the system clock. */
export const clock = () => Math.round(performance.timeOrigin + performance.now())

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
