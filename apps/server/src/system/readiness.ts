import type { ErrorCode } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { OpenDatabase } from '#platform/database/database.ts'
import { requireUsable } from '#platform/database/usable.ts'
import type { DiskSpace } from '#platform/disk-space.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { migrations } from '../../migrations/index.ts'
import { type Failure, failureOf } from '../condition/failures.ts'

/** The parts without which sign-in, writing or background work fails. */
export type NeededPart = 'disk' | 'database' | 'jobs' | 'events'

/** Why this node is not ready, for its operator. */
export interface Unready extends Failure {
  part: NeededPart
  /** What the callers of `ready` receive. */
  code: ErrorCode
}

interface ReadinessParts {
  /** Not the pool of calls, which waiting calls can fill while the database works. */
  vital: Pick<OpenDatabase, 'read' | 'lacksSpace' | 'findSpace'>
  database: Pick<OpenDatabase, 'lacksSpace' | 'findSpace'>
  background: Pick<OpenDatabase, 'lacksSpace' | 'findSpace'>
  jobs: Pick<Jobs, 'check'>
  events: Pick<Events, 'lag' | 'failure'>
  disk: Pick<DiskSpace, 'isFull'>
  log: Log
  /** Milliseconds after which a part that has not answered is missing. Less than the timeout of a usual probe, 1 s. */
  patience?: number | undefined
}

const usualPatience = 900

/** Milliseconds for which one check answers all probes. */
const keep = 1000

/** Milliseconds between two checks without a probe, so that the log and the metrics report every change. */
const interval = 5000

/** Milliseconds by which events may be late. The connection for events normally returns within one second. */
const lagMost = 5000

const lateError = () => Object.assign(new AppError('DATABASE_UNAVAILABLE'), { cause: new Error('timed out') })

/**
 * Decides whether this node can do its work: sign people in, write, and run background work. The file store, the mail
 * server and replicas do not count: without them the other work continues, and no other node could do better.
 */
export function createReadiness(parts: ReadinessParts) {
  const { vital, database, background, jobs, events, disk, log, patience = usualPatience } = parts
  let last: { unready: Unready | null; until: number } | undefined
  let checking: Promise<Unready | null> | undefined
  let reported = ''
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  /** Returns why a part does not work. */
  async function unreadyWithout(part: NeededPart, work: () => Promise<void>): Promise<Unready | null> {
    const late = Promise.withResolvers<never>()
    const limit = setTimeout(() => late.reject(lateError()), patience)
    try {
      const done = work()
      done.catch(() => {})
      await Promise.race([done, late.promise])
      return null
    } catch (error) {
      return unreadyOf(part, error)
    } finally {
      clearTimeout(limit)
    }
  }

  async function useDatabase(): Promise<void> {
    await requireUsable(vital, Object.keys(migrations))
    // The server has seen a refusal for lack of space. Only a write shows whether the space is back.
    for (const pool of [vital, database, background]) if (pool.lacksSpace()) await pool.findSpace()
  }

  async function receiveEvents(): Promise<void> {
    if (events.lag() <= lagMost) return
    const reason = events.failure()
    throw reason instanceof Error ? reason : new Error('timed out')
  }

  async function check(): Promise<Unready | null> {
    const found = await Promise.all([
      unreadyWithout('database', useDatabase),
      unreadyWithout('jobs', () => jobs.check((text) => vital.read({ text }, []))),
      unreadyWithout('events', receiveEvents),
    ])
    const unready = found.find((one) => one !== null) ?? null
    last = { unready, until: performance.now() + keep }
    report(unready)
    return unready
  }

  /** Logs each change of the cause once. */
  function report(unready: Unready | null): void {
    const text = unready === null ? '' : `${unready.part}: ${unready.what.de}`
    if (text === reported || isStopped) return
    reported = text
    if (unready === null) log.info('this node is ready')
    else log.warn({ part: unready.part }, `this node is not ready: ${unready.what.de}. ${unready.fix.de}`)
  }

  /** Returns null if this node is ready. Probes within a second share one check. */
  async function read(): Promise<Unready | null> {
    if (disk.isFull()) return fullDisk()
    if (last !== undefined && performance.now() < last.until) return last.unready
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    read,

    /** Returns whether the latest check succeeded, without a new one. */
    isReady: (): boolean => !disk.isFull() && last?.unready === null,

    /** Returns why this node is not ready by the latest check, without a new one. */
    latest: (): Unready | null => (disk.isFull() ? fullDisk() : (last?.unready ?? null)),

    start(): void {
      void read()
      timer = setInterval(() => void read(), interval).unref()
    },

    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      await checking
    },
  }
}
export type Readiness = ReturnType<typeof createReadiness>

const fullDisk = () => unreadyOf('disk', new AppError('SERVER_DISK_FULL'))

/** The codes of causes that callers know. Any other is NOT_READY. */
const known: ReadonlySet<ErrorCode> = new Set(['DATABASE_UNAVAILABLE', 'SERVER_DISK_FULL'])

function unreadyOf(part: NeededPart, error: unknown): Unready {
  const code = error instanceof AppError && known.has(error.code) ? error.code : 'NOT_READY'
  return { part, code, ...failureOf(error) }
}
