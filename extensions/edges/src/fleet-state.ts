import type { Edge, FleetState } from '@pult/sdk/api'
import type { Status } from '@pult/sdk/ui'
import { texts } from './edges.texts.ts'
import { fullFrom, usedShare } from './measures.ts'

/** The states in the order of the filters. */
export const fleetStates = ['online', 'trouble', 'offline', 'waiting', 'revoked'] as const

/** A filter: `silent` edges are connected, but do not report. They are a part of the offline ones. */
type FleetFilterState = FleetState | 'silent'

export const filterStates = [...fleetStates, 'silent'] as const

export const statusOf: Record<FleetFilterState, Status> = {
  online: 'ok',
  trouble: 'warning',
  offline: 'danger',
  waiting: 'info',
  revoked: 'stopped',
  silent: 'danger',
}

/** Returns the state of an edge for the counts of its project. An edge that has never connected is no outage. */
export function fleetStateOf({ state, isInTrouble, lastSeenAt }: Edge): FleetState {
  if (state === 'revoked') return state
  if (state === 'enrolling' || lastSeenAt === null) return 'waiting'
  return state === 'online' && isInTrouble ? 'trouble' : state
}

/** Returns the state in words, or the cause of a problem. */
export function stateInWords(edge: Edge): string {
  const state = fleetStateOf(edge)
  if (state === 'offline' && edge.silence !== null) return texts.fleetStates.silent
  if (state !== 'trouble') return texts.fleetStates[state]
  const disk = usedShare(edge.report?.disk)
  if (disk !== null && disk >= fullFrom) return texts.diskFull(disk)
  const stopped = edge.instances.filter((instance) => instance.state === 'stopped').length
  return stopped === 0 ? texts.fleetStates.trouble : texts.stopped(stopped)
}

/** Whether its agent receives commands. */
export const isConnected = ({ state, silence }: Edge): boolean => state === 'online' || silence !== null
