import * as z from 'zod/mini'
import { done, id, instant, listOf, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { defaultConsoleColor, limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'
import { cleanedName, nameFrom, reportText } from './text.ts'

/*
 * Long-running tasks (`ltt` in paths). A task is stored in the database, runs under a lease with a deadline, and
 * reaches exactly one terminal state: finished, rejected, timed out or aborted. Its driver is the server itself, or an
 * extension's service with a task token of the project.
 *
 * The topic `/projects/{id}/LTT` publishes `task:created` {task}, `task:state` {tasks: TaskUpdate[]} a few times a
 * second, `task:fulfilled` {task} in every terminal state, `task:retried` {task} when another task repeats it,
 * `task:archived` {_id}, and `task:restored` {} when archived tasks are listed again, so that clients refetch the list.
 */

export const taskErrors = {
  TASK_ENDED: { status: 409, message: 'This task has already ended' },
  TASK_RUNS: { status: 409, message: 'This task is still running' },
  TASK_CANNOT_RETRY: { status: 409, message: 'This task cannot be started again. Start a new one' },
  TASK_LEASE_LOST: { status: 409, message: 'Another driver now runs this task' },
  UNKNOWN_TASK_TYPE: { status: 400, message: 'This kind of task does not exist' },
  TOO_MANY_TASKS: {
    status: 429,
    message: 'This project has too many running tasks. Wait until some have ended',
  },
} as const

/** `info`: the result is a report; `download-generation`: the result is a file. */
const taskKind = z.enum(['info', 'download-generation'])
export type TaskKindName = z.infer<typeof taskKind>

/** Two numbers. A zod tuple would add code to the login page; see {@link wholeNumber}. */
const progress = z
  .array(z.number())
  .check(
    z.refine((value) => value.length === 2 && value.every((part) => part >= 0), 'Must be [done, total]'),
  ) as unknown as z.ZodMiniType<[number, number], [number, number]>

/** A text of the server as a code with values, for a text in the reader's language: `taskTexts` has the codes. */
export const taskMessage = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type TaskMessage = z.infer<typeof taskMessage>

const taskState = z.object({
  /** `[done, total]` in the unit of the task. */
  progress: z.optional(progress),
  /**
   * Signed link to the finished download; absent for callers who may not read the file, and in events. A plain GET
   * works without a session. Valid for at least 10 minutes (`until`: seconds since 1970); each read of the task returns
   * a new link.
   */
  fileUrl: z.optional(z.string()),
  fileName: z.optional(z.string()),
  /** One-line status; in a terminal state, the report. */
  info: z.optional(z.string()),
  /** `info` as a code with values, if the server itself runs the task. `info` is its default text. */
  message: z.optional(taskMessage),
})
export type TaskState = z.infer<typeof taskState>

export const task = z.object({
  _id: id,
  /** Type of the task: `project-export`, or `{extension}/{kind}` for a type that an extension declares. */
  type: z.string(),
  kind: taskKind,
  title: z.string(),
  project: id,
  createdAt: instant,
  /** Null until a driver starts it. */
  startedAt: z.nullable(instant),
  /** When the task reached a terminal state; null before that. */
  fulfilledAt: z.nullable(instant),
  isRejected: z.boolean(),
  isTimedOut: z.boolean(),
  isAborted: z.boolean(),
  /** Why the task was rejected, or for a finished task the fault of its result, as text for users. */
  error: z.nullable(z.string()),
  /** `error` as a code with values, if the server itself runs the task. `error` is its default text. */
  errorMessage: z.optional(taskMessage),
  /** Whether the task has failed, no other task repeats it, and the server still has its inputs. */
  canRetry: z.boolean(),
  state: taskState,
  /** When the server times the task out. */
  deadlineAt: instant,
  /** The creator; null for a task that a service created without a user, and after the account was deleted. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  /**
   * The task token with which the service of an extension created the task, also in the name of `createdBy`. The label
   * is null after the token was revoked. Absent if no service created it.
   */
  service: z.optional(z.object({ token: id, label: z.nullable(z.string()) })),
  /** Number of changes of the task, from 1. */
  revision: z.number(),
})
export type Task = z.infer<typeof task>

/** Fields of a running task in `task:state`. */
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
  /** `consoleColor` of the project. */
  projectColor: z._default(z.string(), defaultConsoleColor),
  /** Whether the caller may abort and archive the task: as its creator, the project's owner, or root. */
  mayEnd: z.boolean(),
})
export type TaskOfPerson = z.infer<typeof taskOfPerson>

/** Tasks that match the search, by state, regardless of the `state` filter. */
const taskCounts = z.object({
  open: z.number(),
  finished: z.number(),
  /** Rejected or timed out. */
  failed: z.number(),
  aborted: z.number(),
  /** True if more than 10,000 tasks match: only the newest 10,000 are counted. */
  isCapped: z.boolean(),
})
export type TaskCounts = z.infer<typeof taskCounts>

/**
 * Order of tasks: `newest` first; `longest` running first, then waiting tasks, then ended tasks by duration; or by
 * `state`, running and failed tasks first.
 */
const taskSort = z.enum(['newest', 'longest', 'state'])
export type TaskSort = z.infer<typeof taskSort>

/** One line of a task's log; `message` as for `info`. */
const logLine = z.object({ at: instant, line: z.string(), message: z.optional(taskMessage) })
export type TaskLogLine = z.infer<typeof logLine>

/** `project-export`, or `{extension}/{kind}`. */
const type = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}(?:\/[a-z][a-z0-9-]{0,49})?$/, 'Must be a kind of task'))
/** From a program: some message formats surround each value with controls of direction. */
const title = cleanedName(limits.labelMax)
const line = reportText(limits.taskLineMax)

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
      'Lists the tasks of a project that are not archived, newest first; search supports title, type, kind, state and user.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** Only running tasks, or only ended ones. */
      state: z.optional(z.enum(['open', 'ended'])),
    }),
    reply: pageOf(task),
    errors: [...seen],
  }),
  read: endpoint('GET', `${tasksPath}/:taskId`, {
    summary: 'Reads a task.',
    reply: task,
    errors: [...seen],
  }),
  log: endpoint('GET', `${tasksPath}/:taskId/log`, {
    summary: `Returns the last ${limits.taskLogLines} lines of a task’s log, oldest first.`,
    reply: listOf(logLine),
    errors: [...seen],
  }),
  abort: endpoint('POST', `${tasksPath}/:taskId/abort`, {
    summary: 'Aborts a running task; its driver is notified within a second.',
    reply: task,
    errors: [...seen, 'FORBIDDEN', 'TASK_ENDED'],
  }),
  retry: endpoint('POST', `${tasksPath}/:taskId/retry`, {
    summary:
      'Starts a failed task again with its inputs, as a new task of the caller, who needs the right to start it; idempotent.',
    reply: task,
    errors: [...seen, 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED', 'TASK_CANNOT_RETRY', 'TOO_MANY_TASKS'],
  }),
  archive: endpoint('DELETE', `${tasksPath}/:taskId`, {
    summary: 'Archives an ended task, which can be restored for ten minutes.',
    reply: done,
    errors: [...seen, 'FORBIDDEN', 'TASK_RUNS'],
  }),
  archiveEnded: endpoint('DELETE', tasksPath, {
    summary: 'Archives all ended tasks that the caller may archive.',
    query: z.strictObject({
      /** Random UUID of the caller, with which `restoreEnded` restores the tasks of this call. */
      archivingId: z.optional(id),
    }),
    reply: done,
    errors: [...seen],
  }),
  restore: endpoint('POST', `${tasksPath}/:taskId/restore`, {
    summary: 'Restores a task that was archived in the last ten minutes, with its former content.',
    reply: task,
    errors: [...seen],
  }),
  restoreEnded: endpoint('POST', '/v2/projects/:projectId/ltt/archivings/:archivingId/restore', {
    summary: 'Restores all tasks that one call of the caller archived in the last ten minutes; idempotent.',
    reply: done,
    errors: [...seen],
  }),
  mine: endpoint('GET', '/tasks', {
    summary: 'Lists the tasks of all projects that the caller sees, newest first unless sorted otherwise.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** `failed` includes timed-out tasks. */
      state: z.optional(z.enum(['open', 'ended', 'finished', 'failed', 'aborted'])),
      /** Only tasks of the caller. */
      own: z.optional(z.enum(['true'])),
      /** Orders other than `newest` contain the newest 20,000 matching tasks. */
      sort: z.optional(taskSort),
    }),
    reply: z.object({ ...pageOf(taskOfPerson).shape, counts: taskCounts }),
    errors: ['UNAUTHENTICATED'],
  }),
}

const drivenTask = z.object({
  task,
  /** Fencing number for every call that drives the task. The server rejects an older number: the lease was lost. */
  fence: z.number(),
  /** Input of the task at its creation. */
  payload: z.unknown(),
  /** Milliseconds from the last call until the lease expires and the task times out. */
  leaseFor: z.number(),
})

/** A driver's report; omitted fields stay unchanged. */
const report = {
  fence: z.number(),
  progress: z.optional(progress),
  info: z.optional(line),
}

/** Reply to a driver. `aborted` and `ended` mean that the driver must stop. */
const driverAnswer = z.object({
  state: z.enum(['running', 'aborted', 'ended', 'lease-lost']),
})

/** Calls of an extension's service, with `authorization: Bearer <task token of the project>`. */
export const taskDriverEndpoints = {
  create: endpoint('POST', tasksPath, {
    summary: 'Creates a task that the caller drives, with a task token; idempotent with an Idempotency-Key.',
    body: z.strictObject({
      type,
      kind: z._default(taskKind, 'info'),
      title,
      /** Seconds until the task times out, 1 to 86,400; 3,600 if omitted. */
      deadline: z.optional(wholeNumber(1, 86_400)),
      /** The user on whose behalf the task runs: its creator, who may abort it. */
      createdBy: z.optional(id),
    }),
    reply: drivenTask,
    errors: [...seen, 'FORBIDDEN', 'UNKNOWN_TASK_TYPE', 'TOO_MANY_TASKS'],
  }),
  report: endpoint('PUT', `${tasksPath}/:taskId/state`, {
    summary: 'Reports progress and renews the lease, with a task token.',
    body: z.strictObject(report),
    reply: driverAnswer,
    errors: [...seen, 'FORBIDDEN'],
  }),
  reportAll: endpoint('PUT', '/v2/projects/:projectId/ltt/task-states', {
    summary: 'Reports the progress of up to 500 tasks and renews their leases, with a task token.',
    body: z.strictObject({
      /** 1 to 500 tasks whose JSON fits into `limits.jsonBodyBytes`. */
      tasks: z.array(z.strictObject({ _id: id, ...report })).check(z.minLength(1), z.maxLength(500)),
    }),
    /** The tasks that are no longer running. */
    reply: z.object({
      stopped: z.array(z.object({ _id: id, state: z.enum(['aborted', 'ended', 'lease-lost']) })),
    }),
    errors: [...seen, 'FORBIDDEN'],
  }),
  appendLog: endpoint('POST', `${tasksPath}/:taskId/log`, {
    summary: 'Appends lines to the log of a task and renews its lease, with a task token.',
    body: z.strictObject({ fence: z.number(), lines: z.array(line).check(z.minLength(1), z.maxLength(100)) }),
    reply: driverAnswer,
    errors: [...seen, 'FORBIDDEN'],
  }),
  fulfil: endpoint('POST', `${tasksPath}/:taskId/fulfil`, {
    summary:
      'Finishes a task, with a task token; a download names the file that was uploaded with a ticket of `POST /files`.',
    body: z.strictObject({
      fence: z.number(),
      info: z.optional(line),
      /** `filename` of the upload. */
      file: z.optional(z.string().check(z.maxLength(200))),
      /** File name for users. */
      fileName: z.optional(
        z.string().check(
          z.maxLength(limits.labelMax, { abort: true }),
          z.overwrite((text) => nameFrom(text, limits.labelMax)),
        ),
      ),
    }),
    reply: task,
    errors: [...driven],
  }),
  reject: endpoint('POST', `${tasksPath}/:taskId/reject`, {
    summary: 'Rejects a task with an error, with a task token.',
    body: z.strictObject({ fence: z.number(), error: z.optional(line) }),
    reply: task,
    errors: [...driven],
  }),
}

const taskToken = z.object({
  _id: id,
  label: z.string(),
  /** Kinds of tasks that the token can create and drive: `{extension}/{kind}`, or `{extension}/*`. */
  types: z.array(z.string()),
  createdAt: instant,
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  expiresAt: instant,
  /** Why the token is no longer valid: it expired, or its creator may no longer edit the project. */
  ended: z.nullable(z.enum(['expired', 'creator'])),
  /** Precise to the minute; null if never used. */
  lastUsedAt: z.nullable(instant),
})
export type TaskToken = z.infer<typeof taskToken>

/** Tokens that let services drive tasks of a project, managed by users who may edit the project. */
export const taskTokenEndpoints = {
  list: endpoint('GET', '/v2/projects/:projectId/ltt/tokens', {
    summary: 'Lists the task tokens of a project and the kinds of tasks that a token can cover.',
    reply: z.object({
      ...listOf(taskToken).shape,
      /** Kinds that the extensions of the project's products declare: `{extension}/{kind}`. */
      types: z.array(z.string()),
    }),
    errors: [...seen, 'FORBIDDEN'],
  }),
  create: endpoint('POST', '/v2/projects/:projectId/ltt/tokens', {
    summary:
      'Creates a task token, which only this reply shows; the token expires after its days, or when its creator may no longer edit the project; a repeat with the same Idempotency-Key replaces the secret of the same token.',
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
      /** Days until the token expires; 90 if omitted. */
      days: z.optional(z.int().check(z.minimum(1), z.maximum(limits.taskTokenDaysMax))),
    }),
    reply: z.object({ ...taskToken.shape, token: z.string() }),
    errors: [...seen, 'FORBIDDEN', 'UNKNOWN_TASK_TYPE', 'RECENT_SIGN_IN_NEEDED', 'PROJECT_FULL'],
  }),
  revoke: endpoint('DELETE', '/v2/projects/:projectId/ltt/tokens/:tokenId', {
    summary: 'Revokes a task token, so that its next call is rejected.',
    reply: done,
    errors: [...seen, 'FORBIDDEN'],
  }),
}
