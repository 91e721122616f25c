import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface SilentSocketsOptions {
  path: string
  count: number
  /** The network of each socket, sent as `x-network`. */
  networkOf: (index: number) => string
  /** Sent after the handshake, as one message. */
  message?: string
}

/** The sockets that `openSilentSockets` opens at the same time. */
export const socketsAtOnce = 20

/**
 * Opens sockets like an attacker: they send no token and never confirm a close. Returns the largest number of
 * connections that the server had after each wave.
 */
export async function openSilentSockets(server: Server, options: SilentSocketsOptions) {
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  let most = 0
  for (let first = 0; first < options.count; first += socketsAtOnce) {
    const wave = Array.from({ length: socketsAtOnce }, (_, place) => openOne(port, first + place, options))
    sockets.push(...(await Promise.all(wave)))
    most = Math.max(most, await connectionsOf(server))
  }
  return {
    most,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function openOne(port: number, index: number, { path, networkOf, message }: SilentSocketsOptions) {
  const socket = connect(port, '127.0.0.1')
  const head = [
    `GET ${path} HTTP/1.1`,
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    `x-network: ${networkOf(index)}`,
    '',
    '',
  ].join('\r\n')
  socket.write(message === undefined ? head : Buffer.concat([Buffer.from(head), textFrame(message)]))
  socket.on('error', () => {})
  return new Promise<Socket>((resolve) => {
    socket.once('data', () => resolve(socket))
    socket.once('close', () => resolve(socket))
  })
}

/** A text frame of 126 bytes or more with the mask 0 (RFC 6455 5.2). */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([
    Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]),
    payload,
  ])
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )
