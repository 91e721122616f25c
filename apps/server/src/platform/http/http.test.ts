import { connect } from 'node:net'
import {
  apiBase,
  conditionEndpoints,
  type Endpoint,
  type ErrorCode,
  type ErrorReply,
  errors,
  extensionEndpoints,
  jwksPath,
  loginEndpoints,
  meEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
  type SentInvitation,
  sessionEndpoints,
} from '@pult/contract'
import { sized, testServer } from '@pult/testkit'
import fc from 'fast-check'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { createSessionRepository } from '../../auth/session/session.repository.ts'
import { hashToken, newToken } from '../secrets.ts'
import { route } from './route.ts'
import { bareServer } from './testing/bare-server.ts'

const server = await testServer()
const { url } = server

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

const loginPath = `${apiBase}${loginEndpoints.login.path}`
const credentials = { type: 'credentials', data: { username: 'ada@example.org', password: 'password' } }

test('RULE-50 a route without a permission prevents the start', async () => {
  const app = bareServer()
  const undeclared = {} as { allow: { name: string; decide: () => null } }
  expect(() => route(app, meEndpoints.read, undeclared, () => ({}) as never)).toThrow(
    'The route GET /me declares no permission',
  )
})

test('RULE-50 a route below the API path that was not created by route() prevents the start', () => {
  const app = bareServer()
  expect(() => app.get(`${apiBase}/backdoor`, async () => 'open')).toThrow('declares no permission')
})

test('RULE-08 an untrusted proxy is reported once in the log, and to root', async () => {
  const root = await server.given.person({ isRoot: true })
  const proxy = async () => (await root.call(conditionEndpoints.read)).body.untrustedProxy
  expect(await proxy()).toBeNull()
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  for (let round = 0; round < 2; round += 1) await fetch(`${url}${apiBase}/health/live`, forwarded)
  const warnings = server.logLines.filter((line) => line.includes('TRUSTED_PROXIES'))
  expect(warnings).toHaveLength(1)
  expect(await proxy()).toEqual({
    address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/),
    seenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

test('RULE-76 an oversized header returns 431', async () => {
  const answer = await new Promise<string>((resolve) => {
    const head = `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(64 * 1024)}\r\n\r\n`
    const socket = connect(server.config.port, 'localhost', () => socket.write(head))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

test('DEC-37 a request that is not HTTP is refused with the standard message', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(server.config.port, 'localhost', () => socket.write('NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
    code: 'VALIDATION_FAILED',
    message: 'The request is not valid',
  })
})

/** Errors that a permission returns before the handler runs. */
const gates = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED'])

const roles = [
  'no user',
  'signed out',
  'signed in long ago',
  'signed in recently',
  'root',
  'root long ago',
] as const
type Role = (typeof roles)[number]

/** The error per permission and role. Roles that the permission admits are omitted. */
const matrix: Record<string, Partial<Record<Role, ErrorCode>>> = {
  anyone: {},
  'signed in': { 'no user': 'UNAUTHENTICATED', 'signed out': 'UNAUTHENTICATED' },
  'signed in recently': {
    'no user': 'UNAUTHENTICATED',
    'signed out': 'UNAUTHENTICATED',
    'signed in long ago': 'RECENT_SIGN_IN_NEEDED',
    'root long ago': 'RECENT_SIGN_IN_NEEDED',
  },
  root: {
    'no user': 'UNAUTHENTICATED',
    'signed out': 'UNAUTHENTICATED',
    'signed in long ago': 'FORBIDDEN',
    'signed in recently': 'FORBIDDEN',
  },
  'root, signed in recently': {
    'no user': 'UNAUTHENTICATED',
    'signed out': 'UNAUTHENTICATED',
    'signed in long ago': 'FORBIDDEN',
    'signed in recently': 'FORBIDDEN',
    'root long ago': 'RECENT_SIGN_IN_NEEDED',
  },
}

/**
 * Returns the row of the matrix for a permission. A role in a project counts as `signed in`, because the room reads
 * the project before it checks the role.
 */
const shutBy = (permission: string) => (permission.includes(' of the project') ? 'signed in' : permission)

/** A new session for each cell, because a call may end it. */
async function sessionFor(role: Role, people: { ada: string; root: string }): Promise<string | undefined> {
  if (role === 'no user') return undefined
  const token = newToken()
  const sessions = createSessionRepository(server.db)
  const personId = role.startsWith('root') ? people.root : people.ada
  const id = await sessions.add({ personId, userAgent: '', address: '127.0.0.1' }, hashToken(token))
  if (role === 'signed out') await sessions.end({ sessionId: id })
  if (role.endsWith('long ago')) {
    await sql`update session set authenticated_at = now() - interval '11 minutes' where id = ${id}`.execute(
      server.db,
    )
  }
  return token
}

/** Valid ids for id parameters, any text for names. */
const paramsOf = ({ path }: Endpoint) =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, name.endsWith('Id') ? uuidv7() : 'none']),
  )

test('RULE-50 every route refuses the roles outside its permission and answers all others', async () => {
  const [ada, grace] = [await server.given.person(), await server.given.person({ isRoot: true })]
  const table = server.app.http.routeTable
  expect(table.length).toBeGreaterThan(40)
  const wrong: unknown[] = []
  for (const { endpoint, permission } of table) {
    for (const role of roles) {
      const token = await sessionFor(role, { ada: ada.personId, root: grace.personId })
      const { code, status } = await server.call(
        endpoint,
        { params: paramsOf(endpoint), ...(endpoint.body === undefined ? {} : { body: {} }) },
        token,
      )
      const expected = matrix[shutBy(permission)]
      const gate = code !== undefined && gates.has(code) ? code : undefined
      if (expected === undefined || gate !== expected[role] || status >= 500) {
        wrong.push([endpoint.method, endpoint.path, permission, role, code ?? status])
      }
    }
  }
  expect(wrong).toEqual([])
})

/** `proof-by-effect.test.ts` decides about the recent sign-in. */
const withoutProof = (permission: string) =>
  permission.replace(/^signed in recently$/, 'signed in').replace(/, signed in recently$/, '')

test('RULE-50 every route declares the permission that its contract implies', () => {
  const permissionOf = ({ errors: codes, path }: Endpoint) => {
    // The public keys are readable without a session. Elsewhere the record decides, which the room reads first.
    if (path.startsWith('/apps/root/') && path !== jwksPath) return 'root'
    return codes.includes('UNAUTHENTICATED') ? 'signed in' : 'anyone'
  }
  const table = server.app.http.routeTable
  expect(
    table.map(({ endpoint, permission }) => [
      endpoint.method,
      endpoint.path,
      withoutProof(shutBy(permission)),
    ]),
  ).toEqual(table.map(({ endpoint }) => [endpoint.method, endpoint.path, permissionOf(endpoint)]))
  const permissionsBelow = (path: string) =>
    new Set(table.flatMap(({ endpoint, permission }) => (endpoint.path.startsWith(path) ? [permission] : [])))
  expect(permissionsBelow('/apps/root/')).toEqual(new Set(['root', 'root, signed in recently', 'anyone']))
  expect(permissionsBelow('/me')).toEqual(new Set(['signed in', 'signed in recently']))
})

test('DEC-37 every refusal is {code, message} with its status', async () => {
  const answers = await Promise.all([
    fetch(`${url}${apiBase}/no/such/call`),
    fetch(`${url}${loginPath}`, { method: 'DELETE' }),
    fetch(`${url}${apiBase}/me`),
    post(loginPath, '{"type":'),
    post(loginPath, 'text', { 'content-type': 'text/plain' }),
    post(loginPath, `"${'x'.repeat(70_000)}"`),
  ])
  const codes = [
    'NOT_FOUND',
    'NOT_FOUND',
    'UNAUTHENTICATED',
    'VALIDATION_FAILED',
    'UNSUPPORTED_MEDIA_TYPE',
    'BODY_TOO_LARGE',
  ] as const
  for (const [index, answer] of answers.entries()) {
    const code = codes[index] ?? 'INTERNAL'
    const body = (await answer.json()) as ErrorReply
    expect([answer.status, body.code]).toEqual([errors[code].status, code])
    expect(body.message).toMatch(/^[A-Z].+/)
    expect(Object.keys(body).filter((key) => key !== 'issues')).toEqual(['code', 'message'])
  }
})

test('DEC-37 a validation error names the field', async () => {
  const answer = await post(
    loginPath,
    JSON.stringify({ type: 'credentials', data: { username: 1, password: 'x' } }),
  )
  expect(((await answer.json()) as ErrorReply).issues).toMatchObject([{ path: ['data', 'username'] }])
})

test.each([
  ['at the top', { ...credentials, isRoot: true }],
  ['deeper', { ...credentials, data: { ...credentials.data, scope: ['root'] } }],
  [
    'as a prototype',
    JSON.parse('{"type":"credentials","data":{"username":"a","password":"b","__proto__":{"isRoot":true}}}'),
  ],
])('RULE-54 an undeclared field is refused, %s', async (_, body) => {
  expect(await server.call(loginEndpoints.login, { body })).toFailWith('VALIDATION_FAILED')
})

test('RULE-54 a call without a body accepts none', async () => {
  const ada = await server.given.person()
  expect(await ada.call(sessionEndpoints.logout, { body: { everywhere: true } })).toFailWith(
    'VALIDATION_FAILED',
  )
  expect(await ada.call(sessionEndpoints.logout, { body: {} })).toSucceed()
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'text/json',
])('RULE-76 JSON is accepted only as application/json, not as %s', async (type) => {
  expect((await post(loginPath, JSON.stringify(credentials), { 'content-type': type })).status).toBe(415)
})

test('RULE-76 a body over 64 KiB or with deep nesting is refused', async () => {
  const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
  expect((await post(loginPath, deep)).status).toBe(400)
  expect((await post(loginPath, JSON.stringify({ a: 'x'.repeat(65_536) }))).status).toBe(413)
})

test('RULE-76 hostile inputs cause no fault and reveal no internals', {
  tags: ['long'],
}, async () => {
  const { http } = server.app
  const inputs = fc.sample(
    fc.record({
      method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const, 'DELETE' as const),
      path: fc.oneof(
        fc.constantFrom(...http.routeTable.map(({ endpoint }) => apiBase + endpoint.path)),
        fc.webPath().map((path) => apiBase + path),
        fc.string({ unit: 'binary' }).map((text) => `${apiBase}/bift/preflight/${encodeURIComponent(text)}`),
        fc.constantFrom(
          '/%',
          '/%00',
          '/api/%ff',
          '//evil.example',
          '/../../etc/passwd',
          '/api/probe?project=%00&project=1',
        ),
      ),
      type: fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'text/plain',
        '',
        'application/json;;',
      ),
      authorization: fc.oneof(
        fc.constant(undefined),
        fc.string().map((text) => encodeURIComponent(text)),
      ),
      body: fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.anything().map((value) => {
          try {
            return JSON.stringify({ type: 'credentials', data: value }) ?? 'null'
          } catch {
            return 'null'
          }
        }),
        fc
          .record({ username: fc.string({ unit: 'binary' }), password: fc.constant('') })
          .map((data) => JSON.stringify({ type: 'credentials', data })),
      ),
    }),
    sized(1000, 20_000),
  )
  const faults: unknown[] = []
  for (const { method, path, type, authorization, body } of inputs) {
    const headers = {
      ...(type === '' ? {} : { 'content-type': type }),
      ...(authorization === undefined ? {} : { authorization }),
    }
    const answer = await http.inject({
      method,
      url: path,
      headers,
      ...(method === 'GET' ? {} : { payload: body }),
    })
    // The agent's program is public and may contain these words.
    const isProgram = answer.headers['content-type']?.startsWith('text/javascript') === true
    if (
      answer.statusCode >= 500 ||
      (!isProgram && /node_modules|at \w+ \(|select |ZodError/.test(answer.body))
    ) {
      faults.push({
        method,
        path,
        type,
        body: body.slice(0, 200),
        status: answer.statusCode,
        answer: answer.body.slice(0, 200),
      })
    }
  }
  expect(faults.slice(0, 3)).toEqual([])
})

test('DEC-39 a list returns items and total, the probe a bare array', async () => {
  const ada = await server.given.person()
  await server.given.project(ada)
  const { body: projects } = await ada.call(projectEndpoints.list)
  expect(projects).toMatchObject({
    items: [{ label: 'Messe 2026', org: null, config: { consoleColor: '#444' } }],
    total: 1,
  })
  const projectId = projects.items[0]?._id ?? ''
  expect(projectId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  const { body: fragments } = await ada.call(extensionEndpoints.probe, { query: { project: projectId } })
  expect(fragments.map(({ id }) => id)).toContain('project-details')
})

test('RULE-51 the probe returns 404 for an invisible project and an unknown one', async () => {
  const [ada, bob] = [await server.given.person(), await server.given.person({ firstname: 'Bob' })]
  const { projectId } = await server.given.project(ada)
  const status = async (project: string) =>
    (await fetch(`${url}${apiBase}/probe?project=${project}`, { headers: { authorization: bob.token } }))
      .status
  expect(await status(projectId)).toBe(404)
  expect(await status('018f0000-0000-7000-8000-000000000009')).toBe(404)
})

test('RULE-75 every document has the strict policy, and HSTS only with https', async () => {
  const answer = await fetch(`${url}${apiBase}/docs`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy.split(';').map((part) => part.trim())).toContain(directive)
  }
  expect(policy).not.toMatch(/unsafe-|upgrade-insecure/)
  expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('strict-transport-security')).toBeNull()

  const data = await fetch(`${url}${apiBase}/health/live`)
  expect(data.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
  expect(data.headers.get('x-content-type-options')).toBe('nosniff')

  const https = await testServer({ config: { publicUrl: 'https://pult.example.org' } })
  const secured = await fetch(`${https.url}${apiBase}/docs`)
  expect(secured.headers.get('strict-transport-security')).toContain('max-age=31536000')
  expect(secured.headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
})

test('pages and extensions of the previous release reach root’s invitations at their former addresses', async () => {
  const root = await server.given.person({ isRoot: true })
  const former = `${url}${apiBase}/apps/root/people/invitations`
  const headers = { authorization: root.token, 'content-type': 'application/json' }
  const sent = await fetch(former, { method: 'POST', headers, body: '{"email":"new@example.org"}' })
  const { _id } = ((await sent.json()) as SentInvitation).invitation
  const listed = await root.call(rootPeopleEndpoints.invitations)
  expect(listed.body.items.map((item) => item._id)).toEqual([_id])
  const revoked = await fetch(`${former}/${_id}`, {
    method: 'DELETE',
    headers: { authorization: root.token },
  })
  expect(revoked.status).toBe(200)
  expect((await root.call(rootPeopleEndpoints.invitations)).body.items).toEqual([])
})

test('the guides for administrators are pages without scripts', async () => {
  const page = await fetch(`${url}${apiBase}/guides/backup`)
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  expect(html).toContain('<h1 id="backup-and-restore">Backup and restore</h1>')
  expect(html).toContain('<h2 id="schedule-and-restore-drill">Schedule and restore drill</h2>')
  expect(html).toContain('<a href="#schedule-and-restore-drill">the schedule</a>')
  expect(html).toContain('<strong>emergency sheet</strong>')
  expect(html).toContain('<th>content</th>')
  expect(html).toContain('<a href="/api/guides/scale">Several nodes</a>')
  expect(html).not.toContain('<script')
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect((await fetch(`${url}${apiBase}/guides.css`)).headers.get('content-type')).toContain('text/css')
  for (const name of ['none', '..%2Farchitecture', 'pult-alerts.yml'])
    expect((await fetch(`${url}${apiBase}/guides/${name}`)).status, name).toBe(404)
})

test('BUILD-01 the version, build time and commit are returned', async () => {
  const build = await (await fetch(`${url}${apiBase}/build`)).json()
  expect(build).toEqual({
    version: '2.4.0',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    commit: expect.any(String),
  })
})
