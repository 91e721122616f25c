import { type BodyOf, limits, type ReplyOf, type Task, type taskDriverEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { checkReplay, hashBody } from '#platform/database/idempotency.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { Files } from '../files/file-store.ts'
import type { PeopleService } from '../people/people.service.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { Report, Reports } from './reports.ts'
import { createTaskRepository, type Outcome, type TaskPlace } from './task.repository.ts'
import { addTask } from './task.service.ts'
import { lineOf, type TaskRow, taskOf } from './task.ts'
import { announceEnd } from './task-engine.ts'
import type { TaskDriver } from './tokens/task-driver.ts'
import { isOfTypes } from './tokens/task-types.ts'

interface DriverServiceParts {
  db: Kysely<Database>
  events: Events
  reports: Reports
  files: Pick<Files, 'claim' | 'find'>
  people: Pick<PeopleService, 'findById'>
  projects: Pick<ProjectService, 'readersOf'>
  products: Pick<ProductRegistry, 'taskTypesOf'>
}

type Body<Name extends keyof typeof taskDriverEndpoints> = BodyOf<(typeof taskDriverEndpoints)[Name]>
type DriverState = ReplyOf<typeof taskDriverEndpoints.report>['state']
type DriverOutcome = Outcome & { upload?: { filename: string; name: string | undefined } }
type Standing = Pick<TaskRow, 'type' | 'state' | 'fence'>

/** Longer than the server's own lease, for slow networks. A dead service is detected within a minute. */
const serviceLease = 45_000

/** Default deadline in seconds. */
const usualDeadline = 3600

/** Services leave these places of a project's open tasks to its users, for exports and commands. */
const keptForUsers = 100

/** Handles the calls of services that drive tasks: `taskDriverEndpoints` of the contract. */
export function createDriverService(parts: DriverServiceParts) {
  const { db, events, reports, files, people, projects, products } = parts
  const tasks = createTaskRepository(db)

  /** Finds a task that the driver's token covers. */
  async function standing(
    driver: TaskDriver,
    { projectId, taskId }: TaskPlace,
    from = tasks,
  ): Promise<Standing> {
    const [row] = await from.standings(projectId, [taskId])
    if (row === undefined) throw new AppError('NOT_FOUND')
    if (!isOfTypes(row.type, driver.types)) throw new AppError('FORBIDDEN')
    return row
  }

  /** Records a report of a running task. Returns the state of the task. */
  async function addReport(
    driver: TaskDriver,
    place: TaskPlace,
    fence: number,
    report: Report,
  ): Promise<{ state: DriverState }> {
    const state = stateFor(fence, await standing(driver, place))
    if (state === 'running') reports.add({ taskId: place.taskId, fence }, report)
    return { state }
  }

  /** Returns the task if this driver has already ended it with the same result. */
  async function repeatedEnd(taskId: string, fence: number, given: DriverOutcome): Promise<Task | undefined> {
    const [row] = await tasks.findAll([taskId])
    if (row?.state !== given.state || row.fence !== fence) return undefined
    const file = row.file_id === null ? undefined : await files.find(row.file_id)
    const isSame =
      file?.filename === given.upload?.filename &&
      row.error === (given.error ?? null) &&
      (given.info === undefined || row.info === given.info)
    return isSame ? taskOf(row) : undefined
  }

  /**
   * Ends a task for its driver, with its latest reports. A repeat with the same result changes and publishes nothing.
   */
  async function end(
    driver: TaskDriver,
    place: TaskPlace,
    fence: number,
    outcome: DriverOutcome,
  ): Promise<Task> {
    const { projectId, taskId } = place
    const state = stateFor(fence, await standing(driver, place))
    const before = state === 'ended' ? await repeatedEnd(taskId, fence, outcome) : undefined
    if (before !== undefined) return before
    refuseStopped(state)
    const drive = { taskId, fence }
    const { progress, info, lines = [] } = await reports.take(drive)
    const reported = { progress, info, ...outcome }
    try {
      return await events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const { upload } = outcome
        const file =
          upload &&
          (await files.claim(trx, {
            filename: upload.filename,
            projectId,
            personId: null,
            lifetime: limits.downloadLifetime,
          }))
        const result = file && { id: file.id, name: lineOf(upload?.name || file.name) }
        if (lines.length > 0)
          await within.log(
            lines.map((line) => ({ ...drive, line })),
            limits.taskLogLines,
          )
        if (!(await within.end(drive, { ...reported, file: result }))) {
          refuseStopped(stateFor(fence, await standing(driver, place, within)))
          throw new AppError('TASK_ENDED')
        }
        const [task] = await announceEnd(within, emit, [taskId])
        if (task === undefined) throw new AppError('NOT_FOUND')
        return task
      })
    } catch (error) {
      // Restore the reports, because the task may still be running.
      reports.add(drive, { progress, info, lines })
      // A concurrent repeat may have ended it.
      const repeated = await repeatedEnd(taskId, fence, outcome)
      if (repeated !== undefined) return repeated
      throw error
    }
  }

  /** Returns whether the person can sign in and sees the project. */
  const seesProject = async (projectId: string, personId: string): Promise<boolean> =>
    (await people.findById(personId))?.disabled_at === null &&
    (await projects.readersOf(projectId, [personId])).includes(personId)

  return {
    /** Idempotent create: a replay with the same key returns the first task. */
    async create(
      driver: TaskDriver,
      { type, kind, title, deadline = usualDeadline, createdBy }: Body<'create'>,
      repeatKey: string | undefined,
    ): Promise<ReplyOf<typeof taskDriverEndpoints.create>> {
      const { projectId, tokenId, types } = driver
      const repeatHash = hashBody({ type, kind, title, deadline, createdBy })
      if (!isOfTypes(type, types)) throw new AppError('FORBIDDEN')
      if (createdBy !== undefined && !(await seesProject(projectId, createdBy))) {
        const message = 'Must be a person who sees the project'
        throw new AppError('VALIDATION_FAILED', { issues: [{ path: ['createdBy'], message }] })
      }
      const row = await events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const project = await within.holdProject(projectId)
        if (project === undefined) throw new AppError('NOT_FOUND')
        const before = repeatKey === undefined ? undefined : await within.findRepeated(tokenId, repeatKey)
        if (before !== undefined) {
          checkReplay(before.repeat_hash, repeatHash)
          return (await within.findAll([before.id]))[0]
        }
        if (!products.taskTypesOf(project.products).includes(type)) throw new AppError('UNKNOWN_TASK_TYPE')
        if (project.open >= limits.openTasksMax - keptForUsers) throw new AppError('TOO_MANY_TASKS')
        const task = {
          projectId,
          type,
          kind,
          title,
          createdBy: createdBy ?? null,
          tokenId,
          repeatKey,
          repeatHash: repeatKey === undefined ? undefined : repeatHash,
          deadline: deadline * 1000,
          leaseFor: serviceLease,
          canRestart: false,
        }
        return addTask(within, emit, task, project.open)
      })
      if (row === undefined) throw new AppError('NOT_FOUND')
      return { task: taskOf(row), fence: row.fence, payload: null, leaseFor: serviceLease }
    },

    report: (driver: TaskDriver, place: TaskPlace, { fence, progress, info }: Body<'report'>) =>
      addReport(driver, place, fence, { progress, info }),

    appendLog: (driver: TaskDriver, place: TaskPlace, { fence, lines }: Body<'appendLog'>) =>
      addReport(driver, place, fence, { lines }),

    /** The hot path: one query for all tasks, and no write before the next flush. */
    async reportAll(
      driver: TaskDriver,
      { tasks: reported }: Body<'reportAll'>,
    ): Promise<ReplyOf<typeof taskDriverEndpoints.reportAll>> {
      const ids = reported.map(({ _id }) => _id)
      const known = new Map((await tasks.standings(driver.projectId, ids)).map((row) => [row.id, row]))
      if ([...known.values()].some(({ type }) => !isOfTypes(type, driver.types)))
        throw new AppError('FORBIDDEN')
      const stopped: { _id: string; state: Exclude<DriverState, 'running'> }[] = []
      for (const { _id, fence, progress, info } of reported) {
        const row = known.get(_id)
        const state = row === undefined ? 'ended' : stateFor(fence, row)
        if (state === 'running') reports.add({ taskId: _id, fence }, { progress, info })
        else stopped.push({ _id, state })
      }
      return { stopped }
    },

    fulfil: (driver: TaskDriver, place: TaskPlace, { fence, info, file, fileName }: Body<'fulfil'>) =>
      end(driver, place, fence, {
        state: 'finished',
        ...(info !== undefined && { info: lineOf(info) }),
        ...(file !== undefined && { upload: { filename: file, name: fileName } }),
      }),

    reject: (driver: TaskDriver, place: TaskPlace, { fence, error }: Body<'reject'>) =>
      end(driver, place, fence, { state: 'rejected', error: error === undefined ? null : lineOf(error) }),
  }
}
export type DriverService = ReturnType<typeof createDriverService>

function stateFor(fence: number, task: Standing): DriverState {
  if (task.state === 'aborted') return 'aborted'
  if (task.state !== 'running' && task.state !== 'queued') return 'ended'
  return task.state === 'running' && task.fence === fence ? 'running' : 'lease-lost'
}

function refuseStopped(state: DriverState): void {
  if (state === 'aborted' || state === 'ended') throw new AppError('TASK_ENDED')
  if (state === 'lease-lost') throw new AppError('TASK_LEASE_LOST')
}
