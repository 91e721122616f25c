import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiBase, type ErrorCode, errors, limits, socketPath } from '@pult/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { STATUS_CODES } from '../http/node-http.ts'
import type { Log } from '../log.ts'

/** Answers a request for a socket, with what came after its head. */
export type SocketDoor = (request: IncomingMessage, duplex: Duplex, head: Buffer) => void

export interface HandshakeParts {
  server: Server
  allowedOrigins: readonly string[]
  /** Who answers requests for sockets at other addresses, by their paths. */
  otherDoors?: ReadonlyMap<string, SocketDoor>
  log: Log
  /** Called at once when the handshake is done, so that its listeners miss no message. */
  onSocket: (ws: WebSocket, duplex: Duplex) => void
}

const toldOriginsMax = 20

/** A message in more pieces than that is meant to cost us time. */
const fragmentsMax = 64

/**
 * Whether a request asks for a socket. Node takes every Upgrade header out of the ordinary requests otherwise, and some
 * HTTP clients offer `h2c` with each call.
 */
export function isSocketRequest(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Turns requests for sockets into sockets. Directly on Node's server instead of through a route: a route's hooks are
 * asynchronous, and a message that arrives before a listener is attached is lost.
 */
export function createHandshake({
  server,
  allowedOrigins,
  otherDoors = new Map(),
  log,
  onSocket,
}: HandshakeParts) {
  const origins = new Set(allowedOrigins)
  const toldOrigins = new Set<string>()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.socketMessageBytes,
    maxFragments: fragmentsMax,
    // Compression keeps a window of memory for each socket and mixes secrets with what a stranger may choose.
    perMessageDeflate: false,
  })

  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const otherDoor = otherDoors.get(request.url ?? '')
    if (otherDoor !== undefined) return otherDoor(request, duplex, head)
    // The whole URL: one with a query, such as a token, is another address.
    if (request.url !== apiBase + socketPath) return refuse(duplex, 'NOT_FOUND')
    // Programs send no Origin; browsers always do, and a foreign page must not use the socket with its visitor's rights.
    const { origin } = request.headers
    if (origin !== undefined && !origins.has(origin)) {
      warnOnce(origin.slice(0, 200))
      return refuse(duplex, 'FORBIDDEN')
    }
    sockets.handleUpgrade(request, duplex, head, (ws) => onSocket(ws, duplex))
  })

  function warnOnce(origin: string): void {
    if (toldOrigins.has(origin) || toldOrigins.size === toldOriginsMax) return
    toldOrigins.add(origin)
    log.warn(
      { origin },
      'a socket was refused because of its origin: see the settings PULT_URL and DEV_ORIGINS',
    )
  }

  return {
    /** Accepts no more sockets (503). Returns when those that are open are closed. */
    close: () => new Promise<void>((closed) => sockets.close(() => closed())),
  }
}

/** Answers a request for a socket as any other call is refused. */
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
