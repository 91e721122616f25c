import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * What happened to an edge: outages, and actions from the audit log without addresses. The audit log itself is for root.
 */

/** Most events in one answer. */
export const edgeEventsMost = 50

const edgeEvent = z.discriminatedUnion('kind', [
  /** The last report before an outage. */
  z.object({ kind: z.literal('offline'), at: instant }),
  /** The first report after an outage. */
  z.object({ kind: z.literal('online'), at: instant, /** Begin of the outage. */ since: instant }),
  z.object({
    kind: z.literal('action'),
    at: instant,
    _id: id,
    /** `edge.verb`, as in the audit log. */
    event: z.string(),
    /** Null: the machine or the installation. Name empty: an account that was deleted. */
    actor: z.nullable(z.object({ _id: id, name: z.string() })),
    /** The label of the program that the action concerned. */
    program: z.nullable(z.string()),
    /** The version of an ordered update. */
    version: z.nullable(z.string()),
  }),
])
export type EdgeEvent = z.infer<typeof edgeEvent>

export const edgeEventEndpoints = {
  list: endpoint('GET', '/projects/:projectId/edges/:edgeId/events', {
    summary: 'The last 50 events of an edge, newest first: outages, and the actions of users.',
    reply: z.object({ items: z.array(edgeEvent) }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'],
  }),
}
