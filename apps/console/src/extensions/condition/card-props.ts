import type { DataCardState } from '@pult/ui'

export interface CardProps {
  /** Filled, or stale while the condition could not be read again. */
  state: DataCardState
}
