/** Shortest and longest pause after a failed read. Milliseconds. */
const least = 5000
const most = 60_000

export interface ReadTimes {
  /** Time of the last answer; 0 without one. */
  dataUpdatedAt: number
  errorUpdatedAt: number
  errorUpdateCount: number
}

/**
 * The pause before a failed read is repeated. It grows with the time since the last answer was due, so that it starts
 * anew after each answer.
 *
 * @param usual Pause between reads that succeed; false if only events cause them.
 */
export function retryPause({ dataUpdatedAt, errorUpdatedAt, errorUpdateCount }: ReadTimes, usual: Pause) {
  const wished =
    dataUpdatedAt === 0
      ? least * 2 ** Math.min(errorUpdateCount - 1, 10)
      : errorUpdatedAt - dataUpdatedAt - (usual || 0)
  return Math.min(most, Math.max(least, wished))
}

type Pause = number | false

/** A query's `refetchInterval`: the usual pause, after a failure a growing one. */
export const readEvery =
  (usual: Pause) =>
  ({ state }: { state: ReadTimes & { status: string } }): Pause =>
    state.status === 'error' ? retryPause(state, usual) : usual
