import type { Edge, EdgeState } from '@pult/sdk/api'
import { type Status, StatusDot } from '@pult/sdk/ui'
import { texts } from './edges.texts.ts'

const statuses: Record<EdgeState, Status> = {
  enrolling: 'info',
  online: 'success',
  offline: 'danger',
  revoked: 'neutral',
}

/** Whether an edge is there, as a shape and a word. */
export function EdgePresence({ edge: { state } }: { edge: Pick<Edge, 'state'> }) {
  return <StatusDot status={statuses[state]}>{texts.states[state]}</StatusDot>
}
