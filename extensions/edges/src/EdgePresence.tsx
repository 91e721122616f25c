import type { Edge } from '@pult/sdk/api'
import { StateChip } from '@pult/sdk/ui'
import { fleetStateOf, stateInWords, statusOf } from './fleet-state.ts'

/** The state of an edge as a shape and a word, or its cause: "Disk 94 %". */
export function EdgePresence({ edge }: { edge: Edge }) {
  return <StateChip status={statusOf[fleetStateOf(edge)]}>{stateInWords(edge)}</StateChip>
}
