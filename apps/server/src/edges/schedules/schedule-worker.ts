import { type EdgeScheduleMiss, limits } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Clock } from '#platform/clock.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { createEdgeJobs } from '../jobs/edge-jobs.ts'
import { type JobWorkerParts, publishJobChange } from '../jobs/job-worker.ts'
import { createDueRepository, type DueSchedule } from './schedule.repository.ts'
import { dueTimes, timesAfter } from './times.ts'

interface ScheduleWorkerParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  begin: ReturnType<typeof createEdgeJobs>['begin']
  managersAmong: JobWorkerParts['managersAmong']
  clock: Pick<Clock, 'onStep'>
  log: Log
}

/** Milliseconds between two checks. */
const checkInterval = 2000

/** Milliseconds between two comparisons of the next times with the rhythms, if no clock steps. */
const compareInterval = 600_000

const day = 86_400
/** Seconds that the last run of a rhythm waits for absent edges. */
const usualSeconds = 7 * day

/** Errors of a job that are recorded as a missed run. */
const missOf = new Map<string, EdgeScheduleMiss>([
  ['EDGE_JOB_REACHES_NONE', 'reachesNone'],
  ['TOO_MANY_EDGE_JOBS', 'tooMany'],
  ['NOT_FOUND', 'groupGone'],
])

/**
 * Starts the jobs of schedules. One transaction locks the schedule and writes the job, the record of the run and the
 * next time. Each due time therefore starts at most one job, even if a node dies.
 */
export function createScheduleWorker({
  db,
  events,
  audit,
  begin,
  managersAmong,
  clock,
  log,
}: ScheduleWorkerParts) {
  let timer: NodeJS.Timeout | undefined
  /** When the next times were last compared with the rhythms, by `performance.now()`. */
  let comparedAt = Number.NEGATIVE_INFINITY
  let working: Promise<void> | undefined

  async function miss(
    trx: Transaction<Database>,
    { id, projectId, label }: DueSchedule,
    { dueAt, missed, count = 1 }: { dueAt: Date; missed: EdgeScheduleMiss; count?: number },
  ): Promise<void> {
    await createDueRepository(trx).addRun(id, { dueAt, missed, count })
    await audit.within(trx).record({
      event: 'edge-schedule.missed',
      result: 'failure',
      target: id,
      projectId,
      detail: { label, dueAt: dueAt.toISOString(), reason: missed, ...(count > 1 && { count }) },
    })
  }

  async function start(
    trx: Transaction<Database>,
    emit: Emit,
    schedule: DueSchedule & { personId: string; groupId: string },
    until: Date | null,
  ): Promise<string> {
    const { id, projectId, personId, command, label, groupId, groupLabel, atOnce, stopPercent, now } =
      schedule
    const seconds = until === null ? usualSeconds : (until.getTime() - now.getTime()) / 1000
    const order = {
      projectId,
      command,
      label,
      groupLabel,
      atOnce,
      target: { group: groupId },
      // A waiting command ends with the next run, so that an absent edge does not execute both.
      seconds: Math.min(seconds, limits.edgeJobDaysMax * day),
      stopAfter: stopPercent === null ? null : { percent: stopPercent },
    }
    // Saving the schedule needed a recent sign-in.
    const proved = { caller: { personId, isRecent: true } }
    return begin(trx, emit, proved, order, { schedule: id })
  }

  /** Runs a schedule, or records that it was refused. */
  const runOnce = (due: DueSchedule, mayManage: boolean, refused?: EdgeScheduleMiss): Promise<void> =>
    events.transaction(async (trx, emit) => {
      const within = createDueRepository(trx)
      const schedule = await within.lock(due.id)
      // Another account has saved it. The next check uses the rights of that account.
      if (schedule === undefined || schedule.personId !== due.personId) return
      const { begins, missed, next } = dueTimes(schedule, schedule)
      const [first] = missed
      if (first !== undefined)
        await miss(trx, schedule, { dueAt: first, missed: 'late', count: missed.length })
      // The job began when the clock was ahead: each due time starts at most one.
      if (begins !== undefined && !(await within.hasBegun(schedule.id, begins))) {
        const { personId, groupId } = schedule
        if (personId === null || !mayManage) await miss(trx, schedule, { dueAt: begins, missed: 'noRight' })
        else if (groupId === null) await miss(trx, schedule, { dueAt: begins, missed: 'groupGone' })
        else if (refused !== undefined) await miss(trx, schedule, { dueAt: begins, missed: refused })
        else {
          const job = await start(trx, emit, { ...schedule, personId, groupId }, next)
          await within.addRun(schedule.id, { dueAt: begins, job })
        }
      }
      await within.setNext(schedule.id, next)
      await publishJobChange(emit, schedule.projectId)
    })

  async function run(due: DueSchedule): Promise<void> {
    // Checked before the transaction, because the check would need a second connection.
    const managers = due.personId === null ? [] : await managersAmong(due.projectId, [due.personId])
    const mayManage = managers.length > 0
    try {
      await runOnce(due, mayManage)
    } catch (error) {
      const refused = error instanceof AppError ? missOf.get(error.code) : undefined
      if (refused === undefined) throw error
      await runOnce(due, mayManage, refused)
    }
  }

  /** A clock that was ahead leaves next times that are too late. */
  async function compare(): Promise<void> {
    if (performance.now() - comparedAt < compareInterval) return
    comparedAt = performance.now()
    await events.transaction(async (trx, emit) => {
      const corrected = await createDueRepository(trx).bringForward(
        ({ now, ...rhythm }) => timesAfter(rhythm, now, 1)[0] ?? null,
      )
      for (const projectId of new Set(corrected.map((schedule) => schedule.projectId)))
        await publishJobChange(emit, projectId)
      if (corrected.length > 0) log.warn({ schedules: corrected.length }, 'schedules of edges were too late')
    })
  }

  async function check(): Promise<void> {
    await compare()
    for (const due of await createDueRepository(db).list())
      await run(due).catch((err: unknown) =>
        log.warn({ err, schedule: due.id }, 'a schedule of edges could not run; retrying'),
      )
  }

  function checkSoon(): void {
    working ??= asWork('edge schedules', check)
      .catch((err: unknown) => log.warn({ err }, 'the schedules of edges could not be read'))
      .finally(() => {
        working = undefined
      })
  }

  clock.onStep(() => {
    comparedAt = Number.NEGATIVE_INFINITY
  })

  return {
    start(): void {
      timer = setInterval(checkSoon, checkInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}
