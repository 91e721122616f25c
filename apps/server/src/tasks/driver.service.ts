import { type BodyOf, limits, type ReplyOf, type Task, type taskDriverEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { Files } from '../files/file-store.ts'
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
  files: Pick<Files, 'claim'>
  projects: Pick<ProjectService, 'readersOf'>
  products: Pick<ProductRegistry, 'taskTypesOf'>
}

type Body<Name extends keyof typeof taskDriverEndpoints> = BodyOf<(typeof taskDriverEndpoints)[Name]>
type DriverState = ReplyOf<typeof taskDriverEndpoints.report>['state']
type Standing = Pick<TaskRow, 'type' | 'state' | 'fence'>

/** A service has more to do than to report, and its network is not ours. Within a minute it is known to be lost. */
const serviceLease = 45_000

/** Seconds, when the service does not say. */
const usualDeadline = 3600

/** What services do with tasks of a project; see `taskDriverEndpoints` of the contract. */
export function createDriverService(parts: DriverServiceParts) {
  const { db, events, reports, files, projects, products } = parts
  const tasks = createTaskRepository(db)

  /** A task that the driver's token is good for. */
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

  /** Writes down what is said of a task that goes on, and says how it stands. */
  async function say(
    driver: TaskDriver,
    place: TaskPlace,
    fence: number,
    report: Report,
  ): Promise<{ state: DriverState }> {
    const state = stateFor(fence, await standing(driver, place))
    if (state === 'running') reports.add({ taskId: place.taskId, fence }, report)
    return { state }
  }

  /** The end of a task by who drives it, together with what was reported and not written yet. */
  async function end(
    driver: TaskDriver,
    place: TaskPlace,
    fence: number,
    outcome: Outcome & { upload?: { filename: string; name: string | undefined } | undefined },
  ): Promise<Task> {
    refuseStopped(stateFor(fence, await standing(driver, place)))
    const { projectId, taskId } = place
    const drive = { taskId, fence }
    const { progress, info, lines = [] } = await reports.take(drive)
    const said = { progress, info: info && lineOf(info), ...outcome }
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
        const result = file && { id: file.id, name: lineOf(upload?.name ?? file.name) }
        if (lines.length > 0)
          await within.log(
            lines.map((line) => ({ ...drive, line: lineOf(line) })),
            limits.taskLogLines,
          )
        if (!(await within.end(drive, { ...said, file: result }))) {
          refuseStopped(stateFor(fence, await standing(driver, place, within)))
          throw new AppError('TASK_ENDED')
        }
        const [task] = await announceEnd(within, emit, [taskId])
        if (task === undefined) throw new AppError('NOT_FOUND')
        return task
      })
    } catch (error) {
      // The task may go on, with what was said of it.
      reports.add(drive, { progress, info, lines })
      throw error
    }
  }

  const seesProject = async (projectId: string, personId: string): Promise<boolean> =>
    (await projects.readersOf(projectId, [personId])).includes(personId)

  return {
    /** Sent again with its key it answers the task of the first time. */
    async create(
      driver: TaskDriver,
      { type, kind, title, deadline = usualDeadline, createdBy }: Body<'create'>,
      repeatKey: string | undefined,
    ): Promise<ReplyOf<typeof taskDriverEndpoints.create>> {
      const { projectId, tokenId, types } = driver
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
        if (before !== undefined) return (await within.findAll([before]))[0]
        if (!products.taskTypesOf(project.products).includes(type)) throw new AppError('UNKNOWN_TASK_TYPE')
        const task = {
          projectId,
          type,
          kind,
          title,
          createdBy: createdBy ?? null,
          tokenId,
          repeatKey,
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
      say(driver, place, fence, { progress, info }),

    appendLog: (driver: TaskDriver, place: TaskPlace, { fence, lines }: Body<'appendLog'>) =>
      say(driver, place, fence, { lines }),

    /** The hot path: one question for all of them, and no write before the next flush. */
    async reportAll(
      driver: TaskDriver,
      { tasks: said }: Body<'reportAll'>,
    ): Promise<ReplyOf<typeof taskDriverEndpoints.reportAll>> {
      const ids = said.map(({ _id }) => _id)
      const known = new Map((await tasks.standings(driver.projectId, ids)).map((row) => [row.id, row]))
      if ([...known.values()].some(({ type }) => !isOfTypes(type, driver.types)))
        throw new AppError('FORBIDDEN')
      const stopped: { _id: string; state: Exclude<DriverState, 'running'> }[] = []
      for (const { _id, fence, progress, info } of said) {
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
