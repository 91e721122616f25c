import {
  defaultConsoleColor,
  limits,
  type QueryOf,
  type Task,
  type TaskLogLine,
  type TaskOfPerson,
  type taskEndpoints,
} from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Page } from '#platform/database/page.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { Files } from '../files/file-store.ts'
import type { ProjectService } from '../projects/project.service.ts'
import {
  type ArchivedTask,
  createTaskRepository,
  type NewTask,
  type TaskPlace,
  type TaskRepository,
} from './task.repository.ts'
import { type TaskRow, taskOf, taskTopicOf } from './task.ts'
import { announceEnd, announceQueued, serverLease, type TaskEngine } from './task-engine.ts'

interface TaskServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  projects: Pick<ProjectService, 'read' | 'visibleCondition' | 'seenIds'>
  files: Pick<Files, 'release'>
  engine: Pick<TaskEngine, 'kindOf'>
}

/** What another room has done for somebody, or for itself. */
export interface TaskOrder {
  /** Of a kind that this server knows. */
  type: string
  projectId: string
  /** What people see. */
  title: string
  /** JSON; given to the run, and to the next one if the task begins anew. */
  payload: unknown
  /** Null for what the installation does by itself. */
  createdBy: string | null
}

/** Portions of old tasks that one sweep archives: some 50,000 tasks an hour. */
const archivingsAtOnce = 250

/** Adds a task unless there are too many, or the project is gone; tells whoever watches it. */
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

/** Tasks for people, and for the rooms that have something done. */
export function createTaskService(parts: TaskServiceParts) {
  const { db, events, audit, projects, files, engine } = parts
  const tasks = createTaskRepository(db)

  async function found(place: TaskPlace, from = tasks): Promise<TaskRow> {
    const row = await from.find(place)
    if (row === undefined) throw new AppError('NOT_FOUND')
    return row
  }

  /** DEC-26: root and the project's owner end all of its tasks. */
  async function endsAll(caller: Caller, projectId: string): Promise<boolean> {
    const { access } = await projects.read(caller, projectId)
    return access === 'owner' || access === 'root'
  }

  /** A task that the caller may end. */
  async function ended(caller: Caller, place: TaskPlace): Promise<TaskRow> {
    const mayAll = await endsAll(caller, place.projectId)
    const row = await found(place)
    if (!mayAll && row.creatorId !== caller.personId) throw new AppError('FORBIDDEN')
    return row
  }

  const record = (
    trx: Transaction<Database>,
    event: AuditEvent,
    place: TaskPlace,
    by: { personId: string; address: string } | null,
    detail: Record<string, unknown>,
  ) =>
    audit.within(trx).record({
      event,
      result: 'success',
      target: place.taskId,
      projectId: place.projectId,
      ...(by !== null && { actorId: by.personId, address: by.address }),
      detail,
    })

  /**
   * Archives tasks that have ended, some at once; answers how many. The audit log keeps what they were, and whose doing
   * it was; null for that of time.
   */
  function archive(
    by: { personId: string; address: string } | null,
    some: (from: TaskRepository) => Promise<ArchivedTask[]>,
  ): Promise<number> {
    return events.transaction(async (trx, emit) => {
      const archived = await some(createTaskRepository(trx))
      for (const task of archived) {
        const { id: taskId, project_id: projectId } = task
        await record(trx, 'task.archived', { projectId, taskId }, by, remembered(task))
        await emit({ topic: taskTopicOf(projectId), name: 'task:archived', data: { _id: taskId } })
      }
      const results = archived.flatMap(({ file_id }) => file_id ?? [])
      if (results.length > 0) await files.release(trx, results)
      return archived.length
    })
  }

  return {
    /** Has a task begin, on whatever node, once the transaction has committed. Throws TOO_MANY_TASKS and NOT_FOUND. */
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

    /** A task as it is now, for a room that knows its id; undefined when it was archived. */
    async taskOf(taskId: string): Promise<Task | undefined> {
      const [row] = await tasks.findAll([taskId])
      return row && taskOf(row)
    },

    /** Those of one project. Throws NOT_FOUND for somebody who does not see it. */
    async list(
      caller: Caller,
      projectId: string,
      query: QueryOf<typeof taskEndpoints.list>,
    ): Promise<Page<Task>> {
      const isSeen = projects.visibleCondition(caller, projectId)
      const page = await tasks.ofProject({ projectId, isSeen }, query, taskOf)
      if (page === undefined) throw new AppError('NOT_FOUND')
      return page
    },

    /** Those of all projects that somebody sees. */
    async mine(caller: Caller, query: QueryOf<typeof taskEndpoints.mine>): Promise<Page<TaskOfPerson>> {
      const createdBy = query.own === 'true' ? caller.personId : undefined
      const projectIds = await projects.seenIds(caller)
      return tasks.list({ projectIds, createdBy }, query, (row) => ({
        ...taskOf(row),
        projectLabel: row.projectLabel,
        projectColor: row.projectColor ?? defaultConsoleColor,
        mayEnd: caller.isRoot || [row.projectOwner, row.creatorId].includes(caller.personId),
      }))
    },

    read: async (place: TaskPlace): Promise<Task> => taskOf(await found(place)),

    async log(place: TaskPlace): Promise<TaskLogLine[]> {
      await found(place)
      const lines = await tasks.logOf(place.taskId)
      return lines.map(({ at, line }) => ({ at: at.toISOString(), line }))
    },

    async abort(caller: Caller, place: TaskPlace, address: string): Promise<Task> {
      const { title, type } = await ended(caller, place)
      return events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const isAborted = await within.end({ taskId: place.taskId }, { state: 'aborted' })
        if (!isAborted) throw new AppError('TASK_ENDED')
        await record(trx, 'task.aborted', place, { personId: caller.personId, address }, { title, type })
        const [task] = await announceEnd(within, emit, [place.taskId])
        if (task === undefined) throw new AppError('NOT_FOUND')
        return task
      })
    },

    async archive(caller: Caller, place: TaskPlace, address: string): Promise<void> {
      const { fulfilled_at } = await ended(caller, place)
      if (fulfilled_at === null) throw new AppError('TASK_RUNS')
      const { projectId, taskId } = place
      const by = { personId: caller.personId, address }
      const count = await archive(by, (from) => from.archive(projectId, { taskId }))
      if (count === 0) throw new AppError('NOT_FOUND')
    },

    /** Of all that have ended, those that the caller may end. */
    async archiveEnded(caller: Caller, projectId: string, address: string): Promise<void> {
      const mayAll = await endsAll(caller, projectId)
      const which = mayAll ? {} : { createdBy: caller.personId }
      const by = { personId: caller.personId, address }
      while ((await archive(by, (from) => from.archive(projectId, which))) > 0);
    },

    /** Archives what ended long ago; what is more than can be done in a minute or two waits for the next time. */
    async archiveLeft(): Promise<void> {
      for (let times = 0; times < archivingsAtOnce; times += 1) {
        if ((await archive(null, (from) => from.archiveLeft())) === 0) return
      }
    },
  }
}
export type TaskService = ReturnType<typeof createTaskService>

/** What the audit log keeps of an archived task. */
const remembered = (task: ArchivedTask) => ({
  title: task.title,
  type: task.type,
  kind: task.kind,
  end: task.state,
  createdAt: task.created_at.toISOString(),
  fulfilledAt: task.fulfilled_at.toISOString(),
  createdBy: task.created_by,
  ...(task.error !== null && { error: task.error }),
})
