import * as z from 'zod/mini'
import { id, instant, label, listOf, wholeNumber } from './collection.ts'
import { edgeMachine } from './edge-agent.ts'
import { edgeTags } from './edge-tags.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * How machines join a project without a code of their own: keys that many machines use, and the queue of machines that
 * wait for a decision (decision record 159). Changes of both are published on `/projects/{id}/edges`.
 */

const edgeKey = z.object({
  _id: id,
  label: z.string(),
  /** What each new edge gets. */
  tags: z.array(z.string()),
  /** A machine with this key waits until a user approves it. */
  needsApproval: z.boolean(),
  /** Null: any number. */
  usesLeft: z.nullable(z.number()),
  /** Machines that have used it. */
  used: z.number(),
  /** Null: never. */
  expiresAt: z.nullable(instant),
  lastUsedAt: z.nullable(instant),
  createdAt: instant,
  /** Null when the account is gone. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  /** Whether a machine can use it now. */
  isUsable: z.boolean(),
})
export type EdgeKey = z.infer<typeof edgeKey>

const edgeRequest = z.object({
  /** Also the id of the edge that the machine becomes. */
  _id: id,
  /** The edge whose identity another machine presents: the copy of a disk, or a disk in new hardware. Null: a newcomer. */
  edge: z.nullable(z.object({ _id: id, label: z.string() })),
  /** Of the edge that the machine becomes. */
  label: z.string(),
  tags: z.array(z.string()),
  /** The name of the key that it used. Null: it presented the identity of an edge. */
  key: z.nullable(z.string()),
  /** Null until an agent that knows these facts has connected. */
  machine: z.nullable(edgeMachine),
  /** Of the agent. */
  version: z.nullable(z.string()),
  /** From which it connected last. */
  address: z.string(),
  createdAt: instant,
  /** Of its last attempt to connect. */
  seenAt: instant,
})
export type EdgeRequest = z.infer<typeof edgeRequest>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const keysPath = '/projects/:projectId/edge-keys'
const requestsPath = '/projects/:projectId/edge-requests'

/** All need the role `edges:manage` of the project. */
export const edgeKeyEndpoints = {
  list: endpoint('GET', keysPath, {
    summary: 'The enrolment keys of a project, newest first.',
    reply: listOf(edgeKey),
    errors: [...seen],
  }),
  create: endpoint('POST', keysPath, {
    summary:
      'Makes an enrolment key, which an agent sends in place of a code. It is shown only in this answer.',
    body: z.strictObject({
      label,
      tags: z.optional(edgeTags),
      needsApproval: z.optional(z.boolean()),
      /** Machines that may use it; any number when left out. */
      uses: z.optional(wholeNumber(1, limits.edgesMax)),
      /** Days until it expires; never when left out. */
      days: z.optional(wholeNumber(1, limits.edgeKeyDaysMax)),
    }),
    reply: z.object({ key: edgeKey, secret: z.string() }),
    errors: [...seen, 'TOO_MANY_EDGE_KEYS', 'RECENT_SIGN_IN_NEEDED'],
  }),
  revoke: endpoint('DELETE', `${keysPath}/:keyId`, {
    summary: 'Ends a key. Edges that joined with it stay, and machines that wait keep waiting.',
    reply: z.literal(true),
    errors: [...seen],
  }),
}

/** To see the queue needs the role `edges` of the project, to decide `edges:manage`. */
export const edgeRequestEndpoints = {
  list: endpoint('GET', requestsPath, {
    summary: 'The machines that wait for a decision, newest first; at most 200 of them.',
    reply: listOf(edgeRequest),
    errors: [...seen],
  }),
  decide: endpoint('POST', requestsPath, {
    summary:
      'Approves or refuses waiting machines. Approved newcomers become edges; an approved copy takes the place of its edge’s machine. Those that are no longer waiting are left out.',
    body: z.strictObject({
      requests: z.array(id).check(z.minLength(1), z.maxLength(limits.edgesAtOnceMax)),
      decision: z.enum(['approve', 'refuse']),
    }),
    reply: z.object({ decided: z.number() }),
    errors: [...seen, 'TOO_MANY_EDGES'],
  }),
}
