import { setTimeout as delay } from 'node:timers/promises'
import { limits, type Task } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { sentenceOf } from '#platform/http/error-messages.ts'
import { type Language, type Sentence, say } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { Files } from '../files/file-store.ts'
import type { Report, Reports } from './reports.ts'
import {
  type ClaimedTask,
  createTaskRepository,
  type Outcome,
  type TaskRepository,
} from './task.repository.ts'
import { lineOf, taskOf, taskTopicOf, updateOf } from './task.ts'
import type { TaskKind, TaskResult } from './task-kind.ts'

interface TaskEngineParts {
  db: Db
  events: Events
  files: Pick<Files, 'release'>
  reports: Reports
  kinds: readonly TaskKind[]
  /** What somebody wants to be told in. */
  languageOf: (personId: string) => Promise<Language>
  log: Log
}

/** One run of a task on this node. */
interface Run {
  kind: TaskKind
  task: ClaimedTask
  stopping: AbortController
  /** Resolves when nothing of it is left to do. */
  done: Promise<void>
}

/** On this topic all nodes hear that a task waits for one of them. */
const queueTopic = 'task-queue'

/** A node that says nothing for so long counts as lost. */
export const serverLease = 15_000

const beatInterval = 5000
const lookInterval = 2000

/** How long a run may go on after it was told to stop; what it does then counts no more. */
const patience = 5000

/** How long a stopping node waits for its runs to end. */
const stopTimeout = 3000

const retryInterval = 1000

/** Tells all nodes that a task waits, in the transaction that has it wait. */
export const announceQueued = (emit: Emit): Promise<void> =>
  emit({ topic: queueTopic, name: 'queued', data: {} })

/** Tells whoever watches the project that tasks have ended; answers them as they are now. */
export async function announceEnd(
  tasks: TaskRepository,
  emit: Emit,
  taskIds: readonly string[],
): Promise<Task[]> {
  const ended = taskIds.length === 0 ? [] : (await tasks.findAll(taskIds)).map(taskOf)
  for (const task of ended) {
    await emit({ topic: taskTopicOf(task.project), name: 'task:fulfilled', data: { task } })
  }
  return ended
}

/**
 * Runs what the server does itself. Each node takes tasks that wait, holds each by a lease that it keeps, and looks for
 * those that others have lost. All of that is decided by the database and its clock: a node that was frozen, or cut off,
 * finds that what it writes counts no more.
 */
export function createTaskEngine({ db, events, files, reports, kinds, languageOf, log }: TaskEngineParts) {
  const byType = new Map(kinds.map((kind) => [kind.type, kind]))
  const tasks = createTaskRepository(db)
  const runs = new Map<string, Run>()
  const timers: NodeJS.Timeout[] = []
  let isStopping = false
  let claiming: Promise<void> | undefined
  let isClaimDue = false
  let isLooking = false

  events.listen(({ topic, name, data }) => {
    if (topic === queueTopic) claimSoon()
    if (name !== 'task:fulfilled') return
    const { _id } = data['task'] as { _id: string }
    runs.get(_id)?.stopping.abort()
  })

  /** One claim at a time; whoever asks meanwhile causes one more. */
  function claimSoon(): void {
    if (kinds.length === 0) return
    isClaimDue = true
    claiming ??= claimWhileDue()
  }

  async function claimWhileDue(): Promise<void> {
    while (isClaimDue) {
      isClaimDue = false
      try {
        await claimAll()
      } catch (err) {
        log.warn({ err }, 'waiting tasks could not be taken')
      }
    }
    claiming = undefined
  }

  /** How many more tasks of a kind this node takes. */
  const roomFor = (kind: TaskKind): number =>
    isStopping ? 0 : kind.concurrency - [...runs.values()].filter((run) => run.kind === kind).length

  /** Asks for all kinds at once what waits: mostly nothing does. */
  async function claimAll(): Promise<void> {
    const free = kinds.filter((kind) => roomFor(kind) > 0)
    if (free.length === 0) return
    const waiting = new Set(await tasks.waiting(free.map(({ type }) => type)))
    for (const kind of free) if (waiting.has(kind.type)) await claim(kind)
  }

  async function claim(kind: TaskKind): Promise<void> {
    const room = roomFor(kind)
    if (room <= 0) return
    const claimed = await events.transaction(async (trx, emit) => {
      const rows = await createTaskRepository(trx).claim(kind.type, room)
      for (const row of rows) {
        const data = { tasks: [updateOf(row)] }
        await emit({ topic: taskTopicOf(row.project_id), name: 'task:state', data })
      }
      return rows
    })
    for (const task of claimed) {
      // An earlier run of it, that this node has lost and not noticed yet.
      runs.get(task.id)?.stopping.abort()
      const run: Run = { kind, task, stopping: new AbortController(), done: Promise.resolve() }
      runs.set(task.id, run)
      run.done = perform(run)
        .catch((err: unknown) => log.error({ err }, 'a task could not be run'))
        .finally(() => {
          if (runs.get(task.id) === run) runs.delete(task.id)
          claimSoon()
        })
    }
  }

  async function perform({ kind, task, stopping: { signal } }: Run): Promise<void> {
    const drive = { taskId: task.id, fence: task.fence }
    const report = (said: Report) => {
      if (!signal.aborted) reports.add(drive, said)
    }
    const language = await languageOfOrder(task)
    const begun = begin(kind, task, signal, { language, report })
    // Whatever comes of it after it was given up: its file is nobody's.
    const outcome = await Promise.race([
      begun.then(
        (result) => outcomeOf(result, language),
        (error: unknown) => refusalOf(error, signal, language),
      ),
      givenUp(signal),
    ])
    if (outcome === undefined) log.warn({ type: kind.type }, 'a task goes on although it was told to stop')
    if (outcome !== undefined && (await endInTheEnd(drive, outcome, signal))) return
    void begun.then(discard, () => {})
  }

  /** Nothing fails because this cannot be asked. */
  async function languageOfOrder({ created_by: personId }: ClaimedTask): Promise<Language> {
    return personId === null ? 'de' : languageOf(personId).catch(() => 'de')
  }

  const begin = async (
    kind: TaskKind,
    task: ClaimedTask,
    signal: AbortSignal,
    { language, report }: { language: Language; report: (said: Report) => void },
  ): Promise<TaskResult> =>
    kind.run({
      taskId: task.id,
      projectId: task.project_id,
      createdBy: task.created_by,
      payload: task.payload,
      signal,
      progress: (done, total) => {
        if (Number.isFinite(done) && Number.isFinite(total)) report({ progress: [done, total] })
      },
      info: (line) => report({ info: textOf(line, language) }),
      log: (line) => report({ lines: [textOf(line, language)] }),
    })

  const outcomeOf = ({ info, file }: TaskResult, language: Language): Outcome => ({
    state: 'finished',
    info: info === undefined ? undefined : lineOf(textOf(info, language)),
    file: file === undefined ? undefined : { id: file.id, name: lineOf(file.name) },
  })

  /** What a refusal says is meant for people; anything else is a fault, of which they learn that it happened. */
  function refusalOf(error: unknown, { aborted }: AbortSignal, language: Language): Outcome {
    if (error instanceof AppError)
      return { state: 'rejected', error: lineOf(say(sentenceOf(error), language)) }
    if (!aborted) log.error({ err: error }, 'a task failed')
    return { state: 'rejected', error: null }
  }

  /**
   * Ends a task with what came of it, as soon as the database can be asked. Answers whether that is its end: not when it
   * was aborted, or somebody else drives it now.
   */
  async function endInTheEnd(
    drive: { taskId: string; fence: number },
    outcome: Outcome,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { lines = [], progress, info } = await reports.take(drive)
    for (;;) {
      if (signal.aborted) return isEndedBy(drive.taskId, outcome).catch(() => false)
      try {
        return await events.transaction(async (trx, emit) => {
          const within = createTaskRepository(trx)
          const said = lines.map((line) => ({ ...drive, line: lineOf(line) }))
          if (said.length > 0) await within.log(said, limits.taskLogLines)
          const end = { ...outcome, progress, info: outcome.info ?? (info && lineOf(info)) }
          if (await within.end(drive, end)) {
            await announceEnd(within, emit, [drive.taskId])
            return true
          }
          return isEndedBy(drive.taskId, outcome, within)
        })
      } catch (err) {
        log.warn({ err }, 'the end of a task could not be written')
        await delay(retryInterval, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Whether a task has this result already: an end whose answer was lost is an end. */
  async function isEndedBy(taskId: string, { file }: Outcome, from = tasks): Promise<boolean> {
    const [row] = await from.findAll([taskId])
    return row?.state === 'finished' && file !== undefined && row.file_id === file.id
  }

  /** Gives up what was made for a task that has ended otherwise. */
  async function discard({ file }: TaskResult): Promise<void> {
    if (file === undefined) return
    try {
      await events.transaction((trx) => files.release(trx, [file.id]))
    } catch (err) {
      log.warn({ err }, 'the result of a task that was stopped could not be given up')
    }
  }

  /** Keeps the leases of what runs here, and stops what is not this node's any more. */
  async function beat(): Promise<void> {
    const present = [...runs.values()]
    if (present.length === 0) return
    const drives = present.map(({ task }) => ({ taskId: task.id, fence: task.fence }))
    const kept = new Set(await tasks.beat(drives))
    for (const { task, stopping } of present) if (!kept.has(task.id)) stopping.abort()
  }

  /** Ends what is overdue, and has what was lost begin anew. */
  async function look(): Promise<void> {
    if (!(await tasks.isAnyLost())) return
    await events.transaction(async (trx, emit) => {
      const within = createTaskRepository(trx)
      await announceEnd(within, emit, await within.endOverdue())
      if ((await within.restartLost()) > 0) await announceQueued(emit)
    })
  }

  let beatenAt = 0
  /** Own leases first: after the database was away it is not this node that takes them from itself. */
  async function tick(): Promise<void> {
    if (isLooking || isStopping) return
    isLooking = true
    try {
      if (performance.now() - beatenAt >= beatInterval - lookInterval / 2) {
        await beat()
        beatenAt = performance.now()
      }
      await look()
      claimSoon()
    } catch (err) {
      log.warn({ err }, 'tasks could not be looked after')
    } finally {
      isLooking = false
    }
  }

  return {
    kindOf: (type: string): TaskKind | undefined => byType.get(type),

    start(): void {
      timers.push(setInterval(() => void tick(), lookInterval))
      void tick()
    },

    /** Gives back what runs here for another node to do, ends the rest, and lets the runs clean up for a moment. */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await claiming
      const present = [...runs.values()]
      if (present.length === 0) return
      const drives = present.map(({ task }) => ({ taskId: task.id, fence: task.fence }))
      for (const { stopping } of present) stopping.abort()
      try {
        await events.transaction(async (trx, emit) => {
          const within = createTaskRepository(trx)
          if ((await within.giveBack(drives)) > 0) await announceQueued(emit)
          for (const drive of drives) {
            if (await within.end(drive, { state: 'timed-out' }))
              await announceEnd(within, emit, [drive.taskId])
          }
        })
      } catch (err) {
        log.warn({ err }, 'the tasks of this node could not be given back')
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

const textOf = (line: string | Sentence, language: Language): string =>
  typeof line === 'string' ? line : say(line, language)
