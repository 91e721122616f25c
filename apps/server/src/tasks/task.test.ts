import { Readable } from 'node:stream'
import { limits, projectEndpoints, type ServerMessage, taskEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { sweepTasks } from './sweep-tasks.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, read, log, abort, archive, archiveEnded, mine } = taskEndpoints
const nobodysId = '018f0000-0000-7000-8000-000000000000'

let owner: GivenPerson
let viewer: GivenPerson
let maker: GivenPerson
let orgOwner: GivenPerson
let stranger: GivenPerson
let root: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  viewer = await given.person({ firstname: 'Vera' })
  maker = await given.person({ firstname: 'Max', lastname: 'Macher' })
  orgOwner = await given.person()
  stranger = await given.person()
  root = await given.person({ isRoot: true })
  const made = await given.project(owner, {
    org: await given.organisation(orgOwner, { members: [owner] }),
    grants: [viewer, maker].map((person) => ({ person, productRole: 'project/viewer' })),
  })
  projectId = made.projectId
})

type State = 'queued' | 'running' | 'finished' | 'rejected' | 'timed-out' | 'aborted'
interface Given {
  state?: State
  title?: string
  type?: string
  kind?: 'info' | 'download-generation'
  by?: GivenPerson | null
  project?: string
  info?: string
}
/** A task that nobody runs: its kind is not one of this server's. */
async function add({ state = 'running', by = maker, project = projectId, ...more }: Given = {}) {
  const id = uuidv7()
  const isOpen = state === 'queued' || state === 'running'
  await db
    .insertInto('task')
    .values({
      id,
      project_id: project,
      state,
      created_by: by?.personId ?? null,
      title: more.title ?? 'Export',
      type: more.type ?? 'export',
      kind: more.kind ?? 'info',
      info: more.info ?? null,
      lease_for: '1 hour',
      error: state === 'rejected' ? 'No space' : null,
      lease_until: state === 'running' ? sql<Date>`now() + interval '1 hour'` : null,
      deadline_at: sql<Date>`now() + interval '1 hour'`,
      fulfilled_at: isOpen ? null : sql<Date>`now()`,
    })
    .execute()
  return id
}
const place = (taskId: string, project = projectId) => ({ params: { projectId: project, taskId } })
const titles = async (query: { search?: string; state?: 'open' | 'ended' }) =>
  (await viewer.call(list, { params: { projectId }, query })).body.items.map(({ title }) => title)

const sockets: { ws: { terminate(): void } }[] = []
afterEach(() => {
  for (const { ws } of sockets.splice(0)) ws.terminate()
})
async function listen(person: GivenPerson, to = projectId) {
  const socket = await openTestSocket(second.url, { token: person.token })
  sockets.push(socket)
  const answer = await socket.ask({ type: 'subscribe', topic: `/projects/${to}/LTT` })
  const isEvent = (message: ServerMessage) => message.type === 'event'
  return { answer, events: () => socket.messages.filter(isEvent) as { name: string; data: object }[] }
}

test('API-21 TASK-01 a list has the newest first, in pages, and searches title, type, kind, state and user', async () => {
  await add({ title: 'Export of all', state: 'finished' })
  await add({ title: 'Invitations', type: 'invite-batch', state: 'rejected', by: owner })
  await add({
    title: 'Formats',
    type: 'media-formats',
    kind: 'download-generation',
    state: 'queued',
    by: null,
  })
  await add({ title: 'Elsewhere', project: (await given.project(owner)).projectId })
  expect(await titles({})).toEqual(['Formats', 'Invitations', 'Export of all'])
  expect(await titles({ state: 'open' })).toEqual(['Formats'])
  expect(await titles({ state: 'ended' })).toEqual(['Invitations', 'Export of all'])
  for (const [search, found] of [
    ['export', ['Export of all']],
    ['type:invite', ['Invitations']],
    ['kind:download', ['Formats']],
    ['state:rej', ['Invitations']],
    ['user:max', ['Export of all']],
    ['macher', ['Export of all']],
    ['title:form kind:info', []],
  ] as const)
    expect([search, await titles({ search })]).toEqual([search, found])

  const first = await viewer.call(list, { params: { projectId }, query: { limit: '2' } })
  expect(first.body).toMatchObject({ total: 3, next: first.body.items[1]?._id })
  const rest = await viewer.call(list, { params: { projectId }, query: { after: first.body.next } })
  expect(rest.body.items.map(({ title }) => title)).toEqual(['Export of all'])
  const [, rejected] = first.body.items
  expect(rejected).toMatchObject({
    isRejected: true,
    isTimedOut: false,
    isAborted: false,
    error: 'No space',
    createdBy: { firstname: 'Olga' },
  })
  expect(await viewer.call(list, { params: { projectId }, query: { after: 'x' } })).toFailWith(
    'VALIDATION_FAILED',
  )
})

test('the tasks of all projects are those of projects that one sees, and of both one’s own', async () => {
  const other = (await given.project(viewer, { label: 'Hall' })).projectId
  const foreign = (await given.project(stranger)).projectId
  await add({ title: 'A' })
  await add({ title: 'B', project: other, by: viewer, state: 'finished' })
  await add({ title: 'C', project: foreign, by: viewer })
  const seen = async (person: GivenPerson, query = {}) =>
    (await person.call(mine, { query })).body.items.map(
      ({ title, projectLabel }) => `${title} ${projectLabel}`,
    )
  expect(await seen(viewer)).toEqual(['B Hall', 'A Messe 2026'])
  expect(await seen(viewer, { own: 'true' })).toEqual(['B Hall'])
  expect(await seen(viewer, { state: 'open' })).toEqual(['A Messe 2026'])
  expect((await seen(root)).slice(0, 3)).toEqual(['C Messe 2026', 'B Hall', 'A Messe 2026'])
  expect(await seen(await given.person())).toEqual([])

  const mayEnd = async (person: GivenPerson) =>
    (await person.call(mine, { query: { limit: '3' } })).body.items.map(
      (task) => `${task.title} ${task.mayEnd}`,
    )
  expect(await mayEnd(viewer)).toEqual(['B true', 'A false'])
  expect(await mayEnd(owner)).toEqual(['A true'])
  expect(await mayEnd(root)).toEqual(['C true', 'B true', 'A true'])
})

test('TASK-04 TASK-05 DEC-26 RULE-51 a task is ended and archived by its creator, the project’s owner and root', async () => {
  const people = { maker, owner, root, viewer, orgOwner, stranger }
  for (const [name, person] of Object.entries(people)) {
    const code =
      name === 'stranger' ? 'NOT_FOUND' : ['viewer', 'orgOwner'].includes(name) ? 'FORBIDDEN' : undefined
    const [running, ended] = [await add(), await add({ state: 'finished' })]
    expect([name, (await person.call(archive, { ...place(running), body: {} })).code]).toEqual([
      name,
      code ?? 'TASK_RUNS',
    ])
    const aborted = await person.call(abort, { ...place(running), body: {} })
    expect([name, aborted.code]).toEqual([name, code])
    const { isAborted, revision } = (await owner.call(read, place(running))).body
    expect([name, isAborted, revision]).toEqual([name, code === undefined, code === undefined ? 2 : 1])
    const again = await person.call(abort, { ...place(running), body: {} })
    expect([name, again.code]).toEqual([name, code ?? 'TASK_ENDED'])
    const archived = await person.call(archive, { ...place(ended), body: {} })
    expect([name, archived.code]).toEqual([name, code])
    if (code !== undefined) continue
    expect(archived.body).toBe(true)
    for (const endpoint of [read, log])
      expect(await person.call(endpoint, place(ended))).toFailWith('NOT_FOUND')
    expect(await person.call(archive, { ...place(ended), body: {} })).toFailWith('NOT_FOUND')
  }
})

test('RULE-51 a task of another project is not there', async () => {
  const other = (await given.project(owner)).projectId
  const taskId = await add({ state: 'finished' })
  for (const endpoint of [read, log]) {
    expect(await owner.call(endpoint, place(taskId))).toSucceed()
    expect(await owner.call(endpoint, place(taskId, other))).toFailWith('NOT_FOUND')
    expect(await owner.call(endpoint, place(nobodysId))).toFailWith('NOT_FOUND')
  }
  for (const endpoint of [abort, archive])
    expect(await owner.call(endpoint, { ...place(taskId, other), body: {} })).toFailWith('NOT_FOUND')
})

test('WS-02 TASK-05 archiving all that ended takes what one may end off the list, and says so', async () => {
  const heard = await listen(viewer)
  expect(heard.answer).toBe('subscribed')
  const own = [await add({ state: 'finished' }), await add({ state: 'timed-out' })]
  const others = [await add({ state: 'aborted', by: owner }), await add({ state: 'rejected', by: null })]
  const open = [await add(), await add({ state: 'queued' })]
  const ids = async () =>
    (await viewer.call(list, { params: { projectId } })).body.items.map(({ _id }) => _id)
  expect(await viewer.call(archiveEnded, { params: { projectId }, body: {} })).toSucceed()
  expect(await ids()).toHaveLength(6)
  expect((await maker.call(archiveEnded, { params: { projectId }, body: {} })).body).toBe(true)
  expect(await ids()).toEqual([...others, ...open].toReversed())
  expect(await owner.call(archiveEnded, { params: { projectId }, body: {} })).toSucceed()
  expect(await ids()).toEqual(open.toReversed())
  await expect.poll(() => heard.events().length, { timeout: 5000 }).toBe(4)
  expect(heard.events()).toEqual(
    [...own, ...others].map((_id) => expect.objectContaining({ name: 'task:archived', data: { _id } })),
  )
})

test('DEC-26 the audit log keeps what a task was and who ended it; the row goes after 90 days', async () => {
  const [taskId, open] = [
    await add({ state: 'rejected', title: 'Hall plan' }),
    await add({ title: 'Formats' }),
  ]
  await owner.call(abort, { ...place(open), body: {} })
  await root.call(archive, { ...place(taskId), body: {} })
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const common = { result: 'success', address: expect.any(String), project_id: projectId }
  expect(rows).toMatchObject([
    {
      ...common,
      event: 'task.aborted',
      actor_id: owner.personId,
      target: open,
      detail: { title: 'Formats', type: 'export' },
    },
    {
      ...common,
      event: 'task.archived',
      actor_id: root.personId,
      target: taskId,
      detail: {
        title: 'Hall plan',
        type: 'export',
        kind: 'info',
        end: 'rejected',
        error: 'No space',
        createdBy: maker.personId,
        createdAt: expect.any(String),
        fulfilledAt: expect.any(String),
      },
    },
  ])
  const days = (count: number) =>
    db
      .updateTable('task')
      .set({ archived_at: sql<Date>`now() - make_interval(days => ${count})` })
      .where('id', '=', taskId)
      .execute()
  const left = async () =>
    (await db.selectFrom('task').select('id').where('id', '=', taskId).execute()).length
  await days(89)
  await sweepTasks(db)
  expect(await left()).toBe(1)
  await days(91)
  await sweepTasks(db)
  expect(await left()).toBe(0)
})

test('RULE-61 RULE-52 tasks are heard of by those who see the project, and by nobody who has lost it', async () => {
  const [ofViewer, ofStranger] = [await listen(viewer), await listen(stranger)]
  expect([ofViewer.answer, ofStranger.answer]).toEqual(['subscribed', 'refused'])
  const abortOne = async () => owner.call(abort, { ...place(await add()), body: {} })
  await abortOne()
  await expect.poll(() => ofViewer.events().length, { timeout: 5000 }).toBe(1)
  await db.deleteFrom('project_grant').where('person_id', '=', viewer.personId).execute()
  const ofOwner = await listen(owner)
  await abortOne()
  await expect.poll(() => ofOwner.events().length, { timeout: 5000 }).toBe(1)
  expect(ofViewer.events()).toHaveLength(1)
  expect(await viewer.call(list, { params: { projectId } })).toFailWith('NOT_FOUND')
})

test('the tasks of a project that was deleted are nobody’s at once, and go with the next sweep', async () => {
  const { projectId: other } = await given.project(owner)
  const ids = [await add(), await add({ state: 'finished' }), await add({ project: other, title: 'Stays' })]
  await db
    .insertInto('task_log')
    .values({ task_id: ids[0] ?? '', line: 'begun' })
    .execute()
  await owner.call(projectEndpoints.remove, { params: { projectId }, body: {} })
  const there = async () =>
    (await db.selectFrom('task').select('id').where('id', 'in', ids).execute()).map(({ id }) => id)
  expect(await there()).toHaveLength(3)
  const listed = async (who: GivenPerson, query = {}) =>
    (await who.call(mine, { query })).body.items.flatMap(({ _id }) => (ids.includes(_id) ? [_id] : []))
  for (const who of [root, owner]) expect(await listed(who)).toEqual([ids[2]])
  expect(await listed(maker, { own: 'true' })).toEqual([])
  await sweepTasks(db)
  expect(await there()).toEqual([ids[2]])
})

test('DEC-26 what has ended and nobody archived is archived after 30 days, with its result, by nobody', async () => {
  const heard = await listen(viewer)
  const [old, recent, open] = [
    await add({ state: 'rejected' }),
    await add({ state: 'finished' }),
    await add(),
  ]
  const { id: result } = await server.app.files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'a',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('a')]),
  )
  const days = (id: string, count: number) =>
    db
      .updateTable('task')
      .set({
        created_at: sql<Date>`now() - make_interval(days => ${count})`,
        ...(id === open ? {} : { fulfilled_at: sql<Date>`now() - make_interval(days => ${count})` }),
        file_id: id === old ? result : null,
      })
      .where('id', '=', id)
      .execute()
  await days(old, 31)
  await days(recent, 29)
  await days(open, 31)
  await server.app.tasks.archiveLeft()
  const left = (await viewer.call(list, { params: { projectId } })).body.items.map(({ _id }) => _id)
  expect(left.toSorted()).toEqual([recent, open].toSorted())
  await expect
    .poll(() => heard.events().map(({ name }) => name), { timeout: 5000 })
    .toEqual(['task:archived'])
  expect(await server.app.files.find(result)).toBeUndefined()
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'target', 'detail'])
    .where('project_id', '=', projectId)
    .where('event', '=', 'task.archived')
    .execute()
  expect(rows).toMatchObject([
    { actor_id: null, target: old, detail: { end: 'rejected', createdBy: maker.personId } },
  ])
})

test('RULE-65 of many who abort a task at once one does, and one end is told and audited', async () => {
  const heard = await listen(viewer)
  const taskId = await add()
  const answers = await inWaves(40, (index) => callOn(index % 2 === 0 ? server : second, taskId))
  const codes = answers.map(({ code }) => code ?? 'done')
  expect(codes.filter((code) => code === 'done')).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set(['done', 'TASK_ENDED']))
  await owner.call(archive, { ...place(taskId), body: {} })
  await expect
    .poll(() => heard.events().map(({ name }) => name), { timeout: 5000 })
    .toEqual(['task:fulfilled', 'task:archived'])
  const rows = await db.selectFrom('audit').select('event').where('target', '=', taskId).execute()
  expect(rows.map(({ event }) => event).toSorted()).toEqual(['task.aborted', 'task.archived'])
})
const callOn = (node: typeof server, taskId: string) =>
  node.call(abort, { ...place(taskId), body: {} }, owner.token)

test('RULE-54 queries that are not declared are refused', async () => {
  for (const query of [{ scope: 'root' }, { state: 'archived' }, { own: 'false' }, { limit: '201' }]) {
    const answer = await owner.call(mine, { query: query as object })
    expect([query, answer.code]).toEqual([query, 'VALIDATION_FAILED'])
  }
  const long = { search: 'x'.repeat(limits.searchMax + 1) }
  expect(await owner.call(list, { params: { projectId }, query: long })).toFailWith('VALIDATION_FAILED')
})
