import { Readable } from 'node:stream'
import { limits, projectEndpoints, type ServerMessage, taskEndpoints } from '@pult/contract'
import { failedWrites, type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { sweepTaskLogs, sweepTasks } from './sweep-tasks.ts'
import { createTaskArchiving } from './task-archiving.ts'
import { taskSearch } from './task-search.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, read, log, abort, archive, archiveEnded, mine, restore, restoreEnded } = taskEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'

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
/** Adds a task that no node runs, because the server does not know its kind. */
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

test('API-21 TASK-01 a list is paginated, newest first, and searches title, type, kind, state and user', async () => {
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

test('the list of all projects contains the tasks of visible projects, or only the user’s own', async () => {
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

test('the list of all projects filters by outcome and counts every state that the search finds', async () => {
  const foreign = (await given.project(stranger)).projectId
  for (const state of ['finished', 'rejected', 'timed-out', 'aborted', 'running'] as const)
    await add({ title: `Show ${state}`, state })
  await add({ title: 'Lights', state: 'rejected', by: viewer })
  await add({ title: 'Foreign', project: foreign, state: 'rejected' })
  const asked = async (query = {}) => {
    const answer = await viewer.call(mine, { query })
    expect(answer).toSucceed()
    return answer.body
  }
  const all = { open: 1, finished: 1, failed: 3, aborted: 1, isCapped: false }
  expect((await asked()).counts).toEqual(all)
  const failed = await asked({ state: 'failed' })
  expect(failed.items.map(({ title }) => title)).toEqual(['Lights', 'Show timed-out', 'Show rejected'])
  expect(failed).toMatchObject({ total: 3, counts: all })
  expect((await asked({ state: 'aborted', search: 'show' })).items).toHaveLength(1)
  expect((await asked({ search: 'show' })).counts).toEqual({ ...all, failed: 2 })
  expect((await asked({ search: 'li' })).counts).toMatchObject({ open: 0, failed: 1 })
  expect((await asked({ own: 'true' })).counts).toMatchObject({ open: 0, finished: 0, failed: 1 })
})

test('the list of all projects sorts by running time and by state, and each order pages without gaps', async () => {
  const other = (await given.project(viewer, { label: 'Hall' })).projectId
  const addAged = async (
    title: string,
    state: State,
    age: string,
    more: { took?: string; project?: string } = {},
  ) => {
    const id = await add({ title, state, ...(more.project !== undefined && { project: more.project }) })
    await sql`
      update task set started_at = case when state = 'queued' then null else now() - ${age}::interval end,
        fulfilled_at = fulfilled_at - ${age}::interval + coalesce(${more.took ?? null}::interval, interval '0')
      where id = ${id}::uuid`.execute(db)
  }
  await addAged('slow', 'running', '3 hours')
  await addAged('brief', 'finished', '5 hours', { took: '1 minute' })
  await addAged('quick', 'running', '1 minute', { project: other })
  await addAged('waits', 'queued', '0')
  await addAged('lost', 'rejected', '4 hours', { took: '1 hour', project: other })
  const inOrder = async (query: object) => {
    const sorted: string[] = []
    let after: string | undefined
    do {
      const answer = await viewer.call(mine, {
        query: { ...query, limit: '1', ...(after !== undefined && { after }) },
      })
      expect(answer).toSucceed()
      expect(answer.body.total).toBe(5)
      sorted.push(...answer.body.items.map(({ title }) => title))
      after = answer.body.next
    } while (after !== undefined)
    return sorted.join(' ')
  }
  expect(await inOrder({})).toBe('lost waits quick brief slow')
  expect(await inOrder({ sort: 'longest' })).toBe('slow quick waits lost brief')
  expect(await inOrder({ sort: 'state' })).toBe('quick slow waits lost brief')
  const found = await viewer.call(mine, { query: { sort: 'longest', search: 'lo' } })
  expect(found.body.items.map(({ title }) => title)).toEqual(['slow', 'lost'])
  const failed = await viewer.call(mine, { query: { sort: 'longest', state: 'failed' } })
  expect(failed.body.items.map(({ title }) => title)).toEqual(['lost'])
  for (const key of ['', '{}', '{1,}', '{x}', '0'])
    expect(await viewer.call(mine, { query: { sort: 'state', after: `${unknownId}${key}` } })).toFailWith(
      'VALIDATION_FAILED',
    )
  // Numbers that JavaScript accepts and PostgreSQL rejects.
  for (const key of ['{1e999}', '{1e-999}'])
    expect(await viewer.call(mine, { query: { sort: 'state', after: `${unknownId}${key}` } })).toSucceed()
})

test('TASK-04 TASK-05 DEC-26 RULE-51 the creator of a task, the project’s owner and root can end and archive it', async () => {
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

test('RULE-51 a task of another project returns 404', async () => {
  const other = (await given.project(owner)).projectId
  const taskId = await add({ state: 'finished' })
  for (const endpoint of [read, log]) {
    expect(await owner.call(endpoint, place(taskId))).toSucceed()
    expect(await owner.call(endpoint, place(taskId, other))).toFailWith('NOT_FOUND')
    expect(await owner.call(endpoint, place(unknownId))).toFailWith('NOT_FOUND')
  }
  for (const endpoint of [abort, archive])
    expect(await owner.call(endpoint, { ...place(taskId, other), body: {} })).toFailWith('NOT_FOUND')
})

test('WS-02 TASK-05 archiving all ended tasks archives those that the user may end, and returns their number', async () => {
  const subscription = await listen(viewer)
  expect(subscription.answer).toBe('subscribed')
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
  await expect.poll(() => subscription.events().length).toBe(4)
  expect(subscription.events()).toEqual(
    [...own, ...others].map((_id) => expect.objectContaining({ name: 'task:archived', data: { _id } })),
  )
})

test('DEC-26 the audit log keeps a task and the user who ended it, and its row is deleted after 90 days', async () => {
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

test('RULE-61 RULE-52 events of tasks reach users who see the project, and stop when a user loses it', async () => {
  const [ofViewer, ofStranger] = [await listen(viewer), await listen(stranger)]
  expect([ofViewer.answer, ofStranger.answer]).toEqual(['subscribed', 'refused'])
  const abortOne = async () => owner.call(abort, { ...place(await add()), body: {} })
  await abortOne()
  await expect.poll(() => ofViewer.events().length).toBe(1)
  await db.deleteFrom('project_grant').where('person_id', '=', viewer.personId).execute()
  const ofOwner = await listen(owner)
  await abortOne()
  await expect.poll(() => ofOwner.events().length).toBe(1)
  expect(ofViewer.events()).toHaveLength(1)
  expect(await viewer.call(list, { params: { projectId } })).toFailWith('NOT_FOUND')
})

test('tasks of a deleted project are inaccessible immediately and deleted by the next clean-up', async () => {
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

test('timescaledb#8571 the logs of the oldest ended tasks of a project end beyond the limit of the project', async () => {
  const { projectId: other } = await given.project(owner)
  const ended = async (day: number, project = projectId) => {
    const id = await add({ state: 'finished', project })
    await sql`update task set fulfilled_at = now() - make_interval(days => ${day}::int) where id = ${id}`.execute(
      db,
    )
    await sql`insert into task_log (task_id, line) select ${id}::uuid, 'x' from generate_series(1, 10)`.execute(
      db,
    )
    return id
  }
  const [old, middle, young] = [await ended(3), await ended(2), await ended(1)]
  const elsewhere = await ended(9, other)
  await sweepTaskLogs(db, 25)
  const kept = await sql<{ id: string }>`
    select distinct task_id as id from task_log where task_id = any(${[old, middle, young, elsewhere]}::uuid[])`.execute(
    db,
  )
  expect(new Set(kept.rows.map(({ id }) => id))).toEqual(new Set([middle, young, elsewhere]))
})

test('DEC-26 TASK-05 archiving 5,000 ended tasks takes one INSERT per table for each 1,000 of them', async () => {
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    select gen_random_uuid(), ${projectId}::uuid, 'export', 'info', 'Export', 'finished', '1 s', now(), now()
    from generate_series(1, 5000)`.execute(db)
  expect((await owner.call(archiveEnded, { params: { projectId }, body: {} })).body).toBe(true)
  // Rows of one INSERT have the same transaction id and command id.
  const insertsOf = async (table: 'audit' | 'event', isOfArchive: RawBuilder<boolean>) => {
    const { rows } = await sql<{ rows: number; inserts: number }>`
      select count(*) as rows, count(distinct (xmin::text, cmin::text)) as inserts
      from ${sql.table(table)} where ${isOfArchive}`.execute(db)
    return rows[0]
  }
  const isRow = sql<boolean>`project_id = ${projectId}::uuid and event = 'task.archived'`
  const isEvent = sql<boolean>`topic = ${`/projects/${projectId}/LTT`} and name = 'task:archived'`
  expect(await insertsOf('audit', isRow)).toEqual({ rows: 5000, inserts: 5 })
  expect(await insertsOf('event', isEvent)).toEqual({ rows: 5000, inserts: 5 })
})

test('RULE-80 the background part of an archiving is completed once the database answers again', async () => {
  for (const state of ['finished', 'rejected'] as const) await add({ state })
  const end = await failedWrites(db, 'update on task', { when: 'new.archived_at is not null', most: 2 })
  const archiving = createTaskArchiving({
    db,
    events: server.app.events,
    audit: createAuditService(db),
    files: server.app.files,
    log: createLog('silent'),
    whose: async () => ({}),
    batchesPerCall: 0,
  })
  const names = { firstname: 'Olga', lastname: '' }
  const rights = { isRoot: false, scope: [], isRecent: false, otpEnabled: false }
  const caller = { personId: owner.personId, sessionId: '', email: owner.email, ...names, ...rights }
  await archiving.archiveEnded(caller, { projectId }, '127.0.0.1')
  await expect.poll(() => titles({})).toEqual([])
  await end()
})

const archivedAgo = (age: string) =>
  sql`update task_archiving set at = now() - ${age}::interval where project_id = ${projectId}::uuid`.execute(
    db,
  )

test('DEC-20 TASK-05 the user who may end a task restores it unchanged within 10 minutes of its archiving', async () => {
  const subscription = await listen(viewer)
  const taskId = await add({ state: 'rejected' })
  const before = (await owner.call(read, place(taskId))).body
  expect(await maker.call(archive, { ...place(taskId), body: {} })).toSucceed()
  expect(await server.app.tasks.taskOf(taskId)).toMatchObject({ createdBy: null })
  for (const person of [viewer, orgOwner, stranger])
    expect(await person.call(restore, { ...place(taskId), body: {} })).toFailWith('NOT_FOUND')
  await archivedAgo('9 minutes 50 seconds')
  await server.app.tasks.sweepArchivings()
  expect((await maker.call(restore, { ...place(taskId), body: {} })).body).toEqual({ ...before, revision: 3 })
  expect((await viewer.call(list, { params: { projectId } })).body.items).toHaveLength(1)
  expect(await maker.call(restore, { ...place(taskId), body: {} })).toFailWith('NOT_FOUND')
  await expect
    .poll(() => subscription.events().map(({ name }) => name))
    .toEqual(['task:archived', 'task:restored'])
  const rows = await db
    .selectFrom('audit')
    .select('event')
    .where('target', '=', taskId)
    .orderBy('id')
    .execute()
  expect(rows.map(({ event }) => event)).toEqual(['task.archived', 'task.restored'])
})

test('DEC-20 DEC-26 after 10 minutes an archived task loses its creator and its result, and cannot be restored', async () => {
  const taskId = await add({ state: 'finished' })
  const fileId = await givenResult(taskId)
  expect(await maker.call(archive, { ...place(taskId), body: {} })).toSucceed()
  const kept = () =>
    db
      .selectFrom('task')
      .select(['created_by', 'file_id', 'archiving_id'])
      .where('id', '=', taskId)
      .executeTakeFirst()
  expect(await kept()).toMatchObject({ created_by: maker.personId, file_id: fileId })
  expect(await server.app.files.find(fileId)).toBeUndefined()
  await archivedAgo('10 minutes 1 second')
  expect(await maker.call(restore, { ...place(taskId), body: {} })).toFailWith('NOT_FOUND')
  await server.app.tasks.sweepArchivings()
  expect(await kept()).toEqual({ created_by: null, file_id: null, archiving_id: null })
  await archivedAgo('1 minute')
  expect(await maker.call(restore, { ...place(taskId), body: {} })).toFailWith('NOT_FOUND')
})

test('DEC-20 DEC-26 undo of archiving all restores exactly the tasks that the call archived', async () => {
  const [before, mine1, mine2, others] = [
    await add({ state: 'finished' }),
    await add({ state: 'finished' }),
    await add({ state: 'timed-out' }),
    await add({ state: 'finished', by: owner }),
  ]
  expect(await maker.call(archive, { ...place(before), body: {} })).toSucceed()
  const archivingId = uuidv7()
  const all = { params: { projectId }, query: { archivingId }, body: {} }
  const undo = { params: { projectId, archivingId }, body: {} }
  expect(await maker.call(restoreEnded, undo)).toFailWith('NOT_FOUND')
  expect(await maker.call(archiveEnded, all)).toSucceed()
  const ids = async () =>
    (await viewer.call(list, { params: { projectId } })).body.items.map(({ _id }) => _id)
  expect(await ids()).toEqual([others])
  for (const person of [viewer, owner]) expect(await person.call(restoreEnded, undo)).toFailWith('NOT_FOUND')
  expect((await maker.call(restoreEnded, undo)).body).toBe(true)
  expect(await ids()).toEqual([others, mine2, mine1])
  // A later batch of the same call archives nothing after the undo.
  expect(await maker.call(archiveEnded, all)).toSucceed()
  expect(await ids()).toEqual([others, mine2, mine1])
  expect(await maker.call(restoreEnded, undo)).toSucceed()
  await archivedAgo('10 minutes 1 second')
  expect(await maker.call(restoreEnded, undo)).toFailWith('NOT_FOUND')
})

/** Adds a file as the result of a task. */
async function givenResult(taskId: string): Promise<string> {
  const { id } = await server.app.files.keep(
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
  await db.updateTable('task').set({ file_id: id }).where('id', '=', taskId).execute()
  return id
}

test('DEC-26 an ended task is archived with its result after 30 days without an actor', async () => {
  const subscription = await listen(viewer)
  const [old, recent, open] = [
    await add({ state: 'rejected' }),
    await add({ state: 'finished' }),
    await add(),
  ]
  const result = await givenResult(old)
  const days = (id: string, count: number) =>
    db
      .updateTable('task')
      .set({
        created_at: sql<Date>`now() - make_interval(days => ${count})`,
        ...(id === open ? {} : { fulfilled_at: sql<Date>`now() - make_interval(days => ${count})` }),
      })
      .where('id', '=', id)
      .execute()
  await days(old, 31)
  await days(recent, 29)
  await days(open, 31)
  await server.app.tasks.archiveLeft()
  const left = (await viewer.call(list, { params: { projectId } })).body.items.map(({ _id }) => _id)
  expect(left.toSorted()).toEqual([recent, open].toSorted())
  await expect.poll(() => subscription.events().map(({ name }) => name)).toEqual(['task:archived'])
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

test('RULE-65 of many concurrent aborts of a task one succeeds, with one event and one audit row', async () => {
  const subscription = await listen(viewer)
  const taskId = await add()
  const answers = await inWaves(40, (index) => callOn(index % 2 === 0 ? server : second, taskId))
  const codes = answers.map(({ code }) => code ?? 'done')
  expect(codes.filter((code) => code === 'done')).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set(['done', 'TASK_ENDED']))
  await owner.call(archive, { ...place(taskId), body: {} })
  await expect
    .poll(() => subscription.events().map(({ name }) => name))
    .toEqual(['task:fulfilled', 'task:archived'])
  const rows = await db.selectFrom('audit').select('event').where('target', '=', taskId).execute()
  expect(rows.map(({ event }) => event).toSorted()).toEqual(['task.aborted', 'task.archived'])
})
const callOn = (node: typeof server, taskId: string) =>
  node.call(abort, { ...place(taskId), body: {} }, owner.token)

test('RULE-57 a search finds the info of open and of ended tasks, and tasks by their creator', async () => {
  await add({ title: 'One', info: 'Rendering quokka' })
  await add({ title: 'Two', info: 'Rendering quokka', state: 'finished', by: owner })
  expect(await titles({ search: 'QUOKKA' })).toEqual(['Two', 'One'])
  expect(await titles({ search: 'quokka macher' })).toEqual(['One'])
  expect(await titles({ search: 'quokka user:olga' })).toEqual(['Two'])
  expect(await titles({ search: 'quokka user:unknown' })).toEqual([])
})

test('RULE-57 PostgreSQL answers a search for a word in tasks by indexes', async () => {
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    select gen_random_uuid(), ${projectId}::uuid, 'export', 'info', 'Export ' || n, 'finished', '1 s', now(), now()
    from generate_series(1, 5000) n`.execute(db)
  await sql`vacuum analyze task`.execute(db)
  const { condition, isIndexed } = await taskSearch(db, 'macher')
  expect(isIndexed).toBe(true)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select t.id from task t where t.archived_at is null and ${condition}`.execute(db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  for (const index of ['task_folded', 'task_open', 'task_created_by'])
    expect(plan).toMatch(new RegExp(`Bitmap Index Scan on ${index}\\b`))
  await db.deleteFrom('task').where('project_id', '=', projectId).execute()
})

test('RULE-57 a search without an index reads the newest 20,000 tasks and answers totalIsCapped', async () => {
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    select case title when 'x' then gen_random_uuid() else '00000000-0000-0000-0000-000000000001' end, ${projectId}::uuid, 'x', 'info', title,
      'finished', '1 s', now(), now()
    from (select 'Oldest zq' as title union all select 'x' from generate_series(1, 20000)) titled`.execute(db)
  const found = async (search: string) =>
    (await viewer.call(list, { params: { projectId }, query: { search } })).body
  expect(await found('zq')).toEqual({ items: [], total: 0, totalIsCapped: true })
  expect(await found('state:rejected')).toEqual({ items: [], total: 0, totalIsCapped: true })
  expect(await found('oldest')).toMatchObject({ total: 1 })
  expect(await found('zq title:oldest')).toMatchObject({ total: 1 })
  await db.deleteFrom('task').where('project_id', '=', projectId).execute()
})

test('RULE-57 a progress report changes no index of tasks', async () => {
  const { rows } = await sql`
    select indexdef from pg_indexes
    where tablename = 'task' and indexdef ~ '\\m(info|progress_done|progress_total)\\M'`.execute(db)
  expect(rows).toEqual([])
})

test('RULE-54 undeclared queries are refused', async () => {
  for (const query of [{ scope: 'root' }, { state: 'archived' }, { own: 'false' }, { limit: '201' }]) {
    const answer = await owner.call(mine, { query: query as object })
    expect([query, answer.code]).toEqual([query, 'VALIDATION_FAILED'])
  }
  const long = { search: 'x'.repeat(limits.searchMax + 1) }
  expect(await owner.call(list, { params: { projectId }, query: long })).toFailWith('VALIDATION_FAILED')
})
