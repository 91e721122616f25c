import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'

/** The topic of organisations that one belongs to. */
export const organisationTopic = 'organisations'

/** Tells those who may read an organisation of a change; of its end, or theirs in it, those who could until now. */
export function announceOrganisation(
  emit: Emit,
  id: string,
  op: 'upsert' | 'remove',
  audience?: readonly string[],
): Promise<void> {
  const change = { topic: organisationTopic, collection: 'organisations' as const, op, id }
  return emitChange(emit, { ...change, ...(audience !== undefined && { audience }) })
}
