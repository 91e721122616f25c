import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { answerOf } from '../database/answer.ts'
import { DatabaseClient } from '../database/client.ts'
import type { DatabaseConnection } from '../database/database.ts'
import { requireWrites } from '../database/read-write.ts'
import type { Log } from '../log.ts'

export interface EventConnectionParts {
  connection: DatabaseConnection
  log: Log
  /** Called after each connect and on each wake-up by another node. */
  onWake: () => void
}

const channel = 'pult_event'
const connectTimeout = 1200
const queryTimeout = 1600
const retryMin = 100
const retryMax = 1000

/**
 * The connection on which this node waits for events, wakes other nodes and reads. It is not part of the pool: a
 * wake-up must not queue behind calls, and LISTEN needs a permanent connection. It reconnects after a failure.
 */
export function createEventConnection({ connection, log, onWake }: EventConnectionParts) {
  /** Names this node in its wake-ups. */
  const self = randomUUID()
  let client: pg.Client | undefined
  /** Settles when the connection is idle: it runs one statement at a time. */
  let queue: Promise<unknown> = Promise.resolve()
  let retryTimer: NodeJS.Timeout | undefined
  let retryDelay = retryMin
  let isStopped = false
  let failure: unknown

  async function connect(): Promise<void> {
    const candidate = new DatabaseClient({
      ...connection,
      connectionTimeoutMillis: connectTimeout,
      application_name: 'pult events',
    })
    candidate.on('error', (error) => lose(candidate, error))
    candidate.on('end', () => lose(candidate, new Error('Connection terminated')))
    candidate.on('notification', ({ payload }) => {
      if (payload !== self) onWake()
    })
    try {
      await candidate.connect()
      await requireWrites(candidate, queryTimeout)
      // A wake-up may be lost in a crash, so its transaction need not wait for the disk.
      await answerOf(candidate, { text: 'set synchronous_commit = off' }, queryTimeout)
      await answerOf(candidate, { text: `listen ${channel}` }, queryTimeout)
    } catch (error) {
      discard(candidate)
      throw error
    }
    if (isStopped) {
      discard(candidate)
      return
    }
    client = candidate
    retryDelay = retryMin
    onWake()
  }

  function lose(lost: pg.Client, reason: unknown): void {
    if (client !== lost) return
    failure = reason
    client = undefined
    discard(lost)
    if (isStopped) return
    log.warn({ err: reason }, 'the connection for events was lost')
    retry()
  }

  function retry(): void {
    // Jitter, so that nodes do not reconnect at the same time.
    const delay = retryDelay * (0.5 + Math.random() / 2)
    retryDelay = Math.min(retryDelay * 2, retryMax)
    retryTimer = setTimeout(() => {
      connect().then(
        () => log.info('the connection for events is restored'),
        (reason: unknown) => {
          failure = reason
          if (!isStopped) retry()
        },
      )
    }, delay)
  }

  /** An error of `judge` counts like one of the statement: the connection is replaced. */
  function query<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
    judge: (rows: Row[]) => void = () => {},
  ): Promise<Row[]> {
    const answer = queue.then(() => ask(statement, judge))
    queue = answer.catch(() => {})
    return answer
  }

  async function ask<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
    judge: (rows: Row[]) => void,
  ): Promise<Row[]> {
    const used = client
    if (used === undefined) throw new Error('The connection for events is lost')
    try {
      const { rows } = await answerOf<Row>(used, statement, queryTimeout)
      judge(rows)
      return rows
    } catch (error) {
      // Its state is unknown after a timeout. Other failures are treated the same way for simplicity.
      lose(used, error)
      throw error
    }
  }

  return {
    /** Opens the first connection, or throws. */
    connect,

    query,

    /** Returns why the connection failed last. */
    failure: (): unknown => failure,

    /** Wakes the other nodes. If that fails, they find the events at their next poll. */
    async notify(): Promise<void> {
      await query({ text: `notify ${channel}, '${self}'` }).catch(() => {})
    },

    stop(): void {
      isStopped = true
      clearTimeout(retryTimer)
      if (client !== undefined) discard(client)
      client = undefined
    },
  }
}
export type EventConnection = ReturnType<typeof createEventConnection>

/** Closes a connection without waiting: a database that hangs never confirms. */
function discard(client: pg.Client): void {
  client.end().catch(() => {})
}
