/** A clean-up that fails, by the clock of this node. */
export interface CleanUpFailure {
  name: string
  /** Its first failure since a success. */
  since: string
  seenAt: string
  error: unknown
}

interface KnownFailure extends CleanUpFailure {
  times: number
  /** The end of two intervals, by the monotonic clock: another node may have run the clean-up since. */
  until: number
}

/** Remembers the clean-ups that fail on this node. A single failure, such as a table that a reader locks, is usual. */
export function createCleanUpFailures({ now = () => performance.now() } = {}) {
  const known = new Map<string, KnownFailure>()

  function current(name: string): KnownFailure | undefined {
    const failure = known.get(name)
    return failure === undefined || now() > failure.until ? undefined : failure
  }

  return {
    /** Notes the result of a clean-up that runs every `seconds`. */
    note(name: string, seconds: number, error?: unknown): void {
      if (error === undefined) {
        known.delete(name)
        return
      }
      const seenAt = new Date().toISOString()
      const { since = seenAt, times = 0 } = current(name) ?? {}
      known.set(name, { name, since, seenAt, error, times: times + 1, until: now() + 2 * seconds * 1000 })
    },

    /** Returns the clean-ups that have failed repeatedly. */
    list: (): CleanUpFailure[] =>
      [...known.keys()].flatMap((name) => {
        const failure = current(name)
        return failure === undefined || failure.times < 2 ? [] : [failure]
      }),
  }
}
export type CleanUpFailures = ReturnType<typeof createCleanUpFailures>
