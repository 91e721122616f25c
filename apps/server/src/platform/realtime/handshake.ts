import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiBase, type ErrorCode, errors, limits, socketPath } from '@pult/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { STATUS_CODES } from '../http/node-http.ts'
import { type Log, printable } from '../log.ts'

/** Handles an upgrade request. `head` holds the bytes that followed its header. */
export type UpgradeHandler = (request: IncomingMessage, duplex: Duplex, head: Buffer) => void

export interface HandshakeParts {
  server: Server
  allowedOrigins: readonly string[]
  /** Handlers of upgrade requests at other paths. */
  otherHandlers?: ReadonlyMap<string, UpgradeHandler>
  log: Log
  /** Whether another socket is accepted; otherwise the request returns 503. */
  admits?: (request: IncomingMessage) => boolean
  /** Called synchronously when the handshake is done, so that its listeners miss no message. */
  onSocket: (ws: WebSocket, duplex: Duplex, request: IncomingMessage) => void
}

const loggedOriginsMax = 20

/** Limit of an origin that root sees. A shortened one could look like another host. */
const shownOriginMax = 100

/** Limit of fragments per message: a message of many tiny fragments only consumes processing time. */
const fragmentsMax = 64

/**
 * Returns whether a request is for our socket. Otherwise Node would treat every Upgrade header as an upgrade, and
 * some HTTP clients offer `h2c` with each call.
 */
export function isSocketRequest(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Upgrades requests to sockets. Attached to Node's server instead of a route: a route's hooks are asynchronous, and a
 * message that arrives before a listener is attached is lost.
 */
export function createHandshake({
  server,
  allowedOrigins,
  otherHandlers = new Map(),
  log,
  admits = () => true,
  onSocket,
}: HandshakeParts) {
  const origins = new Set(allowedOrigins)
  const loggedOrigins = new Set<string>()
  let refusedOrigin: { origin: string; seenAt: string } | null = null
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.socketMessageBytes,
    maxFragments: fragmentsMax,
    // Compression needs memory per socket and mixes secrets with input of an attacker.
    perMessageDeflate: false,
  })

  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const otherHandler = otherHandlers.get(request.url ?? '')
    if (otherHandler !== undefined) return otherHandler(request, duplex, head)
    // Compares the whole URL: with a query, such as a token, it is another address.
    if (request.url !== apiBase + socketPath) return refuse(duplex, 'NOT_FOUND')
    // Programs send no Origin, browsers always do. A foreign page must not use the socket with its visitor's rights.
    const { origin } = request.headers
    if (origin !== undefined && !origins.has(origin)) {
      if (isAddress(origin)) refusedOrigin = { origin, seenAt: new Date().toISOString() }
      warnOnce(printable(origin))
      return refuse(duplex, 'FORBIDDEN')
    }
    if (!admits(request)) return refuse(duplex, 'BUSY')
    sockets.handleUpgrade(request, duplex, head, (ws) => onSocket(ws, duplex, request))
  })

  function warnOnce(origin: string): void {
    if (loggedOrigins.has(origin) || loggedOrigins.size === loggedOriginsMax) return
    loggedOrigins.add(origin)
    log.warn(
      { origin },
      'a socket was refused because of its origin: check the settings PULT_URL and DEV_ORIGINS',
    )
  }

  return {
    /** Returns the latest origin that was refused, if it is the address of a page. */
    refusedOrigin: () => refusedOrigin,

    /** Accepts no more sockets (503). Resolves when the open ones are closed. */
    close: () => new Promise<void>((closed) => sockets.close(() => closed())),
  }
}

/** Returns whether a text is the origin of a page. Programs can send any text in the header. */
const isAddress = (origin: string) =>
  origin.length <= shownOriginMax && /^https?:/.test(origin) && URL.parse(origin)?.origin === origin

/** Rejects an upgrade request with the error body that calls return. */
export function refuse(duplex: Duplex, code: ErrorCode): void {
  const { status, message } = errors[code]
  const body = JSON.stringify({ code, message })
  duplex.on('error', () => {})
  duplex.once('finish', () => duplex.destroy())
  duplex.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json',
      'cache-control: no-store',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
