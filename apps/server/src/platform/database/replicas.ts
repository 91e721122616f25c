import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { type DatabaseLimits, type OpenDatabase, openDatabase, type Statement } from './database.ts'
import { hostsOf } from './hosts.ts'
import type { Database } from './schema.ts'

const askInterval = 10
/** Milliseconds between two checks of each replica. */
const checkInterval = 1000
/** Maximum number of connections of this process to one replica for reads. Exports take at most two of them. */
const connectionsMax = 4

export interface ReplicaState {
  /** Host and port. */
  name: string
  /**
   * Why the replica serves no reads: it does not answer, it replays late, it takes writes itself, or it does not follow
   * the primary.
   */
  trouble: 'away' | 'late' | 'primary' | 'foreign' | null
  /** Seconds by which it is behind the primary; null if it has never passed a check. */
  lag: number | null
}

interface Replica extends ReplicaState {
  reads: OpenDatabase
  /** A separate pool: a check must not queue behind long reads. */
  checks: OpenDatabase
  /** The primary's timeline at the last check. */
  timeline: number | undefined
  /** The time of the last check that it passed. */
  servedAt: number | undefined
}

interface ReplicasParts {
  /** The setting DATABASE_REPLICA_URL. */
  url: string | undefined
  /** The primary. */
  database: Pick<OpenDatabase, 'db' | 'read'>
  log: Log
  /** Milliseconds for which a read waits until a replica has replayed everything that was committed before. */
  patience?: number
  /** Time limits of reads on a replica; by default those of calls. */
  limits?: DatabaseLimits
}

interface Position {
  lsn: number
  system: string
  name: string
  timeline: number
}

interface Standing extends Position {
  isStandby: boolean
}

/**
 * A commit is visible on the primary only after it was flushed, except with synchronous_commit off. The timeline comes
 * from the name of a WAL file, because the control file is updated only some time after a promotion.
 */
const readPosition: Statement = {
  name: 'primary-position',
  text: `select pg_wal_lsn_diff(lsn, '0/0')::int8 as lsn,
    ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline,
    (select system_identifier::text from pg_control_system()) as system, current_database() as name
    from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as lsn) as position`,
}

/**
 * The control file of a standby contains a new timeline only after the next restart point, up to five minutes later.
 * The WAL receiver reports it immediately, but only to members of pg_read_all_stats.
 */
const readStanding: Statement = {
  name: 'replica-standing',
  text: `select pg_is_in_recovery() as "isStandby",
    coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8, 0) as lsn,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery()),
      (select received_tli from pg_stat_wal_receiver)) as timeline,
    (select system_identifier::text from pg_control_system()) as system, current_database() as name`,
}

/**
 * Sends heavy reads to streaming replicas. Each read first waits until its replica has replayed everything that was
 * committed before the read, so that no caller misses their own change or one that an event has announced. If
 * the replica takes too long, does not answer or has left the primary's timeline, the primary serves the read.
 */
export function createReplicas({ url, database, log, patience = 500, limits }: ReplicasParts) {
  const replicas: Replica[] = hostsOf(url).map(({ name, connection }) => {
    const open = (max: number) =>
      openDatabase({
        connection,
        max,
        name: 'pult replica',
        isForReads: true,
        ...(limits !== undefined && { limits }),
        onError: (err) => log.debug({ err, replica: name }, 'a connection to a replica was lost'),
      })
    return {
      name,
      trouble: 'away',
      lag: null,
      reads: open(connectionsMax),
      checks: open(1),
      timeline: undefined,
      servedAt: undefined,
    }
  })
  const served = { replica: 0, primary: 0 }
  const stopping = new AbortController()
  let watching: Promise<unknown> | undefined
  let turn = 0

  const position = async (): Promise<Position> => single(await database.read<Position>(readPosition, []))

  const standing = async (from: Pick<OpenDatabase, 'read'>): Promise<Standing> =>
    single(await from.read<Standing>(readStanding, []))

  /** Waits until a standby has replayed up to the position. */
  async function hasReplayed(from: Pick<OpenDatabase, 'read'>, lsn: number): Promise<boolean> {
    const until = performance.now() + patience
    for (;;) {
      const now = await standing(from)
      if (!now.isStandby) return false
      if (now.lsn >= lsn) return true
      if (performance.now() > until) return false
      await delay(askInterval)
    }
  }

  async function troubleOf({ checks }: Replica, primary: Position): Promise<ReplicaState['trouble']> {
    const { isStandby, system, name, timeline } = await standing(checks)
    const follows = system === primary.system && name === primary.name && timeline === primary.timeline
    if (!follows) return 'foreign'
    if (!isStandby) return 'primary'
    return (await hasReplayed(checks, primary.lsn)) ? null : 'late'
  }

  async function check(replica: Replica): Promise<void> {
    // Without the primary, no replica can be checked. None is used either: each read asks the primary first.
    const primary = await position().catch(() => undefined)
    if (primary === undefined) return
    const start = performance.now()
    let reason: unknown
    const trouble = await troubleOf(replica, primary).catch((error: unknown) => {
      reason = error
      return 'away' as const
    })
    const now = performance.now()
    if (trouble === null) replica.servedAt = now
    const since = trouble === null ? start : replica.servedAt
    if (replica.trouble !== trouble) {
      const { name } = replica
      if (trouble === null) log.info({ replica: name }, 'a replica serves heavy reads')
      else log.warn({ replica: name, trouble, err: reason }, 'a replica serves no reads')
    }
    replica.trouble = trouble
    replica.timeline = primary.timeline
    replica.lag = since === undefined ? null : (now - since) / 1000
  }

  async function watch(replica: Replica): Promise<void> {
    while (!stopping.signal.aborted) {
      await check(replica)
      await delay(checkInterval, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Returns the next usable replica, round-robin. */
  function choose(): Replica | undefined {
    const usable = replicas.filter(({ trouble }) => trouble === null)
    turn += 1
    return usable[turn % usable.length]
  }

  /** Runs a read on a replica that has replayed all earlier commits. Returns undefined if the primary must serve it. */
  async function tryReplica<Result>(
    work: (db: Kysely<Database>) => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    const replica = choose()
    if (replica === undefined) return undefined
    const { reads, timeline } = replica
    // The primary reports its own failure when it serves the read.
    const primary = await position().catch(() => undefined)
    if (primary === undefined || primary.timeline !== timeline) return undefined
    try {
      return (await hasReplayed(reads, primary.lsn)) ? { result: await work(reads.db) } : undefined
    } catch (error) {
      if (hasWritten(error)) throw new Error('A read for a replica tried to write', { cause: error })
      if (!canPrimaryAnswer(error)) throw error
      log.debug({ err: error, replica: replica.name }, 'the primary serves a read that a replica could not')
      return undefined
    }
  }

  return {
    /**
     * Runs a read on a replica, or on the primary without a usable one. `work` must not write, and may run twice: the
     * primary repeats a read that the replica could not finish.
     */
    async run<Result>(work: (db: Kysely<Database>) => Promise<Result>): Promise<Result> {
      const answer = await tryReplica(work)
      served[answer === undefined ? 'primary' : 'replica'] += 1
      return answer === undefined ? work(database.db) : answer.result
    },

    /** Checks all replicas now. */
    check: async (): Promise<void> => void (await Promise.all(replicas.map(check))),

    /** Returns the states of the last checks. */
    states: (): ReplicaState[] => replicas.map(({ name, trouble, lag }) => ({ name, trouble, lag })),

    /** Returns the numbers of reads that replicas and the primary have served. */
    served: (): Readonly<typeof served> => served,

    start(): void {
      watching = Promise.all(replicas.map(watch))
    },

    async stop(): Promise<void> {
      stopping.abort()
      await watching
      await Promise.all(replicas.flatMap(({ reads, checks }) => [reads.close(), checks.close()]))
    },
  }
}
export type Replicas = ReturnType<typeof createReplicas>
export type HeavyReads = Pick<Replicas, 'run'>

/** Returns the replicas that need an administrator. A list of all members names the primary as well. */
export const faultyReplicas = (states: readonly ReplicaState[]): ReplicaState[] =>
  states.filter(({ trouble }) => trouble !== null && (trouble !== 'primary' || states.length === 1))

function single<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('The database returned no position')
  return row
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** read_only_sql_transaction. A pool reports it as an unavailable database, which it is on a former primary. */
const hasWritten = (error: unknown): boolean => error instanceof AppError && codeOf(error.cause) === '25006'

/**
 * Whether the primary may serve a read that failed on a replica: the replica is unavailable or too slow, or has
 * cancelled a read of rows that the primary has removed.
 */
const canPrimaryAnswer = (error: unknown): boolean =>
  ['DATABASE_UNAVAILABLE', 'QUERY_TIMEOUT', '40001', '40P01'].includes(String(codeOf(error)))
