import * as z from 'zod/mini'
import { done, id, instant, lastChange, listOf, numberBetween, revision, wholeNumber } from './collection.ts'
import { edgeMachine, edgeReport, instanceState } from './edge-agent.ts'
import { edgeProgramState } from './edge-programs.ts'
import { edgeRelease } from './edge-release.ts'
import { edgePlace, storedEdgeTags } from './edge-tags.ts'
import { endpoint } from './endpoint.ts'
import { fleetCounts, fleetState } from './home.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'
import { task } from './tasks.ts'
import { machineText, searchText, storedName } from './text.ts'

/*
 * Edges: machines on site, each with an agent that holds a connection to the server. An edge belongs to the project
 * into which it was enrolled. Each of its instances (programs that it runs) belongs to the same or another project.
 *
 * The topic `/projects/{id}/edges` publishes changes of edges and two events. `edge:presence` {edges: EdgePresence[]}:
 * edges have connected or disconnected, or a problem of theirs (nearly full disk, stopped program) has begun or ended.
 * `edge:alert` {edges: {_id, label}[]}: edges have been offline for their alert time.
 */

export const edgeErrors = {
  EDGE_CODE_NOT_VALID: { status: 410, message: 'This code is no longer valid. Create a new code' },
  EDGE_OFFLINE: { status: 409, message: 'The edge is not connected' },
  EDGE_CANNOT: { status: 409, message: 'The agent on this edge cannot do that' },
  EDGE_DID_NOT_ANSWER: { status: 504, message: 'The edge did not answer in time' },
  INSTANCE_IS_REPORTED: {
    status: 409,
    message: 'The agent reports this instance. Remove it from the agent’s settings file',
  },
  TOO_MANY_TAGS: { status: 409, message: 'An edge would exceed its limit of tags. Remove other tags first' },
  TOO_MANY_EDGE_GROUPS: { status: 409, message: 'This project has reached its limit of edge groups' },
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

/**
 * `enrolling`: the agent has never connected, or a new code for a revoked edge is unused; `revoked`: the server rejects
 * the agent.
 */
const edgeState = z.enum(['enrolling', 'online', 'offline', 'revoked'])
export type EdgeState = z.infer<typeof edgeState>

const edgeInstance = z.object({
  _id: id,
  label: z.string(),
  /** Key in the agent's settings; null for an instance that a user created. */
  key: z.nullable(z.string()),
  /** Whether the agent's settings contain the instance. */
  isReported: z.boolean(),
  state: instanceState,
  canRestart: z.boolean(),
  /** Null for an instance that the agent cannot start and stop, and while the edge is not online. */
  program: z.nullable(edgeProgramState),
  /** Project that uses the instance. */
  project: z.object({
    _id: id,
    /** Null for a project that the caller does not see. */
    label: z.nullable(z.string()),
  }),
})
export type EdgeInstance = z.infer<typeof edgeInstance>

const { instances: _instances, commands: _commands, ...ownReport } = edgeReport.shape

const edge = z.object({
  _id: id,
  label: z.string(),
  tags: z.array(z.string()),
  /** Location of the edge, as free text. */
  place: z.nullable(z.string()),
  state: edgeState,
  /** Whether the edge is online with a nearly full disk or a stopped program. */
  isInTrouble: z.boolean(),
  /** Version of the agent; null before its first connection. */
  version: z.nullable(z.string()),
  /** Time of the last report; null before the first one. */
  lastSeenAt: z.nullable(instant),
  /** Start of the current outage; null while the edge is not offline. */
  offlineSince: z.nullable(instant),
  /**
   * The last report: at most a few seconds old while the edge is online. Null as well if another release has stored one
   * that does not fit, so that it does not hide the list.
   */
  report: z.nullable(z.object(ownReport)),
  /**
   * Set while the agent is connected, but does not report: the edge counts as offline. `reason` is the rule that its
   * reports break; null if it sends none. Older servers omit it.
   */
  silence: z._default(z.nullable(z.object({ reason: z.nullable(z.string()) })), null),
  instances: z.array(edgeInstance),
  /** Minutes offline before an alert; null for no alerts. */
  alertAfter: z.nullable(z.number()),
  /** Expiry of an unused code; null without one. */
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

/** An edge with its instances, for the selection of an instance. */
const edgeWithInstances = z.object({
  _id: id,
  label: z.string(),
  state: edgeState,
  instances: z.array(z.object({ _id: id, label: z.string() })),
})
export type EdgeWithInstances = z.infer<typeof edgeWithInstances>

/**
 * Order of a list of edges; `-` reverses it. Equal edges are sorted by label. `state` puts the worst first. Load,
 * memory and disk compare used shares; edges without a current value come last.
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
  /** Single-use code. No other reply shows it. */
  code: z.string(),
  expiresAt: instant,
})

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const managed = [...seen, 'REVISION_CONFLICT'] as const
const commanded = [...seen, 'EDGE_OFFLINE', 'TOO_MANY_TASKS'] as const

const tagsOfFilter = storedName(limits.edgeTagsMax * (limits.edgeTagMax + 1))

const edgesPath = '/projects/:projectId/edges'
const edgePath = `${edgesPath}/:edgeId` as const
const instancesPath = `${edgePath}/instances` as const

/** Reading edges needs the role `edges` of the project, all other calls `edges:manage`. */
export const edgeEndpoints = {
  list: endpoint('GET', edgesPath, {
    summary:
      'Lists the edges of a project, by label unless sorted otherwise; search supports label, state, version, tag and place.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** Only edges in this state. `silent`: the offline edges that are connected, but do not report. */
      state: z.optional(z.union([fleetState, z.literal('silent')])),
      /** Only edges with all these tags, separated by commas. */
      tags: z.optional(tagsOfFilter),
      /** Only edges with at least one of these tags, separated by commas. */
      anyTags: z.optional(tagsOfFilter),
      /** Only edges at exactly this place. */
      place: z.optional(storedName(limits.labelMax)),
      /** Only edges whose agent has exactly this version. */
      version: z.optional(searchText(50)),
      /** Only edges in this group. */
      group: z.optional(id),
      sort: z.optional(edgeSort),
    }),
    reply: z.object({
      ...pageOf(edge).shape,
      /** Edges that match the search and all filters except `state`, by state. */
      counts: fleetCounts,
    }),
    errors: [...seen],
  }),
  enrol: endpoint('POST', edgesPath, {
    summary: 'Creates an edge and the code that enrols its agent; idempotent with an Idempotency-Key.',
    body: z.strictObject({ label }),
    reply: z.object({ ...code.shape, edge }),
    errors: [...seen, 'TOO_MANY_EDGES', 'RECENT_SIGN_IN_NEEDED'],
  }),
  read: endpoint('GET', edgePath, { summary: 'Reads an edge.', reply: edge, errors: [...seen] }),
  update: endpoint('PUT', edgePath, {
    summary: 'Changes the label, tags or place of an edge, or the delay of its offline alert.',
    body: z.strictObject({
      label: z.optional(label),
      tags: z.optional(storedEdgeTags),
      place: z.optional(z.nullable(edgePlace)),
      alertAfter: z.optional(z.nullable(wholeNumber(1, 1440))),
    }),
    reply: edge,
    errors: [...managed],
  }),
  newCode: endpoint('POST', `${edgePath}/code`, {
    summary: 'Creates a new code; the agent that redeems the code replaces the previous agent.',
    reply: code,
    errors: [...seen, 'RECENT_SIGN_IN_NEEDED'],
  }),
  move: endpoint('POST', `${edgePath}/move`, {
    summary:
      'Moves an edge with its agent and history to another project whose edges the caller may manage, and returns the moved edge.',
    body: z.strictObject({ project: id }),
    reply: edge,
    errors: [...seen, 'TOO_MANY_EDGES', 'RECENT_SIGN_IN_NEEDED'],
  }),
  revoke: endpoint('POST', `${edgePath}/revoke`, {
    summary: 'Revokes the agent’s token and closes its connection; a new code enrols an agent again.',
    reply: edge,
    errors: [...seen],
  }),
  remove: endpoint('DELETE', edgePath, {
    summary: 'Deletes an edge and its instances.',
    reply: done,
    errors: [...seen, 'RECENT_SIGN_IN_NEEDED'],
  }),
  addInstance: endpoint('POST', instancesPath, {
    summary: 'Creates an instance that no agent reports.',
    body: z.strictObject({ label }),
    reply: edge,
    errors: [...seen, 'TOO_MANY_INSTANCES'],
  }),
  updateInstance: endpoint('PUT', `${instancesPath}/:instanceId`, {
    summary:
      'Renames an instance, or assigns it to a project that the caller may edit; null stands for the edge’s project.',
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
    summary: 'Restarts the agent or one of its instances, as a task.',
    body: z.strictObject({ instance: z.optional(id) }),
    reply: task,
    errors: [...commanded, 'EDGE_CANNOT'],
  }),
  diagnose: endpoint('POST', `${edgePath}/diagnostics`, {
    summary:
      'Runs the agent’s diagnostics of itself and its surroundings, as a task whose log lists the findings.',
    reply: task,
    errors: [...commanded],
  }),
  updateAgent: endpoint('POST', `${edgePath}/update`, {
    summary: 'Updates the agent to the version that the server provides, as a task.',
    reply: task,
    errors: [...commanded, 'EDGE_CANNOT', 'RECENT_SIGN_IN_NEEDED'],
  }),
  setDeck: endpoint('PUT', `${edgePath}/decks/:serial`, {
    summary: 'Sets the display of a Stream Deck that is attached to the edge.',
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
    summary: 'Lists the edges with instances that are assigned to the project, each with those instances.',
    reply: listOf(edgeWithInstances),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** Calls of an agent without a token. */
export const edgeEnrolmentEndpoints = {
  redeem: endpoint('POST', '/edges/enrol', {
    summary:
      'Exchanges a code or an enrolment key for an agent’s token; the code is used up, and the previous token ends.',
    /** The server drops fields that a newer agent adds. */
    body: z.object({
      code: z.string().check(z.maxLength(100)),
      machine: z.optional(edgeMachine),
      /** Version of the agent. */
      version: z.optional(machineText(50)),
      /**
       * The token that the agent has made: 256 random bits, base64url. A call that repeats it gets the same answer, also
       * if the code is used up. Without it the server makes the token.
       */
      token: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
    }),
    reply: z.object({
      edge: id,
      label: z.string(),
      token: z.string(),
      /** The public key (SPKI, base64url) that signs releases of the agent. The agent pins it. */
      releaseKey: z.optional(z.string()),
      /** True if a user must approve the machine first. Until then the server closes its connections with `waiting`. */
      isWaiting: z.optional(z.boolean()),
    }),
    errors: ['EDGE_CODE_NOT_VALID', 'TOO_MANY_EDGES', 'TOO_MANY_REQUESTS'],
  }),
  agent: endpoint('GET', '/edges/edge-agent.mjs', {
    summary: 'Returns the agent as one JavaScript file for Node.',
    reply: z.string(),
    replyTypes: ['text/javascript'],
    errors: ['NOT_FOUND'],
  }),
  release: endpoint('GET', '/edges/edge-agent.json', {
    summary: 'Returns the signed manifest of the agent’s file and the keys that may sign it.',
    reply: edgeRelease,
    errors: ['NOT_FOUND'],
  }),
}
