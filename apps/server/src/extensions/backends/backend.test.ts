import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  apiBase,
  backendEndpoints,
  jwksPath,
  productEndpoints,
  projectHeader,
  rootExtensionEndpoints,
} from '@pult/contract'
import { extensionFolder, type GivenPerson, testServer } from '@pult/testkit'
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { up } from '../../../migrations/0052-backend-http.ts'
import { createForwarder } from './forwarder.ts'

const app = (id: string, more: object = {}) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku: 'hall',
  ...more,
})
const products = [
  { sku: 'hall', label: 'Hall', roles: [{ id: 'builder', label: 'B', roles: ['build', 'build:gates'] }] },
]
const backend = { label: 'Hall service' }
const hall = {
  manifest: {
    id: 'hall',
    products,
    backend,
    apps: [app('build', { role: 'build' }), app('lobby'), app('people', { productSku: 'root' })],
  },
}
const plain = { manifest: { id: 'plain', apps: [app('plain')] } }
const unset = { manifest: { id: 'unset', backend, apps: [app('unset')] } }
const server = await testServer({ extensionsFolder: await extensionFolder({ hall, plain, unset }) })
const { given, db } = server
const owner = await given.person()
const builder = await given.person({ firstname: 'Bob', lastname: 'Builder' })
const viewer = await given.person()
const stranger = await given.person()
const root = await given.person({ isRoot: true })
const { projectId } = await given.project(owner, {
  products: ['hall'],
  grants: [
    { person: builder, productRole: 'hall/builder' },
    { person: viewer, productRole: null },
  ],
})
await given.project(owner, { products: ['hall'], grants: [{ person: builder, productRole: 'hall/builder' }] })

/** A service for tests: the requests that it received, and its answer. */
const asked: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
let respond: (response: ServerResponse, incoming: IncomingMessage) => void
const json = (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"ok":true}')
}
const service = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const { method, url, headers } = incoming
    asked.push({
      ...(method && { method }),
      ...(url && { url }),
      headers,
      body: Buffer.concat(chunks).toString(),
    })
    respond(response, incoming)
  })
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}/hall/`
  await setBackend(base)
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

const setBackend = (url: string | null, name = 'hall', by = root, allowsHttp?: boolean) =>
  by.call(rootExtensionEndpoints.setBackend, {
    params: { name },
    body: { url, ...(allowsHttp !== undefined && { allowsHttp }) },
  })

interface CallOptions extends RequestInit {
  by?: GivenPerson | null
  project?: string | null
}
function call(path: string, { by = builder, project = projectId, ...init }: CallOptions = {}) {
  return fetch(`${server.url}${apiBase}/apps/${path}`, {
    redirect: 'manual',
    ...init,
    headers: {
      ...(by !== null && { authorization: `Bearer ${by.token}` }),
      ...(project !== null && { [projectHeader]: project }),
      ...(init.headers as Record<string, string>),
    },
  })
}
const codeOf = async (answer: Promise<Response>) => {
  const response = await answer
  return ((await response.json()) as { code?: string }).code ?? response.status
}
/** The last call that reached the service. */
const last = () => asked.at(-1) ?? { headers: {}, body: '' }
const tokenOf = () => (last().headers.authorization ?? '').replace('Bearer ', '')

test('DEC-21 a call is forwarded with its method, body and query, and the answer is returned', async () => {
  respond = (response) => {
    response.statusCode = 201
    response.setHeader('etag', '"7"')
    json(response)
  }
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const body = method === 'GET' ? null : Buffer.from('{"a": [1]}\0\xff', 'latin1')
    const answer = await call('build/gates/3?x=%20&y', {
      method,
      body,
      headers: { 'content-type': 'application/octet-stream', 'if-match': '"6"', 'x-own': 'lost' },
    })
    expect([method, answer.status, await answer.json()]).toEqual([method, 201, { ok: true }])
    expect(answer.headers.get('etag')).toBe('"7"')
    expect(last()).toMatchObject({ method, url: '/hall/gates/3?x=%20&y' })
    expect(last().headers).toMatchObject({ 'if-match': '"6"' })
    expect(last().body).toBe(body === null ? '' : body.toString())
  }
  const head = await call('build/gates', { method: 'HEAD' })
  expect([head.status, last().method, await head.text()]).toEqual([201, 'HEAD', ''])
})

test('no credentials of the caller reach the service, and no cookies of the service reach the browser', async () => {
  respond = (response) => {
    response.setHeader('set-cookie', 'session=stolen')
    for (const name of [
      'access-control-allow-origin',
      'clear-site-data',
      'location',
      'refresh',
      'x-powered-by',
    ])
      response.setHeader(name, '*')
    response.setHeader('content-security-policy', "script-src 'unsafe-inline'")
    response.setHeader('cache-control', 'public, max-age=1000')
    json(response)
  }
  const answer = await call('build/x', {
    headers: {
      cookie: 'pult=secret',
      'x-forwarded-for': '1.2.3.4',
      forwarded: 'for=1.2.3.4',
      'x-real-ip': '1.2.3.4',
      'proxy-authorization': 'Basic x',
      'x-pult-background': '1',
      origin: 'https://evil.example',
    },
  })
  expect(JSON.stringify(last().headers)).not.toContain(builder.token)
  expect(Object.keys(last().headers).toSorted()).toEqual(
    [
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'connection',
      'host',
      'x-request-id',
    ].toSorted(),
  )
  expect(last().headers.host).toBe(new URL(base).host)
  for (const name of [
    'set-cookie',
    'access-control-allow-origin',
    'clear-site-data',
    'location',
    'x-powered-by',
  ])
    expect([name, answer.headers.get(name)]).toEqual([name, null])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
})

test.each([
  ['application/json', null],
  ['application/problem+json; charset=utf-8', null],
  ['text/plain; charset=utf-8', null],
  ['image/png', null],
  ['image/svg+xml', 'attachment'],
  ['text/html', 'attachment'],
  ['application/xhtml+xml', 'attachment'],
  ['text/javascript', 'attachment'],
  ['application/jsonx', 'attachment'],
  [undefined, 'attachment'],
])('RULE-70 an answer of the type %s is shown or downloaded, and never runs', async (type, disposition) => {
  respond = (response) => {
    if (type !== undefined) response.setHeader('content-type', type)
    response.end('<script>alert(1)</script>')
  }
  const { headers } = await call('build/page')
  expect(headers.get('content-disposition')).toBe(disposition)
  expect(headers.get('content-type')).toBe(type ?? 'application/octet-stream')
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a file from the service of any type is downloaded', async () => {
  const file = 'attachment; filename="cues.json"'
  for (const [disposition, expected] of [
    [file, file],
    ['inline', null],
  ] as const) {
    respond = (response) => {
      response.setHeader('content-disposition', disposition)
      json(response)
    }
    expect((await call('build/export')).headers.get('content-disposition')).toBe(expected)
  }
})

test('DEC-21 the service identifies the caller by a one-minute token that only this installation can sign', async () => {
  respond = json
  const keys = createRemoteJWKSet(new URL(`${server.url}${apiBase}${jwksPath}`))
  const verify = (options: object = {}) =>
    jwtVerify(tokenOf(), keys, { issuer: server.config.publicUrl, audience: 'hall', ...options })
  await call('build/x')
  const { payload, protectedHeader } = await verify()
  expect(protectedHeader.alg).toBe('EdDSA')
  expect(payload).toEqual({
    iss: server.config.publicUrl,
    aud: 'hall',
    sub: builder.personId,
    name: 'Bob Builder',
    app: 'build',
    project: projectId,
    scope: [`p-${projectId}/r-build`, `p-${projectId}/r-build:gates`],
    owner: false,
    root: false,
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 60,
  })
  await expect(verify({ audience: 'plain' })).rejects.toThrow()
  await expect(verify({ currentDate: new Date(Date.now() + 61_000) })).rejects.toThrow()

  await call('people/x', { by: root, project: null })
  const ofRoot = (await verify()).payload
  expect(ofRoot).toMatchObject({ sub: root.personId, app: 'people', scope: [], owner: false, root: true })
  expect(ofRoot).not.toHaveProperty('project')

  await call('build/x', { by: owner })
  expect((await verify()).payload).toMatchObject({ sub: owner.personId, scope: [], owner: true, root: false })
})

test('DEC-21 RULE-60 the identity token opens nothing in Pult, and no socket reaches the service', async () => {
  respond = json
  await call('build/x')
  const token = tokenOf()
  const replayed = await fetch(`${server.url}${apiBase}/apps/lobby/x`, {
    headers: { authorization: `Bearer ${token}`, [projectHeader]: projectId },
  })
  expect(replayed.status).toBe(401)
  expect(await server.call(productEndpoints.list, {}, token)).toFailWith('UNAUTHENTICATED')

  const before = asked.length
  const { hostname, port } = new URL(server.url)
  const status = await new Promise((answered, failed) => {
    const headers = {
      authorization: `Bearer ${builder.token}`,
      [projectHeader]: projectId,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
    }
    request({ host: hostname, port, path: `${apiBase}/apps/build/x`, headers })
      .on('response', (response) => answered(response.resume().statusCode))
      .on('upgrade', (_response, socket) => answered(socket.destroy() && 101))
      .on('error', failed)
      .end()
  })
  expect(status).toBe(404)
  expect(asked).toHaveLength(before)
})

test('an answer with an invalid HTTP status is refused and releases its slot', async () => {
  respond = (response) => response.socket?.end('HTTP/1.1 600 Odd\r\ncontent-length: 100000\r\n\r\nx')
  // More attempts than there are slots.
  for (let tries = 0; tries < 51; tries += 1)
    expect(await codeOf(call('build/x'))).toBe('BACKEND_UNREACHABLE')
})

test('a 401 of the service does not end the user’s session', async () => {
  respond = (response) => {
    response.statusCode = 401
    response.end('{"code":"UNAUTHENTICATED","message":"Unknown user"}')
  }
  const answer = await call('build/x')
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({ code: 'BACKEND_REFUSED' })
})

test('DEC-21 identity keys are created once, encrypted and replaceable at any time', async () => {
  respond = json
  await call('build/x')
  const first = decodeProtectedHeader(tokenOf()).kid
  const rows = await db.selectFrom('identity_key').selectAll().execute()
  expect(rows.map(({ id }) => id)).toEqual([first])
  expect(() => JSON.parse(rows[0]?.private_key.toString() ?? '')).toThrow()
  expect(rows[0]?.public_key).not.toHaveProperty('d')
  const published = async () => (await server.call(backendEndpoints.keys)).body.keys
  expect(await published()).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: first, alg: 'EdDSA', use: 'sig' },
  ])
  const former = tokenOf()

  await db
    .updateTable('identity_key')
    .set({ created_at: sql<Date>`now() - interval '90 days 1 minute'` })
    .execute()
  await Promise.all([call('build/x'), call('build/x')])
  const second = decodeProtectedHeader(tokenOf()).kid
  expect(second).not.toBe(first)
  const both = await published()
  expect(both.map(({ kid }) => kid)).toEqual([second, first])
  // The previous key remains published, so recent tokens stay valid.
  await jwtVerify(former, createLocalJWKSet({ keys: both }))
})

test('RULE-50 DEC-14 only users who may open the app can call its service', async () => {
  respond = json
  const before = asked.length
  for (const [what, answer, expected] of [
    ['no user', call('build/x', { by: null }), 'UNAUTHENTICATED'],
    ['a stranger', call('lobby/x', { by: stranger }), 'NOT_FOUND'],
    ['without the role', call('build/x', { by: viewer }), 'FORBIDDEN'],
    ['without a project', call('build/x', { project: null }), 'FORBIDDEN'],
    ['no project', call('build/x', { project: '../..' }), 'NOT_FOUND'],
    ['a root app', call('people/x', { project: null }), 'FORBIDDEN'],
    ['a root app in a project', call('people/x', { by: root }), 'FORBIDDEN'],
    ['no app', call('nothing/x'), 'NOT_FOUND'],
    ['no service', call('plain/x'), 'NOT_FOUND'],
    ['a service without an address', call('unset/x'), 'BACKEND_MISSING'],
    ['the server’s own calls', call('root/x', { by: root, project: null }), 'NOT_FOUND'],
    ['the server’s own calls', call('root/extensions', { by: root, method: 'PATCH' }), 'NOT_FOUND'],
  ] as const)
    expect([what, await codeOf(answer)]).toEqual([what, expected])
  expect(asked).toHaveLength(before)
  for (const [path, by] of [
    ['build/x', owner],
    ['build/x', root],
    ['lobby/x', viewer],
  ] as const)
    expect((await call(path, { by })).status).toBe(200)
})

test('DEC-21 no path and no redirect leads outside the configured URL', async () => {
  respond = json
  const before = asked.length
  const { hostname, port } = new URL(server.url)
  const raw = (path: string) =>
    new Promise<number>((answered, failed) => {
      const headers = { authorization: `Bearer ${builder.token}`, [projectHeader]: projectId }
      request({ host: hostname, port, path, headers }, (response) => {
        response.resume()
        answered(response.statusCode ?? 0)
      })
        .on('error', failed)
        .end()
    })
  for (const path of ['..', '../secret', '%2e%2e/secret', 'a/..%2f..%2fsecret', '..;/secret', '%252e%252e/x'])
    expect([path, await raw(`${apiBase}/apps/build/${path}`)]).toEqual([path, 404])
  expect(asked).toHaveLength(before)
  for (const path of ['/%61pi/apps/build/x', 'http://elsewhere.example/api/apps/build/x']) {
    expect(await raw(path)).toBe(200)
    expect(last().url).toBe('/hall/x')
  }

  respond = (response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
  }
  const { status, headers } = await call('build/moved')
  expect([status, headers.get('location')]).toEqual([302, null])
})

test('DEC-21 RULE-78 only root can set the service URL, which must not contain credentials or a query', async () => {
  const tired = await given.person({ isRoot: true })
  await tired.forgetSignIn()
  expect(await setBackend('http://127.0.0.1:1', 'hall', owner)).toFailWith('FORBIDDEN')
  expect(await setBackend('http://127.0.0.1:1', 'hall', tired)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await setBackend('http://127.0.0.1:1', 'plain')).toFailWith('NOT_FOUND')
  expect(await setBackend('http://127.0.0.1:1', 'nothing')).toFailWith('NOT_FOUND')
  for (const url of [
    'http://169.254.169.254/latest',
    'http://0.0.0.0/',
    'http://[fe80::1]/',
    'http://8.8.8.8/',
    'ftp://x/',
    'file:///etc/passwd',
    'http://a:b@x/',
    'http://x/?a',
    'http://x/#a',
    'x',
  ])
    expect([url, (await setBackend(url)).code]).toEqual([url, 'VALIDATION_FAILED'])

  expect(await setBackend('http://127.0.0.1:9/x', 'unset')).toSucceed()
  const { body } = await root.call(rootExtensionEndpoints.list)
  expect(body.items.find(({ id }) => id === 'unset')).toMatchObject({
    isEnabled: true,
    backend: { label: 'Hall service', url: 'http://127.0.0.1:9/x', allowsHttp: false },
  })
  expect(await codeOf(call('unset/x'))).toBe('BACKEND_UNREACHABLE')
  expect(await setBackend(null, 'unset')).toSucceed()
  expect(await codeOf(call('unset/x'))).toBe('BACKEND_MISSING')
  const rows = await db
    .selectFrom('audit')
    .select(['target', 'actor_id', 'detail'])
    .where('event', '=', 'extension.backend-changed')
    .where('target', '=', 'unset')
    .orderBy('id')
    .execute()
  const url = 'http://127.0.0.1:9/x'
  expect(rows).toEqual([
    { target: 'unset', actor_id: root.personId, detail: { url, from: { url: null } } },
    { target: 'unset', actor_id: root.personId, detail: { url: null, from: { url } } },
  ])
})

test('DEC-21 http to another machine needs the consent of root, which is audited and never covers metadata addresses', async () => {
  const url = 'http://192.168.17.9:9000'
  const backendOf = async () =>
    (await root.call(rootExtensionEndpoints.list)).body.items.find(({ id }) => id === 'unset')?.backend
  for (const allowsHttp of [undefined, false])
    expect(await setBackend(url, 'unset', root, allowsHttp)).toFailWith('VALIDATION_FAILED')
  expect(await backendOf()).toMatchObject({ url: null, allowsHttp: false })
  for (const refused of ['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'https://[fd20:ce::254]/'])
    expect(await setBackend(refused, 'unset', root, true)).toFailWith('VALIDATION_FAILED')

  expect(await setBackend(url, 'unset', root, true)).toSucceed()
  expect(await backendOf()).toMatchObject({ url, allowsHttp: true })
  const { detail } = await db
    .selectFrom('audit')
    .select('detail')
    .where('event', '=', 'extension.backend-changed')
    .where('target', '=', 'unset')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({ url, allowsHttp: true, from: { url: null } })

  // The consent is for one address, and only for one that needs it.
  expect(await setBackend('http://192.168.17.10', 'unset')).toFailWith('VALIDATION_FAILED')
  for (const local of ['http://localhost:9', 'https://192.168.17.9']) {
    expect(await setBackend(local, 'unset', root, true)).toSucceed()
    expect(await backendOf()).toMatchObject({ url: local, allowsHttp: false })
  }
  expect(await setBackend(null, 'unset')).toSucceed()
  expect(await backendOf()).toMatchObject({ url: null, allowsHttp: false })
})

/** Forwards a call and returns the status of its answer. */
async function statusOf(
  { forward }: ReturnType<typeof createForwarder>,
  to: { url: URL; allowsHttp: boolean },
): Promise<number> {
  const gone = new AbortController().signal
  const forwarded = { app: 'build', personId: 'ada', method: 'GET', headers: {}, body: null, gone }
  const { status, body } = await forward({ ...forwarded, ...to })
  await body.toArray()
  return status
}

test.each(['169.254.169.254', '0.0.0.0', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254'])(
  'DEC-21 a call fails without a connection once the name of its service leads from loopback to %s',
  async (to) => {
    let address = '127.0.0.1'
    const forwarder = createForwarder(undefined, (_name, _options, callback) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
    )
    onTestFinished(() => forwarder.stop())
    respond = (response) => {
      // Otherwise the next call would use the open connection.
      response.setHeader('connection', 'close')
      json(response)
    }
    const url = new URL(base.replace('127.0.0.1', 'service.example'))
    const forward = (allowsHttp = true) => statusOf(forwarder, { url, allowsHttp })
    expect(await forward()).toBe(200)
    await expect(forward(false)).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
    const before = asked.length
    address = to
    const refusal: unknown = await forward().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'BACKEND_UNREACHABLE' })
    expect((refusal as Error).cause).toEqual(new Error('No allowed address has this name'))
    expect(asked).toHaveLength(before)
  },
)

test('DEC-21 without the consent of root, a local name is called over http only on this machine', async () => {
  let address = '127.0.0.1'
  const forwarder = createForwarder(undefined, (_name, _options, callback) =>
    callback(null, [{ address, family: 4 }]),
  )
  onTestFinished(() => forwarder.stop())
  respond = (response) => {
    response.setHeader('connection', 'close')
    json(response)
  }
  const forward = (allowsHttp: boolean, host: string) =>
    statusOf(forwarder, { url: new URL(base.replace('127.0.0.1', host)), allowsHttp })
  // The consent for another service does not apply to this one.
  await forward(true, 'service.example')
  await forward(false, 'localhost')
  address = '192.168.17.9'
  const refusal: unknown = await forward(false, 'localhost').catch((error: unknown) => error)
  expect((refusal as Error).cause).toEqual(new Error('No allowed address has this name'))
})

test('http addresses from before the consent of root existed keep working', async () => {
  const isKept = {
    'http://service:3000': true,
    'HTTP://192.168.1.9': true,
    'http://localhost.example.org/x': true,
    'http://127.example.org': true,
    'http://localhost:3000/x': false,
    'http://service.localhost': false,
    'http://127.0.0.1:9': false,
    'http://[::1]:9/': false,
    'https://service.example.org': false,
  }
  const rows = await db.transaction().execute(async (trx) => {
    await sql`create schema former`.execute(trx)
    await sql`set local search_path to former`.execute(trx)
    await sql`create table extension (backend_url text)`.execute(trx)
    await sql`insert into extension select unnest(${Object.keys(isKept)}::text[]) union all select null`.execute(
      trx,
    )
    await up(trx as unknown as Kysely<unknown>)
    const found = await sql<{ url: string | null; allows: boolean }>`
      select backend_url as url, backend_allows_http as allows from extension`.execute(trx)
    await sql`drop schema former cascade`.execute(trx)
    return found.rows
  })
  expect(Object.fromEntries(rows.map(({ url, allows }) => [String(url), allows]))).toEqual({
    ...isKept,
    null: false,
  })
})

test('a body over 1 MiB, an answer over 50 MiB and more than 50 concurrent calls are refused', async () => {
  respond = json
  const large = (bytes: number) => ({ method: 'POST', body: new Uint8Array(bytes) })
  expect((await call('build/x', large(1024 * 1024))).status).toBe(200)
  expect(await codeOf(call('build/x', large(1024 * 1024 + 1)))).toBe('BODY_TOO_LARGE')

  respond = (response) => response.writeHead(200, { 'content-length': 50 * 1024 * 1024 + 1 }).write('x')
  expect(await codeOf(call('build/x'))).toBe('BACKEND_UNREACHABLE')
  respond = (response) => {
    const chunk = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent < 52; sent += 1) response.write(chunk)
    response.end()
  }
  await expect(call('build/x').then((answer) => answer.arrayBuffer())).rejects.toThrow()

  const waiting: ServerResponse[] = []
  respond = (response) => waiting.push(response)
  const before = asked.length
  const roots = await Promise.all(Array.from({ length: 6 }, () => given.person({ isRoot: true })))
  const [late, ...early] = roots
  const calls = early.flatMap((by) => Array.from({ length: 10 }, () => call('build/x', { by })))
  await expect.poll(() => asked.length - before).toBe(50)
  expect(await codeOf(call('build/x', { by: late ?? null }))).toBe('BUSY')
  // Other apps have their own limit.
  respond = json
  expect((await call('lobby/x')).status).toBe(200)
  for (const response of waiting) json(response)
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
  expect((await call('build/x')).status).toBe(200)
})

test('one person takes at most 10 of the 50 places of an app, in all projects together, and leaves the others', async () => {
  const { projectId: other } = await given.project(owner, {
    products: ['hall'],
    grants: [{ person: builder, productRole: 'hall/builder' }],
  })
  const waiting: ServerResponse[] = []
  respond = (response) => waiting.push(response)
  const calls = [projectId, other].flatMap((project) =>
    Array.from({ length: 5 }, () => call('build/x', { project })),
  )
  await expect.poll(() => waiting.length).toBe(10)
  respond = json
  for (const project of [projectId, other]) expect(await codeOf(call('build/x', { project }))).toBe('BUSY')
  expect((await call('build/x', { by: owner })).status).toBe(200)
  expect((await call('lobby/x')).status).toBe(200)
  for (const response of waiting) json(response)
  await Promise.all(calls.map(async (answer) => (await answer).text()))
  expect((await call('build/x')).status).toBe(200)
})

test('timeouts, disconnects and unreachable services are distinguished, and a disconnected caller ends the call', async () => {
  const limits = {
    connect: 1500,
    silence: 2000,
    whole: 60_000,
    answerBytes: 1000,
    callsOfApp: 1,
    callsOfPerson: 1,
  }
  const forwarder = createForwarder(limits)
  const forward = (url = base, gone = new AbortController().signal) =>
    forwarder.forward({
      app: 'build',
      personId: builder.personId,
      url: new URL(url),
      allowsHttp: false,
      method: 'GET',
      headers: {},
      body: null,
      gone,
    })
  respond = () => {}
  await expect(forward()).rejects.toMatchObject({ code: 'BACKEND_TIMED_OUT' })
  respond = (response) => response.destroy()
  await expect(forward()).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  await expect(forward('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  // The timeout also applies to an answer that starts but does not finish.
  respond = (response) => response.writeHead(200).write('begun')
  const { body } = await forward()
  await expect(body.toArray()).rejects.toThrow()
  respond = json
  expect((await forward()).status).toBe(200)
  await forwarder.stop()

  let isGone = false
  const { promise: isAsked, resolve: reached } = Promise.withResolvers<void>()
  respond = (response) => {
    response.once('close', () => (isGone = true))
    reached()
  }
  const leaving = new AbortController()
  const left = call('build/x', { signal: leaving.signal }).catch(() => 'left')
  await isAsked
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(() => isGone).toBe(true)
  // An aborted request is not logged as a fault.
  expect(server.logLines.filter((line) => line.includes('AbortError'))).toEqual([])
})

test('an answer may take long while its bytes keep arriving, up to a limit for the whole', async () => {
  const limits = {
    connect: 1500,
    silence: 2000,
    whole: 60_000,
    answerBytes: 1000,
    callsOfApp: 1,
    callsOfPerson: 1,
  }
  const read = async (changes: Partial<typeof limits> = {}) => {
    const forwarder = createForwarder({ ...limits, ...changes })
    onTestFinished(() => forwarder.stop())
    const { body } = await forwarder.forward({
      app: 'build',
      personId: builder.personId,
      url: new URL(base),
      allowsHttp: false,
      method: 'GET',
      headers: {},
      body: null,
      gone: new AbortController().signal,
    })
    return Buffer.concat(await body.toArray()).toString()
  }
  const pieces = 8
  respond = (response) => {
    let left = pieces
    const timer = setInterval(() => {
      response.write('x')
      left -= 1
      if (left > 0) return
      clearInterval(timer)
      response.end()
    }, 500)
    response.on('close', () => clearInterval(timer))
  }
  expect(await read()).toBe('x'.repeat(pieces))
  await expect(read({ whole: 1500 })).rejects.toThrow()
})

test('a service that does not speak HTTP is reported as unreachable', async () => {
  respond = (response) => response.socket?.end('nonsense\r\n\r\n')
  expect(await codeOf(call('build/x'))).toBe('BACKEND_UNREACHABLE')
})

test.each([
  ['the status 99', 'HTTP/1.1 99 Odd\r\ncontent-length: 2\r\n\r\nok'],
  ['the status 999', 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nok'],
  ['another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ['headers of 20 KiB', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20 * 1024)}\r\n\r\n`],
  ['a bare carriage return', 'HTTP/1.1 200 OK\r\nx-odd: a\rset-cookie: b\r\ncontent-length: 2\r\n\r\nok'],
])('an answer of the service with %s is refused', async (_what, text) => {
  respond = (response) => response.socket?.end(text)
  expect(await codeOf(call('build/x'))).toBe('BACKEND_UNREACHABLE')
})

test('RULE-50 no method and no second project header opens the service to a caller without the role', async () => {
  respond = json
  const before = asked.length
  for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect([method, (await call('build/x', { by: viewer, method })).status]).toEqual([method, 403])
  const { hostname, port } = new URL(server.url)
  const status = await new Promise((answered, failed) => {
    const headers = { authorization: `Bearer ${builder.token}`, [projectHeader]: [projectId, projectId] }
    request({ host: hostname, port, path: `${apiBase}/apps/build/x`, headers })
      .on('response', (response) => answered(response.resume().statusCode))
      .on('error', failed)
      .end()
  })
  expect(status).toBe(404)
  expect(asked).toHaveLength(before)
})
