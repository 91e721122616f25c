import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { explain } from '../app-error.ts'
import type { DatabaseConnection } from './database.ts'

/** User and password, the hosts, and the rest of a URL of libpq. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/

/** Milliseconds for one host to answer whether it takes writes. */
const probeTimeout = 800
/** An earlier host wins if it answers within this many milliseconds of the first answer. */
const orderGrace = 200
/** Milliseconds for which the found host is reused: connections that open together probe once. */
const answerLifetime = 1000

/** Returns one URL for each host. */
function perHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

const notAUrl = 'must be a url that starts with postgres: or postgresql:'

/** Returns the `target_session_attrs` of a URL; undefined for a text that is not a URL. */
function sessionAttrsOf(url: string): string | null | undefined {
  const urls = perHost(url)
  return /^postgres(?:ql)?:\/\//.test(url) && urls.every((one) => URL.canParse(one))
    ? new URL(urls[0] ?? '').searchParams.get('target_session_attrs')
    : undefined
}

/** Returns why a DATABASE_URL cannot be used. */
export function faultOfDatabaseUrl(url: string): string | undefined {
  const attrs = sessionAttrsOf(url)
  if (attrs === undefined) return notAUrl
  return attrs === null || attrs === 'read-write' || attrs === 'primary'
    ? undefined
    : 'must have the target_session_attrs read-write: each node finds the host that takes writes'
}

/** Returns why a DATABASE_REPLICA_URL cannot be used. */
export function faultOfReplicaUrl(url: string): string | undefined {
  const attrs = sessionAttrsOf(url)
  if (attrs === undefined) return notAUrl
  return attrs === 'read-write' || attrs === 'primary'
    ? 'must not ask for a host that takes writes'
    : undefined
}

/** Returns the hosts of a URL, each with its own connection settings. */
export function hostsOf(url: string | undefined): { name: string; connection: DatabaseConnection }[] {
  return url === undefined
    ? []
    : perHost(url).map((one) => ({
        name: nameOf(parseIntoClientConfig(one)),
        connection: { connectionString: one },
      }))
}

const nameOf = ({ host = 'localhost', port = 5432 }: pg.ClientConfig) => `${host}:${port}`

/**
 * Returns the connection settings of a URL. With several hosts, as libpq writes them, each new connection goes to the
 * one that takes writes, so that a promoted standby is found.
 */
export function connectionOf(url: string): DatabaseConnection {
  const urls = perHost(url)
  const [first = url, ...others] = urls
  if (others.length === 0) return { connectionString: url }
  const hosts = urls.map((one) => parseIntoClientConfig(one))
  const find = createFinder(hosts)
  const {
    host = 'localhost',
    port = 5432,
    user = '',
    database = '',
    password,
    ssl,
  } = parseIntoClientConfig(first)
  return {
    host,
    port,
    user,
    database,
    ...(typeof password === 'string' && { password }),
    ...(ssl !== undefined && { ssl }),
    // The only option that every library passes to the driver: pg-boss creates its own clients.
    stream: (settings) => {
      const socket = new PrimarySocket(find)
      // The driver would compare the certificate with the first host. `ssl` is shared by all connections of a pool.
      if (settings?.ssl === true) settings.ssl = { checkServerIdentity: socket.checkIdentity }
      else if (typeof settings?.ssl === 'object' && settings.ssl.checkServerIdentity === undefined) {
        const { key } = settings.ssl
        // The driver makes a client certificate's key non-enumerable, so spreading leaves it out.
        settings.ssl = {
          ...settings.ssl,
          ...(key !== undefined && { key }),
          checkServerIdentity: socket.checkIdentity,
        }
      }
      return socket
    },
  }
}

/** Connects to the host that takes writes, whichever host the driver names. */
class PrimarySocket extends Socket {
  readonly #find: () => Promise<pg.ClientConfig>
  #host = ''

  constructor(find: () => Promise<pg.ClientConfig>) {
    super()
    this.#find = find
  }

  override connect(): this {
    this.#find().then(
      ({ host = 'localhost', port = 5432 }) => {
        this.#host = host
        if (!this.destroyed) super.connect({ host, port })
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return this
  }

  /** Compares a certificate with the host of this connection. */
  readonly checkIdentity = (_host: string, certificate: PeerCertificate) =>
    checkServerIdentity(this.#host, certificate)
}

function createFinder(hosts: readonly pg.ClientConfig[]): () => Promise<pg.ClientConfig> {
  let asked: { answer: Promise<pg.ClientConfig>; until: number } | undefined
  return () => {
    if (asked === undefined || asked.until < performance.now()) {
      const answer = findPrimary(hosts)
      asked = { answer, until: performance.now() + answerLifetime }
      // The next connection probes again.
      answer.catch(() => {
        asked = undefined
      })
    }
    return asked.answer
  }
}

/** Probes all hosts concurrently. If several take writes, the first in the list wins, as in libpq. */
async function findPrimary(hosts: readonly pg.ClientConfig[]): Promise<pg.ClientConfig> {
  const takesWrites = hosts.map(() => false)
  const reasons = hosts.map(() => '')
  const answers = hosts.map(async (config, index) => {
    try {
      await askForWrites(config)
      takesWrites[index] = true
    } catch (error) {
      reasons[index] = explain(error)
      throw error
    }
  })
  const all = Promise.allSettled(answers)
  try {
    await Promise.any(answers)
  } catch {
    const each = hosts.map((config, index) => `${nameOf(config)}: ${reasons[index]}`)
    const error = new Error(`no host of DATABASE_URL takes writes (${each.join('; ')})`)
    throw Object.assign(error, { code: 'ECONNREFUSED' })
  }
  if (takesWrites[0] !== true) await Promise.race([all, delay(orderGrace)])
  const found = hosts[takesWrites.indexOf(true)]
  if (found === undefined) throw new Error('a host was found and is gone')
  return found
}

async function askForWrites(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: probeTimeout,
    query_timeout: probeTimeout,
    application_name: 'pult probe',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off') throw new Error('this host is a standby')
  } finally {
    client.end().catch(() => {})
  }
}
