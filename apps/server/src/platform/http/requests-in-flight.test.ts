import { connect } from 'node:net'
import { apiBase, endpoint } from '@pult/contract'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createCallsInProgress } from './requests-in-flight.ts'
import { type Permission, route } from './route.ts'
import { bareServer } from './testing/bare-server.ts'

const anyone: Permission = { name: 'anyone', decide: (caller) => caller }
const wait = endpoint('GET', '/wait', { summary: 'For a test.', reply: z.string() })
const probe = endpoint('GET', '/probe', { summary: 'For a test.', reply: z.string() })

/** A server whose calls wait until `finish`. */
async function waitingServer() {
  const app = bareServer()
  let started = 0
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const handler = async () => {
    started += 1
    await finished
    return 'done'
  }
  route(app, wait, { allow: anyone }, handler)
  route(app, probe, { allow: anyone, isProbe: true }, () => 'alive')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => app.close())
  return { app, url, port: Number(new URL(url).port), started: () => started, finish }
}

/** Sends a text on one connection. `closed` is all that arrives until the server closes it. */
function send(port: number, text: string) {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  return { socket, closed: new Promise<string>((resolve) => socket.on('close', () => resolve(received))) }
}

const request = `GET ${apiBase}/wait HTTP/1.1\r\nhost: x\r\n\r\n`
const repliesIn = (text: string) => text.split('HTTP/1.1 200 OK').length - 1

test('of many requests on one connection two are answered, and the connection closes', async () => {
  const { port, started, finish } = await waitingServer()
  const { closed } = send(port, request.repeat(1000))
  await expect.poll(started).toBe(2)
  finish()
  const received = await closed
  expect(repliesIn(received)).toBe(2)
  expect(received.toLowerCase().split('connection: close').length - 1).toBe(1)
  expect(started()).toBe(2)
})

test('requests that follow each other on one connection are all answered', async () => {
  const { port, finish } = await waitingServer()
  finish()
  const { socket } = send(port, request)
  let count = 0
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      count += repliesIn(chunk.toString())
      if (count === 50) resolve()
      else socket.write(request)
    })
  })
  socket.destroy()
  expect(count).toBe(50)
})

test('a request with two Host headers is refused', async () => {
  const { port } = await waitingServer()
  for (const second of ['Host: evil.example', 'host: x', 'HOST:'])
    expect(
      await send(port, `GET ${apiBase}/probe HTTP/1.1\r\nhost: x\r\n${second}\r\nconnection: close\r\n\r\n`)
        .closed,
    ).toMatch(/^HTTP\/1\.1 400 /)
})

test('calls beyond those in progress are refused, except probes, and places return', async () => {
  const { app, url, started, finish } = await waitingServer()
  app.callsInProgress = createCallsInProgress({ all: 3, each: 3 })
  const calls = [1, 2, 3].map(() => fetch(`${url}${apiBase}/wait`))
  await expect.poll(started).toBe(3)
  const refused = await fetch(`${url}${apiBase}/wait`)
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    503,
    '1',
    { code: 'BUSY' },
  ])
  expect((await fetch(`${url}${apiBase}/probe`)).status).toBe(200)
  finish()
  for (const call of calls) expect((await call).status).toBe(200)
  expect((await fetch(`${url}${apiBase}/wait`)).status).toBe(200)
})

test('one caller never takes the places of all, and a failed call returns its place', async () => {
  const calls = createCallsInProgress({ all: 4, each: 2 })
  const { promise, resolve } = Promise.withResolvers<string>()
  const ofAda = [calls.run('ada', () => promise), calls.run('ada', () => promise)]
  await expect(calls.run('ada', () => promise)).rejects.toMatchObject({ code: 'BUSY' })
  const failing = calls.run('ben', async () => {
    await promise
    throw new Error('failed')
  })
  const ofBen = calls.run('ben', () => promise)
  await expect(calls.run('eve', () => promise)).rejects.toMatchObject({ code: 'BUSY' })
  resolve('done')
  expect(await Promise.all([...ofAda, ofBen])).toEqual(['done', 'done', 'done'])
  await expect(failing).rejects.toThrow('failed')
  for (let round = 0; round < 5; round += 1) expect(await calls.run('ben', () => 'again')).toBe('again')
})
