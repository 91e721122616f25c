import {
  apiBase,
  type BodyOf,
  fileEndpoints,
  limits,
  projectEndpoints,
  projectTaskEndpoints,
  type ServerMessage,
  type Task,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
} from '@pult/contract'
import { extensionFolder, type GivenPerson, inWaves, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { createGrantRepository } from '../projects/grants/grant.repository.ts'

const product = (sku: string) => ({ sku, label: sku, roles: [] })
const kinds = (...names: string[]) => names.map((kind) => ({ kind, label: kind }))
const extensions = {
  forge: { manifest: { id: 'forge', products: [product('forge')], tasks: kinds('render', 'scan') } },
  mill: { manifest: { id: 'mill', products: [product('mill')], tasks: kinds('grind') } },
  // Its app belongs to another extension's product.
  lamp: {
    manifest: {
      id: 'lamp',
      apps: [
        {
          id: 'lamp',
          label: 'Lamp',
          icon: 'lamp',
          productSku: 'forge',
          uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
        },
      ],
      tasks: kinds('shine'),
    },
  },
}
const folder = await extensionFolder(extensions)
const server = await testServer({ extensionsFolder: folder })
const second = await testServer({ besides: server, extensionsFolder: folder })
const { given, db } = server
const drivers = taskDriverEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'
const owner = await given.person({ firstname: 'Olga' })
const viewer = await given.person({ firstname: 'Vera' })
const stranger = await given.person()

let projectId: string
let token: string
beforeEach(async () => {
  projectId = (
    await given.project(owner, {
      products: ['forge'],
      grants: [{ person: viewer, productRole: null }],
    })
  ).projectId
  token = (await newToken(['forge/*', 'lamp/shine'])).token
})

async function newToken(types: string[], project = projectId) {
  const answer = await owner.call(taskTokenEndpoints.create, {
    params: { projectId: project },
    body: { label: 'Render farm', types },
  })
  expect(answer).toSucceed()
  server.watchSecret(answer.body.token)
  return answer.body
}

test('DEC-41 a token that is created again after a lost reply is one token, of which only the last secret works', async () => {
  const make = async () => {
    const made = await owner.call(taskTokenEndpoints.create, {
      params: { projectId },
      body: { label: 'Once', types: ['forge/*'] },
      headers: { 'idempotency-key': 'once' },
    })
    expect(made).toSucceed()
    server.watchSecret(made.body.token)
    return made.body
  }
  const [lost, repeated] = [await make(), await make()]
  expect(repeated._id).toBe(lost._id)
  expect(await create({}, { with: lost.token })).toFailWith('UNAUTHENTICATED')
  expect(await create({}, { with: repeated.token })).toSucceed()
})

interface Options {
  with?: string
  on?: typeof server
  key?: string
  project?: string
}
const create = (body: object = {}, options: Options = {}) =>
  (options.on ?? server).call(
    drivers.create,
    {
      params: { projectId: options.project ?? projectId },
      body: { type: 'forge/render', title: 'Render', ...body },
      ...(options.key !== undefined && { headers: { 'idempotency-key': options.key } }),
    },
    options.with ?? token,
  )
async function created(body: object = {}) {
  const answer = await create(body)
  expect(answer).toSucceed()
  return answer.body
}
const place = (taskId: string) => ({ projectId, taskId })
const report = (taskId: string, body: BodyOf<typeof drivers.report>, on = server) =>
  on.call(drivers.report, { params: place(taskId), body }, token)
const reportAll = (tasks: BodyOf<typeof drivers.reportAll>['tasks'], on = server, by = token) =>
  on.call(drivers.reportAll, { params: { projectId }, body: { tasks } }, by)
const fulfil = (taskId: string, body: BodyOf<typeof drivers.fulfil>, on = server) =>
  on.call(drivers.fulfil, { params: place(taskId), body }, token)
const reject = (taskId: string, body: BodyOf<typeof drivers.reject>) =>
  server.call(drivers.reject, { params: place(taskId), body }, token)
const abort = (taskId: string, on = server) =>
  on.call(taskEndpoints.abort, { params: place(taskId), body: {} }, owner.token)
const read = async (taskId: string): Promise<Task> =>
  (await owner.call(taskEndpoints.read, { params: place(taskId) })).body

const sockets: { ws: { terminate(): void } }[] = []
afterEach(() => {
  for (const { ws } of sockets.splice(0)) ws.terminate()
})
async function listen(person: GivenPerson) {
  const socket = await openTestSocket(second.url, { token: person.token })
  sockets.push(socket)
  expect(await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/LTT` })).toBe('subscribed')
  const isEvent = (message: ServerMessage) => message.type === 'event'
  return () => socket.messages.filter(isEvent) as { name: string; data: Record<string, unknown> }[]
}

test('DEC-25 of 30 concurrent fulfilments with different results exactly one succeeds', async () => {
  const { task } = await created()
  const answers = await Promise.all(
    // More calls than the pool has connections.
    Array.from({ length: 30 }, (_, index) => fulfil(task._id, { fence: 1, info: `result ${index}` })),
  )
  expect(answers.map(({ code }) => code ?? '').toSorted()).toEqual(['', ...Array(29).fill('TASK_ENDED')])
})

test('WS-02 DEC-25 a service creates a task, reports, logs and fulfils it', async () => {
  const events = await listen(viewer)
  const { task, fence, leaseFor, payload } = await created({
    title: '  Hall 7 ',
    kind: 'info',
    deadline: 120,
    createdBy: viewer.personId,
  })
  expect({ fence, leaseFor, payload }).toEqual({ fence: 1, leaseFor: 45_000, payload: null })
  expect(task).toMatchObject({
    type: 'forge/render',
    kind: 'info',
    title: 'Hall 7',
    project: projectId,
    fulfilledAt: null,
    createdBy: { _id: viewer.personId, firstname: 'Vera' },
    startedAt: task.createdAt,
  })
  expect(Date.parse(task.deadlineAt) - Date.parse(task.createdAt)).toBe(120_000)

  for (let done = 1; done <= 50; done += 1)
    expect((await report(task._id, { fence, progress: [done, 50] })).body).toEqual({ state: 'running' })
  await report(task._id, { fence, info: 'nearly there' }, second)
  await expect
    .poll(async () => (await read(task._id)).state)
    .toEqual({ progress: [50, 50], info: 'nearly there' })
  const log = { params: place(task._id), body: { fence, lines: ['one', 'two'] } }
  expect((await server.call(drivers.appendLog, log, token)).body).toEqual({ state: 'running' })
  const done = await fulfil(task._id, { fence, info: '50 pictures' }, second)
  expect(done).toSucceed()
  expect(done.body).toMatchObject({ isRejected: false, state: { progress: [50, 50], info: '50 pictures' } })
  expect(await read(task._id)).toEqual(done.body)

  await expect.poll(() => events().at(-1)?.name).toBe('task:fulfilled')
  const names = events().map(({ name }) => name)
  expect([names[0], names.at(-1)]).toEqual(['task:created', 'task:fulfilled'])
  // Consoles receive at most a few events a second. A slow machine sees more of them, but never one per report.
  expect(names.length).toBeLessThan(40)
  expect(events().at(-1)?.data).toEqual({ task: done.body })
})

test('the title of a task loses the controls of direction that message formats add', async () => {
  const { task } = await created({ title: 'Import \u2068plan.pdf\u2069' })
  expect(task.title).toBe('Import plan.pdf')
})

test('texts of a service are stored in NFC, and without controls and hidden characters', async () => {
  const { task, fence } = await created()
  const sent = 'invoice \u202egnp.exe\u202c Cafe\u0301\u200b\u001b'
  await server.call(drivers.appendLog, { params: place(task._id), body: { fence, lines: [sent] } }, token)
  await report(task._id, { fence, info: sent })
  const { body } = await reject(task._id, { fence, error: `${sent}\nsecond line` })
  const stored = 'invoice gnp.exe Café'
  expect(body).toMatchObject({ error: `${stored}\nsecond line`, state: { info: stored } })
  const { items } = (await owner.call(taskEndpoints.log, { params: place(task._id) })).body
  expect(items.map(({ line }) => line)).toEqual([stored])
})

test('unwritten reports and log lines are stored with the end of a task', async () => {
  const { task, fence } = await created()
  await report(task._id, { fence, progress: [3, 4], info: 'three of four' })
  await server.call(drivers.appendLog, { params: place(task._id), body: { fence, lines: ['boom'] } }, token)
  const { body } = await reject(task._id, { fence, error: 'The renderer broke\0' })
  expect(body).toMatchObject({
    isRejected: true,
    error: 'The renderer broke',
    state: { progress: [3, 4], info: 'three of four' },
  })
  const { items } = (await owner.call(taskEndpoints.log, { params: place(task._id) })).body
  expect(items.map(({ line }) => line)).toEqual(['boom'])
})

test('reports of many tasks are accepted in one call, and the answer names the ended ones', async () => {
  const tasks = []
  for (let count = 0; count < 5; count += 1) tasks.push((await created()).task._id)
  const [running = '', aborted = '', fulfilled = '', stolen = '', silent = ''] = tasks
  await abort(aborted, second)
  await fulfil(fulfilled, { fence: 1 })
  await db.updateTable('task').set({ fence: 2 }).where('id', '=', stolen).execute()
  const foreign = await create({}, { project: projectId })
  await db.updateTable('task').set({ lease_until: sql<Date>`now() + interval '5 seconds'` }).execute()
  const reports = [running, aborted, fulfilled, stolen, unknownId].map((_id, index) => ({
    _id,
    fence: 1,
    progress: [index + 1, 10] as [number, number],
  }))
  const answer = await reportAll([...reports, { _id: silent, fence: 1 }])
  expect(answer.body).toEqual({
    stopped: [
      { _id: aborted, state: 'aborted' },
      { _id: fulfilled, state: 'ended' },
      { _id: stolen, state: 'lease-lost' },
      { _id: unknownId, state: 'ended' },
    ],
  })
  await expect.poll(async () => (await read(running)).state).toEqual({ progress: [1, 10] })
  for (const taskId of [aborted, fulfilled, stolen]) expect((await read(taskId)).state).toEqual({})
  // The report changes nothing, but renews the lease.
  expect(await read(silent)).toMatchObject({ state: {}, revision: 1 })
  const left = async (taskId: string) => {
    const { lease } = await db
      .selectFrom('task')
      .select(sql<number>`extract(epoch from lease_until - now())::float8`.as('lease'))
      .where('id', '=', taskId)
      .executeTakeFirstOrThrow()
    return lease
  }
  for (const taskId of [running, silent]) expect(await left(taskId)).toBeGreaterThan(40)
  for (const taskId of [stolen, foreign.body.task._id]) expect(await left(taskId)).toBeLessThan(6)
})

test('RULE-65 RULE-66 late results, repeated ends and stale fences are rejected and change nothing', async () => {
  const events = await listen(viewer)
  const [aborted, lost] = [await created(), await created()]
  await abort(aborted.task._id)
  const before = await read(aborted.task._id)
  expect(await fulfil(aborted.task._id, { fence: 1, info: 'late' })).toFailWith('TASK_ENDED')
  expect(await reject(aborted.task._id, { fence: 1 })).toFailWith('TASK_ENDED')
  expect((await report(aborted.task._id, { fence: 1, progress: [1, 1] })).body).toEqual({ state: 'aborted' })
  expect(await abort(aborted.task._id)).toFailWith('TASK_ENDED')

  await db.updateTable('task').set({ fence: 2 }).where('id', '=', lost.task._id).execute()
  expect(await fulfil(lost.task._id, { fence: 1, info: 'stale' })).toFailWith('TASK_LEASE_LOST')
  expect(await reject(lost.task._id, { fence: 1 })).toFailWith('TASK_LEASE_LOST')
  expect((await report(lost.task._id, { fence: 1, info: 'stale' })).body).toEqual({ state: 'lease-lost' })
  expect(await fulfil(lost.task._id, { fence: 2, info: 'new' })).toSucceed()
  expect(await fulfil(lost.task._id, { fence: 2, info: 'twice' })).toFailWith('TASK_ENDED')
  // Longer than the flush interval of reports.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await read(aborted.task._id)).toEqual(before)
  expect((await read(lost.task._id)).state).toEqual({ info: 'new' })
  const ends = events().filter(({ name }) => name !== 'task:created')
  expect(ends.map(({ name }) => name)).toEqual(['task:fulfilled', 'task:fulfilled'])
})

test('RULE-65 a driver may repeat its result, and a different result is rejected', async () => {
  const events = await listen(viewer)
  const [finished, rejected] = [await created(), await created()]
  await report(finished.task._id, { fence: 1, info: 'nearly there' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => fulfil(finished.task._id, { fence: 1 })))
  const [first] = answers
  expect(first).toSucceed()
  for (const answer of answers) expect(answer.body).toEqual(first?.body)
  expect(await fulfil(finished.task._id, { fence: 1, info: 'other' })).toFailWith('TASK_ENDED')
  expect(await fulfil(finished.task._id, { fence: 2 })).toFailWith('TASK_ENDED')
  expect(await reject(finished.task._id, { fence: 1 })).toFailWith('TASK_ENDED')

  const broke = await reject(rejected.task._id, { fence: 1, error: 'The renderer broke' })
  expect((await reject(rejected.task._id, { fence: 1, error: 'The renderer broke' })).body).toEqual(
    broke.body,
  )
  expect(await reject(rejected.task._id, { fence: 1 })).toFailWith('TASK_ENDED')
  expect(await fulfil(rejected.task._id, { fence: 1 })).toFailWith('TASK_ENDED')

  await expect.poll(() => events().filter(({ name }) => name === 'task:fulfilled').length).toBe(2)
})

async function deliver(text: string, project: string | undefined = projectId) {
  const body = {
    filename: 'Pictures.txt',
    contentType: 'text/plain',
    size: text.length,
    ...(project && { project }),
  }
  const ticket = await server.call(fileEndpoints.create, { body }, token)
  if (ticket.code !== undefined) return ticket
  server.watchSecret(ticket.body.url.split('/').at(-1) ?? '')
  const put = await fetch(new URL(ticket.body.url, server.url), {
    method: 'PUT',
    headers: ticket.body.headers,
    body: text,
  })
  expect(put.status).toBe(200)
  return ticket
}

test('DEC-26 DEC-49 every reader of the project can download the file that a service delivered, while the task is not archived', async () => {
  const { task, fence } = await created({ kind: 'download-generation', createdBy: viewer.personId })
  const { body } = await deliver('fifty pictures')
  const missing = await fulfil(task._id, { fence, file: 'nothing' })
  expect(missing).toFailWith('UPLOAD_INCOMPLETE')
  const end = { fence, file: body.filename, fileName: 'Hall\u202e 7.txt' }
  const done = await fulfil(task._id, end)
  expect((await fulfil(task._id, end)).body).toEqual(done.body)
  expect(await fulfil(task._id, { fence })).toFailWith('TASK_ENDED')
  expect(done.body.state).toEqual({ fileName: 'Hall 7.txt' })
  const params = { projectId, taskId: task._id }
  const urlOf = async () => (await viewer.call(taskEndpoints.read, { params })).body.state.fileUrl ?? ''
  const url = await urlOf()
  expect(await (await fetch(new URL(url, server.url))).text()).toBe('fifty pictures')
  const fileId = url.split('/')[3] ?? ''
  const link = () => viewer.call(fileEndpoints.link, { params: { fileId }, body: {} })
  expect(await link()).toSucceed()
  const { expiresAt } = (await viewer.call(fileEndpoints.read, { params: { fileId } })).body
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(limits.downloadLifetime - 60_000)
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeLessThan(limits.downloadLifetime + 60_000)

  expect(await viewer.call(taskEndpoints.archive, { params: place(task._id), body: {} })).toSucceed()
  expect(await link()).toFailWith('NOT_FOUND')
  expect((await fetch(new URL(url, server.url))).status).toBe(404)
  await server.app.sweepFiles()
  const { state } = (await viewer.call(taskEndpoints.restore, { params: place(task._id), body: {} })).body
  expect(await (await fetch(new URL(state.fileUrl ?? '', server.url))).text()).toBe('fifty pictures')
  const other = (await given.project(owner, { products: ['forge'] })).projectId
  expect(await deliver('elsewhere', other)).toFailWith('FORBIDDEN')
  expect(await deliver('nowhere', '')).toFailWith('FORBIDDEN')
})

test('RULE-67 an upload ends with the task token that requested it, also during the transfer', async () => {
  const { _id: tokenId, token: revoked } = await newToken(['forge/*'])
  const body = { filename: 'a.txt', contentType: 'text/plain', size: 4, project: projectId }
  const ticketOf = async (shown: string) => {
    const answer = await server.call(fileEndpoints.create, { body }, shown)
    expect(answer).toSucceed()
    server.watchSecret(answer.body.url.split('/').at(-1) ?? '')
    return answer.body
  }
  const put = async ({ url, headers }: { url: string; headers: Record<string, string> }) => {
    const answer = await fetch(new URL(url, server.url), { method: 'PUT', headers, body: 'text' })
    return ((await answer.json()) as { code?: string }).code
  }
  const [ended, begun, others] = [await ticketOf(revoked), await ticketOf(revoked), await ticketOf(token)]
  const half = await fetch(new URL(begun.url, server.url), {
    method: 'PUT',
    headers: { ...begun.headers, 'content-range': 'bytes 0-1/4' },
    body: 'te',
  })
  expect(((await half.json()) as { code?: string }).code).toBe('UPLOAD_INCOMPLETE')
  await owner.call(taskTokenEndpoints.revoke, { params: { projectId, tokenId }, body: {} })
  expect([await put(ended), await put(begun)]).toEqual(['TICKET_NOT_VALID', 'TICKET_NOT_VALID'])
  const complete = { params: { filename: ended.filename }, body: {} }
  expect(await server.call(fileEndpoints.complete, complete, revoked)).toFailWith('UNAUTHENTICATED')
  expect(await put(others)).toBeUndefined()
})

test('RULE-30 RULE-67 an upload ends when its task token expires or the creator of the token is disabled', async () => {
  const root = await given.person({ isRoot: true })
  const made = await root.call(taskTokenEndpoints.create, {
    params: { projectId },
    body: { label: 'By root', types: ['forge/*'] },
  })
  server.watchSecret(made.body.token)
  const [expiring, orphaned] = [await newToken(['forge/*']), made.body]
  const ticketOf = async (shown: string) => {
    const body = { filename: 'a.txt', contentType: 'text/plain', size: 4, project: projectId }
    const answer = await server.call(fileEndpoints.create, { body }, shown)
    expect(answer).toSucceed()
    server.watchSecret(answer.body.url.split('/').at(-1) ?? '')
    return answer.body
  }
  const tickets = [await ticketOf(expiring.token), await ticketOf(orphaned.token)]
  await db
    .updateTable('task_token')
    .set({ expires_at: sql<Date>`now()` })
    .where('id', '=', expiring._id)
    .execute()
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', root.personId)
    .execute()
  for (const { url, headers } of tickets) {
    const answer = await fetch(new URL(url, server.url), { method: 'PUT', headers, body: 'text' })
    expect(await answer.json()).toMatchObject({ code: 'TICKET_NOT_VALID' })
  }
})

const races = sized(12, 60)
test('RULE-65 of a concurrent abort and fulfilment exactly one ends the task', {
  tags: ['long'],
}, async () => {
  const events = await listen(viewer)
  const outcomes: string[] = []
  for (let index = 0; index < races; index += 1) {
    const { task, fence } = await created()
    const [fulfilled, aborted] = await Promise.all([
      fulfil(task._id, { fence, info: 'done' }, index % 2 === 0 ? server : second),
      abort(task._id),
    ])
    expect([fulfilled.code, aborted.code].toSorted()).toEqual(['TASK_ENDED', undefined])
    const end = await read(task._id)
    expect(end).toEqual(fulfilled.code === undefined ? fulfilled.body : aborted.body)
    expect(end.isAborted).toBe(aborted.code === undefined)
    outcomes.push(task._id)
  }
  const ends = () => events().filter(({ name }) => name === 'task:fulfilled')
  await expect.poll(() => ends().length).toBe(races)
  expect(new Set(ends().map(({ data }) => (data['task'] as Task)._id))).toEqual(new Set(outcomes))
})

test('RULE-66 a silent service loses its task and cannot regain it', async () => {
  const { task } = await created()
  await db.updateTable('task').set({ lease_until: sql<Date>`now()` }).where('id', '=', task._id).execute()
  await expect.poll(async () => (await read(task._id)).isTimedOut).toBe(true)
  expect((await report(task._id, { fence: 1 })).body).toEqual({ state: 'ended' })
  expect(await fulfil(task._id, { fence: 1 })).toFailWith('TASK_ENDED')
})

test('a repeated create makes one task, and its key is refused for another task', async () => {
  const answers = await inWaves(6, (index) =>
    create({}, { key: 'one', on: index % 2 === 0 ? server : second }),
  )
  expect(new Set(answers.map(({ body }) => body.task._id)).size).toBe(1)
  const other = (await newToken(['forge/render'])).token
  expect((await create({}, { key: 'one', with: other })).body.task._id).not.toBe(answers[0]?.body.task._id)
  expect((await create({}, { key: 'two' })).body.task._id).not.toBe(answers[0]?.body.task._id)
  expect(await create({ title: 'Scan' }, { key: 'one' })).toFailWith('IDEMPOTENCY_KEY_REUSED')
})

test('a task’s kind must belong to the project’s extensions and to the token', async () => {
  for (const type of ['forge/render', 'forge/scan', 'lamp/shine']) expect(await create({ type })).toSucceed()
  expect(await create({ type: 'forge/melt' })).toFailWith('UNKNOWN_TASK_TYPE')
  for (const type of ['mill/grind', 'project-export', 'forgery/render', 'lamp/glow'])
    expect([type, (await create({ type })).code]).toEqual([type, 'FORBIDDEN'])
  const narrow = (await newToken(['forge/scan'])).token
  expect(await create({}, { with: narrow })).toFailWith('FORBIDDEN')
  const { task } = await created()
  const byNarrow = (endpoint: typeof drivers.report | typeof drivers.fulfil | typeof drivers.reject) =>
    server.call(endpoint, { params: place(task._id), body: { fence: 1 } }, narrow)
  for (const endpoint of [drivers.report, drivers.fulfil, drivers.reject])
    expect(await byNarrow(endpoint)).toFailWith('FORBIDDEN')
  expect(await reportAll([{ _id: task._id, fence: 1 }], server, narrow)).toFailWith('FORBIDDEN')

  for (const types of [['mill/grind'], ['forge/melt'], ['nothing/*'], ['forge/render', 'mill/*']]) {
    const body = { label: 'Token', types }
    const answer = await owner.call(taskTokenEndpoints.create, { params: { projectId }, body })
    expect([types, answer.code]).toEqual([types, 'UNKNOWN_TASK_TYPE'])
  }
  await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: ['mill'] } })
  expect(await create()).toFailWith('UNKNOWN_TASK_TYPE')
})

test('RULE-50 RULE-51 a task token authorises only driving tasks of its project', async () => {
  const { task } = await created()
  const other = (await given.project(owner, { products: ['forge'] })).projectId
  expect(await create({}, { project: other })).toFailWith('NOT_FOUND')
  expect(await create({}, { with: `pult-task-${'x'.repeat(43)}` })).toFailWith('UNAUTHENTICATED')
  expect(await server.call(drivers.create, { params: { projectId }, body: {} })).toFailWith('UNAUTHENTICATED')
  expect(await create({}, { with: owner.token })).toFailWith('FORBIDDEN')
  expect(await create({}, { with: stranger.token })).toFailWith('NOT_FOUND')
  const foreign = (await create({}, { project: other, with: (await newToken(['forge/*'], other)).token }))
    .body.task._id
  expect(await report(foreign, { fence: 1, progress: [1, 2] })).toFailWith('NOT_FOUND')
  expect(await fulfil(foreign, { fence: 1 })).toFailWith('NOT_FOUND')
  const batch = await reportAll([{ _id: foreign, fence: 1, progress: [1, 2] }])
  expect(batch.body).toEqual({ stopped: [{ _id: foreign, state: 'ended' }] })

  const params = { projectId, taskId: task._id }
  const opened = new Set<string>()
  for (const { endpoint } of server.app.http.routeTable) {
    const path = endpoint.path.replace(
      /:(\w+)/g,
      (_, name: string) => (params as Record<string, string>)[name] ?? unknownId,
    )
    const { status } = await fetch(server.url + apiBase + path, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(endpoint.method !== 'GET' && { body: '{"nothing":true}' }),
    })
    if (status !== 401) opened.add(`${endpoint.method} ${endpoint.path}`)
  }
  const anonymous = new Set<string>()
  for (const { endpoint, permission } of server.app.http.routeTable)
    if (permission === 'anyone') anonymous.add(`${endpoint.method} ${endpoint.path}`)
  const { create: upload, resume, complete } = fileEndpoints
  const driven = [...Object.values(drivers), upload, resume, complete].map(
    ({ method, path }) => `${method} ${path}`,
  )
  expect([...opened].filter((route) => !anonymous.has(route)).toSorted()).toEqual(driven.toSorted())
  const socket = await openTestSocket(server.url)
  sockets.push(socket)
  expect(await socket.ask({ type: 'auth', token })).toBe(4401)
})

test('RULE-52 a token expires after the days that its creator chose, 90 by default', async () => {
  const made = await newToken(['forge/render'])
  const days = (iso: string) => Math.round((Date.parse(iso) - Date.now()) / 86_400_000)
  expect(days(made.expiresAt)).toBe(90)
  const body = { label: 'Short', types: ['forge/render'], days: 2 }
  const short = await owner.call(taskTokenEndpoints.create, { params: { projectId }, body })
  server.watchSecret(short.body.token)
  expect(days(short.body.expiresAt)).toBe(2)
  expect(
    await owner.call(taskTokenEndpoints.create, { params: { projectId }, body: { ...body, days: 367 } }),
  ).toFailWith('VALIDATION_FAILED')

  expect(await create({}, { with: made.token })).toSucceed()
  await db
    .updateTable('task_token')
    .set({ expires_at: sql<Date>`now()` })
    .where('id', '=', made._id)
    .execute()
  expect(await create({}, { with: made.token })).toFailWith('UNAUTHENTICATED')
  const { items } = (await owner.call(taskTokenEndpoints.list, { params: { projectId } })).body
  expect(items.find(({ _id }) => _id === made._id)?.ended).toBe('expired')
})

test('RULE-30 RULE-52 a token ends when its creator loses the right to edit the project', async () => {
  const root = await given.person({ isRoot: true })
  const body = { label: 'By root', types: ['forge/render'] }
  const made = (await root.call(taskTokenEndpoints.create, { params: { projectId }, body })).body
  server.watchSecret(made.token)
  const endedOf = async () =>
    (await owner.call(taskTokenEndpoints.list, { params: { projectId } })).body.items.find(
      ({ _id }) => _id === made._id,
    )?.ended
  const setRoot = (values: { is_root?: boolean; disabled_at?: Date | null }) =>
    db.updateTable('person').set(values).where('id', '=', root.personId).execute()
  expect(await create({}, { with: made.token })).toSucceed()
  expect(await endedOf()).toBeNull()
  await setRoot({ disabled_at: new Date() })
  expect(await create({}, { with: made.token })).toFailWith('UNAUTHENTICATED')
  expect(await endedOf()).toBe('creator')
  await setRoot({ disabled_at: null, is_root: false })
  expect(await create({}, { with: made.token })).toFailWith('UNAUTHENTICATED')
  await db.updateTable('project').set({ owner_id: root.personId }).where('id', '=', projectId).execute()
  expect(await create({}, { with: made.token })).toSucceed()
  await db.deleteFrom('project').where('id', '=', projectId).execute()
  await db.deleteFrom('person').where('id', '=', root.personId).execute()
})

test('RULE-28 RULE-52 RULE-78 a token is shown once, stored as a digest, revocable and audited', async () => {
  const made = await newToken(['forge/render', 'forge/render'])
  const list = () => owner.call(taskTokenEndpoints.list, { params: { projectId } })
  const [, listed] = (await list()).body.items
  expect(listed).toEqual({
    _id: made._id,
    label: 'Render farm',
    types: ['forge/render'],
    lastUsedAt: null,
    expiresAt: made.expiresAt,
    ended: null,
    createdAt: made.createdAt,
    createdBy: expect.objectContaining({ _id: owner.personId, firstname: 'Olga' }),
  })
  const stored = JSON.stringify(await db.selectFrom('task_token').selectAll().execute())
  expect(stored).not.toContain(made.token.slice('pult-task-'.length))
  expect(made.token).toMatch(/^pult-task-[\w-]{43}$/)

  const { task } = (await create({}, { with: made.token })).body
  expect((await list()).body.items[1]?.lastUsedAt).toMatch(/:00\.000Z$/)
  const params = { projectId, tokenId: made._id }
  const revoke = (who: GivenPerson, where = params) =>
    who.call(taskTokenEndpoints.revoke, { params: where, body: {} })
  const other = (await given.project(owner, { products: ['forge'] })).projectId
  expect(await revoke(owner, { ...params, projectId: other })).toFailWith('NOT_FOUND')
  expect(await revoke(viewer)).toFailWith('FORBIDDEN')
  expect((await revoke(owner)).body).toBe(true)
  expect(await revoke(owner)).toFailWith('NOT_FOUND')
  for (const node of [server, second]) {
    const answer = await node.call(
      drivers.report,
      { params: place(task._id), body: { fence: 1 } },
      made.token,
    )
    expect(answer).toFailWith('UNAUTHENTICATED')
  }
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'project_id', 'detail'])
    .where('target', '=', made._id)
    .orderBy('id')
    .execute()
  const row = { actor_id: owner.personId, project_id: projectId }
  expect(rows).toEqual([
    {
      ...row,
      event: 'task-token.created',
      detail: { label: 'Render farm', types: ['forge/render'], days: 90 },
    },
    { ...row, event: 'task-token.revoked', detail: { label: 'Render farm' } },
  ])
})

test('a task can be created for a user who sees the project, or for none', async () => {
  expect((await created()).task.createdBy).toBeNull()
  const { task } = await created({ createdBy: viewer.personId })
  const byViewer = { params: place(task._id), body: {} }
  expect(await viewer.call(taskEndpoints.abort, byViewer)).toSucceed()
  const disabled = await given.person()
  await createGrantRepository(db).add(projectId, disabled.personId, null)
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', disabled.personId)
    .execute()
  for (const createdBy of [stranger.personId, unknownId, disabled.personId])
    expect(await create({ createdBy })).toFailWith('VALIDATION_FAILED')
})

test('RULE-78 a task names the token of the service that created it, also in the name of a user and after the token was revoked', async () => {
  const { _id: tokenId, token: own } = await newToken(['forge/render'])
  const label = 'Render farm'
  const answers = [
    await create({ createdBy: viewer.personId }, { with: own }),
    await create({}, { with: own }),
  ]
  const tasks = answers.map(({ body }) => body.task)
  expect(tasks.map(({ createdBy, service }) => [createdBy?._id ?? null, service])).toEqual([
    [viewer.personId, { token: tokenId, label }],
    [null, { token: tokenId, label }],
  ])
  const listed = await viewer.call(taskEndpoints.list, { params: { projectId } })
  expect(listed.body.items.map(({ service }) => service?.label)).toEqual([label, label])
  await owner.call(taskTokenEndpoints.revoke, { params: { projectId, tokenId } })
  expect((await read(tasks[0]?._id ?? '')).service).toEqual({ token: tokenId, label: null })
  const { rows } = await sql`
    select from audit where event = 'task-token.created' and target = ${tokenId}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('services leave 100 of the open tasks of a project to its users', async () => {
  const rows = Array.from({ length: limits.openTasksMax - 101 }, () => ({
    id: crypto.randomUUID(),
    ...({ project_id: projectId, type: 'unknown', kind: 'info', title: 'Waits', state: 'queued' } as const),
    lease_for: '15 seconds',
    deadline_at: '2099-01-01',
  }))
  await db.insertInto('task').values(rows).execute()
  expect(await create()).toSucceed()
  expect(await create()).toFailWith('TOO_MANY_TASKS')
  expect(await owner.call(projectTaskEndpoints.export, { params: { projectId }, body: {} })).toSucceed()
})

test('RULE-54 RULE-76 undeclared fields and excessive values are refused', async () => {
  const { task } = await created()
  for (const more of [
    { _id: unknownId },
    { state: 'finished' },
    { deadline: 0 },
    { deadline: 86_401 },
    { title: ' ' },
  ])
    expect([more, (await create(more)).code]).toEqual([more, 'VALIDATION_FAILED'])
  const bodies = [
    { fence: '1' },
    { fence: 1, progress: [1] },
    { fence: 1, progress: [-1, 2] },
    { fence: 1, scope: [] },
  ]
  for (const body of bodies)
    expect([body, (await report(task._id, body as never)).code]).toEqual([body, 'VALIDATION_FAILED'])
  expect(await report(task._id, { fence: 1e300 })).toSucceed()
  const most = Array.from({ length: 500 }, () => ({
    _id: task._id,
    fence: 1,
    progress: [1, 1000] as [number, number],
  }))
  expect(await reportAll(most)).toSucceed()
  expect(await reportAll([...most, ...most.slice(0, 1)])).toFailWith('VALIDATION_FAILED')
  expect(await report(task._id, { fence: 1, info: 'x'.repeat(limits.taskLineMax + 1) })).toFailWith(
    'VALIDATION_FAILED',
  )
})
