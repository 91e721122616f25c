import type { Socket } from 'node:net'
import pg from 'pg'
import { answerOf } from './answer.ts'
import './late-errors.ts'

/*
 * The driver and libpq read PGHOST, PGOPTIONS, PGSSLMODE and others. Only DATABASE_URL, or the embedded database,
 * determines the connections of Pult, so a variable of the operator's shell changes none of them.
 */
const ignored = Object.keys(process.env).filter((name) => name.startsWith('PG') && process.env[name])
for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]

const password = {
  has: /^\w+:\/\/[^/?@:]*:[^/?]*@|[?&]password=/,
  example: 'postgres://USER:PASSWORD@HOST:5432/DATABASE',
}

/** Variables that a DATABASE_URL without this part relied on, and how the URL names it. */
const inUrl: Record<string, { has: RegExp; example: string }> = {
  PGSSLMODE: { has: /[?&]sslmode=/, example: 'sslmode=verify-full' },
  PGSSLROOTCERT: { has: /[?&]sslrootcert=/, example: 'sslrootcert=/etc/pult/ca.pem' },
  PGSSLCERT: { has: /[?&]sslcert=/, example: 'sslcert=/etc/pult/client.pem' },
  PGSSLKEY: { has: /[?&]sslkey=/, example: 'sslkey=/etc/pult/client.key' },
  PGPASSWORD: password,
  PGPASSFILE: password,
}

/**
 * Returns why the variables of this process forbid a DATABASE_URL: without encryption or a password that only they
 * request, the connection would be a different one. `names` are those that were set.
 */
export function faultOfVariables(url: string, names: readonly string[] = ignored): string | undefined {
  const name = names.find((each) => inUrl[each]?.has.test(url) === false)
  return name === undefined
    ? undefined
    : `The variable ${name} is not read. Write its value into DATABASE_URL, for example ${inUrl[name]?.example}, and remove the variable`
}

/**
 * The parameters that statements rely on. A role, a database or a server may have other defaults: a German date style
 * breaks every date, and a timeout ends the connection that waits for events. A parameter that this version of
 * PostgreSQL does not have is left out.
 */
const sessionParameters = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // Compiling a statement can take a second, more than it saves.
  jit: 'off',
}

/** An administrator may have put the extension into another schema. */
const searchPath = `'public' || coalesce((select ', ' || quote_ident(nspname) from pg_catalog.pg_extension e
  join pg_catalog.pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm' and nspname <> 'public'), '')`

const literal = (value: string) => `'${value}'`

/** Milliseconds. Zero means no limit. */
interface SessionLimits {
  statement_timeout?: number | undefined
  lock_timeout?: number | undefined
  idle_in_transaction_session_timeout?: number | undefined
}

/** Linux then counts a silent peer as gone 20 s after its last byte, also while this side only receives. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

const limitNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

function setUpOf(limits: SessionLimits): string {
  const ofLimits = Object.fromEntries(limitNames.map((name) => [name, String(limits[name] ?? 0)]))
  const values = { ...sessionParameters, ...ofLimits }
  const rows = Object.entries(values).map(([name, value]) => `(${literal(name)}, ${literal(value)})`)
  return `select pg_catalog.set_config(name, value, false)
    from (values ('search_path', ${searchPath}), ${rows.join(', ')}) as parameter (name, value)
    where pg_catalog.current_setting(name, true) is not null`
}

/** Another protocol answers on this port. */
export const notPostgresCode = 'NOT_POSTGRESQL'

/** The errors with which connecting has failed. Other parts of Pult have errors with the same codes. */
export const connectErrors = new WeakSet<Error>()

/** The first byte of PostgreSQL's answer to a start-up message, and to a request for TLS. */
const firstBytes = { plain: 'REvN', tls: 'SNE' }

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * A connection on which the parameters of the session are set before its first statement. They are not part of the
 * start-up message, because PgBouncer rejects such messages. The connect timeout includes the set-up. All connections
 * of Pult use this class, except the one on which pg-boss listens, which has a heartbeat.
 */
export class DatabaseClient extends pg.Client {
  readonly #setUp: string
  readonly #connectTimeout: number | undefined
  #isForeign = false

  constructor(config: pg.ClientConfig = {}) {
    const limits: SessionLimits = {}
    const rest = { ...config, ...keepAlive }
    for (const name of limitNames) {
      const value = rest[name]
      if (typeof value === 'number') limits[name] = value
      delete rest[name]
    }
    // The driver makes the password and a client certificate's key non-enumerable, so spreading leaves them out.
    if (config.password !== undefined) rest.password = config.password
    super(rest)
    this.#setUp = setUpOf(limits)
    this.#connectTimeout = config.connectionTimeoutMillis || undefined
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    const opened = this.#open()
    if (callback === undefined) return opened
    const report = callback as (error: unknown, client?: pg.Client) => void
    opened.then(() => report(null, this), report)
  }

  async #open(): Promise<pg.Client> {
    this.#watchFirstByte()
    try {
      await super.connect()
      await answerOf(this, { text: this.#setUp }, this.#connectTimeout)
      return this
    } catch (error) {
      this.end().catch(() => {})
      if (error instanceof Error) connectErrors.add(error)
      if (!this.#isForeign) throw error
      const foreign = new Error('the server does not speak the protocol of PostgreSQL', { cause: error })
      connectErrors.add(foreign)
      throw Object.assign(foreign, { code: notPostgresCode })
    }
  }

  /** The driver would wait for the rest of a message that another protocol never sends. */
  #watchFirstByte(): void {
    const { connection, ssl, sslNegotiation } = this as unknown as {
      connection: { stream: Socket }
      ssl: unknown
      sslNegotiation: string
    }
    if (sslNegotiation === 'direct') return
    const expected = ssl ? firstBytes.tls : firstBytes.plain
    connection.stream.once('data', (chunk: Buffer) => {
      if (expected.includes(String.fromCharCode(chunk[0] ?? 0))) return
      this.#isForeign = true
      connection.stream.destroy(new Error('another protocol'))
    })
  }
}
