import * as z from 'zod/mini'
import {
  done,
  id,
  instant,
  label,
  lastChange,
  listOf,
  numberBetween,
  pageOf,
  pageQuery,
  revision,
  wholeNumber,
} from './collection.ts'
import { edgeReport, instanceState } from './edge-agent.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { task } from './tasks.ts'

/*
 * Edges: machines outside, each with an agent that keeps a connection to the server. An edge belongs to the project that
 * it was enrolled into; each of its instances (what it runs or offers) to the same, or to another one.
 *
 * The topic `/projects/{id}/edges` tells changes of edges, `edge:presence` {edges: EdgePresence[]} when edges come and
 * go, and `edge:alert` {edges: {_id, label}[]} when edges have been away for as long as they should be told of.
 */

export const edgeErrors = {
  EDGE_CODE_NOT_VALID: { status: 410, message: 'This code is not valid any more' },
  EDGE_OFFLINE: { status: 409, message: 'The edge is not connected' },
  EDGE_CANNOT: { status: 409, message: 'The agent on this edge cannot do that' },
  EDGE_DID_NOT_ANSWER: { status: 504, message: 'The edge did not answer in time' },
  INSTANCE_IS_REPORTED: {
    status: 409,
    message: 'The agent reports this instance; take it out of its settings',
  },
  TOO_MANY_EDGES: { status: 409, message: 'This project has as many edges as it may have' },
  TOO_MANY_INSTANCES: { status: 409, message: 'This edge has as many instances as it may have' },
} as const

/** `enrolling`: nobody has used its code yet; `revoked`: its agent is not let in any more. */
const edgeState = z.enum(['enrolling', 'online', 'offline', 'revoked'])
export type EdgeState = z.infer<typeof edgeState>

const edgeInstance = z.object({
  _id: id,
  label: z.string(),
  /** Null for one that was made here and that no agent knows. */
  key: z.nullable(z.string()),
  /** The agent has it in its settings. */
  isReported: z.boolean(),
  state: instanceState,
  canRestart: z.boolean(),
  /** Where it is used. */
  project: z.object({
    _id: id,
    /** Null for a project that the reader does not see. */
    label: z.nullable(z.string()),
  }),
})
export type EdgeInstance = z.infer<typeof edgeInstance>

const { instances: _instances, ...ownReport } = edgeReport.shape

export const edge = z.object({
  _id: id,
  label: z.string(),
  state: edgeState,
  /** Of the agent; null until it has connected. */
  version: z.nullable(z.string()),
  /** When it last reported; null when it never has. */
  lastSeenAt: z.nullable(instant),
  /** Since when it is offline; null while it is not. */
  offlineSince: z.nullable(instant),
  /** A few seconds old at most while the edge is online, and the last one otherwise. */
  report: z.nullable(z.strictObject(ownReport)),
  instances: z.array(edgeInstance),
  /** Minutes offline after which people are told; null for never. */
  alertAfter: z.nullable(z.number()),
  /** Until when a code that nobody has used can be used. */
  codeExpiresAt: z.nullable(instant),
  /** What attached Stream Decks are told to show, by serial. */
  decks: z.array(z.object({ serial: z.string(), brightness: z.number(), hasPicture: z.boolean() })),
  createdAt: instant,
  enrolledAt: z.nullable(instant),
  revision,
  ...lastChange,
})
export type Edge = z.infer<typeof edge>

/** What `edge:presence` tells of an edge. */
export const edgePresence = z.object({ _id: id, state: edgeState, lastSeenAt: z.nullable(instant) })
export type EdgePresence = z.infer<typeof edgePresence>

/** An edge as somebody chooses one of its instances. */
const edgeWithInstances = z.object({
  _id: id,
  label: z.string(),
  state: edgeState,
  instances: z.array(z.object({ _id: id, label: z.string() })),
})
export type EdgeWithInstances = z.infer<typeof edgeWithInstances>

const code = z.object({
  /** Good once. It is not kept and shown again. */
  code: z.string(),
  expiresAt: instant,
})

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const managed = [...seen, 'REVISION_CONFLICT'] as const
const commanded = [...seen, 'EDGE_OFFLINE', 'TOO_MANY_TASKS'] as const

const edgesPath = '/projects/:projectId/edges'
const edgePath = `${edgesPath}/:edgeId` as const
const instancesPath = `${edgePath}/instances` as const

/** To see them needs the role `edges` of the project, all else `edges:manage`. */
export const edgeEndpoints = {
  list: endpoint('GET', edgesPath, {
    summary: 'The edges of a project in the order of their labels. Search knows label, state and version.',
    query: pageQuery,
    reply: pageOf(edge),
    errors: [...seen],
  }),
  enrol: endpoint('POST', edgesPath, {
    summary: 'Makes an edge and the code with which an agent becomes it. Repeatable with an Idempotency-Key.',
    body: z.strictObject({ label }),
    reply: z.object({ ...code.shape, edge }),
    errors: [...seen, 'TOO_MANY_EDGES'],
  }),
  read: endpoint('GET', edgePath, { summary: 'One edge.', reply: edge, errors: [...seen] }),
  update: endpoint('PUT', edgePath, {
    summary: 'Renames an edge, or changes when people are told that it is away.',
    body: z.strictObject({
      label: z.optional(label),
      alertAfter: z.optional(z.nullable(wholeNumber(1, 1440))),
    }),
    reply: edge,
    errors: [...managed],
  }),
  newCode: endpoint('POST', `${edgePath}/code`, {
    summary: 'Makes a new code. The agent that uses it takes the place of the one before.',
    reply: code,
    errors: [...seen],
  }),
  revoke: endpoint('POST', `${edgePath}/revoke`, {
    summary: 'Ends the connection of the agent, which is not let in any more. A new code brings one back.',
    reply: edge,
    errors: [...seen],
  }),
  remove: endpoint('DELETE', edgePath, {
    summary: 'Deletes an edge and its instances.',
    reply: done,
    errors: [...seen],
  }),
  addInstance: endpoint('POST', instancesPath, {
    summary: 'Makes an instance that no agent reports.',
    body: z.strictObject({ label }),
    reply: edge,
    errors: [...seen, 'TOO_MANY_INSTANCES'],
  }),
  updateInstance: endpoint('PUT', `${instancesPath}/:instanceId`, {
    summary:
      'Renames an instance, or assigns it to a project that the caller may edit; null is the edge’s own.',
    body: z.strictObject({ label: z.optional(label), project: z.optional(z.nullable(id)) }),
    reply: edge,
    errors: [...seen],
  }),
  removeInstance: endpoint('DELETE', `${instancesPath}/:instanceId`, {
    summary: 'Deletes an instance that no agent reports.',
    reply: edge,
    errors: [...seen, 'INSTANCE_IS_REPORTED'],
  }),
  restart: endpoint('POST', `${edgePath}/restart`, {
    summary: 'Restarts the agent, or one of its instances, as a task.',
    body: z.strictObject({ instance: z.optional(id) }),
    reply: task,
    errors: [...commanded, 'EDGE_CANNOT'],
  }),
  diagnose: endpoint('POST', `${edgePath}/diagnostics`, {
    summary: 'Has the agent look after itself and its surroundings, as a task whose log says what it finds.',
    reply: task,
    errors: [...commanded],
  }),
  setDeck: endpoint('PUT', `${edgePath}/decks/:serial`, {
    summary: 'What a Stream Deck that is attached to the edge shows.',
    body: z.strictObject({
      /** 0 to 1. */
      brightness: z.optional(numberBetween(0, 1)),
      /** A picture as PNG, JPEG or WebP in base64; null for none. */
      picture: z.optional(
        z.nullable(z.string().check(z.maxLength(limits.deckPictureMax), z.regex(/^[A-Za-z0-9+/]+={0,2}$/))),
      ),
    }),
    reply: edge,
    errors: [...seen, 'CONTENT_MISMATCH', 'IMAGE_TOO_LARGE'],
  }),
}

export const edgeInstanceEndpoints = {
  list: endpoint('GET', '/projects/:projectId/edge-instances', {
    summary: 'The edges that have instances which are assigned to the project, with these.',
    reply: listOf(edgeWithInstances),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** What an agent calls before it has a token. */
export const edgeEnrolmentEndpoints = {
  redeem: endpoint('POST', '/edges/enrol', {
    summary: 'Exchanges a code for the token of an agent. The code is used up, and a token before it ends.',
    body: z.strictObject({ code: z.string().check(z.maxLength(100)) }),
    reply: z.object({ edge: id, label: z.string(), token: z.string() }),
    errors: ['EDGE_CODE_NOT_VALID', 'TOO_MANY_REQUESTS'],
  }),
  agent: endpoint('GET', '/edges/edge-agent.mjs', {
    summary: 'The agent as one file of JavaScript for Node, to be fetched and started on the machine.',
    reply: z.string(),
    errors: ['NOT_FOUND'],
  }),
}
