import { type EdgeReport, type EdgeSample, edgeSamplesAtOnce, edgeTimes, edgeValuesOf } from '@pult/contract'

/** Bytes of the samples of one message, so that it stays below the server's limit together with the largest report. */
const bytesAtOnce = 16_000

/** Epoch milliseconds of a clock that never goes back, whatever happens to that of the machine. */
export const clock = () => Math.round(performance.timeOrigin + performance.now())

/** The values of the last minutes that no server has confirmed. */
export function createSamples() {
  let waiting: EdgeSample[] = []
  /** The first of them were sent on the present connection. */
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

    /** A new connection gets all of them again. */
    begin(): void {
      sent = 0
    },

    hasNext: () => sent < waiting.length,

    /** The oldest samples that were not sent, as many as fit into one message. */
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
