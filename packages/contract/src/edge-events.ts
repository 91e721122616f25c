import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * Events of an edge: outages, and actions from the audit log without addresses. Only root can read the audit log
 * itself.
 */

/** Maximum number of events in one reply. */
export const edgeEventsMost = 50

const edgeEvent = z.discriminatedUnion('kind', [
  /** The last report before an outage. */
  z.object({ kind: z.literal('offline'), at: instant }),
  /** The first report after an outage. */
  z.object({ kind: z.literal('online'), at: instant, /** Start of the outage. */ since: instant }),
  z.object({
    kind: z.literal('action'),
    at: instant,
    _id: id,
    /** `edge.verb`, as in the audit log. */
    event: z.string(),
    /** Null for the machine or the installation. The name of a deleted account is empty. */
    actor: z.nullable(z.object({ _id: id, name: z.string() })),
    /** Label of the affected program. */
    program: z.nullable(z.string()),
    /** Version of a requested update. */
    version: z.nullable(z.string()),
  }),
])
export type EdgeEvent = z.infer<typeof edgeEvent>

export const edgeEventEndpoints = {
  list: endpoint('GET', '/projects/:projectId/edges/:edgeId/events', {
    summary: 'Lists the last 50 events of an edge, newest first: outages and the actions of users.',
    reply: z.object({ items: z.array(edgeEvent) }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'],
  }),
}
