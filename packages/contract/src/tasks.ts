import * as z from 'zod/mini'
import { done, id, instant, listOf, pageOf, pageQuery, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { defaultConsoleColor, limits } from './limits.ts'

/*
 * Long-running tasks, `ltt` in their addresses. A task lives in the database, runs under a lease with a deadline and
 * ends exactly once: finished, rejected, timed out or aborted. What drives it is the server itself, or the service of
 * an extension, which shows a task token of the project.
 *
 * The topic `/projects/{id}/LTT` tells `task:created` {task}, `task:state` {tasks: TaskUpdate[]} a few times a second,
 * `task:fulfilled` {task} when a task has ended, in whatever way, and `task:archived` {_id}.
 */

export const taskErrors = {
  TASK_ENDED: { status: 409, message: 'This task has ended already' },
  TASK_RUNS: { status: 409, message: 'This task is still running' },
  TASK_LEASE_LOST: { status: 409, message: 'Somebody else drives this task now' },
  UNKNOWN_TASK_TYPE: { status: 400, message: 'There is no such kind of task' },
  TOO_MANY_TASKS: { status: 429, message: 'Too many tasks of this project are running' },
} as const

/** `info` reports how it went; `download-generation` makes a file. */
export const taskKind = z.enum(['info', 'download-generation'])
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
  /** With a download that is ready: where to ask for a link to it, `/files/{fileId}/link`. */
  fileUrl: z.optional(z.string()),
  fileName: z.optional(z.string()),
  /** What there is to say about it now, in one line; after the end the report. */
  info: z.optional(z.string()),
})
export type TaskState = z.infer<typeof taskState>

export const task = z.object({
  _id: id,
  /** What does it: `project-export`, or `{extension}/{kind}` for one that an extension brings. */
  type: z.string(),
  kind: taskKind,
  title: z.string(),
  project: id,
  createdAt: instant,
  /** Null while nobody has begun. */
  startedAt: z.nullable(instant),
  /** When it ended, in whatever way; null until then. */
  fulfilledAt: z.nullable(instant),
  isRejected: z.boolean(),
  isTimedOut: z.boolean(),
  isAborted: z.boolean(),
  /** Of a rejected one, for people to read. */
  error: z.nullable(z.string()),
  state: taskState,
  /** When it is given up at the latest. */
  deadlineAt: instant,
  /** Who wanted it; null for one that a service began by itself, and when the person is gone. */
  createdBy: z.nullable(z.object({ _id: id, firstname: z.string(), lastname: z.string() })),
  /** Counts all changes of the task, from 1. */
  revision: z.number(),
})
export type Task = z.infer<typeof task>

/** What `task:state` tells of a task that goes on. */
export const taskUpdate = z.object({
  _id: id,
  state: taskState,
  revision: z.number(),
  /** Told once somebody has begun. */
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

/** What everybody who sees the project may ask, and who may end a task: its creator, the project's owner, root. */
export const taskEndpoints = {
  list: endpoint('GET', tasksPath, {
    summary:
      'The tasks of a project that are not archived, newest first. Search knows title, type, kind, state and user.',
    query: z.strictObject({
      ...pageQuery.shape,
      /** Only those that go on, or those that have ended. */
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
  archive: endpoint('DELETE', `${tasksPath}/:taskId`, {
    summary: 'Takes a task that has ended off the list.',
    reply: done,
    errors: [...seen, 'FORBIDDEN', 'TASK_RUNS'],
  }),
  archiveEnded: endpoint('DELETE', tasksPath, {
    summary: 'Takes all tasks that have ended off the list, as far as the caller may.',
    reply: done,
    errors: [...seen],
  }),
  mine: endpoint('GET', '/tasks', {
    summary: 'The tasks of all projects that the caller sees, newest first.',
    query: z.strictObject({
      ...pageQuery.shape,
      state: z.optional(z.enum(['open', 'ended'])),
      /** Only those that the caller began. */
      own: z.optional(z.enum(['true'])),
    }),
    reply: pageOf(taskOfPerson),
    errors: ['UNAUTHENTICATED'],
  }),
}

const drivenTask = z.object({
  task,
  /** Goes with every call that drives the task: who shows an older one does not drive it any more. */
  fence: z.number(),
  /** Given with the task when somebody asked for it. */
  payload: z.unknown(),
  /** The lease ends this many milliseconds after the last call, and the task with it. */
  leaseFor: z.number(),
})

/** What a driver says of its task; what is left out stays. */
const report = {
  fence: z.number(),
  progress: z.optional(progress),
  info: z.optional(line),
}

/** How a driver learns what became of its task since: `aborted` and `ended` mean that it should stop. */
const driverAnswer = z.object({
  state: z.enum(['running', 'aborted', 'ended', 'lease-lost']),
})

/** What the service of an extension calls. It authenticates with `authorization: Bearer <task token of the project>`. */
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
      /** The person for whom it is done: its creator, who may abort it. */
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
    /** Of those that do not run any more. */
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
      /** What the file is called for people. */
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
  /** To the minute; null when it was never used. */
  lastUsedAt: z.nullable(instant),
})
export type TaskToken = z.infer<typeof taskToken>

/** Tokens with which services drive tasks of a project. For those who may edit the project. */
export const taskTokenEndpoints = {
  list: endpoint('GET', '/v2/projects/:projectId/ltt/tokens', {
    summary: 'The task tokens of a project, and the kinds of tasks that there can be one for.',
    reply: z.object({
      ...listOf(taskToken).shape,
      /** `{extension}/{kind}`: what the extensions of the project's products bring. */
      types: z.array(z.string()),
    }),
    errors: [...seen, 'FORBIDDEN'],
  }),
  create: endpoint('POST', '/v2/projects/:projectId/ltt/tokens', {
    summary: 'Makes a task token. It is shown this once.',
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
    }),
    reply: z.object({ ...taskToken.shape, token: z.string() }),
    errors: [...seen, 'FORBIDDEN', 'UNKNOWN_TASK_TYPE'],
  }),
  revoke: endpoint('DELETE', '/v2/projects/:projectId/ltt/tokens/:tokenId', {
    summary: 'Revokes a task token. Its next call is refused.',
    reply: done,
    errors: [...seen, 'FORBIDDEN'],
  }),
}
