import {
  defaultConsoleColor,
  limits,
  type QueryOf,
  type ReplyOf,
  type Task,
  type TaskLogLine,
  type taskEndpoints,
} from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Page } from '#platform/database/page.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { Files } from '../files/file-store.ts'
import type { ProjectService } from '../projects/project.service.ts'
import { createFailedTasks } from './failed-tasks.ts'
import { createTaskRepository, type NewTask, type TaskPlace, type TaskRepository } from './task.repository.ts'
import { type TaskRow, taskOf, taskTopicOf } from './task.ts'
import { createTaskArchiving } from './task-archiving.ts'
import { announceEnd, announceQueued, serverLease, type TaskEngine } from './task-engine.ts'

interface TaskServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  projects: Pick<ProjectService, 'read' | 'visibleCondition' | 'seenIds'>
  files: Pick<Files, 'release' | 'withhold' | 'restore' | 'linksFor'>
  engine: Pick<TaskEngine, 'kindOf'>
  log: Log
}

/** How another room retries a failed task of its type. */
export interface RetryKind {
  /** Rejects callers who may not start such a task. */
  check(caller: Caller, projectId: string): Promise<unknown>
  /** Starts the task in the transaction that marks the failed one as retried. */
  order(trx: Transaction<Database>, emit: Emit, failed: RetryOrder): Promise<Task>
}

export interface RetryOrder extends TaskPlace {
  title: string
  /** As stored by the room of the task. */
  payload: unknown
  caller: Caller
  address: string
}

/** A task that another room orders for a user or for the installation. */
export interface TaskOrder {
  /** A kind that this server knows. */
  type: string
  projectId: string
  /** The user-visible title. */
  title: string
  /** JSON for the run, and for the next run if the task restarts. */
  payload: unknown
  /** Milliseconds in which the task can be retried after it failed: as long as its inputs exist. */
  retryFor?: number
  /** Null for tasks of the installation itself. */
  createdBy: string | null
}

/** Minimum lifetime of a link to a result in milliseconds: DEC-49. */
const linkLifetime = 600_000

/** Adds a task and publishes it. Throws if the project was deleted or has too many open tasks. */
export async function addTask(
  tasks: TaskRepository,
  emit: Emit,
  task: NewTask,
  open: number,
): Promise<TaskRow> {
  if (open >= limits.openTasksMax) throw new AppError('TOO_MANY_TASKS')
  const id = await tasks.add(task)
  const [row] = await tasks.findAll([id])
  if (row === undefined) throw new AppError('NOT_FOUND')
  await emit({ topic: taskTopicOf(task.projectId), name: 'task:created', data: { task: taskOf(row) } })
  return row
}

/** Tasks for users, and for rooms that order work. */
export function createTaskService(parts: TaskServiceParts) {
  const { db, events, audit, projects, files, engine, log } = parts
  const tasks = createTaskRepository(db)

  async function found(place: TaskPlace, from = tasks): Promise<TaskRow> {
    const row = await from.find(place)
    if (row === undefined) throw new AppError('NOT_FOUND')
    return row
  }

  /** Adds links to the files of tasks that the caller may read. */
  async function withLinks<Of extends Task>(
    caller: Caller,
    rows: readonly { task: Of; fileId: string | null }[],
  ): Promise<Of[]> {
    const links = await files.linksFor(
      caller,
      rows.flatMap(({ fileId }) => fileId ?? []),
      linkLifetime,
    )
    return rows.map(({ task, fileId }) => {
      const fileUrl = links.get(fileId ?? '')
      return fileUrl === undefined ? task : { ...task, state: { ...task.state, fileUrl } }
    })
  }

  /** Returns whether the caller may end all tasks of a project: root and its owner (DEC-26). */
  async function endsAll(caller: Caller, projectId: string): Promise<boolean> {
    const { access } = await projects.read(caller, projectId)
    return access === 'owner' || access === 'root'
  }

  /** Returns a task that the caller may end. */
  async function ended(caller: Caller, place: TaskPlace): Promise<TaskRow> {
    const mayAll = await endsAll(caller, place.projectId)
    const row = await found(place)
    if (!mayAll && row.creatorId !== caller.personId) throw new AppError('FORBIDDEN')
    return row
  }

  async function read(caller: Caller, place: TaskPlace): Promise<Task> {
    const row = await found(place)
    const task = taskOf(row)
    const [linked = task] = await withLinks(caller, [{ task, fileId: row.file_id }])
    return linked
  }

  const rowOf = (
    event: AuditEvent,
    { projectId, taskId }: TaskPlace,
    by: { personId: string; address: string },
    detail: Record<string, unknown>,
  ) => ({
    event,
    result: 'success' as const,
    target: taskId,
    projectId,
    actorId: by.personId,
    address: by.address,
    detail,
  })

  const archiving = createTaskArchiving({
    db,
    events,
    audit,
    files,
    log,
    whose: async (caller, projectId) =>
      (await endsAll(caller, projectId)) ? {} : { createdBy: caller.personId },
  })

  return {
    failed: createFailedTasks(db),

    /** The newest running tasks of a project for its home. The caller may see the project. */
    running: (projectId: string): Promise<Page<Task>> =>
      tasks.list({ projectIds: [projectId] }, { state: 'open', limit: '20' }, taskOf),

    /** Adds a task that starts on any node after the commit. Throws TOO_MANY_TASKS and NOT_FOUND. */
    async start(trx: Transaction<Database>, emit: Emit, order: TaskOrder): Promise<Task> {
      const kind = engine.kindOf(order.type)
      if (kind === undefined) throw new Error(`There is no kind of task ${order.type}`)
      const within = createTaskRepository(trx)
      const project = await within.holdProject(order.projectId)
      if (project === undefined) throw new AppError('NOT_FOUND')
      const { kind: shown, deadline, canRestart } = kind
      const task = { ...order, kind: shown, deadline, canRestart, leaseFor: serverLease }
      const row = await addTask(within, emit, task, project.open)
      await announceQueued(emit)
      return taskOf(row)
    },

    /** Returns the current state of a task to a room; undefined if it was archived. */
    async taskOf(taskId: string): Promise<Task | undefined> {
      const [row] = await tasks.findAll([taskId])
      return row && taskOf(row)
    },

    /** Lists the tasks of one project. Throws NOT_FOUND if the caller may not see it. */
    async list(
      caller: Caller,
      projectId: string,
      query: QueryOf<typeof taskEndpoints.list>,
    ): Promise<Page<Task>> {
      const isSeen = projects.visibleCondition(caller, projectId)
      const page = await tasks.ofProject({ projectId, isSeen }, query, (row) => ({
        task: taskOf(row),
        fileId: row.file_id,
      }))
      if (page === undefined) throw new AppError('NOT_FOUND')
      return { ...page, items: await withLinks(caller, page.items) }
    },

    /** Lists the tasks of all projects that the caller may see. */
    async mine(
      caller: Caller,
      query: QueryOf<typeof taskEndpoints.mine>,
    ): Promise<ReplyOf<typeof taskEndpoints.mine>> {
      const createdBy = query.own === 'true' ? caller.personId : undefined
      const projectIds = await projects.seenIds(caller)
      const page = await tasks.list({ projectIds, createdBy }, query, (row) => ({
        task: {
          ...taskOf(row),
          projectLabel: row.projectLabel,
          projectColor: row.projectColor ?? defaultConsoleColor,
          mayEnd: caller.isRoot || [row.projectOwner, row.creatorId].includes(caller.personId),
        },
        fileId: row.file_id,
      }))
      return { ...page, items: await withLinks(caller, page.items) }
    },

    read,

    async log(place: TaskPlace): Promise<TaskLogLine[]> {
      await found(place)
      const lines = await tasks.logOf(place.taskId)
      return lines.map(({ at, line, message }) => ({
        at: at.toISOString(),
        line,
        ...(message !== null && { message }),
      }))
    },

    async abort(caller: Caller, place: TaskPlace, address: string): Promise<Task> {
      const { title, type } = await ended(caller, place)
      return events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const isAborted = await within.end({ taskId: place.taskId }, { state: 'aborted' })
        if (!isAborted) throw new AppError('TASK_ENDED')
        const by = { personId: caller.personId, address }
        await audit.within(trx).record(rowOf('task.aborted', place, by, { title, type }))
        const [task] = await announceEnd(within, emit, [place.taskId])
        if (task === undefined) throw new AppError('NOT_FOUND')
        return task
      })
    },

    /**
     * Starts a failed task again, as a task of the caller. Of concurrent calls, the first one starts it, and all return
     * the same task. Throws TASK_CANNOT_RETRY if it has not failed or its inputs no longer exist.
     */
    async retry(
      caller: Caller,
      place: TaskPlace,
      { address, kinds }: { address: string; kinds: ReadonlyMap<string, RetryKind> },
    ): Promise<Task> {
      const { type, title } = await found(place)
      const kind = kinds.get(type)
      if (kind === undefined) throw new AppError('TASK_CANNOT_RETRY')
      await kind.check(caller, place.projectId)
      return events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const failed = await within.lockFailed(place)
        if (failed === undefined) throw new AppError('NOT_FOUND')
        const { payload, canRetry, retryId } = failed
        if (retryId !== null) {
          const [row] = await within.findAll([retryId])
          if (row === undefined) throw new AppError('NOT_FOUND')
          return taskOf(row)
        }
        if (!canRetry) throw new AppError('TASK_CANNOT_RETRY')
        const task = await kind.order(trx, emit, { ...place, title, payload, caller, address })
        await within.setRetry(place.taskId, task._id)
        const [repeated] = await within.findAll([place.taskId])
        if (repeated !== undefined)
          await emit({
            topic: taskTopicOf(place.projectId),
            name: 'task:retried',
            data: { task: taskOf(repeated) },
          })
        const by = { personId: caller.personId, address }
        await audit.within(trx).record(rowOf('task.retried', place, by, { title, type, task: task._id }))
        return task
      })
    },

    async archive(caller: Caller, place: TaskPlace, address: string): Promise<void> {
      const { fulfilled_at } = await ended(caller, place)
      if (fulfilled_at === null) throw new AppError('TASK_RUNS')
      await archiving.archive(caller, place, address)
    },

    archiveEnded: archiving.archiveEnded,

    async restore(caller: Caller, place: TaskPlace, address: string): Promise<Task> {
      await archiving.restore(caller, place, address)
      return read(caller, place)
    },

    restoreEnded: archiving.restoreEnded,
    archiveLeft: archiving.archiveLeft,
    sweepArchivings: archiving.sweepArchivings,
  }
}
export type TaskService = ReturnType<typeof createTaskService>
