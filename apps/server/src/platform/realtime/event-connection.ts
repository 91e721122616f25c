import pg from 'pg'
import { answerOf } from '../database/answer.ts'
import type { DatabaseConnection } from '../database/database.ts'
import type { Log } from '../log.ts'

export interface EventConnectionParts {
  connection: DatabaseConnection
  log: Log
  /** Called after each connect and whenever a node says that there is something new. */
  onWake: () => void
}

const channel = 'pult_event'
const connectTimeout = 1200
const queryTimeout = 1600
const retryMin = 100
const retryMax = 1000

/**
 * The one connection on which this node waits for events, wakes the others and reads. It is none of the pool's: a wake
 * must not queue behind calls, and LISTEN belongs to one connection for good. When it breaks it is made again.
 */
export function createEventConnection({ connection, log, onWake }: EventConnectionParts) {
  let client: pg.Client | undefined
  /** Settled when the connection has nothing to do: it is given one statement at a time. */
  let asked: Promise<unknown> = Promise.resolve()
  let retryTimer: NodeJS.Timeout | undefined
  let retryDelay = retryMin
  let isStopped = false

  async function connect(): Promise<void> {
    const candidate = new pg.Client({
      ...connection,
      connectionTimeoutMillis: connectTimeout,
      application_name: 'pult events',
      keepAlive: true,
    })
    candidate.on('error', () => lose(candidate))
    candidate.on('end', () => lose(candidate))
    candidate.on('notification', onWake)
    try {
      await candidate.connect()
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

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    discard(lost)
    if (isStopped) return
    log.warn('the connection for events was lost')
    retry()
  }

  function retry(): void {
    // Spread, so that the nodes don't all come back to the database at the same instant.
    const delay = retryDelay * (0.5 + Math.random() / 2)
    retryDelay = Math.min(retryDelay * 2, retryMax)
    retryTimer = setTimeout(() => {
      connect().then(
        () => log.info('events are heard again'),
        () => !isStopped && retry(),
      )
    }, delay)
  }

  function query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    const answer = asked.then(() => ask<Row>(statement))
    asked = answer.catch(() => {})
    return answer
  }

  async function ask<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    const used = client
    if (used === undefined) throw new Error('The connection for events is away')
    try {
      return (await answerOf<Row>(used, statement, queryTimeout)).rows
    } catch (error) {
      // Its state is unknown after a timeout, and a statement that failed for another reason is not worth a special case.
      lose(used)
      throw error
    }
  }

  return {
    /** Makes the first connection, or throws. */
    connect,

    query,

    /** Wakes all nodes, this one too. Where that fails they find what is new with their next poll. */
    async notify(): Promise<void> {
      await query({ text: `notify ${channel}` }).catch(() => {})
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

/** Without waiting: a database that hangs confirms nothing. */
function discard(client: pg.Client): void {
  client.end().catch(() => {})
}
