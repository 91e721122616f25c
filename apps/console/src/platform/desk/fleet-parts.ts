import type { FleetCounts, FleetState } from '@pult/contract'
import type { StateBarPart } from '@pult/ui'
import { texts } from './desk.texts.ts'

/** The shape of each state of an edge, in the order of a bar. */
export const statusOf = {
  online: 'ok',
  trouble: 'warning',
  offline: 'danger',
  waiting: 'info',
  revoked: 'stopped',
} as const satisfies Record<FleetState, string>

export const fleetStates = Object.keys(statusOf) as FleetState[]

/** Edges by state, for a bar. */
export const partsOf = (counts: FleetCounts): StateBarPart[] =>
  fleetStates.map((state) => ({
    status: statusOf[state],
    count: counts[state],
    label: texts.state[state],
  }))
