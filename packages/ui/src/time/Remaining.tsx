import { useSyncExternalStore } from 'react'
import { inOneUnit } from './one-unit.ts'
import { secondClock } from './second-clock.ts'

export interface RemainingProps {
  /** Instant in epoch milliseconds of this computer's clock. */
  until: number
}

/** Shows the time until an instant in one unit, counting down to `0 s`: "next attempt in 12 s". */
export function Remaining({ until }: RemainingProps) {
  return useSyncExternalStore(secondClock.subscribe, () =>
    inOneUnit(Math.max(0, until - secondClock.readOwn())),
  )
}
