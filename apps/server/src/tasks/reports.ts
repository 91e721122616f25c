import { limits } from '@pult/contract'
import { sql } from 'kysely'
import type { Log } from '#platform/log.ts'
import type { Events, NewEvent } from '#platform/realtime/events.ts'
import { createTaskRepository, type Drive } from './task.repository.ts'
import { type TaskText, taskTopicOf, updateOf } from './task.ts'

/** Reports of a task between two writes. */
export interface Report {
  progress?: readonly [number, number] | undefined
  info?: TaskText | undefined
  lines?: readonly TaskText[]
}

interface Waiting extends Report {
  fence: number
  lines: readonly TaskText[]
}

/**
 * Milliseconds from the first report to the write. Consoles receive a few events per second at any rate of reports.
 */
const flushInterval = 150

/** Milliseconds until the retry of a failed write. */
const retryInterval = 1000

/** Tasks per event. A larger event would exceed the buffer of a slow client. */
const tasksPerEvent = 200

/**
 * Coalesces progress and log lines of all tasks that this node drives: one statement and one event per project for
 * any number of reports. Reports of a task that has ended or has another driver are dropped.
 */
export function createReports({ events, log }: { events: Events; log: Log }) {
  let waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  /** Later reports replace earlier ones. A report with a higher fence replaces the reports of the former driver. */
  function merge(into: Map<string, Waiting>, taskId: string, later: Waiting): void {
    const before = into.get(taskId)
    if (before !== undefined && before.fence > later.fence) return
    const isSame = before?.fence === later.fence
    into.set(taskId, {
      fence: later.fence,
      progress: later.progress ?? (isSame ? before.progress : undefined),
      info: later.info ?? (isSame ? before.info : undefined),
      lines: isSame ? [...before.lines, ...later.lines].slice(-limits.taskLogLines) : later.lines,
    })
  }

  function schedule(delay: number): void {
    timer ??= setTimeout(() => {
      void flush()
    }, delay)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(writeWaiting)
    return flushing
  }

  async function writeWaiting(): Promise<void> {
    if (waiting.size === 0) return
    const taken = waiting
    waiting = new Map()
    try {
      await write(taken)
    } catch (err) {
      log.warn({ err }, 'the progress of tasks could not be written')
      const newer = waiting
      waiting = taken
      for (const [taskId, report] of newer) merge(waiting, taskId, report)
      schedule(retryInterval)
    }
  }

  async function write(taken: ReadonlyMap<string, Waiting>): Promise<void> {
    const reports = [...taken].map(([taskId, { fence, progress, info }]) => ({
      taskId,
      fence,
      progress: progress ?? null,
      info: info ?? null,
    }))
    const lines = [...taken].flatMap(([taskId, report]) =>
      report.lines.map((line) => ({ taskId, fence: report.fence, line })),
    )
    await events.transaction(async (trx, emit) => {
      // A report that is lost in a database crash is repeated a moment later.
      await sql`set local synchronous_commit = off`.execute(trx)
      const tasks = createTaskRepository(trx)
      const changed = await tasks.report(reports)
      if (lines.length > 0) await tasks.log(lines, limits.taskLogLines)
      const news: NewEvent[] = []
      for (const [projectId, rows] of Map.groupBy(changed, (row) => row.project_id)) {
        for (let first = 0; first < rows.length; first += tasksPerEvent) {
          const updates = rows.slice(first, first + tasksPerEvent).map(updateOf)
          news.push({ topic: taskTopicOf(projectId), name: 'task:state', data: { tasks: updates } })
        }
      }
      await emit(...news)
    })
  }

  return {
    add({ taskId, fence }: Drive, { progress, info, lines = [] }: Report): void {
      merge(waiting, taskId, { fence, progress, info, lines: lines.slice(-limits.taskLogLines) })
      schedule(flushInterval)
    },

    /** Returns the unwritten report of a task that is ending, to be written together with the end. */
    async take({ taskId, fence }: Drive): Promise<Report> {
      await flushing
      const report = waiting.get(taskId)
      if (report?.fence !== fence) return {}
      waiting.delete(taskId)
      return report
    },

    /** Writes all waiting reports. Called last during shutdown. */
    async stop(): Promise<void> {
      await flush()
      clearTimeout(timer)
    },
  }
}
export type Reports = ReturnType<typeof createReports>
