/** Milliseconds over which the rate is smoothed. */
const smoothed = 8000

/** Milliseconds of a transfer before its rate is known. */
const least = 1000

/** Measures the rate of a transfer. */
export interface RateMeter {
  /** Adds the number of bytes sent until now. Returns bytes per second, or null as long as the rate is unknown. */
  add: (bytes: number) => number | null
  /** Restarts the measurement, after a pause or a jump that no transfer has caused. */
  reset: () => void
}

export function createRateMeter(now: () => number = () => performance.now()): RateMeter {
  let samples: { at: number; bytes: number }[] = []
  return {
    add(bytes) {
      const at = now()
      // A restarted upload begins with fewer bytes.
      if (bytes < (samples.at(-1)?.bytes ?? 0)) samples = []
      samples.push({ at, bytes })
      // Keeps one older sample as the start of the period.
      const from = samples.findLastIndex((sample) => at - sample.at >= smoothed)
      if (from > 0) samples.splice(0, from)
      const [first = { at, bytes }] = samples
      return at - first.at < least ? null : ((bytes - first.bytes) / (at - first.at)) * 1000
    },
    reset: () => void (samples = []),
  }
}
