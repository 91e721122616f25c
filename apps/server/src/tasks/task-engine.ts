import { setTimeout as delay } from 'node:timers/promises'
import { limits, type Task, taskMessageOf } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import { isTransient } from '#platform/transient.ts'
import type { Files } from '../files/file-store.ts'
import type { Report, Reports } from './reports.ts'
import {
  type ClaimedTask,
  createTaskRepository,
  type Drive,
  type Outcome,
  type TaskRepository,
} from './task.repository.ts'
import { lineOf, taskOf, taskTopicOf, updateOf } from './task.ts'
import type { TaskKind, TaskResult, TaskWork } from './task-kind.ts'
import { messageOfRefusal } from './task-refusal.ts'

interface TaskEngineParts {
  db: Db
  events: Events
  files: Pick<Files, 'release'>
  reports: Reports
  clock: Pick<Clock, 'noteDatabase' | 'onStep' | 'hasStepped'>
  kinds: readonly TaskKind[]
  log: Log
}

/** One run of a task on this node. */
interface Run {
  kind: TaskKind
  task: ClaimedTask
  stopping: AbortController
  /** Resolves when the run has finished its clean-up. */
  done: Promise<void>
}

/** The topic that announces queued tasks to all nodes. */
const queueTopic = 'task-queue'

/** Lease duration; after this a node is considered dead. */
export const serverLease = 15_000

const beatInterval = 5000
const checkInterval = 2000

/** How long a run may continue after its signal fired. Its writes no longer count. */
const patience = 5000

/** How long graceful shutdown waits for the runs. */
const stopTimeout = 3000

const retryInterval = 1000

/** Announces a queued task to all nodes, in the transaction that queues it. */
export const announceQueued = (emit: Emit): Promise<void> =>
  emit({ topic: queueTopic, name: 'queued', data: {} })

/** Publishes the end of tasks to the subscribers of their projects, and returns the tasks. Two statements in all. */
export async function announceEnd(
  tasks: TaskRepository,
  emit: Emit,
  taskIds: readonly string[],
): Promise<Task[]> {
  const ended = taskIds.length === 0 ? [] : (await tasks.findAll(taskIds)).map(taskOf)
  await emit(
    ...ended.map((task) => ({ topic: taskTopicOf(task.project), name: 'task:fulfilled', data: { task } })),
  )
  return ended
}

/**
 * Runs the server's own kinds of tasks. Each node claims queued tasks, renews their leases, and takes over tasks whose
 * lease has expired. The database and its clock decide: the fence rejects the writes of a node that was frozen or
 * disconnected.
 */
export function createTaskEngine({ db, events, files, reports, clock, kinds, log }: TaskEngineParts) {
  const byType = new Map(kinds.map((kind) => [kind.type, kind]))
  const tasks = createTaskRepository(db)
  const runs = new Map<string, Run>()
  const timers: NodeJS.Timeout[] = []
  let isStopping = false
  let claiming: Promise<void> | undefined
  let isClaimDue = false
  let isLooking = false
  /** Claims whose COMMIT had no answer. */
  let unanswered: Drive[] = []
  /** Leases to renew: at the start those of services, after a database outage or a step of its clock all. */
  let unrenewed: 'all' | 'services' | undefined = 'services'

  clock.onStep(({ whose }) => {
    if (whose === 'database') unrenewed = 'all'
  })

  events.listen(({ topic, name, data }) => {
    if (topic === queueTopic) claimSoon()
    if (name !== 'task:fulfilled') return
    const { _id } = data['task'] as { _id: string }
    runs.get(_id)?.stopping.abort()
  })

  /** Runs one claim at a time. A call during a claim causes one further claim. */
  function claimSoon(): void {
    if (kinds.length === 0) return
    isClaimDue = true
    claiming ??= asWork('tasks', claimWhileDue)
  }

  async function claimWhileDue(): Promise<void> {
    while (isClaimDue) {
      isClaimDue = false
      try {
        await claimAll()
      } catch (err) {
        log.warn({ err }, 'queued tasks could not be claimed')
      }
    }
    claiming = undefined
  }

  /** Returns how many more tasks of a kind this node may run. */
  const roomFor = (kind: TaskKind): number =>
    isStopping ? 0 : kind.concurrency - [...runs.values()].filter((run) => run.kind === kind).length

  /** Checks all kinds in one query, because usually no task is queued. */
  async function claimAll(): Promise<void> {
    const free = kinds.filter((kind) => roomFor(kind) > 0)
    if (free.length === 0) return
    await releaseUnanswered()
    const waiting = new Set(await tasks.waiting(free.map(({ type }) => type)))
    for (const kind of free) if (waiting.has(kind.type)) await claim(kind)
  }

  async function releaseUnanswered(within = tasks): Promise<void> {
    if (unanswered.length === 0) return
    await within.unclaim(unanswered)
    unanswered = []
  }

  async function claim(kind: TaskKind): Promise<void> {
    const room = roomFor(kind)
    if (room <= 0) return
    let taken: Drive[] = []
    const answer = events.transaction(async (trx, emit) => {
      const rows = await createTaskRepository(trx).claim(kind.type, room)
      taken = rows.map(({ id, fence }) => ({ taskId: id, fence }))
      await emit(
        ...rows.map((row) => ({
          topic: taskTopicOf(row.project_id),
          name: 'task:state',
          data: { tasks: [updateOf(row)] },
        })),
      )
      return rows
    })
    const claimed = await answer.catch((error: unknown) => {
      unanswered.push(...taken)
      throw error
    })
    for (const task of claimed) {
      // Stops an earlier local run of the task, whose lease this node lost without noticing.
      runs.get(task.id)?.stopping.abort()
      const run: Run = { kind, task, stopping: new AbortController(), done: Promise.resolve() }
      runs.set(task.id, run)
      run.done = asWork(`task ${kind.type}`, () => perform(run))
        .catch((err: unknown) => log.error({ err }, 'a task could not be run'))
        .finally(() => {
          if (runs.get(task.id) === run) runs.delete(task.id)
          claimSoon()
        })
    }
  }

  async function perform({ kind, task, stopping: { signal } }: Run): Promise<void> {
    const drive = { taskId: task.id, fence: task.fence }
    const report = (next: Report) => {
      if (!signal.aborted) reports.add(drive, next)
    }
    const begun = begin(kind, task, signal, report)
    const outcome = await Promise.race([
      begun.then(outcomeOf, (error: unknown) =>
        kind.canRestart && isTransient(error) ? ('retry' as const) : refusalOf(error, signal),
      ),
      givenUp(signal),
    ])
    if (outcome === 'retry') return postpone(drive, signal)
    if (outcome === undefined)
      log.warn({ type: kind.type }, 'a task continues although its signal was aborted')
    if (outcome !== undefined && (await endWhenAnswered(drive, outcome, signal))) return
    // Discard a result that arrives after the task has ended otherwise.
    void begun.then(discard, () => {})
  }

  /** Releases a task for a later attempt: the database or the file store did not answer. */
  async function postpone(drive: Drive, signal: AbortSignal): Promise<void> {
    const { lines = [] } = await reports.take(drive)
    const added = [...lines, taskMessageOf('postponed')].map((line) => ({ ...drive, line }))
    await writeWithRetries(signal, () =>
      events.transaction(async (trx) => {
        const within = createTaskRepository(trx)
        await within.log(added, limits.taskLogLines)
        await within.postpone(drive)
      }),
    )
  }

  /** Repeats a write after any error. Returns undefined once the signal fires. */
  async function writeWithRetries<Result>(
    signal: AbortSignal,
    write: () => Promise<Result>,
  ): Promise<Result | undefined> {
    while (!signal.aborted) {
      try {
        return await write()
      } catch (err) {
        log.warn({ err }, 'the state of a task could not be written')
        await delay(retryInterval, undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }

  const begin = async (
    kind: TaskKind,
    task: ClaimedTask,
    signal: AbortSignal,
    report: (report: Report) => void,
  ): Promise<TaskResult> => {
    const work: TaskWork<unknown> = {
      taskId: task.id,
      projectId: task.project_id,
      createdBy: task.created_by,
      payload: task.payload,
      signal,
      progress: (done, total) => {
        if (Number.isFinite(done) && Number.isFinite(total)) report({ progress: [done, total] })
      },
      info: (line) => report({ info: line }),
      log: (line) => report({ lines: [line] }),
    }
    await kind.check(work)
    const result = await kind.run(work)
    if (result.file === undefined) return result
    try {
      await kind.check(work)
    } catch (error) {
      await discard(result)
      throw error
    }
    return result
  }

  const outcomeOf = ({ info, warning, file }: TaskResult): Outcome => ({
    state: 'finished',
    info,
    error: warning ?? null,
    file: file === undefined ? undefined : { id: file.id, name: lineOf(file.name) },
  })

  /** Users read the message of an AppError. Any other fault they see only as a rejected task. */
  function refusalOf(error: unknown, { aborted }: AbortSignal): Outcome {
    if (error instanceof AppError) return { state: 'rejected', error: messageOfRefusal(error) }
    if (!aborted) log.error({ err: error }, 'a task failed')
    return { state: 'rejected', error: null }
  }

  /**
   * Writes the end of a task as soon as the database answers. Returns whether this run ended it; false if the task was
   * aborted or another node drives it now.
   */
  async function endWhenAnswered(drive: Drive, outcome: Outcome, signal: AbortSignal): Promise<boolean> {
    const { lines = [], progress, info } = await reports.take(drive)
    const isEnd = await writeWithRetries(signal, () =>
      events.transaction(async (trx, emit) => {
        const within = createTaskRepository(trx)
        const added = lines.map((line) => ({ ...drive, line }))
        if (added.length > 0) await within.log(added, limits.taskLogLines)
        const end = { ...outcome, progress, info: outcome.info ?? info }
        if (await within.end(drive, end)) {
          await announceEnd(within, emit, [drive.taskId])
          return true
        }
        return isEndedBy(drive.taskId, outcome, within)
      }),
    )
    // Without an answer the file remains. If the task has ended otherwise, the file expires.
    return isEnd ?? isEndedBy(drive.taskId, outcome).catch(() => true)
  }

  /** Returns whether the task already has this result, because an earlier COMMIT succeeded without an answer. */
  async function isEndedBy(taskId: string, { file }: Outcome, from = tasks): Promise<boolean> {
    const [row] = await from.findAll([taskId])
    return row?.state === 'finished' && file !== undefined && row.file_id === file.id
  }

  /** Releases the result of a run whose task has ended otherwise. */
  async function discard({ file }: TaskResult): Promise<void> {
    if (file === undefined) return
    try {
      await events.transaction((trx) => files.release(trx, [file.id]))
    } catch (err) {
      log.warn({ err }, 'the result of a stopped task could not be released')
    }
  }

  /** Renews the leases of the local runs, and stops runs whose lease is lost. */
  async function beat(): Promise<void> {
    const present = [...runs.values()]
    if (present.length === 0) return
    const drives = present.map(({ task }) => ({ taskId: task.id, fence: task.fence }))
    const kept = new Set(await tasks.beat(drives))
    for (const { task, stopping } of present) if (!kept.has(task.id)) stopping.abort()
  }

  /** Ends overdue tasks and queues lost ones again. */
  async function endOrRequeueLost(): Promise<void> {
    const from = performance.now()
    const { isAny, at } = await tasks.findLost()
    clock.noteDatabase(at, from)
    // After a step the leases belong to another clock, so the next check renews them first.
    if (!isAny || unrenewed !== undefined) return
    await events.transaction(async (trx, emit) => {
      const within = createTaskRepository(trx)
      await announceEnd(within, emit, await within.endLost({ isOverdueToo: !clock.hasStepped() }))
      if ((await within.restartLost()) > 0) await announceQueued(emit)
    })
  }

  let beatenAt = 0
  /** Renews its own leases first, because after a database outage a node must not treat its own tasks as lost. */
  async function tick(): Promise<void> {
    if (isLooking || isStopping) return
    isLooking = true
    try {
      if (performance.now() - beatenAt >= beatInterval - checkInterval / 2) {
        await beat()
        beatenAt = performance.now()
      }
      if (unrenewed !== undefined) await tasks.renewLeases(unrenewed)
      unrenewed = undefined
      await endOrRequeueLost()
      claimSoon()
    } catch (err) {
      unrenewed = 'all'
      log.warn({ err }, 'leases could not be renewed')
    } finally {
      isLooking = false
    }
  }

  return {
    kindOf: (type: string): TaskKind | undefined => byType.get(type),
    types: (): string[] => [...byType.keys()],

    start(): void {
      const tickSoon = () => void asWork('tasks', tick)
      timers.push(setInterval(tickSoon, checkInterval))
      tickSoon()
    },

    /** Releases restartable tasks for other nodes, ends the rest, and waits briefly for the runs to clean up. */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await claiming
      const present = [...runs.values()]
      if (present.length === 0 && unanswered.length === 0) return
      const drives = present.map(({ task }) => ({ taskId: task.id, fence: task.fence }))
      for (const { stopping } of present) stopping.abort()
      try {
        await events.transaction(async (trx, emit) => {
          const within = createTaskRepository(trx)
          await releaseUnanswered(within)
          if ((await within.requeue(drives)) > 0) await announceQueued(emit)
          for (const drive of drives) {
            if (await within.end(drive, { state: 'timed-out' }))
              await announceEnd(within, emit, [drive.taskId])
          }
        })
      } catch (err) {
        log.warn({ err }, 'the tasks of this node could not be released')
      }
      const ended = Promise.all(present.map(({ done }) => done))
      await Promise.race([ended, delay(stopTimeout, undefined, { ref: false })])
    },
  }
}
export type TaskEngine = ReturnType<typeof createTaskEngine>

/** Resolves some time after the signal. */
async function givenUp(signal: AbortSignal): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await delay(patience, undefined, { ref: false })
  return undefined
}
