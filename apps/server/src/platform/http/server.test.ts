import { connect, type Socket } from 'node:net'
import { apiBase, type ErrorReply, endpoint } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '../log.ts'
import { addressOf } from './client-address.ts'
import { serveGuides } from './guide-pages.ts'
import { describeApi } from './openapi.ts'
import { type Permission, route } from './route.ts'
import { bareServer } from './testing/bare-server.ts'

const anyone: Permission = { name: 'anyone', decide: (caller) => caller }
const reply = z.object({ token: z.string() })
const redeem = endpoint('POST', '/links/:token', { summary: 'For a test.', body: z.unknown(), reply })
const read = endpoint('GET', '/links/:token', { summary: 'For a test.', reply })

function linkServer(options: Parameters<typeof bareServer>[0] = {}): FastifyInstance {
  const app = bareServer(options)
  for (const each of [redeem, read] as const) {
    route(app, each, { allow: anyone }, ({ params }) => ({ token: params.token }))
  }
  return app
}

const post = (payload: string, type = 'application/json') =>
  linkServer().inject({
    method: 'POST',
    url: `${apiBase}/links/x`,
    payload,
    headers: { 'content-type': type },
  })

/** A raw connection that sends only what a test writes. */
async function connectTo(app: FastifyInstance) {
  afterAll(() => app.close())
  const { port, hostname } = new URL(await app.listen({ port: 0, host: 'localhost' }))
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''))
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  /** All received text. */
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text))
  })
  return { socket, closed }
}

async function raw(request: string, app = linkServer()): Promise<string> {
  const { socket, closed } = await connectTo(app)
  socket.write(request)
  return closed
}

test('RULE-50 a route outside the API needs no permission, one below it does', () => {
  const app = bareServer()
  expect(() => app.get('/page', async () => 'page')).not.toThrow()
  expect(() => app.get('/apiary', async () => 'bees')).not.toThrow()
  expect(() => app.get(`${apiBase}/backdoor`, async () => 'open')).toThrow(
    'The route GET /api/backdoor declares no permission',
  )
})

test('RULE-76 a body of 64 KiB is accepted, one byte more is not', async () => {
  const ofBytes = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
  expect((await post(ofBytes(65_536))).statusCode).toBe(200)
  const refused = await post(ofBytes(65_537))
  expect(refused.statusCode).toBe(413)
  expect(refused.json<ErrorReply>().code).toBe('BODY_TOO_LARGE')
})

test('RULE-76 a body nested 24 levels deep is accepted, one level more is not', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const inObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const make of [nested, inObjects]) {
    expect((await post(make(24))).statusCode).toBe(200)
    const refused = await post(make(25))
    expect(refused.json()).toEqual({ code: 'VALIDATION_FAILED', message: 'The body is nested too deeply' })
  }
})

test('RULE-76 a lone surrogate is refused in every position, a surrogate pair is accepted', async () => {
  for (const text of ['"a\\ud800"', '{"a":[{"b":"\\uDFFFx"}]}', '{"\\ud83d":1}', '["\\ude00\\ud83d"]']) {
    expect((await post(text)).json()).toEqual({
      code: 'VALIDATION_FAILED',
      message: 'The body contains a lone surrogate',
    })
  }
  for (const text of ['"\\ud83d\\ude00"', '{"😀":"\\\\ud800"}']) {
    expect((await post(text)).statusCode).toBe(200)
  }
})

test('DEC-37 invalid JSON is refused with a message that does not quote it', async () => {
  for (const text of ['{"password":"kanarienvogel', 'undefined', '\u0000', '{}{}']) {
    const answer = await post(text)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'VALIDATION_FAILED', message: 'The body is not valid JSON' },
    ])
  }
})

test.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/jsonx'])(
  'RULE-76 a body of the type %j is refused',
  async (type) => {
    const answer = await post('{}', type)
    expect([answer.statusCode, answer.json<ErrorReply>().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  },
)

test('RULE-76 a token in a path has at most 256 characters', async () => {
  const app = linkServer()
  const statusOf = async (length: number) =>
    (await app.inject(`${apiBase}/links/${'t'.repeat(length)}`)).statusCode
  expect(await statusOf(256)).toBe(200)
  expect(await statusOf(257)).toBe(400)
})

test.each(['/%', '/%ff', `${apiBase}/links/%`, `${apiBase}/links/%c3%28`])(
  'DEC-37 the invalid path %s is refused with the standard message',
  async (url) => {
    const answer = await linkServer().inject(url)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'VALIDATION_FAILED', message: 'The request is not valid' },
    ])
  },
)

test.each([
  ['/%', '/%25'],
  ['/app/edges/edit/%zz?tab=1', '/app/edges/edit/%25zz?tab=1'],
  ['/app/%E0%A4%A', '/app/%25E0%25A4%25A'],
  ['/%ff//evil.example', '/%25ff//evil.example'],
])(
  'remix-run/react-router#5824 senchalabs/connect#460 a page with the invalid path %s opens at %s',
  async (url, readable) => {
    const app = linkServer()
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const { statusCode, headers: sent } = await app.inject({ url, headers })
    expect([statusCode, sent.location, sent['cache-control']]).toEqual([302, readable, 'no-store'])
    // There is no console here.
    expect((await app.inject({ url: readable, headers })).statusCode).toBe(404)
  },
)

test.each(['//evil.example/%', '/\\evil.example/%', `${apiBase}/links/%`])(
  'DEC-37 the invalid path %s opens no page',
  async (path) => {
    const answer = await raw(head(`GET ${path} HTTP/1.1`, 'accept: text/html'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toMatch(/^location:/im)
  },
)

test('DEC-37 a request that is not HTTP gets a complete answer with the standard message', async () => {
  const answer = await raw('NONSENSE\r\n\r\n')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(head).toContain(`content-length: ${body.length}`)
  expect(JSON.parse(body)).toEqual({ code: 'VALIDATION_FAILED', message: 'The request is not valid' })
})

test('RULE-60 a client that offers HTTP/2 is answered by HTTP/1', async () => {
  const request = `GET ${apiBase}/links/x HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade, close\r\n\r\n`
  const app = linkServer()
  // Once an upgrade listener exists, Node passes every upgrade to it.
  app.server.on('upgrade', (_request, socket) => socket.destroy())
  const answer = await raw(request, app)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('{"token":"x"}')
})

test('RULE-76 a request header must arrive within 30 seconds, and keep-alive connections outlive those of proxies', () => {
  const { server } = bareServer()
  expect(server.headersTimeout).toBe(30_000)
  expect(server.keepAliveTimeout).toBe(72_000)
})

test('RULE-76 a body must arrive within another 30 seconds, except on routes that allow slow bodies', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [strict, patient] = [linkServer(), linkServer()]
  let arrived = 0
  patient.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.put('/slow', {
      config: { hasSlowBody: true },
      handler: async (request) => {
        for await (const chunk of request.raw) arrived += (chunk as Buffer).length
        return ''
      },
    })
  })
  const begin = async (app: FastifyInstance, line: string) => {
    const begun = new Promise((resolve) => app.server.once('request', () => setImmediate(resolve)))
    const opened = await connectTo(app)
    opened.socket.write(
      `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n"`,
    )
    await begun
    return opened
  }
  const refused = await begin(strict, `POST ${apiBase}/links/x`)
  const slow = await begin(patient, 'PUT /slow')
  vi.advanceTimersByTime(31_000)
  expect(await refused.closed).toBe('')
  slow.socket.write('"')
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 200 /)
  expect(arrived).toBe(2)
})

test('RULE-08 X-Forwarded-For is trusted only from the configured proxies', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const addressSeenBy = async (trustedProxies: string[], remoteAddress: string) => {
    const app = bareServer({ trustedProxies })
    let address = ''
    route(app, read, { allow: anyone }, (call) => {
      address = call.address
      return { token: '' }
    })
    await app.inject({ url: `${apiBase}/links/x`, headers: from, remoteAddress })
    return address
  }
  expect(await addressSeenBy([], '127.0.0.1')).toBe('127.0.0.1')
  expect(await addressSeenBy(['10.0.0.0/8'], '192.0.2.1')).toBe('192.0.2.1')
  expect(await addressSeenBy(['10.0.0.0/8'], '10.1.2.3')).toBe('203.0.113.9')
})

test('RULE-08 of ten forwarding headers the right-most untrusted hop is the address', async () => {
  const app = bareServer({ trustedProxies: ['127.0.0.1', '::1', '10.0.0.0/8'] })
  const seen: string[] = []
  route(app, read, { allow: anyone }, (call) => {
    seen.push(call.address, addressOf(call.reply.request.raw, ['127.0.0.1', '::1', '10.0.0.0/8']))
    return { token: '' }
  })
  const headers = [
    ...Array.from({ length: 8 }, (_, place) => `x-forwarded-for: 192.0.2.${place + 1}, nonsense`),
    'x-forwarded-for: 203.0.113.9, 10.0.0.2',
    'X-Forwarded-For: 10.0.0.3',
    'forwarded: for=192.0.2.66',
    'x-real-ip: 192.0.2.67',
    'via: 1.1 proxy',
    'x-forwarded-host: evil.example.net',
  ]
  const head = `GET ${apiBase}/links/x HTTP/1.1\r\nhost: x\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`
  expect(await raw(head, app)).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(seen).toEqual(['203.0.113.9', '203.0.113.9'])
})

test('RULE-08 a client cannot hide the header that its proxy adds behind a thousand others', async () => {
  // Earlier versions of Node answered such requests, and left out the last headers.
  const headers = [...Array.from({ length: 2000 }, () => 'a: 1'), 'x-forwarded-for: 203.0.113.9']
  const head = `GET ${apiBase}/links/x HTTP/1.1\r\nhost: localhost\r\n${headers.join('\r\n')}\r\n\r\n`
  expect(await raw(head, bareServer({ trustedProxies: ['127.0.0.1', '::1'] }))).toMatch(/^HTTP\/1\.1 431 /)
})

test('RULE-08 unreadable addresses of a trusted proxy are logged once, without characters that forge a line', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const app = bareServer({ trustedProxies: ['127.0.0.1'], log })
  const seen: string[] = []
  route(app, read, { allow: anyone }, (call) => {
    seen.push(call.address)
    return { token: '' }
  })
  const hop = `unknown\u009b2J"} {"level":"fatal" ${'x'.repeat(300)}`
  for (const header of [hop, '_hidden', hop])
    await app.inject({ url: `${apiBase}/links/x`, headers: { 'x-forwarded-for': header } })
  expect(seen).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  const about = lines.filter((line) => line.includes('X-Forwarded-For'))
  expect(about.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      level: 'warn',
      proxy: '127.0.0.1',
      value: expect.stringMatching(/^unknown\?2J"\} \{"level":"fatal" x+$/),
    },
  ])
  expect(about[0]?.length).toBeLessThan(600)
  // Kept for root: the latest, and short.
  expect(app.unreadableHop).toMatchObject({
    proxy: '127.0.0.1',
    hop: expect.stringMatching(/^unknown\?2J"\} \{"level":"fatal" x{70}$/),
  })
})

test('RULE-08 the proxies that a client invents in front of a trusted one count as that one', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const app = bareServer({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'], log })
  const seen: string[] = []
  route(app, read, { allow: anyone }, ({ address }) => {
    seen.push(address)
    return { token: '' }
  })
  const send = (forwarded: string, remoteAddress: string) =>
    app.inject({ url: `${apiBase}/links/x`, headers: { 'x-forwarded-for': forwarded }, remoteAddress })
  for (let host = 1; host <= 25; host += 1) await send(`unknown, 10.0.1.${host}`, '127.0.0.1')
  await send('unknown', '10.0.0.2')
  expect(seen).toHaveLength(26)
  const peers = lines.map((line) => (JSON.parse(line) as { peer?: string }).peer)
  expect(peers).toEqual(['127.0.0.1', '10.0.0.2'])
  expect(app.unreadableHop).toMatchObject({ proxy: '10.0.0.2' })
})

test('RULE-08 unreadable addresses of at most 20 trusted proxies are logged', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const app = bareServer({ trustedProxies: ['10.0.0.0/8'], log })
  route(app, read, { allow: anyone }, ({ address }) => ({ token: address }))
  for (let host = 1; host <= 25; host += 1)
    await app.inject({
      url: `${apiBase}/links/x`,
      headers: { 'x-forwarded-for': 'unknown' },
      remoteAddress: `10.0.0.${host}`,
    })
  expect(lines).toHaveLength(20)
})

test.each(['/', '/me/emails', '*', `${apiBase}/health/ready`, '/no/such.file'])(
  'OPTIONS %s returns 204, with HTTP/1.0 and no Host as well',
  async (target) => {
    expect(await raw(`OPTIONS ${target} HTTP/1.0\r\n\r\n`, bareServer())).toMatch(/^HTTP\/1\.[01] 204 /)
    const answer = await raw(
      `OPTIONS ${target} HTTP/1.1\r\nhost: x\r\norigin: https://evil.example\r\nconnection: close\r\n\r\n`,
      bareServer(),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(answer).not.toMatch(/access-control/i)
  },
)

test('RULE-08 the latest untrusted proxy is kept for root, and only the first is logged', async () => {
  const lines: string[] = []
  const app = linkServer({ log: createLog('info', { write: (line) => void lines.push(line) }) })
  for (const remoteAddress of ['192.168.1.7', '10.0.0.9', '10.0.0.9']) {
    await app.inject({
      url: `${apiBase}/links/x`,
      headers: { 'x-forwarded-for': '203.0.113.9' },
      remoteAddress,
    })
    expect(app.untrustedProxy?.address).toBe(remoteAddress)
  }
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1)
})

test('RULE-77 the log of a call names the route and not the path, which can contain a token', async () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const app = linkServer({ log })
  await app.inject(`${apiBase}/links/kanarienvogel`)
  await app.inject(`${apiBase}/links/kanarienvogel?token=nachtigall`)
  await app.inject(`/no/such/kanarienvogel`)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 'debug', method: 'GET', route: '/api/links/:token', status: 200 },
    { level: 'debug', method: 'GET', route: '/api/links/:token', status: 400 },
    { level: 'debug', method: 'GET', route: 'none', status: 404 },
  ])
  expect(lines.join('')).not.toMatch(/kanarienvogel|nachtigall/)
})

test('a call is logged only if the log level requests it', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  await linkServer({ log }).inject(`${apiBase}/links/x`)
  expect(lines).toEqual([])
})

test('a request that has begun is answered while the server closes', async () => {
  const app = bareServer()
  app.get('/next', async () => 'next')
  const begun = new Promise<void>((resolve) => {
    app.server.once('connection', (connection: Socket) => connection.once('data', () => resolve()))
  })
  const { socket, closed } = await connectTo(app)
  socket.write('GET /next HTTP/1.1\r\n')
  await begun
  const closing = app.close()
  await vi.waitUntil(() => !app.server.listening, 30_000)
  socket.write('host: localhost\r\n\r\n')
  const text = await closed
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(text).toMatch(/connection: close[\s\S]*next$/i)
  await closing
})

test('all replies with a document that never changes share its bytes', async () => {
  const app = bareServer()
  const sent = new Map<string, unknown[]>()
  app.addHook('onSend', (request, _reply, payload, done) => {
    sent.set(request.url, [...(sent.get(request.url) ?? []), payload])
    done()
  })
  describeApi(app, { publicUrl: 'https://pult.example.org', version: '2.4.0', contactUrl: null })
  serveGuides(app)
  for (const path of ['openapi.json', 'docs', 'docs.css', 'guides/backup', 'guides.css']) {
    const url = `${apiBase}/${path}`
    for (let round = 0; round < 2; round += 1) expect((await app.inject(url)).statusCode, path).toBe(200)
    const [first, second] = sent.get(url) ?? []
    expect(first, path).toBeInstanceOf(Buffer)
    expect(second, path).toBe(first)
  }
})

const head = (line: string, ...headers: string[]) =>
  [line, 'host: x', 'connection: close', ...headers, '', ''].join('\r\n')
const get = `GET ${apiBase}/links/x HTTP/1.1`

test.each([
  ['an unknown expectation', head(get, 'expect: magic'), /^HTTP\/1\.1 (?:200|417) /],
  [
    'a body in chunks with a trailer',
    `${head(get, 'transfer-encoding: chunked', 'trailer: x-end')}2\r\n{}\r\n0\r\nx-end: 1\r\n\r\n`,
    /^HTTP\/1\.1 (?:200|4\d\d) /,
  ],
  [
    'two lengths',
    `${head(get.replace('GET', 'POST'), 'content-length: 2', 'transfer-encoding: chunked')}0\r\n\r\n`,
    /^HTTP\/1\.1 400 /,
  ],
  ['a tunnel', head('CONNECT evil.example:443 HTTP/1.1'), /^(?:HTTP\/1\.1 4\d\d |$)/],
  [
    'the address of another host',
    head(get.replace('/', 'http://evil.example/')),
    /^HTTP\/1\.1 (?:200|4\d\d) /,
  ],
])('RULE-76 a request with %s causes no fault', async (_what, request, expected) => {
  expect(await raw(request)).toMatch(expected)
})
