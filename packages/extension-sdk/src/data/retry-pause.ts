/** Shortest and longest pause after a failed read. Milliseconds. */
const minPause = 5000
const maxPause = 60_000

export interface ReadTimes {
  /** Time of the last answer; 0 without one. */
  dataUpdatedAt: number
  errorUpdatedAt: number
  errorUpdateCount: number
}

/** The pause between two reads in milliseconds; false if only events cause them. */
export type Pause = number | false

/**
 * Returns the pause before a failed read is retried. It grows with the time since the last response was due, so each
 * response resets it.
 *
 * @param usual Pause between reads that succeed.
 */
export function retryPause({ dataUpdatedAt, errorUpdatedAt, errorUpdateCount }: ReadTimes, usual: Pause) {
  const pause =
    dataUpdatedAt === 0
      ? minPause * 2 ** Math.min(errorUpdateCount - 1, 10)
      : errorUpdatedAt - dataUpdatedAt - (usual || 0)
  return Math.min(maxPause, Math.max(minPause, pause))
}

/** A query's `refetchInterval`: the usual pause, after a failure a growing one. */
export const readEvery =
  (usual: Pause) =>
  ({ state }: { state: ReadTimes & { status: string } }): Pause =>
    state.status === 'error' ? retryPause(state, usual) : usual
