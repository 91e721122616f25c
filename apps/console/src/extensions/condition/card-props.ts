import type { DataCardState } from '@pult/ui'

export interface CardProps {
  /** Filled, or stale after a failed refetch of the condition. */
  state: DataCardState
}
