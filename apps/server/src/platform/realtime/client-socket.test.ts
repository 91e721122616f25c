import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerMessage } from '@pult/contract'
import { underLoad } from '@pult/testkit'
import { afterAll, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type ClientSocket, createClientSocket } from './client-socket.ts'

const server = createServer()
const sockets = new WebSocketServer({ server })
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const address = server.address()
const url = typeof address === 'object' ? `ws://127.0.0.1:${address?.port}` : ''
afterAll(() => {
  for (const client of sockets.clients) client.terminate()
  server.close()
})

const mebibyte = 1024 * 1024

/** Returns both ends of a socket. */
async function connect() {
  const accepted = new Promise<{ socket: ClientSocket; ws: WebSocket }>((resolve) => {
    sockets.once('connection', (ws, { socket: duplex }) => {
      const nothing = () => {}
      const socket = createClientSocket({
        ws,
        duplex,
        onMessage: async () => {},
        onClose: nothing,
        onFault: nothing,
      })
      resolve({ socket, ws })
    })
  })
  const client = new WebSocket(url)
  const received: number[] = []
  client.on('message', (data) => received.push((data as Buffer).length))
  const closed = new Promise<number>((resolve) => {
    client.on('close', resolve)
  })
  await new Promise((opened) => client.once('open', opened))
  return { ...(await accepted), client, received, closed }
}

/** A message of 64 KiB. */
const big = {
  type: 'ready',
  build: { version: 'x'.repeat(64 * 1024), timestamp: '', commit: '' },
} satisfies ServerMessage

test('RULE-63 a client with more than 1 MiB unsent is closed with 1013, and other clients receive all messages in time', async () => {
  const slow = await connect()
  const quick = await connect()
  slow.client.pause()

  const delays: number[] = []
  let sent = 0
  let unsent = 0
  // The kernel buffers some megabytes before bytes accumulate in the server.
  while (slow.socket.isOpen() && sent < 1000) {
    slow.socket.send(big)
    unsent = Math.max(unsent, slow.ws.bufferedAmount)
    quick.socket.send(big)
    sent += 1
    const from = performance.now()
    await vi.waitFor(() => expect(quick.received).toHaveLength(sent), { interval: 1, timeout: 30_000 })
    delays.push(performance.now() - from)
  }
  expect(slow.socket.isOpen()).toBe(false)
  expect(unsent).toBeGreaterThan(mebibyte)
  expect(unsent).toBeLessThan(mebibyte + 2 * 64 * 1024)
  expect(delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)]).toBeLessThan(underLoad(250))

  // Nothing is added once the client counts as too slow.
  const held = slow.ws.bufferedAmount
  for (let index = 0; index < 50; index += 1) slow.socket.send(big)
  expect(slow.ws.bufferedAmount).toBe(held)

  slow.client.resume()
  expect(await slow.closed).toBe(1013)
  expect(quick.socket.isOpen()).toBe(true)
})

test('RULE-63 unsent messages are dropped 5 s after the close', async () => {
  const slow = await connect()
  slow.client.pause()
  while (slow.socket.isOpen()) {
    slow.socket.send(big)
    await sleep(0)
  }
  const from = performance.now()
  await vi.waitFor(() => expect(slow.ws.readyState).toBe(slow.ws.CLOSED), { timeout: 30_000 })
  expect(performance.now() - from).toBeGreaterThan(4500)
  expect(performance.now() - from).toBeLessThan(underLoad(6000))
})
