import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'

/** The topic of the user's organisations. */
export const organisationTopic = 'organisations'

/** Publishes changed organisations to their readers. */
export const announceOrganisations = (emit: Emit, ids: readonly string[]): Promise<void> =>
  emitChange(
    emit,
    ...ids.map((id) => ({
      topic: organisationTopic,
      collection: 'organisations' as const,
      op: 'upsert' as const,
      id,
    })),
  )

/** Publishes a change of an organisation to its readers; its deletion, or a lost membership, to its former readers. */
export function announceOrganisation(
  emit: Emit,
  id: string,
  op: 'upsert' | 'remove',
  audience?: readonly string[],
): Promise<void> {
  const change = { topic: organisationTopic, collection: 'organisations' as const, op, id }
  return emitChange(emit, { ...change, ...(audience !== undefined && { audience }) })
}
