import * as z from 'zod/mini'
import { id, instant, listOf, wholeNumber } from './collection.ts'
import { edgeMachine } from './edge-agent.ts'
import { edgeTags } from './edge-tags.ts'
import { endpoint } from './endpoint.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'

/*
 * Enrolment without a code for each machine: keys that many machines use, and the queue of machines that wait for a
 * decision (decision record 159). Changes of both are published on `/projects/{id}/edges`.
 */

const edgeKey = z.object({
  _id: id,
  label: z.string(),
  /** Tags of each new edge. */
  tags: z.array(z.string()),
  /** Whether a machine with this key waits for a user's approval. */
  needsApproval: z.boolean(),
  /** Machines that can still use the key; null for no limit. */
  usesLeft: z.nullable(z.number()),
  /** Machines that have used the key. */
  used: z.number(),
  /** Null for keys of earlier releases, which do not expire. */
  expiresAt: z.nullable(instant),
  lastUsedAt: z.nullable(instant),
  createdAt: instant,
  /** Null if the account was deleted. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  /** Whether `ended` is null, for consoles of the release before. */
  isUsable: z.boolean(),
  /** The reason that ended the key: all uses, the expiry, or a creator who may no longer manage the edges. */
  ended: z._default(z.nullable(z.enum(['used-up', 'expired', 'creator'])), null),
})
export type EdgeKey = z.infer<typeof edgeKey>

const edgeRequest = z.object({
  /** Also the id of the edge that the machine becomes. */
  _id: id,
  /** The edge whose identity the machine presents, because its disk was copied or moved, or because it returns. */
  edge: z.nullable(z.object({ _id: id, label: z.string() })),
  /** Label of the edge that the machine becomes. */
  label: z.string(),
  tags: z.array(z.string()),
  /** Label of the key that the machine used; null if it presented the identity of an edge. */
  key: z.nullable(z.string()),
  /** Null until an agent that reports these facts has connected. A copy may show no hardware. */
  machine: z.nullable(edgeMachine),
  /** Version of the agent. */
  version: z.nullable(z.string()),
  /** Network address of the last connection. */
  address: z.string(),
  /** Whether the database has lost the enrolment of the machine, for example because an older backup was restored. */
  isReturning: z.boolean(),
  createdAt: instant,
  /** Time of the last attempt to connect. */
  seenAt: instant,
  /** When a user refused it; null while it waits. */
  refusedAt: z._default(z.nullable(instant), null),
})
export type EdgeRequest = z.infer<typeof edgeRequest>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const keysPath = '/projects/:projectId/edge-keys'
const requestsPath = '/projects/:projectId/edge-requests'

/** All calls need the role `edges:manage` of the project. */
export const edgeKeyEndpoints = {
  list: endpoint('GET', keysPath, {
    summary: 'Lists the enrolment keys of a project, newest first.',
    reply: listOf(edgeKey),
    errors: [...seen],
  }),
  create: endpoint('POST', keysPath, {
    summary:
      'Creates an enrolment key, which an agent sends instead of a code and which only this reply shows; the key expires after its days, or when its creator may no longer manage the edges of the project; a repeat with the same Idempotency-Key replaces the secret of the same key.',
    body: z.strictObject({
      label,
      tags: z.optional(edgeTags),
      needsApproval: z.optional(z.boolean()),
      /** Machines that may use the key; no limit if omitted. */
      uses: z.optional(wholeNumber(1, limits.edgesMax)),
      /** Days until the key expires; 90 if omitted. */
      days: z.optional(wholeNumber(1, limits.edgeKeyDaysMax)),
    }),
    reply: z.object({ key: edgeKey, secret: z.string() }),
    errors: [...seen, 'TOO_MANY_EDGE_KEYS', 'RECENT_SIGN_IN_NEEDED'],
  }),
  revoke: endpoint('DELETE', `${keysPath}/:keyId`, {
    summary: 'Revokes a key; edges that joined with the key remain, and waiting machines continue to wait.',
    reply: z.literal(true),
    errors: [...seen],
  }),
}

/** All calls need the role `edges:manage` of the project. */
export const edgeRequestEndpoints = {
  list: endpoint('GET', requestsPath, {
    summary:
      'Lists the machines that wait for a decision, or those that were refused and still ask, newest first, at most 200.',
    query: z.strictObject({ state: z.optional(z.enum(['waiting', 'refused'])) }),
    reply: listOf(edgeRequest),
    errors: [...seen],
  }),
  decide: endpoint('POST', requestsPath, {
    summary:
      'Approves or rejects waiting machines, or readmits refused ones: a newcomer becomes an edge, a copy or a returning machine replaces its edge’s machine, and machines in another state are skipped.',
    body: z.strictObject({
      requests: z.array(id).check(z.minLength(1), z.maxLength(limits.edgesAtOnceMax)),
      decision: z.enum(['approve', 'refuse', 'readmit']),
    }),
    reply: z.object({ decided: z.number() }),
    errors: [...seen, 'TOO_MANY_EDGES', 'RECENT_SIGN_IN_NEEDED'],
  }),
}
