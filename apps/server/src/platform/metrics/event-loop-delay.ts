import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds between two measurements. */
const resolution = 50

/** Milliseconds after which the older measurement begins again. Scrapers read at least this often. */
const usualWindow = 60_000

const percentiles = [50, 99, 100] as const

/**
 * Measures how late the event loop is. Two measurements begin in turn, and each reading takes the older one, which
 * covers the last one to two minutes. A reading resets nothing, so that several scrapers find the same delay.
 */
export function createEventLoopDelay(window = usualWindow) {
  let older = begin()
  let newer = begin()
  const timer = setInterval(() => {
    older.disable()
    older = newer
    newer = begin()
  }, window).unref()

  return {
    /** Returns seconds by percentile. */
    read: (): Record<string, number> =>
      Object.fromEntries(percentiles.map((each) => [String(each), delayIn(older.percentile(each))])),

    stop(): void {
      clearInterval(timer)
      older.disable()
      newer.disable()
    },
  }
}

function begin() {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  return delay
}

/** The measurement in nanoseconds includes the time between two of them. */
const delayIn = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000)
