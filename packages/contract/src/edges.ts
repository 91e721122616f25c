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
import { edgeMachine, edgeReport, instanceState } from './edge-agent.ts'
import { edgeProgramState } from './edge-programs.ts'
import { edgeRelease } from './edge-release.ts'
import { edgePlace, edgeTags } from './edge-tags.ts'
import { endpoint } from './endpoint.ts'
import { fleetCounts, fleetState } from './home.ts'
import { limits } from './limits.ts'
import { task } from './tasks.ts'

/*
 * Edges: machines on site, each with an agent that keeps a connection to the server. An edge belongs to the project
 * into which it was enrolled. Each of its instances (programs that it runs) belongs to the same or another project.
 *
 * The topic `/projects/{id}/edges` publishes changes of edges, `edge:presence` {edges: EdgePresence[]} when edges
 * connect, disconnect or get into trouble or out of it (nearly full disk, stopped program), and `edge:alert`
 * {edges: {_id, label}[]} when edges have been offline for their alert time.
 */

export const edgeErrors = {
  EDGE_CODE_NOT_VALID: { status: 410, message: 'This code is no longer valid' },
  EDGE_OFFLINE: { status: 409, message: 'The edge is not connected' },
  EDGE_CANNOT: { status: 409, message: 'The agent on this edge cannot do that' },
  EDGE_DID_NOT_ANSWER: { status: 504, message: 'The edge did not answer in time' },
  INSTANCE_IS_REPORTED: {
    status: 409,
    message: 'The agent reports this instance. Remove it from the agent’s settings file',
  },
  TOO_MANY_TAGS: { status: 409, message: 'An edge would have more tags than it can carry' },
  TOO_MANY_EDGE_GROUPS: { status: 409, message: 'This project has reached its limit of groups of edges' },
  TOO_MANY_EDGE_JOBS: { status: 409, message: 'This project has reached its limit of unfinished jobs' },
  EDGE_JOB_REACHES_NONE: { status: 409, message: 'The job would reach no edge' },
  EDGE_JOB_NOT_ENDED: { status: 409, message: 'The job has not ended yet' },
  EDGE_SCHEDULE_NOT_VALID: {
    status: 400,
    message:
      'The schedule needs five cron fields with at least five minutes between two runs, and the name of a time zone',
  },
  TOO_MANY_EDGE_SCHEDULES: { status: 409, message: 'This project has reached its limit of schedules' },
  TOO_MANY_EDGE_KEYS: { status: 409, message: 'This project has reached its limit of enrolment keys' },
  TOO_MANY_EDGES: { status: 409, message: 'This project has reached its limit of edges' },
  TOO_MANY_INSTANCES: { status: 409, message: 'This edge has reached its limit of instances' },
} as const

/** `enrolling`: its agent has never connected, or a new code for a revoked edge is unused; `revoked`: its agent is rejected. */
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
  /** Null for one that the agent cannot start and stop, and while the edge is not online. */
  program: z.nullable(edgeProgramState),
  /** Where it is used. */
  project: z.object({
    _id: id,
    /** Null for a project that the reader does not see. */
    label: z.nullable(z.string()),
  }),
})
export type EdgeInstance = z.infer<typeof edgeInstance>

const { instances: _instances, commands: _commands, ...ownReport } = edgeReport.shape

const edge = z.object({
  _id: id,
  label: z.string(),
  tags: z.array(z.string()),
  /** Where it stands, in the words of its users. */
  place: z.nullable(z.string()),
  state: edgeState,
  /** Online with a nearly full disk or a stopped program. */
  isInTrouble: z.boolean(),
  /** Version of the agent; null until it has connected. */
  version: z.nullable(z.string()),
  /** When it last reported; null when it never has. */
  lastSeenAt: z.nullable(instant),
  /** Since when it is offline; null while it is not. */
  offlineSince: z.nullable(instant),
  /** A few seconds old at most while the edge is online, and the last one otherwise. */
  report: z.nullable(z.object(ownReport)),
  instances: z.array(edgeInstance),
  /** Minutes offline before an alert is sent; null for never. */
  alertAfter: z.nullable(z.number()),
  /** Expiry of the unused code. */
  codeExpiresAt: z.nullable(instant),
  /** Desired display of the attached Stream Decks, by serial. */
  decks: z.array(z.object({ serial: z.string(), brightness: z.number(), hasPicture: z.boolean() })),
  createdAt: instant,
  enrolledAt: z.nullable(instant),
  revision,
  ...lastChange,
})
export type Edge = z.infer<typeof edge>

/** An edge's presence in `edge:presence`. */
const edgePresence = z.object({ _id: id, state: edgeState, lastSeenAt: z.nullable(instant) })
export type EdgePresence = z.infer<typeof edgePresence>

/** An edge in the selection of an instance. */
const edgeWithInstances = z.object({
  _id: id,
  label: z.string(),
  state: edgeState,
  instances: z.array(z.object({ _id: id, label: z.string() })),
})
export type EdgeWithInstances = z.infer<typeof edgeWithInstances>

/**
 * The order of a list of edges, `-` for the reverse. Equal edges follow by label. `state` is worst first; load, memory and
 * disk compare used shares, and edges without a current value come last.
 */
const edgeSort = z.enum([
  'label',
  '-label',
  'place',
  '-place',
  'state',
  '-state',
  'load',
  '-load',
  'memory',
  '-memory',
  'disk',
  '-disk',
  'version',
  '-version',
  'seen',
  '-seen',
])
export type EdgeSort = z.infer<typeof edgeSort>

const code = z.object({
  /** Single-use; not stored and not shown again. */
  code: z.string(),
  expiresAt: instant,
})

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const managed = [...seen, 'REVISION_CONFLICT'] as const
const commanded = [...seen, 'EDGE_OFFLINE', 'TOO_MANY_TASKS'] as const

const tagsOfFilter = z.string().check(z.maxLength(limits.edgeTagsMax * (limits.edgeTagMax + 1)))

const edgesPath = '/projects/:projectId/edges'
const edgePath = `${edgesPath}/:edgeId` as const
const instancesPath = `${edgePath}/instances` as const

/** To see them needs the role `edges` of the project, all else `edges:manage`. */
export const edgeEndpoints = {
  list: endpoint('GET', edgesPath, {
    summary:
      'The edges of a project, by label unless sorted otherwise. Search knows label, state, version, tag and place.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** Only edges in this state. */
      state: z.optional(fleetState),
      /** Only edges with all these tags, separated by commas. */
      tags: z.optional(tagsOfFilter),
      /** Only edges with at least one of these tags, separated by commas. */
      anyTags: z.optional(tagsOfFilter),
      /** Only edges at exactly this place. */
      place: z.optional(edgePlace),
      /** Only edges whose agent has exactly this version. */
      version: z.optional(z.string().check(z.maxLength(50))),
      /** Only edges in this group. */
      group: z.optional(id),
      sort: z.optional(edgeSort),
    }),
    reply: z.object({
      ...pageOf(edge).shape,
      /** The edges that the search and the other filters find, by state and whatever `state` was asked for. */
      counts: fleetCounts,
    }),
    errors: [...seen],
  }),
  enrol: endpoint('POST', edgesPath, {
    summary: 'Makes an edge and the code with which an agent becomes it. Repeatable with an Idempotency-Key.',
    body: z.strictObject({ label }),
    reply: z.object({ ...code.shape, edge }),
    errors: [...seen, 'TOO_MANY_EDGES', 'RECENT_SIGN_IN_NEEDED'],
  }),
  read: endpoint('GET', edgePath, { summary: 'One edge.', reply: edge, errors: [...seen] }),
  update: endpoint('PUT', edgePath, {
    summary: 'Changes the name, tags or place of an edge, or when people are told that it is away.',
    body: z.strictObject({
      label: z.optional(label),
      tags: z.optional(edgeTags),
      place: z.optional(z.nullable(edgePlace)),
      alertAfter: z.optional(z.nullable(wholeNumber(1, 1440))),
    }),
    reply: edge,
    errors: [...managed],
  }),
  newCode: endpoint('POST', `${edgePath}/code`, {
    summary: 'Makes a new code. The agent that uses it takes the place of the one before.',
    reply: code,
    errors: [...seen, 'RECENT_SIGN_IN_NEEDED'],
  }),
  move: endpoint('POST', `${edgePath}/move`, {
    summary:
      'Moves an edge with its agent and history to another project whose edges the caller may manage. Returns it as it is there.',
    body: z.strictObject({ project: id }),
    reply: edge,
    errors: [...seen, 'TOO_MANY_EDGES', 'RECENT_SIGN_IN_NEEDED'],
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
  updateAgent: endpoint('POST', `${edgePath}/update`, {
    summary: 'Has the agent replace itself by the one that the server serves, as a task.',
    reply: task,
    errors: [...commanded, 'EDGE_CANNOT'],
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
    summary:
      'Exchanges a code or an enrolment key for the token of an agent. A code is used up, and a token before it ends.',
    /** Fields that a newer agent adds are dropped. */
    body: z.object({
      code: z.string().check(z.maxLength(100)),
      machine: z.optional(edgeMachine),
      /** Of the agent. */
      version: z.optional(z.string().check(z.maxLength(50), z.regex(/^\P{Cc}*$/u))),
    }),
    reply: z.object({
      edge: id,
      label: z.string(),
      token: z.string(),
      /** The public key (SPKI, base64url) that signs releases of the agent. The agent pins it. */
      releaseKey: z.optional(z.string()),
      /** A user must approve the machine first. Until then the server closes its connections with `waiting`. */
      isWaiting: z.optional(z.boolean()),
    }),
    errors: ['EDGE_CODE_NOT_VALID', 'TOO_MANY_EDGES', 'TOO_MANY_REQUESTS'],
  }),
  agent: endpoint('GET', '/edges/edge-agent.mjs', {
    summary: 'The agent as one file of JavaScript for Node, to be fetched and started on the machine.',
    reply: z.string(),
    errors: ['NOT_FOUND'],
  }),
  release: endpoint('GET', '/edges/edge-agent.json', {
    summary: 'The signed facts of that file, and the keys that may sign them.',
    reply: edgeRelease,
    errors: ['NOT_FOUND'],
  }),
}
