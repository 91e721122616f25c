import * as z from 'zod/mini'
import { id, instant, wholeNumber } from './collection.ts'
import { edgeArguments, edgeCommandKey, edgeDeclaration } from './edge-commands.ts'
import { endpoint } from './endpoint.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'

/*
 * Jobs: one command for several edges. Offline edges receive the command when they are back, until the job expires
 * (decision records 164 and 165).
 *
 * The topic `/projects/{id}/edge-jobs` publishes `edge:jobs` {jobs: id[]} when jobs have changed.
 */

/** The command of a job. */
export const edgeJobCommand = z.discriminatedUnion('name', [
  z.object({ name: z.literal('diagnostics') }),
  /** Restarts the agent. */
  z.object({ name: z.literal('restart') }),
  /** Restarts a program, by its key in the agent's settings. */
  z.object({
    name: z.literal('restart-instance'),
    key: z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/)),
  }),
  /** Runs a command that the agent's settings declare. */
  z.object({ name: z.literal('run'), key: edgeCommandKey, values: edgeArguments }),
])
export type EdgeJobCommand = z.infer<typeof edgeJobCommand>

/** The edges of a job: those of a group at the start of the job, or the listed ones. */
const edgeJobTarget = z.union([
  z.strictObject({ group: id }),
  z.strictObject({ edges: z.array(id).check(z.minLength(1), z.maxLength(limits.edgeJobEdgesMax)) }),
])
export type EdgeJobTarget = z.infer<typeof edgeJobTarget>

/**
 * Why a job does not reach an edge. `unknown`: the project has no such edge; `revoked`: its agent is rejected;
 * `neverConnected`: its agent has never connected; `tooOld`: its agent does not support jobs; `notDeclared`: its
 * settings lack the command or program; `notAccepted`: its settings declare the command with other parameters or
 * bounds.
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
  /** The first edges by label. */
  edges: z.array(z.object({ _id: id, label: z.string() })),
})

const edgeJobPreview = z.object({
  /** Online edges, which receive the command immediately. */
  now: reached,
  /** Offline edges, which receive the command when they are back, until the job expires. */
  away: reached,
  /** Edges that do not receive the command, by obstacle. Obstacles without edges are omitted. */
  offLimits: z.array(z.object({ obstacle: edgeJobObstacle, ...reached.shape })),
})
export type EdgeJobPreview = z.infer<typeof edgeJobPreview>

/** State of a job on one edge. `waiting` ends with the agent's acknowledgement of the command. */
const edgeJobState = z.enum(['waiting', 'running', 'done', 'failed', 'expired', 'cancelled'])
export type EdgeJobState = z.infer<typeof edgeJobState>

const edgeJob = z.object({
  _id: id,
  /** Chosen by the creator; null to use the name of the command. */
  label: z.nullable(z.string()),
  command: edgeJobCommand,
  /** Label of the declared command or of the program at the start of the job. */
  commandLabel: z.nullable(z.string()),
  /** Label of the group at the start of the job; null for listed edges. */
  group: z.nullable(z.string()),
  /** Maximum number of edges on which the command runs concurrently. */
  atOnce: z.number(),
  /** Failures after which no further edge receives the command; null for no limit. */
  stopAfter: z.nullable(z.number()),
  /**
   * Why edges did not receive the command: a user cancelled the job, it had too many failures, or its creator may no
   * longer manage the edges.
   */
  stopped: z.nullable(z.enum(['cancelled', 'failures', 'noRight'])),
  total: z.number(),
  /** Number of edges by state. */
  counts: z.object({
    waiting: z.number(),
    running: z.number(),
    done: z.number(),
    failed: z.number(),
    expired: z.number(),
    cancelled: z.number(),
  }),
  createdAt: instant,
  /** Null if the account was deleted. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  expiresAt: instant,
  /** When the last edge reached a terminal state; null before that. */
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
   * Result or error text of the agent; null before that. The server sets `NO_ANSWER` for an edge that did not answer,
   * and `EDGE_GONE` for an edge that was deleted, revoked or moved before it received the command.
   */
  info: z.nullable(z.string()),
  /** Number of log lines. A job keeps at most 5 MiB of output, in equal shares for its edges. */
  lines: z.number(),
  sentAt: z.nullable(instant),
  endedAt: z.nullable(instant),
})
export type EdgeJobLine = z.infer<typeof edgeJobLine>

/** Commands and programs of a project, each with its number of edges. */
const edgeJobChoices = z.object({
  /** One declaration per key: the most common one. */
  commands: z.array(z.object({ ...edgeDeclaration.shape, edges: z.number() })),
  programs: z.array(z.object({ key: z.string(), label: z.string(), edges: z.number() })),
})
export type EdgeJobChoices = z.infer<typeof edgeJobChoices>

const jobsPath = '/projects/:projectId/edge-jobs'
const jobPath = `${jobsPath}/:jobId` as const
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const begun = [...seen, 'TOO_MANY_EDGE_JOBS', 'EDGE_JOB_REACHES_NONE', 'RECENT_SIGN_IN_NEEDED'] as const

const order = { command: edgeJobCommand, target: edgeJobTarget } as const

/** Reading jobs needs the role `edges` of the project, all other calls `edges:manage`. */
export const edgeJobEndpoints = {
  choices: endpoint('GET', '/projects/:projectId/edge-commands', {
    summary: 'Returns the commands that the project’s edges declare and the programs that can be restarted.',
    reply: edgeJobChoices,
    errors: [...seen],
  }),
  preview: endpoint('POST', '/projects/:projectId/edge-job-preview', {
    summary: 'Returns which edges a job would reach now, later or not at all.',
    body: z.strictObject(order),
    reply: edgeJobPreview,
    errors: [...seen],
  }),
  list: endpoint('GET', jobsPath, {
    summary: 'Lists the jobs of a project, newest first; all or only unfinished ones.',
    query: z.strictObject({ ...pageQuery.shape, state: z.optional(z.literal('open')) }),
    reply: pageOf(edgeJob),
    errors: [...seen],
  }),
  start: endpoint('POST', jobsPath, {
    summary:
      'Starts a job, after a recent sign-in if it has several edges; idempotent with an Idempotency-Key.',
    body: z.strictObject({
      ...order,
      label: z.optional(label),
      /** Days until the job expires; 7 if omitted. */
      days: z.optional(wholeNumber(1, limits.edgeJobDaysMax)),
      /** Maximum number of edges on which the command runs concurrently; 20 if omitted. */
      atOnce: z.optional(wholeNumber(1, 500)),
      /** Failures after which the job stops: a number or a percentage of its edges. No limit if omitted. */
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
  read: endpoint('GET', jobPath, { summary: 'Reads a job.', reply: edgeJob, errors: [...seen] }),
  lines: endpoint('GET', `${jobPath}/edges`, {
    summary: 'Lists the edges of a job by label, each with its state; search supports label and state.',
    query: z.strictObject({ ...pageQuery.shape, state: z.optional(edgeJobState) }),
    reply: pageOf(edgeJobLine),
    errors: [...seen],
  }),
  log: endpoint('GET', `${jobPath}/edges/:lineId/log`, {
    summary: 'Returns the last lines of a job’s output on one edge.',
    reply: z.object({ lines: z.array(z.string()) }),
    errors: [...seen],
  }),
  cancel: endpoint('POST', `${jobPath}/cancel`, {
    summary: 'Cancels a job on the edges that have not acknowledged the command; running commands continue.',
    reply: edgeJob,
    errors: [...seen],
  }),
  retry: endpoint('POST', `${jobPath}/retry`, {
    summary:
      'Starts the same job for the edges on which it has failed or expired; idempotent with an Idempotency-Key.',
    reply: edgeJob,
    errors: [...begun, 'EDGE_JOB_NOT_ENDED'],
  }),
}
