import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { explain } from '../app-error.ts'
import { DatabaseClient } from './client.ts'
import type { DatabaseConnection } from './database.ts'
import { causeOf, type DatabaseFault, DatabaseFaultError, readOnly } from './database-fault.ts'

/** User and password, which may contain an @, the hosts, and the rest of a URL of libpq. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/

/** Milliseconds for one host to answer whether it takes writes. */
const probeTimeout = 800
/** An earlier host wins if it answers within this many milliseconds of the first answer. */
const orderGrace = 200
/** Milliseconds for which the found host is reused: connections that open together probe once. */
const answerLifetime = 1000

/** Returns one URL for each host. */
function perHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

/**
 * Reads one URL like the driver, for which `prefer`, `require` and `verify-ca` mean `verify-full`: it prints a warning
 * of four lines otherwise.
 */
const readUrl = (url: string): pg.ClientConfig => parseIntoClientConfig(withoutWarning(url))

const withoutWarning = (url: string) =>
  url.includes('uselibpqcompat=true')
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

const example = 'for example postgres://pult:PASSWORD@db.example.org:5432/pult'
const notAUrl = `must be a URL that starts with postgres: or postgresql:, ${example}`
const mustEncode =
  'cannot be read: special characters in user and password must be percent-encoded, for example # as %23, / as %2F, ' +
  '? as %3F, @ as %40 and % as %25'
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** Like the driver: a URL with a user needs a host, even if the host is a parameter. */
function partsOf(url: string): URL {
  const text = URL.canParse(url) ? url : url.replace('@/', '@localhost/')
  return new URL(text)
}

/** Returns why the driver cannot use a URL. The text contains nothing of user and password. */
function faultOfUrl(url: string): string | undefined {
  // The forms of pg-connection-string for a socket: `/folder database` and `socket:/folder?db=database`.
  if (/^(\/|socket:)/.test(url)) return undefined
  if (!/^postgres(ql)?:\/\//.test(url)) return notAUrl
  for (const one of perHost(url)) {
    try {
      readUrl(one)
    } catch (error) {
      return faultOfReading(error, url)
    }
    const { hash, pathname, searchParams } = partsOf(one)
    if (hash !== '' || pathname.includes('@') || [...searchParams.keys()].some((key) => key.includes('@')))
      return mustEncode
    const mode = searchParams.get('sslmode')
    if (mode !== null && !sslModes.includes(mode))
      return `has an unknown sslmode: use one of ${sslModes.join(', ')}, for example ?sslmode=verify-full`
    if (searchParams.get('host')?.includes(','))
      return 'must list several hosts before the database, for example postgres://pult@one:5432,two:5432/pult'
  }
  return undefined
}

function faultOfReading(error: unknown, url: string): string {
  if (!(error instanceof Error)) return notAUrl
  if ('path' in error && 'code' in error)
    return `names the file ${String(error.path)}, which cannot be read (${String(error.code)})`
  const [, , hosts = ''] = parts.exec(url) ?? []
  const port = hosts.match(/:(\d+)(?=,|$)/g)?.find((each) => Number(each.slice(1)) > 65_535)
  if (port !== undefined) return `has the port ${port.slice(1)}, but ports end at 65535, ${example}`
  if (error instanceof TypeError) return url.includes('@') ? mustEncode : notAUrl
  if (error instanceof URIError) return mustEncode
  return `is not valid: ${error.message.replace('SECURITY WARNING: ', '').replace(/\. .*/s, '')}`
}

const sessionAttrsOf = (url: string): string | null =>
  url.startsWith('postgres') ? partsOf(perHost(url)[0] ?? '').searchParams.get('target_session_attrs') : null

/** Returns why a DATABASE_URL cannot be used. */
export function faultOfDatabaseUrl(url: string): string | undefined {
  const fault = faultOfUrl(url)
  if (fault !== undefined) return fault
  const attrs = sessionAttrsOf(url)
  return attrs === null || attrs === 'read-write' || attrs === 'primary'
    ? undefined
    : 'must have the target_session_attrs read-write: each node finds the host that takes writes'
}

/** Returns why a DATABASE_REPLICA_URL cannot be used. */
export function faultOfReplicaUrl(url: string): string | undefined {
  const fault = faultOfUrl(url)
  if (fault !== undefined) return fault
  const attrs = sessionAttrsOf(url)
  return attrs === 'read-write' || attrs === 'primary'
    ? 'must not ask for a host that takes writes'
    : undefined
}

/** Returns the hosts of a URL, each with its own connection settings. */
export function hostsOf(url: string | undefined): { name: string; connection: DatabaseConnection }[] {
  return url === undefined
    ? []
    : perHost(url).map((one) => ({
        name: nameOf(readUrl(one)),
        connection: { connectionString: withoutWarning(one) },
      }))
}

const nameOf = ({ host, port = 5432 }: pg.ClientConfig) => `${host || 'localhost'}:${port}`

/**
 * Returns the connection settings of a URL. With several hosts, as libpq writes them, each new connection goes to the
 * one that takes writes, so that a promoted standby is found.
 */
export function connectionOf(url: string): DatabaseConnection {
  const urls = perHost(url)
  const [first = url, ...others] = urls
  if (others.length === 0) return { connectionString: withoutWarning(url) }
  const hosts = urls.map(readUrl)
  const find = createFinder(hosts)
  const { host = 'localhost', port = 5432, user = '', database = '', password, ssl } = readUrl(first)
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
        if (this.destroyed) return
        if (host.startsWith('/')) super.connect({ path: `${host}/.s.PGSQL.${port}` })
        else super.connect({ host: host || 'localhost', port })
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
  const faults = hosts.map((): DatabaseFault | undefined => undefined)
  const answers = hosts.map(async (config, index) => {
    try {
      await askForWrites(config)
      takesWrites[index] = true
    } catch (error) {
      faults[index] = causeOf(error) ?? { cause: explain(error), remedy: '', isFinal: false }
      throw error
    }
  })
  const all = Promise.allSettled(answers)
  try {
    await Promise.any(answers)
  } catch {
    const each = hosts.map((config, index) => `${nameOf(config)}: ${faults[index]?.cause}`)
    const remedies = new Set(faults.map((fault) => fault?.remedy ?? '').filter((remedy) => remedy !== ''))
    const error = new DatabaseFaultError({
      cause: `no host of DATABASE_URL takes writes (${each.join('; ')})`,
      remedy: [...remedies].join('. '),
      isFinal: faults.every((fault) => fault?.isFinal === true),
    })
    throw Object.assign(error, { code: 'ECONNREFUSED' })
  }
  if (takesWrites[0] !== true) await Promise.race([all, delay(orderGrace)])
  const found = hosts[takesWrites.indexOf(true)]
  if (found === undefined) throw new Error('a host was found and is gone')
  return found
}

async function askForWrites(config: pg.ClientConfig): Promise<void> {
  const client = new DatabaseClient({
    ...config,
    connectionTimeoutMillis: probeTimeout,
    query_timeout: probeTimeout,
    application_name: 'pult probe',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off') throw new DatabaseFaultError(readOnly)
  } finally {
    client.end().catch(() => {})
  }
}
