/** Durations in seconds, counted by upper bounds. */
export interface Durations {
  /** For each bound the number of durations up to it and above the previous one, and last those above all bounds. */
  counts: number[]
  sum: number
}

export const noDurations = (): Durations => ({ counts: [], sum: 0 })

export function add(durations: Durations, bounds: readonly number[], seconds: number): void {
  const found = bounds.findIndex((bound) => seconds <= bound)
  const index = found === -1 ? bounds.length : found
  durations.counts[index] = (durations.counts[index] ?? 0) + 1
  durations.sum += seconds
}

export function valueAt<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const found = values.get(key)
  if (found !== undefined) return found
  const made = make()
  values.set(key, made)
  return made
}
