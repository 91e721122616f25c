import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Job, PgBoss, Warning } from 'pg-boss'
import { AppError } from '../app-error.ts'
import type { DatabaseConnection } from '../database/database.ts'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'

/** `again` asks for another try after the queue's retryDelay; a throw does too, and is logged as a fault. */
export type JobHandler<Data> = (data: Data) => Promise<'done' | 'again'>

export interface JobOptions {
  /** Seconds until a job that failed is tried again, and how often that may be. */
  retryDelay: number
  retryLimit: number
  /** Seconds after which a job that was begun counts as lost with its node, and is tried again. */
  longest: number
  /** Seconds between two looks for new jobs. */
  pollInterval: number
  /** Jobs that run at once on a node. */
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
  /** Without it jobs are only sent: for programs that run beside a server. */
  isWorker?: boolean
}

/** How long a caller waits for the queue when the server has just started. */
const readyTimeout = 5000

/** Seconds between two looks for jobs whose node is gone. */
const lostJobsInterval = 15

const startInterval = 3000
const stopTimeout = 4000

/** Between two looks whether a job that comes again is due. */
const againInterval = 20_000

/** While the database is away every look for jobs fails: one line in this time is enough. */
const errorLineInterval = 60_000

/**
 * Work that outlives the call which caused it, by pg-boss on the same database. Everything has to be defined before
 * the start. The library is imported by the start, which runs beside it: it costs 40 ms and 18 MB.
 */
export function createJobs({ connection, log, isWorker = true }: JobsParts) {
  const queues: Queue[] = []
  const comingAgain: { name: string; seconds: number }[] = []
  const stopping = new AbortController()
  const ready = Promise.withResolvers<{ boss: PgBoss; fromKysely: typeof import('pg-boss').fromKysely }>()
  // Nobody may be waiting for it.
  ready.promise.catch(() => {})
  let starting: Promise<void> | undefined
  let running: PgBoss | undefined
  let againTimer: NodeJS.Timeout | undefined
  let nextErrorLine = 0

  function logError(err: unknown): void {
    if (Date.now() < nextErrorLine) return
    nextErrorLine = Date.now() + errorLineInterval
    log.warn({ err }, 'background jobs have trouble with the database')
  }

  async function open(): Promise<void> {
    const { PgBoss, fromKysely } = await import('pg-boss')
    const boss = new PgBoss({
      ...connection,
      schema: 'pgboss',
      max: 1,
      application_name: 'pult jobs',
      connectionTimeoutMillis: 2000,
      supervise: isWorker,
      // Its clock by cron would bring luxon and the time zones of all the world to life, 10 MB.
      schedule: false,
      superviseIntervalSeconds: lostJobsInterval,
      monitorIntervalSeconds: lostJobsInterval,
      registerInstance: false,
      monitorVacuum: false,
      openTelemetry: { enabled: false },
    })
    boss.on('error', logError)
    boss.on('warning', ({ message }: Warning) => log.warn({ warning: message }, 'background jobs'))
    try {
      await boss.start()
      for (const queue of queues) await prepare(boss, queue)
      if (isWorker) {
        for (const queue of queues) await work(boss, queue)
        if (comingAgain.length > 0) {
          await sendAgain(boss)
          againTimer = setInterval(() => void sendAgain(boss).catch(logError), againInterval)
        }
      }
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
    running = boss
    ready.resolve({ boss, fromKysely })
  }

  async function openInTheEnd(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await open()
        return
      } catch (error) {
        logError(error)
        await delay(startInterval, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  async function prepare(boss: PgBoss, { name, options }: Queue): Promise<void> {
    const settings = {
      retryDelay: options.retryDelay,
      retryLimit: options.retryLimit,
      expireInSeconds: options.longest,
      deleteAfterSeconds: 24 * 3600,
    }
    await boss.createQueue(name, settings)
    // A queue that an older version has made keeps its settings otherwise.
    await boss.updateQueue(name, settings)
  }

  /** The database cuts the time into slots, and takes one job in each, whichever node is first. */
  async function sendAgain(boss: PgBoss): Promise<void> {
    for (const { name, seconds } of comingAgain) await boss.send(name, null, { singletonSeconds: seconds })
  }

  async function work(boss: PgBoss, { name, handler, options }: Queue): Promise<void> {
    await boss.work(
      name,
      {
        pollingIntervalSeconds: options.pollInterval,
        batchSize: options.parallel,
        burstWhenBatchFull: options.parallel > 1,
        perJobResults: true,
      },
      (jobs: Job<never>[]) =>
        Promise.all(
          jobs.map(async ({ id, data }) => {
            try {
              const outcome = await handler(data)
              return { id, status: outcome === 'done' ? ('completed' as const) : ('failed' as const) }
            } catch (err) {
              log.error({ err, job: name }, 'a background job failed')
              return { id, status: 'failed' as const }
            }
          }),
        ),
    )
  }

  return {
    define<Data extends object>(name: string, handler: JobHandler<Data>, options: JobOptions): void {
      queues.push({ name, handler, options })
    },

    /** Runs a job without data once in so many seconds, on one of all nodes. */
    every(name: string, seconds: number): void {
      comingAgain.push({ name, seconds })
    },

    /** Adds a job to the transaction at hand: it runs once that has committed. A job's id can be given; it runs once. */
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

    /** Returns at once. A database that is not there yet is tried again until it is. */
    start(): void {
      starting ??= openInTheEnd()
    },

    /** Lets what runs end for a few seconds; what does not is tried again by another node or after the next start. */
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(againTimer)
      ready.reject(new AppError('BUSY'))
      await starting
      await running?.stop({ graceful: true, timeout: stopTimeout })
    },
  }
}
export type Jobs = ReturnType<typeof createJobs>
