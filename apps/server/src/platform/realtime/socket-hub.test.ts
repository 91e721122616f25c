import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, limits, socketPath } from '@pult/contract'
import { underLoad } from '@pult/testkit'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { AppError } from '../app-error.ts'
import { createLog } from '../log.ts'
import { createSocketHub, type SocketOwner } from './socket-hub.ts'
import { openTestSocket, type TestSocketOptions } from './test-socket.ts'
import { openSilentSockets, socketsAtOnce } from './testing/silent-sockets.ts'

const origin = 'https://pult.example.org'
const devOrigin = 'http://localhost:5173'
const build = { version: '2.4.0', timestamp: '2026-01-01T00:00:00.000Z', commit: 'unknown' }

const { unauthenticatedSockets: usualLimits } = readConfig({})

const closes: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closes) await close()
})

/** A hub on its own server. Tokens look like `person/session`; the session room tests real sessions. */
async function startHub(options: Partial<Parameters<typeof createSocketHub>[0]> = {}) {
  const server = createServer((_request, response) => response.end('a call'))
  const ended = new Set<string>()
  const logLines: string[] = []
  const state = { isDatabaseAway: false, isBroken: false, delay: 0, gap: () => {} }

  async function database(): Promise<void> {
    await sleep(state.delay)
    if (state.isDatabaseAway) throw new AppError('DATABASE_UNAVAILABLE')
    if (state.isBroken) throw new TypeError('a fault')
  }

  const hub = createSocketHub({
    server,
    allowedOrigins: [origin, devOrigin],
    build,
    strangersMax: usualLimits,
    log: createLog('debug', { write: (line) => void logLines.push(line) }),
    events: {
      onGap: (listener) => {
        state.gap = listener
        return () => {}
      },
      listen: () => () => {},
      position: () => 'node 7',
    },
    guard: { readersOf: async () => [], recipientsOf: async () => [] },
    sessions: {
      async authenticate(token): Promise<SocketOwner | null> {
        await database()
        const [personId, sessionId] = token.split('/')
        if (personId === undefined || sessionId === undefined || ended.has(sessionId)) return null
        return { personId, sessionId }
      },
      async findOpen(sessionIds) {
        await database()
        return sessionIds.filter((id) => !ended.has(id))
      },
    },
    ...options,
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const url = `http://127.0.0.1:${address.port}`
  closes.push(async () => {
    await hub.close()
    server.close()
  })
  return {
    hub,
    server,
    port: address.port,
    url,
    ended,
    state,
    logLines,
    open: (socketOptions?: TestSocketOptions) => openTestSocket(url, socketOptions),
  }
}

const hub = await startHub()

test.each([origin, devOrigin, undefined])('RULE-60 the origin %s can open a socket', async (allowed) => {
  const socket = await hub.open(allowed === undefined ? {} : { origin: allowed })
  expect(socket.status).toBe(101)
  socket.ws.terminate()
})

test.each([
  'https://evil.example.org',
  'http://pult.example.org',
  'https://pult.example.org:8443',
  'https://pult.example.org.evil.example.org',
  'null',
  '',
])('RULE-60 a page of the origin %j is refused with 403 before the upgrade', async (foreign) => {
  const socket = await hub.open({ headers: { origin: foreign } })
  expect(socket.status).toBe(403)
})

test('RULE-60 a refused origin is logged once', async () => {
  const foreign = 'https://wrong-setting.example.org'
  await hub.open({ origin: foreign })
  await hub.open({ origin: foreign })
  expect(hub.logLines.filter((line) => line.includes(foreign))).toHaveLength(1)
})

test('RULE-60 the latest refused origin is kept for root if it is the address of a page', async () => {
  const { hub: own, open } = await startHub()
  expect(own.refusedOrigin()).toBeNull()
  for (const text of [
    'null',
    'Call +49 40 123 now',
    'https://pult.example.org/path',
    'ftp://pult.example.org',
    `https://${'a.'.repeat(50)}example`,
  ])
    await open({ headers: { origin: text } })
  expect(own.refusedOrigin()).toBeNull()
  await open({ origin })
  for (const foreign of ['https://first.example', 'http://10.0.0.7:8080']) {
    await open({ origin: foreign })
    expect(own.refusedOrigin()).toEqual({ origin: foreign, seenAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  }
})

test.each(['/api/ws?token=ada/s1', '/api/ws/', '/ws', '/'])(
  'RULE-34 %s is not the address of sockets',
  async (path) => {
    const socket = await hub.open({ path })
    expect(socket.status).toBe(404)
  },
)

describe.concurrent('the time to authenticate', () => {
  test('RULE-60 a socket without authentication is closed with 4401 after 5 s, others stay open', async () => {
    const silent = await hub.open()
    const speaking = await hub.open({ token: 'ada/silent' })
    const closed = await silent.closed
    expect(closed.code).toBe(4401)
    expect(closed.after).toBeGreaterThan(4900)
    expect(closed.after).toBeLessThan(underLoad(6000))
    await sleep(200)
    expect(await speaking.ask({ type: 'ping' })).toBe('pong')
    speaking.ws.terminate()
  })

  test('RULE-60 an authentication that arrived in time survives a slow database', async () => {
    const slow = await startHub({ authenticateWithin: 3000 })
    slow.state.delay = 3500
    const socket = await slow.open()
    expect(await socket.ask({ type: 'auth', token: 'ada/slow' })).toBe('ready')
  })
})

const networkOf = ({ headers }: IncomingMessage) => String(headers['x-network'])
const atNetwork = (network: string) => ({ headers: { 'x-network': network } })

test('RULE-60 unauthenticated sockets are limited in total and per network; authenticated ones are not', async () => {
  const signIn = Promise.withResolvers<SocketOwner>()
  const limited = await startHub({
    networkOf,
    strangersMax: { network: 2, all: 3 },
    sessions: { authenticate: () => signIn.promise, findOpen: async (sessionIds) => sessionIds },
  })
  // Sockets whose token is being checked keep their places.
  async function authenticating(network: string) {
    const socket = await limited.open(atNetwork(network))
    return { status: socket.status, answer: socket.ask({ type: 'auth', token: 'ada/1' }) }
  }
  const first = await authenticating('a')
  const second = await authenticating('a')
  expect((await limited.open(atNetwork('a'))).status).toBe(503)
  const third = await authenticating('b')
  expect((await limited.open(atNetwork('b'))).status).toBe(503)
  expect([first.status, second.status, third.status]).toEqual([101, 101, 101])
  signIn.resolve({ personId: 'ada', sessionId: '1' })
  expect(await Promise.all([first.answer, second.answer, third.answer])).toEqual(['ready', 'ready', 'ready'])
  expect((await limited.open(atNetwork('a'))).status).toBe(101)
})

test('RULE-60 at the limit, the oldest silent socket of the network with the most sockets is closed for a new one', async () => {
  const received = Promise.withResolvers<void>()
  const limited = await startHub({
    networkOf,
    strangersMax: { network: 3, all: 4 },
    authenticateWithin: 600_000,
    sessions: {
      authenticate: () => {
        received.resolve()
        return new Promise(() => {})
      },
      findOpen: async (sessionIds) => sessionIds,
    },
  })
  const single = await limited.open(atNetwork('b'))
  const authenticating = await limited.open(atNetwork('a'))
  authenticating.send({ type: 'auth', token: 'ada/1' })
  // Until then it counts as silent, and is the oldest one.
  await received.promise
  const older = await limited.open(atNetwork('a'))
  const newer = await limited.open(atNetwork('a'))
  // Before, the socket of the other network alone may have been silent for a second.
  await sleep(1100)
  expect((await limited.open(atNetwork('c'))).status).toBe(101)
  expect((await older.closed).code).toBe(1006)
  expect([single, authenticating, newer].map((socket) => socket.isOpen())).toEqual([true, true, true])
})

test('RULE-60 2,500 silent sockets stay within the limits and affect neither users nor newcomers', async () => {
  const attacked = await startHub({ networkOf, authenticateWithin: 600_000 })
  const signedIn = await attacked.open({ token: 'ada/1', ...atNetwork('n0') })
  const attack = await openSilentSockets(attacked.server, {
    path: apiBase + socketPath,
    count: 2500,
    // Eight networks: the first six reach their own limit, and all of them the limit in total.
    networkOf: (index) => `n${Math.floor(index / 313)}`,
  })
  expect(attack.most).toBeGreaterThanOrEqual(usualLimits.all)
  // Refused sockets of the last wave may still be closing.
  expect(attack.most).toBeLessThanOrEqual(usualLimits.all + 1 + socketsAtOnce)
  expect(await signedIn.ask({ type: 'ping' })).toBe('pong')
  for (const network of ['n0', 'elsewhere']) {
    await expect
      .poll(async () => {
        const newcomer = await attacked.open(atNetwork(network))
        return newcomer.status === 101 ? newcomer.ask({ type: 'auth', token: 'grace/1' }) : newcomer.status
      })
      .toBe('ready')
  }
  expect(await signedIn.ask({ type: 'ping' })).toBe('pong')
  attack.close()
})

test('RULE-60 the first message must be auth', async () => {
  const socket = await hub.open()
  expect(await socket.ask({ type: 'ping' })).toBe(4401)
})

test('WS-01 a valid token is answered with the build, and an invalid one closes the socket with 4401', async () => {
  const socket = await hub.open()
  const answer = socket.next()
  socket.send({ type: 'auth', token: 'ada/first' })
  expect(await answer).toEqual({ type: 'ready', build })
  socket.ws.terminate()

  const wrong = await hub.open()
  expect(await wrong.ask({ type: 'auth', token: 'unknown' })).toBe(4401)
})

test('RULE-60 an auth message in the packet of the handshake is received', async () => {
  const socket = connect(hub.port, '127.0.0.1')
  const payload = Buffer.from(JSON.stringify({ type: 'auth', token: 'ada/packet' }))
  // A text frame with the mask 0 (RFC 6455 5.2).
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
  const request = [
    `GET ${apiBase}${socketPath} HTTP/1.1`,
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ].join('\r\n')
  socket.write(Buffer.concat([Buffer.from(request), frame]))
  let received = ''
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  await vi.waitFor(() => expect(received).toContain('"ready"'), 30_000)
  socket.destroy()
})

test('RULE-60 messages after auth wait for it and are answered in order', async () => {
  const slow = await startHub()
  slow.state.delay = 100
  const socket = await slow.open()
  socket.send({ type: 'auth', token: 'ada/order' })
  socket.send({ type: 'ping' })
  socket.send({ type: 'ping' })
  await vi.waitFor(
    () => expect(socket.messages.map(({ type }) => type)).toEqual(['ready', 'pong', 'pong']),
    30_000,
  )
})

test('RULE-60 a message may have 16 KiB and no more, in one or many fragments', async () => {
  const padded = (bytes: number) => `{"type":"ping"}${' '.repeat(bytes - '{"type":"ping"}'.length)}`
  const socket = await hub.open({ token: 'ada/size' })
  const answer = socket.next()
  socket.ws.send(padded(limits.socketMessageBytes))
  expect((await answer).type).toBe('pong')
  socket.ws.send(padded(limits.socketMessageBytes + 1))
  expect((await socket.closed).code).toBe(1009)

  const pieces = await hub.open({ token: 'ada/pieces' })
  for (let index = 0; index < 5; index += 1) pieces.ws.send('x'.repeat(4000), { fin: false })
  expect((await pieces.closed).code).toBe(1009)

  const crumbs = await hub.open({ token: 'ada/crumbs' })
  for (let index = 0; index < 65; index += 1) crumbs.ws.send('', { fin: false })
  expect((await crumbs.closed).code).toBe(1008)
})

test('RULE-60 20 messages a second are served, and the 21st closes the socket with 4429', async () => {
  const socket = await hub.open()
  expect(await socket.ask({ type: 'auth', token: 'ada/rate' })).toBe('ready')
  for (let index = 0; index < 19; index += 1) socket.send({ type: 'ping' })
  await vi.waitFor(() => expect(socket.messages).toHaveLength(20), 30_000)
  await sleep(1000)
  for (let index = 0; index < 20; index += 1) socket.send({ type: 'ping' })
  await vi.waitFor(() => expect(socket.messages).toHaveLength(40), 30_000)

  // Sent together, so that they arrive within a second even on a slow machine.
  const talking = await hub.open({ token: 'ada/talking' })
  for (let index = 0; index < 21; index += 1) talking.send({ type: 'ping' })
  expect((await talking.closed).code).toBe(4429)

  const pinging = await hub.open({ token: 'ada/pinging' })
  for (let index = 0; index < 21; index += 1) pinging.ws.ping()
  expect((await pinging.closed).code).toBe(4429)
})

test('RULE-60 a user can have 50 sockets; the next is closed with 4429 and the others stay open', async () => {
  const sockets = []
  for (let index = 0; index < 50; index += 1) sockets.push(await hub.open({ token: `tabs/s${index}` }))
  const next = await hub.open()
  expect(await next.ask({ type: 'auth', token: 'tabs/s50' })).toBe(4429)
  for (const socket of sockets) expect(await socket.ask({ type: 'ping' })).toBe('pong')
  // A second sign-in on a socket uses no further place.
  expect(await sockets[0]?.ask({ type: 'auth', token: 'tabs/s0' })).toBe('ready')

  const other = await hub.open({ token: 'grace/s1' })
  sockets[3]?.ws.terminate()
  await vi.waitFor(async () => {
    const again = await hub.open()
    expect(await again.ask({ type: 'auth', token: 'tabs/s51' })).toBe('ready')
  }, 30_000)
  other.ws.terminate()
})

test('RULE-60 concurrent sockets of a user never exceed the limit', async () => {
  const racing = await startHub()
  racing.state.delay = 50
  const answers = await Promise.all(
    Array.from({ length: 55 }, async () => {
      const socket = await racing.open()
      return socket.ask({ type: 'auth', token: 'tabs/race' })
    }),
  )
  expect(answers.filter((answer) => answer === 'ready')).toHaveLength(50)
  expect(answers.filter((answer) => answer === 4429)).toHaveLength(5)
})

test('RULE-60 a socket whose client disappeared is replaced by a new one', async () => {
  const quick = await startHub({ beat: 400 })
  const gone = await quick.open({ token: 'tabs/s0', autoPong: false })
  for (let index = 1; index < 50; index += 1) await quick.open({ token: `tabs/s${index}` })
  await sleep(550)
  const next = await quick.open()
  expect(await next.ask({ type: 'auth', token: 'tabs/s50' })).toBe('ready')
  expect((await gone.closed).code).toBe(1006)
})

test('RULE-60 messages are not compressed, even if the client offers it', async () => {
  const socket = await hub.open({ perMessageDeflate: true })
  expect(socket.status).toBe(101)
  expect(socket.ws.extensions).toBe('')
  socket.ws.terminate()
})

test.each([
  ['invalid JSON', 'hello'],
  ['an empty message', ''],
  ['an array', '[]'],
  ['an unknown type', '{"type":"subscribe-to-all"}'],
  ['an unknown field', '{"type":"ping","to":"me"}'],
  ['a token that is not a string', '{"type":"auth","token":["ada/s1"]}'],
  ['a token over the limit', `{"type":"auth","token":"${'a'.repeat(201)}"}`],
  ['a message without its token', '{"type":"auth"}'],
  ['null', 'null'],
])('RULE-60 %s closes the socket with 4400', async (_what, text) => {
  const socket = await hub.open()
  socket.ws.send(text)
  expect((await socket.closed).code).toBe(4400)
})

test('RULE-60 binary frames and invalid UTF-8 are refused with their own codes', async () => {
  const binary = await hub.open({ token: 'ada/binary' })
  binary.ws.send(Buffer.from('{"type":"ping"}'), { binary: true })
  expect((await binary.closed).code).toBe(1003)

  const broken = await hub.open({ token: 'ada/broken' })
  broken.ws.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
  expect((await broken.closed).code).toBe(1007)
})

test('RULE-60 a client that answers no ping is dropped within three intervals, an answering one stays', async () => {
  const from = performance.now()
  const quick = await startHub({ beat: 600 })
  const dead = await quick.open({ token: 'ada/dead', autoPong: false })
  const alive = await quick.open({ token: 'ada/alive' })
  expect((await dead.closed).code).toBe(1006)
  expect(performance.now() - from).toBeGreaterThan(1190)
  expect(performance.now() - from).toBeLessThan(underLoad(3000))
  await sleep(1800)
  expect(alive.isOpen()).toBe(true)
})

test('WS-01 a reissued token keeps the socket open, even one of a new session', async () => {
  const socket = await hub.open({ token: 'ada/s1' })
  expect(await socket.ask({ type: 'auth', token: 'ada/s1' })).toBe('ready')
  expect(await socket.ask({ type: 'auth', token: 'ada/s2' })).toBe('ready')
  hub.hub.closeSessions(['s1'])
  expect(await socket.ask({ type: 'ping' })).toBe('pong')
  hub.hub.closeSessions(['s2'])
  expect((await socket.closed).code).toBe(4401)
})

test('WS-01 a token of another user or a wrong one closes the socket with 4401', async () => {
  const socket = await hub.open({ token: 'ada/s3' })
  expect(await socket.ask({ type: 'auth', token: 'grace/s4' })).toBe(4401)
  const wrong = await hub.open({ token: 'ada/s5' })
  expect(await wrong.ask({ type: 'auth', token: 'wrong' })).toBe(4401)
})

test('RULE-62 an ended session loses its sockets within a second, and the others stay open', async () => {
  const first = await hub.open({ token: 'ada/ending' })
  const second = await hub.open({ token: 'ada/ending' })
  const other = await hub.open({ token: 'ada/lasting' })
  hub.ended.add('ending')
  const from = performance.now()
  expect((await first.closed).code).toBe(4401)
  expect((await second.closed).code).toBe(4401)
  expect(performance.now() - from).toBeLessThan(underLoad(1000))
  expect(await other.ask({ type: 'ping' })).toBe('pong')
})

test('RULE-62 a session that ends while its socket authenticates closes it', async () => {
  const slow = await startHub()
  slow.state.delay = 100
  const socket = await slow.open()
  const answer = socket.ask({ type: 'auth', token: 'ada/race' })
  await sleep(150)
  slow.ended.add('race')
  slow.hub.closeSessions(['race'])
  await answer
  expect((await socket.closed).code).toBe(4401)
})

test('RULE-80 an unavailable database closes new sockets with 1013 and leaves open ones', async () => {
  const away = await startHub()
  const before = await away.open({ token: 'ada/before' })
  const ending = await away.open({ token: 'ada/ending' })
  away.state.isDatabaseAway = true
  const socket = await away.open()
  expect(await socket.ask({ type: 'auth', token: 'ada/s1' })).toBe(1013)
  away.ended.add('ending')
  await sleep(1500)
  expect(before.isOpen()).toBe(true)
  expect(ending.isOpen()).toBe(true)
  away.state.isDatabaseAway = false
  expect((await ending.closed).code).toBe(4401)
  expect(await before.ask({ type: 'ping' })).toBe('pong')
})

test('RULE-77 a fault closes with 1011 and is logged without the token', async () => {
  const broken = await startHub()
  broken.state.isBroken = true
  const socket = await broken.open()
  expect(await socket.ask({ type: 'auth', token: 'ada/canary-token' })).toBe(1011)
  expect(broken.logLines.join()).toContain('a message on a socket failed')
  expect(broken.logLines.join()).not.toContain('canary')
})

test('RULE-64 a gap in the events closes all sockets with 1001, so that their clients refetch', async () => {
  const missing = await startHub()
  const socket = await missing.open({ token: 'ada/s1' })
  missing.state.gap()
  expect((await socket.closed).code).toBe(1001)
  expect((await missing.open({ token: 'ada/s1' })).status).toBe(101)
})

test('RULE-60 a stop closes with 1001, refuses new sockets and waits at most a second', async () => {
  const stopping = await startHub()
  const socket = await stopping.open({ token: 'ada/s1' })
  const unsigned = await stopping.open()
  const stuck = await stopping.open({ token: 'ada/s2' })
  stuck.ws.pause()
  const from = performance.now()
  const closing = stopping.hub.close()
  expect((await socket.closed).code).toBe(1001)
  expect((await unsigned.closed).code).toBe(1001)
  expect((await stopping.open()).status).toBe(503)
  await closing
  expect(performance.now() - from).toBeLessThan(underLoad(1500))
  stuck.ws.resume()
  await stuck.closed
})

test('RULE-60 calls are answered while sockets are open', async () => {
  expect(await (await fetch(hub.url)).text()).toBe('a call')
})
