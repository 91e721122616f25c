import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { Kysely, PostgresDialect, type PostgresPoolClient, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { AppError } from '../app-error.ts'
import { type StatementFault, statementMetrics } from '../metrics/statement-metrics.ts'
import { answerOf } from './answer.ts'
import { DatabaseClient } from './client.ts'
import { parseInstant } from './parse-instant.ts'
import { createPoolShares, type PoolShares, waitIsOver, workKind } from './pool-shares.ts'
import { readOnlyCode, requireWrites } from './read-write.ts'
import type { Database } from './schema.ts'
import { beginStatement, noteWait } from './statements.ts'

export type Db = Kysely<Database> | Transaction<Database>

/** The connection settings of `pg`: a URL, several hosts, or the socket folder of the embedded database. */
export type DatabaseConnection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }
  | HostsConnection

/** A database of several hosts. The stream connects to the one that takes writes. */
export interface HostsConnection {
  host: string
  port: number
  user: string
  database: string
  password?: string
  ssl?: boolean | ConnectionOptions
  /** Receives the settings of one new connection, and adapts its TLS to the host that is found. */
  stream: (settings?: { ssl?: boolean | ConnectionOptions }) => Socket
}

/** A statement. With a name, each connection plans it once. */
export interface Statement {
  name?: string
  text: string
}

/** Time limits of a pool in milliseconds. An omitted limit means no limit. */
export interface DatabaseLimits {
  connect?: number
  statement?: number
  /** Longest wait of a statement for a lock. */
  lock?: number
}

export interface DatabaseOptions {
  connection: DatabaseConnection
  /** Maximum number of connections of this process. */
  max?: number
  /** Limits; by default those of calls. */
  limits?: DatabaseLimits
  /** The name by which PostgreSQL lists the connections. */
  name?: string
  /** Accepts a server that takes no writes: a replica. */
  isForReads?: boolean
  /** Divides the connections among kinds of work, so that one slow kind cannot take them all. */
  isShared?: boolean
  onError: (error: Error) => void
}

/** With `answerMargin`, less than the 3 s within which a call must fail during an outage of the database (RULE-80). */
const callLimits = { connect: 1200, statement: 1500 }

/**
 * For jobs and clean-up: slow statements may finish, but neither a dead connection nor a locked row blocks them
 * permanently.
 */
export const backgroundLimits: DatabaseLimits = { connect: 10_000, statement: 5 * 60_000, lock: 5000 }

/**
 * PostgreSQL cancels a statement first, which keeps its connection usable. A server that has not answered this much
 * later counts as unavailable, and the connection is discarded.
 */
const answerMargin = 200

/**
 * Idle time before a connection closes. PostgreSQL plans the first executions of a statement on each new connection,
 * and warm connections avoid this after a pause.
 */
const callIdle = 5 * 60_000
const backgroundIdle = 5000

const preparedStatementsMax = 500

// Counts and sums are bigint in PostgreSQL; all values here are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseInstant)

export function openDatabase({
  connection,
  max = 16,
  limits = callLimits,
  name = 'pult',
  isForReads = false,
  isShared = false,
  onError,
}: DatabaseOptions) {
  const timeout = limits.statement === undefined ? undefined : limits.statement + answerMargin
  /** Counts the times at which the server refused writes. Connections of an earlier count are not used again. */
  let era = 0
  let lacksSpace = false
  const eras = new WeakMap<pg.ClientBase, number>()
  // `pg` waits for the promise; its types omit it.
  const hooks = {
    async onConnect(client: pg.ClientBase): Promise<void> {
      eras.set(client, era)
      if (!isForReads) await requireWrites(client, timeout)
    },
  }
  const pool = new pg.Pool({
    ...connection,
    ...hooks,
    Client: DatabaseClient,
    max,
    idleTimeoutMillis: limits === callLimits ? callIdle : backgroundIdle,
    ...(limits.connect !== undefined && { connectionTimeoutMillis: limits.connect }),
    ...(limits.statement !== undefined && { statement_timeout: limits.statement }),
    ...(limits.lock !== undefined && { lock_timeout: limits.lock }),
    idle_in_transaction_session_timeout: 30_000,
    application_name: name,
  })
  pool.on('error', onError)
  const shares = isShared ? createPoolShares({ max, patience: limits.connect }) : undefined
  /** How the current holder of a connection returns its share. */
  const returns = new WeakMap<pg.PoolClient, () => void>()

  /** Returns a connection, and waits for its share and the connection together as long as for a connection alone. */
  async function acquire(): Promise<pg.PoolClient> {
    const begun = performance.now()
    try {
      return await (shares === undefined ? currentClient() : clientOf(shares, begun))
    } catch (error) {
      statementMetrics.fail(workKind(), faultOfWait(error))
      throw error
    } finally {
      noteWait(begun)
    }
  }

  async function clientOf(from: PoolShares, begun: number): Promise<pg.PoolClient> {
    const returnShare = await from.acquire(workKind()).catch(unavailable)
    try {
      const client = await within(begun, currentClient())
      returns.set(client, returnShare)
      return client
    } catch (error) {
      returnShare()
      throw error
    }
  }

  /** Rejects when the time of a caller that began to wait at `begun` has ended. */
  async function within(begun: number, connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    if (limits.connect === undefined) return connecting
    const late = Promise.withResolvers<never>()
    // In the words of the pool for a connection that opens too slowly: a share is also a place in the pool.
    const timer = setTimeout(
      () => late.reject(new Error('Connection terminated due to connection timeout')),
      begun + limits.connect - performance.now(),
    )
    try {
      return await Promise.race([connecting, late.promise.catch(unavailable)])
    } catch (error) {
      // A connection that opens later is for the next caller.
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  function release(client: pg.PoolClient, isDiscarded?: Error | boolean): void {
    const returnShare = returns.get(client)
    returns.delete(client)
    client.release(isDiscarded)
    returnShare?.()
  }

  /**
   * Returns a connection that has not become read-only. After a fail-over, the first refused write discards all
   * connections to the former primary.
   */
  async function currentClient(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch(unavailable)
      if (eras.get(client) === era) return client
      client.release(true)
    }
  }

  /** Returns whether the connection must be discarded after the error of a statement. */
  function isBroken(client: pg.PoolClient, error: unknown): boolean {
    const code = codeOf(error)
    if (code === readOnlyCode && !isForReads && eras.get(client) === era) era += 1
    if (code === diskFullCode) lacksSpace = true
    return isUnavailable(error)
  }

  // One wrapper per connection, because Kysely caches by the connection object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  async function connect(): Promise<PostgresPoolClient> {
    const connected = await acquire()
    const client = clients.get(connected) ?? prepared(connected, { timeout, isBroken, release })
    clients.set(connected, client)
    return client
  }

  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { options: pool.options, connect, end: () => pool.end() },
    }),
  })
  return {
    db,
    pool,
    close: () => db.destroy(),

    /** Counts the callers that wait for a connection. */
    waiting: (): number => pool.waitingCount + (shares?.waiting() ?? 0),

    /**
     * Runs a prepared text, for the reads before every call, for which building a query would take too long. An error
     * of `judge` counts like one of the statement: that of a read-only connection discards it.
     */
    async read<Row extends pg.QueryResultRow>(
      statement: Statement,
      values: unknown[],
      judge: (rows: Row[]) => void = () => {},
    ): Promise<Row[]> {
      const client = await acquire()
      let broken: Error | undefined
      try {
        const { rows } = await run<Row>(client, { ...statement, values }, timeout)
        judge(rows)
        return rows
      } catch (error) {
        if (isBroken(client, error)) broken = error as Error
        throw refusalOf(error)
      } finally {
        release(client, broken)
      }
    },

    /** Returns whether a statement failed for a full disk of the database, and no check has found space since. */
    lacksSpace: () => lacksSpace,

    /** Writes a table of one MiB and rolls back. Rejects while the disk of the database is full. */
    async findSpace(): Promise<void> {
      const rollback = new Error('there is space')
      await db
        .transaction()
        .execute(async (trx) => {
          await sql`create unlogged table pult_space as
            select repeat(md5(part::text), 60) as bytes from generate_series(1, 512) part`.execute(trx)
          throw rollback
        })
        .catch((error: unknown) => {
          if (error !== rollback) throw error
        })
      lacksSpace = false
    },
  }
}
export type OpenDatabase = ReturnType<typeof openDatabase>

/** Runs a statement, which the metrics count and a recorded trace contains. Rejects with the error of the driver. */
async function run<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  statement: pg.QueryConfig,
  timeout: number | undefined,
): Promise<pg.QueryResult<Row>> {
  const end = beginStatement(statement.text)
  try {
    const result = await answerOf<Row>(client, statement, timeout)
    end()
    return result
  } catch (error) {
    end({ code: codeOf(error), reason: faultOf(error) })
    throw error
  }
}

const statementNames = new Map<string, string>()

/**
 * Returns a statement name. PostgreSQL plans a named statement once per connection, which halves the cost of short
 * reads.
 */
function nameOf(text: string): string | undefined {
  let name = statementNames.get(text)
  if (name === undefined && statementNames.size < preparedStatementsMax) {
    name = `p${statementNames.size}`
    statementNames.set(text, name)
  }
  return name
}

interface PreparedParts {
  timeout: number | undefined
  isBroken: (client: pg.PoolClient, error: unknown) => boolean
  release: (client: pg.PoolClient, isDiscarded?: Error | boolean) => void
}

/** Wraps a connection to use named statements. It is discarded after an error that may have broken it. */
function prepared(client: pg.PoolClient, { timeout, isBroken, release }: PreparedParts): PostgresPoolClient {
  let broken: Error | undefined
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const name = parameters.length > 0 ? nameOf(text) : undefined
    try {
      const values = [...parameters]
      return await run(client, name === undefined ? { text, values } : { name, text, values }, timeout)
    } catch (error) {
      if (isBroken(client, error)) broken = error as Error
      throw refusalOf(error)
    }
  }
  return {
    // The other signature is for cursors and unused.
    query: query as unknown as PostgresPoolClient['query'],
    // Kysely discards a connection that could not roll back.
    release: (isDiscarded) => release(client, broken ?? isDiscarded),
  }
}

/** Returns a rejection for an unavailable or slow database, otherwise the error itself. */
export function refusalOf(error: unknown): unknown {
  const fault = faultOf(error)
  if (fault === undefined) return error
  // The statement has failed, and the next may succeed after root has freed space.
  if (fault === 'disk_full') return Object.assign(new AppError('SERVER_DISK_FULL'), { cause: error })
  const code = fault === 'unavailable' ? 'DATABASE_UNAVAILABLE' : 'QUERY_TIMEOUT'
  return Object.assign(new AppError(code, { retryAfter: 2 }), { cause: error })
}

/** Returns why a valid statement failed. PostgreSQL cancels it at a time limit, and its connection remains usable. */
function faultOf(error: unknown): Exclude<StatementFault, 'no_connection'> | undefined {
  const code = codeOf(error)
  if (code === diskFullCode) return 'disk_full'
  if (code === '57014') return 'timeout'
  if (code === '55P03') return 'lock'
  return isUnavailable(error) ? 'unavailable' : undefined
}

const faultOfWait = (error: unknown): StatementFault =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === waitIsOver
    ? 'no_connection'
    : 'unavailable'

function unavailable(error: unknown): never {
  throw Object.assign(new AppError('DATABASE_UNAVAILABLE', { retryAfter: 2 }), { cause: error })
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const clientMessages =
  /^(Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/

/** PostgreSQL's code of a write for which its disk has no space. */
const diskFullCode = '53100'

/** Returns the code of PostgreSQL or of Node; an empty text if the error has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Returns whether the error means that the server is unreachable, starting, stopping or full, and not that the
 * statement is wrong. A former primary has become read-only. Classes 08, 53, 57P and 58 of
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    networkCodes.has(code) || /^(08|53|57P|58|25P03|25006)/.test(code) || clientMessages.test(error.message)
  )
}

/** Returns the violated PostgreSQL constraint, if the error is one. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
}
