import { cp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import {
  apiBase,
  type Endpoint,
  type ErrorCode,
  edgeEndpoints,
  edgeGroupEndpoints,
  edgeKeyEndpoints,
  edgeScheduleEndpoints,
  errors,
  fileEndpoints,
  mediaEndpoints,
  meEndpoints,
  noteEndpoints,
  organisationEndpoints,
  projectEndpoints,
  taskDriverEndpoints,
  taskTokenEndpoints,
} from '@pult/contract'
import { extensionFolder, sized, testServer, upload } from '@pult/testkit'
import fc from 'fast-check'
import sharp from 'sharp'
import { uuidv7 } from 'uuidv7'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type HostileCall, hostileCalls } from './testing/hostile-inputs.ts'

/*
 * Hostile calls of users and services with rights: real ids, a medium, uploads and running tasks, so that the calls
 * reach the code behind the permissions.
 */

const bundled = new URL('../../../../../dist/extensions', import.meta.url).pathname
const extensions = await extensionFolder({
  forge: {
    manifest: {
      id: 'forge',
      products: [{ sku: 'forge', label: 'Forge', roles: [] }],
      tasks: [{ kind: 'render', label: 'Render' }],
    },
  },
})
await cp(bundled, extensions, { recursive: true })
const server = await testServer({
  extensionsFolder: extensions,
  settings: { PROJECTS_PER_PERSON: '10000', ORGANISATIONS_PER_PERSON: '10000' },
})
const { given, db } = server
const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())

const root = await given.person({ isRoot: true })
const owner = await given.person()
const bystander = await given.person()
const { orgId } = await given.organisation(owner, { members: [bystander] })
const products = ['project', 'media-library', 'edges', 'forge']
const { projectId, grantIds } = await given.project(owner, {
  org: { orgId },
  products,
  grants: [{ person: bystander, productRole: 'project/viewer' }],
})

/** Creates a record as the owner. */
async function made<E extends Endpoint>(endpoint: E, body: object, params: object = { projectId }) {
  const answer = await owner.call(endpoint, { params: params as never, body })
  expect(answer).toSucceed()
  return answer.body
}
const file = async (name: string, contentType: string, content: Uint8Array) =>
  upload(server, owner, { name, contentType, content, project: projectId })

const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
const png = await picture.png().toBuffer()
const medium = await made(mediaEndpoints.create, { file: await file('stand.png', 'image/png', png) })
const filename = await file('notes.txt', 'text/plain', Buffer.from('notes'))
const { id: fileId } = await db
  .selectFrom('file')
  .select('id')
  .where('filename', '=', filename)
  .executeTakeFirstOrThrow()
const note = await made(noteEndpoints.create, { label: 'Note' })
const { edge } = await made(edgeEndpoints.enrol, { label: 'Crane' })
const withInstance = await made(
  edgeEndpoints.addInstance,
  { label: 'Camera' },
  { projectId, edgeId: edge._id },
)
const group = await made(edgeGroupEndpoints.create, { label: 'Cranes', rule: { allTags: ['crane'] } })
const key = await made(edgeKeyEndpoints.create, { label: 'Van' })
const schedule = await made(edgeScheduleEndpoints.create, {
  label: 'Nightly',
  command: { name: 'diagnostics' },
  group: group._id,
  cron: '0 3 * * *',
  timeZone: 'Europe/Berlin',
})
const taskToken = await made(taskTokenEndpoints.create, { label: 'Farm', types: ['forge/*'] })
server.watchSecret(taskToken.token)
const task = await server.call(
  taskDriverEndpoints.create,
  { params: { projectId }, body: { type: 'forge/render', title: 'Render' } },
  taskToken.token,
)
if (task.code !== undefined) throw new Error(`The task was refused with ${task.code}`)
const invited = await made(projectEndpoints.invite, {
  email: 'invited@example.org',
  productRole: 'project/viewer',
})
const invitedToOrg = await made(organisationEndpoints.invite, { email: 'member@example.org' }, { orgId })
const ticket = await made(
  fileEndpoints.create,
  { filename: 'a.bin', contentType: 'application/octet-stream', size: 10 },
  {},
)
server.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
const sessionOf = async ({ personId }: { personId: string }) =>
  (await db.selectFrom('session').select('id').where('person_id', '=', personId).executeTakeFirstOrThrow()).id
const [ownSession, foreignSession] = [await sessionOf(owner), await sessionOf(bystander)]
const { id: emailId } = await db
  .selectFrom('email')
  .select('id')
  .where('person_id', '=', owner.personId)
  .executeTakeFirstOrThrow()

const items: [start: string, id: string][] = [
  ['/projects/:projectId/notes', note._id],
  ['/projects/:projectId/media', medium._id],
  ['/projects/:projectId/edge-groups', group._id],
  ['/projects/:projectId/edge-schedules', schedule._id],
]
const known: Record<string, unknown> = {
  app: 'project-details',
  code: 'AAAA-AAAA',
  cron: '0 3 * * *',
  edgeId: edge._id,
  edges: [edge._id],
  email: 'new@example.org',
  emailId,
  file: filename,
  fileId,
  filename,
  firstname: 'Ada',
  from: '2026-01-01T00:00:00Z',
  grantId: grantIds[0],
  instance: withInstance.instances[0]?._id,
  instanceId: withInstance.instances[0]?._id,
  isDisabled: false,
  isRoot: false,
  keyId: key.key._id,
  label: 'Label',
  lastname: 'Lovelace',
  limit: '10',
  name: 'project-details',
  newPass: 'marabu-Zx81-Nachtigall',
  org: orgId,
  orgId,
  owner: owner.personId,
  page: '0',
  password: owner.password,
  personId: bystander.personId,
  productRole: 'project/viewer',
  productRoles: ['project/viewer'],
  products,
  project: projectId,
  projectId,
  task: 'forge/render',
  serial: 'AL37H1A01234',
  taskId: task.body.task._id,
  timeZone: 'Europe/Berlin',
  ticket: ticket.url.slice(ticket.url.lastIndexOf('/') + 1),
  tokenId: taskToken._id,
  types: ['forge/*'],
  url: 'http://127.0.0.1:9',
  user: bystander.personId,
  username: owner.email,
}

function real(name: string, path: string): unknown {
  if (name === 'itemId') return items.find(([start]) => path.startsWith(start))?.[1] ?? uuidv7()
  if (name === 'sessionId') return path.startsWith('/me') ? ownSession : foreignSession
  if (name === 'invitationId')
    return path.startsWith('/orgs') ? invitedToOrg.invitation._id : invited.invitation._id
  if (name === 'command') return path.includes('/notes/') ? 'pin' : undefined
  if (name === 'fence') return task.body.fence
  if (name === 'type' && path.startsWith('/v2')) return 'forge/render'
  if (name === 'name' && path.includes('edge-')) return undefined
  return known[name] ?? (name.endsWith('Id') ? uuidv7() : undefined)
}

/** Routes that are not in the table because their bodies or replies are not JSON. */
const otherRoutes = [
  { method: 'PUT', path: '/uploads/:ticket' },
  { method: 'GET', path: '/files/:fileId/content' },
].map((route): object => ({ ...route, query: z.object({ exp: z.string(), sig: z.string() }) })) as Endpoint[]

/** Calls that remove what others need come last, the deepest records first. */
function turnOf({ endpoint: { method, path } }: HostileCall): number {
  if (method === 'DELETE') return 1000 - path.split('/').length
  return /\/(?:abort|disable|end-sessions|fulfil|logout|move|reject|reset-second-factor|revoke)$/.test(path)
    ? 1
    : 0
}

async function send({ endpoint, url, headers, body }: HostileCall, token: string) {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const call = request(`${server.url}/`, {
      agent,
      path: url,
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    })
    call.on('error', reject)
    call.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: String(answer.headers['content-type']),
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    call.end(body)
  })
}

/** Stack traces, and words of statements and their errors. */
const internals =
  /node_modules|\bat \S+ \(|\.ts:\d+|ZodError|\bselect \S+ from\b|insert into|violates|syntax error|invalid input/

/** Returns the fault of an answer; undefined if it is correct. */
function faultOf({ errors: declared }: Endpoint, { status, text }: Awaited<ReturnType<typeof send>>) {
  if (status < 400) return undefined
  if (internals.test(text)) return 'internals'
  let reply: { code?: ErrorCode; message?: string }
  try {
    reply = JSON.parse(text) as typeof reply
  } catch {
    return 'no JSON'
  }
  const { code, message } = reply
  if (code === undefined || errors[code]?.status !== status || !message) return 'no code or message'
  return status >= 500 && !declared?.includes(code) ? 'undeclared' : undefined
}

test('RULE-76 9,000 hostile calls of root, an owner and a service cause no fault and reveal no internals', {
  tags: ['long'],
}, async () => {
  const table = server.app.http.routeTable
  const seed = 20_261_127
  const calls = [...table.map(({ endpoint }) => endpoint), ...otherRoutes]
    .flatMap((endpoint) => {
      const isOfServices = /^\/(?:v2|files)(?:\/|$)/.test(endpoint.path)
      const caller = fc.constantFrom('root', 'owner', ...(isOfServices ? ['service', 'service'] : []))
      const call = hostileCalls(endpoint, real)
      return fc.sample(fc.record({ caller, call }), { seed, numRuns: sized(4, 38) })
    })
    .toSorted((a, b) => turnOf(a.call) - turnOf(b.call))
  expect(calls.length).toBeGreaterThan(sized(900, 9000))

  const tokens: Record<string, string> = { root: root.token, owner: owner.token, service: taskToken.token }
  const statuses: Record<number, number> = {}
  const faults: unknown[] = []
  for (const [index, { caller, call }] of calls.entries()) {
    // Otherwise the limits of attempts would refuse most calls.
    if (index % 20 === 0) await db.deleteFrom('attempt').execute()
    const answer = await send(call, tokens[caller] ?? '')
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    // The call may have ended the session.
    if (answer.status === 401 && caller !== 'service')
      tokens[caller] = await (caller === 'root' ? root : owner).openSession()
    const fault = faultOf(call.endpoint, answer)
    if (fault !== undefined)
      faults.push({
        fault,
        caller,
        call: `${call.endpoint.method} ${call.url.slice(0, 300)}`,
        headers: call.headers,
        body: call.body?.toString().slice(0, 300),
        answer: `${answer.status} ${answer.text.slice(0, 300)}`,
      })
  }
  expect(faults.slice(0, 10)).toEqual([])
  expect(server.logLines.filter((line) => line.includes('a call failed'))).toEqual([])
  // The calls passed the permissions: few of them lacked a session, and many succeeded.
  expect(statuses[401] ?? 0).toBeLessThan(calls.length / 10)
  expect(statuses[200] ?? 0).toBeGreaterThan(calls.length / 10)
  expect(await given.person().then((person) => person.call(meEndpoints.read))).toSucceed()
})

/** Instants, numbers and ids at and beyond the limits of JavaScript and PostgreSQL, percent-encoded. */
const limitsOfTypes = [
  '0000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '%2B275760-09-13T00:00:00.000Z',
  '1969-12-31T23:59:59Z',
  'infinity',
  '-infinity',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  '1e21',
  '0x10',
  'NaN',
  '-'.repeat(36),
  '018f0000-0000-7000-8000-00000000000',
  '%7B018f0000-0000-7000-8000-000000000000%7D',
  '018f0000000070008000000000000000',
  '018F0000-0000-7000-8000-00000000000G',
  '%00',
  '%EF%BF%BF',
  ','.repeat(50),
  'eyJpZCI6IjEifQ',
]

test('RULE-76 values at the limits of types in each parameter of a query, and early ranges, cause no fault', {
  tags: ['long'],
}, async () => {
  const token = await root.openSession()
  const calls = server.app.http.routeTable
    .map(({ endpoint }) => endpoint)
    .filter(({ method, query }) => method === 'GET' && query !== undefined)
    .flatMap((endpoint) => {
      const names = namesOfQuery(endpoint)
      const pairs = names.includes('from') && names.includes('to') ? [['from', 'to']] : []
      const values = limitsOfTypes.flatMap((value) => names.map((name) => `${name}=${value}`))
      const ranges = pairs.flatMap(() =>
        limitsOfTypes.map((value) => `from=${value}&to=1970-01-01T00:00:01Z`),
      )
      const early = pairs.map(() => 'from=-271821-04-20T00:00:00.000Z&to=-271820-04-20T00:00:00.000Z')
      const base = names.includes('from') ? 'from=2026-01-01T00:00:00Z&' : ''
      return [
        ...values.map((one) => (one.startsWith('from=') ? one : `${base}${one}`)),
        ...ranges,
        ...early,
      ].map((query) => ({ endpoint, query }))
    })
    .filter((_, index) => index % sized(3, 1) === 0)
  expect(calls.length).toBeGreaterThan(sized(150, 500))
  const faults: string[] = []
  for (const [index, { endpoint, query }] of calls.entries()) {
    if (index % 20 === 0) await db.deleteFrom('attempt').execute()
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(real(name, endpoint.path))),
    )
    const answer = await send(
      { endpoint, url: `${apiBase}${path}?${query}`, headers: {}, body: undefined },
      token,
    )
    const fault = faultOf(endpoint, answer)
    if (fault !== undefined) faults.push(`${fault}: ${endpoint.path}?${query} ${answer.status}`)
  }
  expect(faults).toEqual([])
})

/** Returns the names of the parameters of an endpoint's query. */
function namesOfQuery({ query }: Endpoint): string[] {
  if (query === undefined) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object
  }
  return Object.keys(properties)
}
