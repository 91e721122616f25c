import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import type { Job, PgBoss, Warning } from 'pg-boss'
import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'
import { answerOf } from '../database/answer.ts'
import { DatabaseClient } from '../database/client.ts'
import { codeOf, type DatabaseConnection } from '../database/database.ts'
import { causeOf, explainFault } from '../database/database-fault.ts'
import { asWork } from '../database/pool-shares.ts'
import {
  hasRights,
  isReadOnly,
  readOnlyCode,
  refuseReadOnly,
  requireWrites,
  withoutRights,
} from '../database/read-write.ts'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'

/** `again` requests a retry after the queue's retryDelay. An exception does the same and is logged as a fault. */
export type JobHandler<Data> = (data: Data) => Promise<'done' | 'again'>

export interface JobOptions {
  /** Seconds until the retry of a failed job, and the maximum number of retries. */
  retryDelay: number
  retryLimit: number
  /** Seconds after which a started job counts as lost with its node and is retried. */
  longest: number
  /** Seconds between two polls for due retries. A new job wakes its worker when its transaction commits. */
  pollInterval: number
  /** Concurrent jobs per node. */
  parallel: number
}

interface Queue {
  name: string
  handler: JobHandler<never>
  options: JobOptions
}

export interface JobsParts {
  connection: DatabaseConnection
  log: Log
  clock?: Pick<Clock, 'onStep'> | undefined
  /** If false, jobs are only sent, for programs that run alongside a server. */
  isWorker?: boolean
  /** Replaces the retry delay of every queue, in seconds. Tests set it low. */
  retryDelay?: number | undefined
  /** Longest wait of a caller for a queue that has just started, in milliseconds. */
  readyTimeout?: number
  /** Pause between two attempts to reach the database, in milliseconds. */
  startInterval?: number
}

/** Seconds that a job may wait: ten years. */
const waitingMost = 315_360_000

/** Seconds between two checks for jobs of dead nodes. */
const lostJobsInterval = 15

const stopTimeout = 4000

/**
 * Milliseconds after which the queue gives up a statement, and its connection with it: one that died silently would hold
 * all jobs of this node. Polls and the batches of the library's clean-up are short. The database completes a longer
 * statement, such as a migration of the library, without its client.
 */
const statementTimeout = 15_000

/** A statement that is given up while it waits for a lock would hold its connection to the database. */
const limitLocks = `set lock_timeout = '5s'`
const lockTimeoutCode = '55P03'

/** Milliseconds between two checks for due repeating jobs. */
const repeatInterval = 20_000

/** During an outage of the database every poll fails, so at most one line is logged in this time. */
const errorLineInterval = 60_000

/** Milliseconds for a new connection to answer whether it takes writes. */
const writesTimeout = 2000

/**
 * Failures in a row whose cause is not known, after which the first start ends. Nodes that start at the same time can
 * make each other fail once.
 */
const unknownMost = 3

/** Reads whether jobs can be run, and locks no table. Without the tables, it fails with one of `lostCodes`. */
const proof = `select ${isReadOnly}, 'pgboss.job'::regclass::text,
  (select c.relname::text from pg_catalog.pg_class c
    where c.relnamespace = 'pgboss'::regnamespace and c.relkind in ('r', 'p') and not (${hasRights('c.oid')})
    limit 1) as forbidden`

/**
 * Corrects the times that pg-boss wrote when the clock was ahead: jobs would wait until then, and its supervision would
 * stand still. `retryAfter` is the longest pause before a retry, in seconds.
 */
const correctTimes = (retryAfter: number): string => `
  with queues as (
    update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '5 seconds'
  ), versions as (
    update pgboss.version set bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
    where greatest(bam_on, flow_on, reindex_on) > now() + interval '5 seconds'
  )
  update pgboss.job set created_on = least(created_on, now()), start_after = least(start_after, now()),
    started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
  where state < 'completed' and (greatest(created_on, started_on) > now() + interval '5 seconds'
    or start_after > now() + make_interval(secs => ${retryAfter + 60}))`

interface Proof {
  isReadOnly: boolean
  forbidden: string | null
}
type Query = (text: string) => Promise<Proof[]>

/** Rejects with the reason if jobs cannot be run with the permissions of the connection of `query`. */
export async function requireJobs(query: Query): Promise<void> {
  const [row] = await query(proof)
  refuseReadOnly(row)
  if (typeof row?.forbidden === 'string') throw withoutRights(`table pgboss.${row.forbidden}`)
}

/** The tables of the queue are missing, or the database takes only reads. A new start helps. */
const lostCodes: ReadonlySet<string> = new Set(['3F000', '42P01', readOnlyCode])

/**
 * Runs work that outlives its call, by pg-boss on the same database. All jobs must be defined before the start. The
 * start imports the library in parallel, because it takes 40 ms and 18 MB.
 */
export function createJobs({
  connection,
  log,
  clock,
  isWorker = true,
  retryDelay,
  readyTimeout = 5000,
  startInterval = 3000,
}: JobsParts) {
  const queues: Queue[] = []
  const repeating: { name: string; seconds: number }[] = []
  const stopping = new AbortController()
  let ready = whenOpen()
  let starting: Promise<void> | undefined
  let running: PgBoss | undefined
  let repeatTimer: NodeJS.Timeout | undefined
  let nextErrorLine = Number.NEGATIVE_INFINITY
  /** Whether the database may contain times of a clock that was ahead. */
  let areTimesDoubtful = true
  let lastError: unknown = new Error('background work is still starting')

  function logError(err: unknown): void {
    if (performance.now() < nextErrorLine) return
    nextErrorLine = performance.now() + errorLineInterval
    log.warn({ err }, `background jobs cannot use the database: ${explainFault(err)}`)
  }

  async function open(): Promise<void> {
    const { PgBoss, fromKysely, systemClock } = await import('pg-boss')
    // For `pg`; the types of pg-boss omit them.
    const limits = {
      query_timeout: statementTimeout,
      Client: DatabaseClient,
      async onConnect(client: ClientBase): Promise<void> {
        await requireWrites(client, writesTimeout)
        await answerOf(client, { text: limitLocks }, writesTimeout)
      },
    }
    const boss = new PgBoss({
      ...connection,
      ...limits,
      schema: 'pgboss',
      max: 1,
      application_name: 'pult jobs',
      // Its timers are computed with this clock. The usual one can step, which stops or floods them.
      clock: { ...systemClock, now: () => performance.timeOrigin + performance.now() },
      connectionTimeoutMillis: 2000,
      useListenNotify: isWorker,
      supervise: isWorker,
      // Its cron scheduler would load luxon and all time zones, 10 MB.
      schedule: false,
      superviseIntervalSeconds: lostJobsInterval,
      monitorIntervalSeconds: lostJobsInterval,
      registerInstance: false,
      monitorVacuum: false,
      openTelemetry: { enabled: false },
    })
    boss.on('error', (reported) => {
      const error = errorOf(reported)
      logError(error)
      // The check does not use this connection, and so cannot notice that it leads to a former primary.
      if (codeOf(error) === readOnlyCode) reopen(boss, error)
    })
    boss.on('warning', ({ message }: Warning) => log.warn({ warning: message }, 'background jobs'))
    try {
      await boss.start()
      for (const queue of queues) await prepare(boss, queue)
      if (isWorker) {
        for (const queue of queues) await work(boss, queue)
        if (repeating.length > 0) {
          await sendRepeating(boss)
          repeatTimer = setInterval(() => void sendRepeating(boss).catch(logError), repeatInterval)
        }
      }
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
    running = boss
    ready.resolve({ boss, fromKysely })
  }

  /** Only the first start of the server ends with a cause that a repetition cannot repair. */
  async function openWithRetries(isFirst: boolean): Promise<void> {
    let unknown = 0
    while (!stopping.signal.aborted) {
      try {
        await open()
        return
      } catch (error) {
        lastError = error
        const isFinal = codeOf(error) === lockTimeoutCode ? false : causeOf(error)?.isFinal
        unknown = isFinal === undefined ? unknown + 1 : 0
        if (isFirst && (isFinal === true || unknown === unknownMost)) {
          ready.reject(Object.assign(new AppError('BUSY', { retryAfter: 5 }), { cause: error }))
          throw error
        }
        logError(error)
        await delay(startInterval, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  /** Starts pg-boss again on new connections, after its running jobs had a few seconds to finish. */
  function reopen(lost: PgBoss, reason: unknown): void {
    if (running !== lost || stopping.signal.aborted) return
    running = undefined
    lastError = reason
    clearInterval(repeatTimer)
    ready = whenOpen()
    starting = lost
      .stop({ graceful: true, timeout: stopTimeout })
      .catch(() => {})
      .then(() => openWithRetries(false))
  }

  async function prepare(boss: PgBoss, { name, options }: Queue): Promise<void> {
    const settings = {
      retryDelay: retryDelay ?? options.retryDelay,
      retryLimit: options.retryLimit,
      expireInSeconds: options.longest,
      deleteAfterSeconds: 24 * 3600,
      // A clock that is ahead must not delete the jobs that wait, usually after 14 days.
      retentionSeconds: waitingMost,
      notify: true,
    }
    await boss.createQueue(name, settings)
    // `createQueue` does not change an existing queue of an older version.
    await boss.updateQueue(name, settings)
  }

  async function correct(boss: PgBoss): Promise<void> {
    if (!areTimesDoubtful) return
    areTimesDoubtful = false
    try {
      const retryAfter = Math.max(0, ...queues.map(({ options }) => options.retryDelay))
      await boss.getDb().executeSql(correctTimes(retryAfter))
    } catch (error) {
      areTimesDoubtful = true
      throw error
    }
  }

  /** Creates at most one job per time slot; the database decides between concurrent nodes. */
  async function sendRepeating(boss: PgBoss): Promise<void> {
    await correct(boss)
    for (const { name, seconds } of repeating) await boss.send(name, null, { singletonSeconds: seconds })
  }

  async function work(boss: PgBoss, { name, handler, options }: Queue): Promise<void> {
    await boss.work(
      name,
      {
        pollingIntervalSeconds: options.pollInterval,
        notifyPollingIntervalSeconds: options.pollInterval,
        batchSize: options.parallel,
        burstWhenBatchFull: options.parallel > 1,
        perJobResults: true,
      },
      (jobs: Job<never>[]) =>
        Promise.all(
          jobs.map(async ({ id, data }) => {
            try {
              const outcome = await asWork(`job ${name}`, () => handler(data))
              return { id, status: outcome === 'done' ? ('completed' as const) : ('failed' as const) }
            } catch (err) {
              log.error({ err, job: name }, 'a background job failed')
              return { id, status: 'failed' as const }
            }
          }),
        ),
    )
  }

  clock?.onStep(() => {
    areTimesDoubtful = true
  })

  return {
    define<Data extends object>(name: string, handler: JobHandler<Data>, options: JobOptions): void {
      queues.push({ name, handler, options })
    },

    /** Runs a job without data every `seconds` seconds, on one of all nodes. */
    every(name: string, seconds: number): void {
      repeating.push({ name, seconds })
    },

    /** Adds a job to the given transaction; it runs after the commit. A job with a given id runs once. */
    async send(trx: Transaction<Database>, name: string, data: object, id?: string): Promise<void> {
      const late = AbortSignal.timeout(readyTimeout)
      const opened = await Promise.race([
        ready.promise,
        new Promise<never>((_, reject) => {
          late.addEventListener('abort', () => reject(new AppError('BUSY', { retryAfter: 5 })))
        }),
      ])
      await opened.boss.send(name, data, {
        db: opened.fromKysely(trx),
        ...(id === undefined ? {} : { id }),
      })
    },

    /**
     * Resolves once jobs can be sent and run; callers need not wait. The connection is retried until the database is
     * available. Rejects for a fault that only the operator can repair, such as a missing permission, and for one of
     * unknown cause that repeats.
     */
    start(): Promise<void> {
      starting ??= openWithRetries(true)
      // Prevent an unhandled rejection if the caller does not wait.
      starting.catch(() => {})
      return starting
    },

    /**
     * Rejects with the reason while this node cannot run jobs. `query` must not use the only connection of the jobs,
     * where a statement of their clean-up or a locked table would count as a fault.
     */
    async check(query: Query): Promise<void> {
      const asked = running
      if (asked === undefined) throw lastError
      try {
        await requireJobs(query)
      } catch (error) {
        if (lostCodes.has(codeOf(error))) reopen(asked, error)
        throw error
      }
    },

    /**
     * Lets running jobs finish for a few seconds. Unfinished jobs are retried by another node or after the next
     * start.
     */
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(repeatTimer)
      ready.reject(new AppError('BUSY'))
      // A statement of the start may wait for a database that was lost.
      await Promise.race([starting?.catch(() => {}), delay(stopTimeout, undefined, { ref: false })])
      const boss = running
      running = undefined
      lastError = new Error('background work has stopped')
      await boss?.stop({ graceful: true, timeout: stopTimeout })
    },
  }
}

/** The library reports the failure of a poll as an object with the properties of an error. */
function errorOf(reported: unknown): Error {
  if (reported instanceof Error) return reported
  const { message = 'unknown error' } = reported as { message?: string }
  return Object.assign(new Error(message), reported)
}

/** Resolves when pg-boss has started. */
function whenOpen() {
  const open = Promise.withResolvers<{ boss: PgBoss; fromKysely: typeof import('pg-boss').fromKysely }>()
  // Prevent an unhandled rejection if no caller waits.
  open.promise.catch(() => {})
  return open
}

export type Jobs = ReturnType<typeof createJobs>
