import * as z from 'zod/mini'
import { id, instant, label, pageOf, pageQuery, wholeNumber } from './collection.ts'
import { edgeArguments, edgeCommandKey, edgeDeclaration } from './edge-commands.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * Jobs: one command for several edges, also for absent ones until the job expires (decision records 164 and 165).
 *
 * The topic `/projects/{id}/edge-jobs` publishes `edge:jobs` {jobs: id[]} when jobs have changed.
 */

/** What a job does on each of its edges. */
export const edgeJobCommand = z.discriminatedUnion('name', [
  z.object({ name: z.literal('diagnostics') }),
  /** Of the agent. */
  z.object({ name: z.literal('restart') }),
  /** A program, by its key in the settings of the agent. */
  z.object({
    name: z.literal('restart-instance'),
    key: z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/)),
  }),
  /** A command that the settings of the agent declare. */
  z.object({ name: z.literal('run'), key: edgeCommandKey, values: edgeArguments }),
])
export type EdgeJobCommand = z.infer<typeof edgeJobCommand>

/** The edges of a job: those of a group at the start of the job, or the named ones. */
const edgeJobTarget = z.union([
  z.strictObject({ group: id }),
  z.strictObject({ edges: z.array(id).check(z.minLength(1), z.maxLength(limits.edgeJobEdgesMax)) }),
])
export type EdgeJobTarget = z.infer<typeof edgeJobTarget>

/**
 * Why a job does not reach an edge. `unknown`: the project has no such edge; `revoked`: its agent is rejected;
 * `neverConnected`; `tooOld`: its agent does not know jobs; `notDeclared`: its settings do not have the command or
 * program; `notAccepted`: its settings have the command with other parameters or bounds.
 */
const edgeJobObstacle = z.enum([
  'unknown',
  'revoked',
  'neverConnected',
  'tooOld',
  'notDeclared',
  'notAccepted',
])
export type EdgeJobObstacle = z.infer<typeof edgeJobObstacle>

const reached = z.object({
  count: z.number(),
  /** The first of them by label. */
  edges: z.array(z.object({ _id: id, label: z.string() })),
})

const edgeJobPreview = z.object({
  /** Online: they receive the command at once. */
  now: reached,
  /** Offline: they receive the command when they are back, until the job expires. */
  away: reached,
  /** Edges that do not receive the command, by obstacle. Obstacles without edges are omitted. */
  offLimits: z.array(z.object({ obstacle: edgeJobObstacle, ...reached.shape })),
})
export type EdgeJobPreview = z.infer<typeof edgeJobPreview>

/** State of a job on one edge. */
const edgeJobState = z.enum(['waiting', 'running', 'done', 'failed', 'expired', 'cancelled'])
export type EdgeJobState = z.infer<typeof edgeJobState>

const edgeJob = z.object({
  _id: id,
  /** In the words of its creator; null for the name of the command. */
  label: z.nullable(z.string()),
  command: edgeJobCommand,
  /** Of the declared command or of the program, when the job began. */
  commandLabel: z.nullable(z.string()),
  /** The group that it was started for, as it was named; null for named edges. */
  group: z.nullable(z.string()),
  /** Edges on which the command runs at the same time. */
  atOnce: z.number(),
  /** Failures after which the other edges do not receive the command; null for none. */
  stopAfter: z.nullable(z.number()),
  /**
   * Why edges did not receive the command: a user cancelled it, it had too many failures, or its creator may not
   * manage the edges any more.
   */
  stopped: z.nullable(z.enum(['cancelled', 'failures', 'noRight'])),
  total: z.number(),
  /** Edges by state. */
  counts: z.object({
    waiting: z.number(),
    running: z.number(),
    done: z.number(),
    failed: z.number(),
    expired: z.number(),
    cancelled: z.number(),
  }),
  createdAt: instant,
  /** Null if the account is gone. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  expiresAt: instant,
  /** When no edge was waiting or running any more. */
  endedAt: z.nullable(instant),
})
export type EdgeJob = z.infer<typeof edgeJob>

/** A job on one edge. */
const edgeJobLine = z.object({
  _id: id,
  /** Null for a deleted edge. */
  edge: z.nullable(id),
  label: z.string(),
  state: edgeJobState,
  /**
   * Result or error in the words of the agent; null while there is none. Of the server: `NO_ANSWER` for an edge that
   * did not answer, `EDGE_GONE` for one that was deleted, revoked or moved before it received the command.
   */
  info: z.nullable(z.string()),
  /** Lines of its log. */
  lines: z.number(),
  sentAt: z.nullable(instant),
  endedAt: z.nullable(instant),
})
export type EdgeJobLine = z.infer<typeof edgeJobLine>

/** What can be started in a project: with the number of edges that have it. */
const edgeJobChoices = z.object({
  /** One of each key: the declaration of most edges. */
  commands: z.array(z.object({ ...edgeDeclaration.shape, edges: z.number() })),
  programs: z.array(z.object({ key: z.string(), label: z.string(), edges: z.number() })),
})
export type EdgeJobChoices = z.infer<typeof edgeJobChoices>

const jobsPath = '/projects/:projectId/edge-jobs'
const jobPath = `${jobsPath}/:jobId` as const
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const begun = [...seen, 'TOO_MANY_EDGE_JOBS', 'EDGE_JOB_REACHES_NONE'] as const

const order = { command: edgeJobCommand, target: edgeJobTarget } as const

/** To see jobs needs the role `edges` of the project, all else `edges:manage`. */
export const edgeJobEndpoints = {
  choices: endpoint('GET', '/projects/:projectId/edge-commands', {
    summary: 'The commands that the edges of a project declare, and their programs that can be restarted.',
    reply: edgeJobChoices,
    errors: [...seen],
  }),
  preview: endpoint('POST', '/projects/:projectId/edge-job-preview', {
    summary: 'Which edges a job would reach now, later, and not at all.',
    body: z.strictObject(order),
    reply: edgeJobPreview,
    errors: [...seen],
  }),
  list: endpoint('GET', jobsPath, {
    summary: 'The jobs of a project, newest first.',
    query: z.strictObject(pageQuery.shape),
    reply: pageOf(edgeJob),
    errors: [...seen],
  }),
  start: endpoint('POST', jobsPath, {
    summary: 'Starts a job. Repeatable with an Idempotency-Key.',
    body: z.strictObject({
      ...order,
      label: z.optional(label),
      /** Days until it expires; 7 when left out. */
      days: z.optional(wholeNumber(1, limits.edgeJobDaysMax)),
      /** 20 when left out. */
      atOnce: z.optional(wholeNumber(1, 500)),
      /** Failures after which it stops: a number of edges, or percent of them. Never when left out. */
      stopAfter: z.optional(
        z.union([
          z.strictObject({ failures: wholeNumber(1, limits.edgesMax) }),
          z.strictObject({ percent: wholeNumber(1, 100) }),
        ]),
      ),
    }),
    reply: edgeJob,
    errors: [...begun],
  }),
  read: endpoint('GET', jobPath, { summary: 'One job.', reply: edgeJob, errors: [...seen] }),
  lines: endpoint('GET', `${jobPath}/edges`, {
    summary: 'The edges of a job, by label, with the state of each. Search knows label and state.',
    query: z.strictObject({ ...pageQuery.shape, state: z.optional(edgeJobState) }),
    reply: pageOf(edgeJobLine),
    errors: [...seen],
  }),
  log: endpoint('GET', `${jobPath}/edges/:lineId/log`, {
    summary: 'The output of a job on one edge: its last lines.',
    reply: z.object({ lines: z.array(z.string()) }),
    errors: [...seen],
  }),
  cancel: endpoint('POST', `${jobPath}/cancel`, {
    summary: 'Cancels a job on the edges that have not received the command. Running commands continue.',
    reply: edgeJob,
    errors: [...seen],
  }),
  retry: endpoint('POST', `${jobPath}/retry`, {
    summary:
      'Starts the same job for the edges on which it has failed or expired. Repeatable with an Idempotency-Key.',
    reply: edgeJob,
    errors: [...begun, 'EDGE_JOB_NOT_ENDED'],
  }),
}
