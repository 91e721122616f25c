import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely'
import pg from 'pg'
import { AppError } from '../app-error.ts'
import { answerOf } from './answer.ts'
import { parseInstant } from './parse-instant.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database> | Transaction<Database>

/** How `pg` reaches the server: a url, or the socket folder of the embedded one. */
export type DatabaseConnection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

/** A statement that is planned once a connection under its name. */
export interface Statement {
  name: string
  text: string
}

export interface DatabaseOptions {
  connection: DatabaseConnection
  /** Connections of this process. */
  max?: number
  /** For work that nobody waits for: it may take as long as it takes. */
  isPatient?: boolean
  onError: (error: Error) => void
}

/** A caller waits at most the sum of both when the database is away, and is told within 3 s. */
const connectTimeout = 1200
const queryTimeout = 1600

/**
 * A new connection is slow for its first few statements, which PostgreSQL plans anew each time until it trusts a plan:
 * who comes a little later than the last one finds it as it was.
 */
const idleTimeout = 5 * 60_000

const preparedStatementsMax = 500

// Counts and sums are bigint in PostgreSQL; none here comes near 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseInstant)

export function openDatabase({ connection, max = 16, isPatient = false, onError }: DatabaseOptions) {
  const timeout = isPatient ? undefined : queryTimeout
  const pool = new pg.Pool({
    ...connection,
    max,
    idleTimeoutMillis: isPatient ? 5000 : idleTimeout,
    // A moment after nobody waits for it any more PostgreSQL gives a statement up as well.
    ...(isPatient ? {} : { connectionTimeoutMillis: connectTimeout, statement_timeout: queryTimeout + 100 }),
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'pult',
    keepAlive: true,
  })
  // Without listeners the process would end when the database does: the pool hears its idle connections only.
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', () => {}))

  // Kysely remembers the connections that it has seen: a new one for each statement would be kept for a while each time.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  async function connect(): Promise<PostgresPoolClient> {
    const connected = await pool.connect().catch(unavailable)
    const client = clients.get(connected) ?? prepared(connected, timeout)
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

    /** A statement written once, for the few reads that stand before every call: nothing is built each time. */
    async read<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
      const client = await pool.connect().catch(unavailable)
      let broken: Error | undefined
      try {
        return (await answerOf<Row>(client, { ...statement, values }, timeout)).rows
      } catch (error) {
        if (!isUnavailable(error)) throw error
        broken = error as Error
        throw unavailableError(broken)
      } finally {
        client.release(broken)
      }
    },
  }
}
export type OpenDatabase = ReturnType<typeof openDatabase>

const statementNames = new Map<string, string>()

/** Naming a statement has PostgreSQL plan it once a connection, which makes short reads half as expensive. */
function nameOf(text: string): string | undefined {
  let name = statementNames.get(text)
  if (name === undefined && statementNames.size < preparedStatementsMax) {
    name = `p${statementNames.size}`
    statementNames.set(text, name)
  }
  return name
}

/** A connection with named statements, that is thrown away instead of used again when it may be broken. */
function prepared(client: pg.PoolClient, timeout: number | undefined): PostgresPoolClient {
  let broken: Error | undefined
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const name = parameters.length > 0 ? nameOf(text) : undefined
    try {
      const values = [...parameters]
      return await answerOf(client, name === undefined ? { text, values } : { name, text, values }, timeout)
    } catch (error) {
      if (isUnavailable(error)) broken = error as Error
      throw broken === undefined ? error : unavailableError(broken)
    }
  }
  return {
    // Cursors, the other signature, are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    // Kysely says so of one that could not roll back.
    release: (isDiscarded) => client.release(broken ?? isDiscarded),
  }
}

function unavailableError(cause: unknown): AppError {
  const error = new AppError('DATABASE_UNAVAILABLE', { retryAfter: 2 })
  error.cause = cause
  return error
}

function unavailable(error: unknown): never {
  throw unavailableError(error)
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

/**
 * Whether an error means that the server is away, starting, stopping or full, not that the statement is wrong.
 * Classes 08, 53, 57P and 58 of https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    networkCodes.has(code) || /^(08|53|57P|57014|58|25P03)/.test(code) || clientMessages.test(error.message)
  )
}

/** The PostgreSQL constraint that refused a row, if that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
}
