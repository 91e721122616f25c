import * as z from 'zod/mini'
import { done, id, instant, listOf, pageOf, pageQuery, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { defaultConsoleColor, limits } from './limits.ts'

/*
 * Long-running tasks (`ltt` in paths). A task is stored in the database, runs under a lease with a deadline, and ends
 * exactly once: finished, rejected, timed out or aborted. Its driver is the server itself, or an extension's service
 * with a task token of the project.
 *
 * The topic `/projects/{id}/LTT` publishes `task:created` {task}, `task:state` {tasks: TaskUpdate[]} a few times a
 * second, `task:fulfilled` {task} when a task has ended in any way, `task:retried` {task} when another one repeats it,
 * `task:archived` {_id}, and `task:restored` {} when archived tasks are listed again: read the list.
 */

export const taskErrors = {
  TASK_ENDED: { status: 409, message: 'This task has already ended' },
  TASK_RUNS: { status: 409, message: 'This task is still running' },
  TASK_CANNOT_RETRY: { status: 409, message: 'This task cannot be started again. Start a new one' },
  TASK_LEASE_LOST: { status: 409, message: 'This task now runs elsewhere' },
  UNKNOWN_TASK_TYPE: { status: 400, message: 'This kind of task does not exist' },
  TOO_MANY_TASKS: { status: 429, message: 'This project has too many running tasks' },
} as const

/** `info` reports how it went; `download-generation` makes a file. */
const taskKind = z.enum(['info', 'download-generation'])
export type TaskKindName = z.infer<typeof taskKind>

/** Two numbers; see {@link wholeNumber} for why it is not called a tuple here. */
const progress = z
  .array(z.number())
  .check(
    z.refine((value) => value.length === 2 && value.every((part) => part >= 0), 'Must be [done, total]'),
  ) as unknown as z.ZodMiniType<[number, number], [number, number]>

const taskState = z.object({
  /** Done and total, in whatever unit the task counts. */
  progress: z.optional(progress),
  /**
   * Signed link to the finished download, absent for callers who may not read the file. A plain GET opens it without a
   * session. Valid for at least 10 minutes (`until`: seconds since 1970); each read of the task issues a new one, events
   * carry none.
   */
  fileUrl: z.optional(z.string()),
  fileName: z.optional(z.string()),
  /** A one-line status; after the end, the report. */
  info: z.optional(z.string()),
})
export type TaskState = z.infer<typeof taskState>

export const task = z.object({
  _id: id,
  /** The task's type: `project-export`, or `{extension}/{kind}` for a type declared by an extension. */
  type: z.string(),
  kind: taskKind,
  title: z.string(),
  project: id,
  createdAt: instant,
  /** Null until a driver starts it. */
  startedAt: z.nullable(instant),
  /** When it ended, in whatever way; null until then. */
  fulfilledAt: z.nullable(instant),
  isRejected: z.boolean(),
  isTimedOut: z.boolean(),
  isAborted: z.boolean(),
  /** Why it was rejected or, of a finished one, what is wrong with its result; for people to read. */
  error: z.nullable(z.string()),
  /** It has failed, no other task repeats it, and the server still has its inputs. */
  canRetry: z.boolean(),
  state: taskState,
  /** When it is given up at the latest. */
  deadlineAt: instant,
  /** The creator; null for a task that a service created on its own, and after the account was deleted. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  /** Counts all changes of the task, from 1. */
  revision: z.number(),
})
export type Task = z.infer<typeof task>

/** A running task's fields in `task:state`. */
export const taskUpdate = z.object({
  _id: id,
  state: taskState,
  revision: z.number(),
  /** Set once a driver has started it. */
  startedAt: z.optional(instant),
})
export type TaskUpdate = z.infer<typeof taskUpdate>

const taskOfPerson = z.object({
  ...task.shape,
  projectLabel: z.string(),
  /** The project's `consoleColor`. */
  projectColor: z._default(z.string(), defaultConsoleColor),
  /** Whether the caller aborts and archives it: as its creator, the project's owner, or root. */
  mayEnd: z.boolean(),
})
export type TaskOfPerson = z.infer<typeof taskOfPerson>

/** Tasks that a search finds, by state and whatever state was asked for. */
const taskCounts = z.object({
  open: z.number(),
  finished: z.number(),
  /** Rejected or timed out. */
  failed: z.number(),
  aborted: z.number(),
  /** Only the newest 10,000 are counted. */
  isCapped: z.boolean(),
})
export type TaskCounts = z.infer<typeof taskCounts>

/**
 * The order of tasks: the `newest` first; the `longest` running first, then those that wait, then the ended ones by the
 * time they took; or by `state`, running and failed ones first.
 */
const taskSort = z.enum(['newest', 'longest', 'state'])
export type TaskSort = z.infer<typeof taskSort>

/** A line of a task's log. */
const logLine = z.object({ at: instant, line: z.string() })
export type TaskLogLine = z.infer<typeof logLine>

/** `project-export`, or `{extension}/{kind}`. */
const type = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}(?:\/[a-z][a-z0-9-]{0,49})?$/, 'Must be a kind of task'))
const title = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.labelMax), z.regex(/^\P{Cc}*$/u))
const line = z.string().check(z.maxLength(limits.taskLineMax))

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const
const driven = [...seen, 'FORBIDDEN', 'TASK_ENDED', 'TASK_LEASE_LOST'] as const

const tasksPath = '/v2/projects/:projectId/ltt/tasks'

/**
 * Reading is open to every user who sees the project; a task's creator, the project's owner and root may abort and
 * archive it.
 */
export const taskEndpoints = {
  list: endpoint('GET', tasksPath, {
    summary:
      'The tasks of a project that are not archived, newest first. Search knows title, type, kind, state and user.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** Only running tasks, or only ended ones. */
      state: z.optional(z.enum(['open', 'ended'])),
    }),
    reply: pageOf(task),
    errors: [...seen],
  }),
  read: endpoint('GET', `${tasksPath}/:taskId`, {
    summary: 'One task.',
    reply: task,
    errors: [...seen],
  }),
  log: endpoint('GET', `${tasksPath}/:taskId/log`, {
    summary: `The last ${limits.taskLogLines} lines that a task has logged, in their order.`,
    reply: listOf(logLine),
    errors: [...seen],
  }),
  abort: endpoint('POST', `${tasksPath}/:taskId/abort`, {
    summary: 'Ends a task that goes on. What drives it is told within a second.',
    reply: task,
    errors: [...seen, 'FORBIDDEN', 'TASK_ENDED'],
  }),
  retry: endpoint('POST', `${tasksPath}/:taskId/retry`, {
    summary:
      'Starts a failed task again with its inputs, as a new task of the caller. Needs the right to start it. A repeated call returns the same task.',
    reply: task,
    errors: [...seen, 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED', 'TASK_CANNOT_RETRY', 'TOO_MANY_TASKS'],
  }),
  archive: endpoint('DELETE', `${tasksPath}/:taskId`, {
    summary: 'Takes a task that has ended off the list. It can be restored for ten minutes.',
    reply: done,
    errors: [...seen, 'FORBIDDEN', 'TASK_RUNS'],
  }),
  archiveEnded: endpoint('DELETE', tasksPath, {
    summary: 'Takes all tasks that have ended off the list, as far as the caller may.',
    query: z.strictObject({
      /** A random UUID made by the caller, with which `restoreEnded` restores the tasks of this call. */
      archivingId: z.optional(id),
    }),
    reply: done,
    errors: [...seen],
  }),
  restore: endpoint('POST', `${tasksPath}/:taskId/restore`, {
    summary: 'Restores a task that was archived in the last ten minutes, as it was.',
    reply: task,
    errors: [...seen],
  }),
  restoreEnded: endpoint('POST', '/v2/projects/:projectId/ltt/archivings/:archivingId/restore', {
    summary:
      'Restores all tasks that one call of the caller archived in the last ten minutes, as they were. It can be repeated.',
    reply: done,
    errors: [...seen],
  }),
  mine: endpoint('GET', '/tasks', {
    summary: 'The tasks of all projects that the caller sees, newest first unless sorted otherwise.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** `failed` includes those that were timed out. */
      state: z.optional(z.enum(['open', 'ended', 'finished', 'failed', 'aborted'])),
      /** Only those that the caller began. */
      own: z.optional(z.enum(['true'])),
      /** Orders other than `newest` hold the newest 20,000 tasks that match. */
      sort: z.optional(taskSort),
    }),
    reply: z.object({ ...pageOf(taskOfPerson).shape, counts: taskCounts }),
    errors: ['UNAUTHENTICATED'],
  }),
}

const drivenTask = z.object({
  task,
  /** Sent with every call that drives the task. An older number means that the caller has lost the task. */
  fence: z.number(),
  /** The input given when the task was created. */
  payload: z.unknown(),
  /** The lease ends this many milliseconds after the last call, and the task with it. */
  leaseFor: z.number(),
})

/** A driver's report; omitted fields stay unchanged. */
const report = {
  fence: z.number(),
  progress: z.optional(progress),
  info: z.optional(line),
}

/** How a driver learns what became of its task since: `aborted` and `ended` mean that it should stop. */
const driverAnswer = z.object({
  state: z.enum(['running', 'aborted', 'ended', 'lease-lost']),
})

/** Calls of an extension's service. It authenticates with `authorization: Bearer <task token of the project>`. */
export const taskDriverEndpoints = {
  create: endpoint('POST', tasksPath, {
    summary:
      'Creates a task that the caller drives from now on. Repeatable with an Idempotency-Key. Needs a task token.',
    body: z.strictObject({
      type,
      kind: z._default(taskKind, 'info'),
      title,
      /** Seconds after which it is given up, 1 to 86,400; 3,600 when left out. */
      deadline: z.optional(wholeNumber(1, 86_400)),
      /** The user on whose behalf the task runs: its creator, who may abort it. */
      createdBy: z.optional(id),
    }),
    reply: drivenTask,
    errors: [...seen, 'FORBIDDEN', 'UNKNOWN_TASK_TYPE', 'TOO_MANY_TASKS'],
  }),
  report: endpoint('PUT', `${tasksPath}/:taskId/state`, {
    summary: 'Reports progress, and keeps the lease. Needs a task token.',
    body: z.strictObject(report),
    reply: driverAnswer,
    errors: [...seen, 'FORBIDDEN'],
  }),
  reportAll: endpoint('PUT', '/v2/projects/:projectId/ltt/task-states', {
    summary: 'Reports the progress of up to 500 tasks at once, and keeps their leases. Needs a task token.',
    body: z.strictObject({
      /** As many as fit into `limits.jsonBodyBytes`, for the longer the info the fewer. */
      tasks: z.array(z.strictObject({ _id: id, ...report })).check(z.minLength(1), z.maxLength(500)),
    }),
    /** Tasks that are no longer running. */
    reply: z.object({
      stopped: z.array(z.object({ _id: id, state: z.enum(['aborted', 'ended', 'lease-lost']) })),
    }),
    errors: [...seen, 'FORBIDDEN'],
  }),
  appendLog: endpoint('POST', `${tasksPath}/:taskId/log`, {
    summary: 'Adds lines to the log of a task, and keeps its lease. Needs a task token.',
    body: z.strictObject({ fence: z.number(), lines: z.array(line).check(z.minLength(1), z.maxLength(100)) }),
    reply: driverAnswer,
    errors: [...seen, 'FORBIDDEN'],
  }),
  fulfil: endpoint('POST', `${tasksPath}/:taskId/fulfil`, {
    summary:
      'Ends a task well. A download names the file that it uploaded before with a ticket of `POST /files`. Needs a task token.',
    body: z.strictObject({
      fence: z.number(),
      info: z.optional(line),
      /** `filename` of the upload. */
      file: z.optional(z.string().check(z.maxLength(200))),
      /** The file name shown to users. */
      fileName: z.optional(z.string().check(z.maxLength(limits.labelMax))),
    }),
    reply: task,
    errors: [...driven],
  }),
  reject: endpoint('POST', `${tasksPath}/:taskId/reject`, {
    summary: 'Ends a task with an error. Needs a task token.',
    body: z.strictObject({ fence: z.number(), error: z.optional(line) }),
    reply: task,
    errors: [...driven],
  }),
}

const taskToken = z.object({
  _id: id,
  label: z.string(),
  /** The kinds of tasks that it may create and drive: `{extension}/{kind}`, or `{extension}/*`. */
  types: z.array(z.string()),
  createdAt: instant,
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  expiresAt: instant,
  /** Why it is no longer valid: it expired, or its creator may no longer edit the project. */
  ended: z.nullable(z.enum(['expired', 'creator'])),
  /** To the minute; null when it was never used. */
  lastUsedAt: z.nullable(instant),
})
export type TaskToken = z.infer<typeof taskToken>

/** Tokens that let services drive tasks of a project, managed by users who may edit the project. */
export const taskTokenEndpoints = {
  list: endpoint('GET', '/v2/projects/:projectId/ltt/tokens', {
    summary: 'The task tokens of a project, and the kinds of tasks that there can be one for.',
    reply: z.object({
      ...listOf(taskToken).shape,
      /** `{extension}/{kind}`: the kinds declared by the extensions of the project's products. */
      types: z.array(z.string()),
    }),
    errors: [...seen, 'FORBIDDEN'],
  }),
  create: endpoint('POST', '/v2/projects/:projectId/ltt/tokens', {
    summary:
      'Makes a task token, shown this once. It ends after its days, or when its creator may no longer edit the project.',
    body: z.strictObject({
      label: title,
      types: z
        .array(
          z
            .string()
            .check(
              z.regex(
                /^[a-z][a-z0-9-]{0,49}\/(?:\*|[a-z][a-z0-9-]{0,49})$/,
                'Must be extension/kind or extension/*',
              ),
            ),
        )
        .check(z.minLength(1), z.maxLength(50)),
      /** Default 90. */
      days: z.optional(z.int().check(z.minimum(1), z.maximum(limits.taskTokenDaysMax))),
    }),
    reply: z.object({ ...taskToken.shape, token: z.string() }),
    errors: [...seen, 'FORBIDDEN', 'UNKNOWN_TASK_TYPE', 'RECENT_SIGN_IN_NEEDED'],
  }),
  revoke: endpoint('DELETE', '/v2/projects/:projectId/ltt/tokens/:tokenId', {
    summary: 'Revokes a task token. Its next call is refused.',
    reply: done,
    errors: [...seen, 'FORBIDDEN'],
  }),
}
