import { randomUUID } from 'node:crypto'
import {
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  limits,
  ownEdgeDeckEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectAgent, someReport } from './testing/virtual-agent.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let from: string
let to: string
beforeEach(async () => {
  owner = await given.person()
  from = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  to = (await given.project(owner, { products: ['project', 'edges'] })).projectId
})

async function enrolled(label: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId: from }, body: { label } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  return { edgeId: made.body.edge._id, token }
}

const move = (edgeId: string, project = to, by: GivenPerson = owner) =>
  by.call(edgeEndpoints.move, { params: { projectId: from, edgeId }, body: { project } })
const read = (projectId: string, edgeId: string) =>
  owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })

test('an edge moves with its tags, place, programs and history while its agent stays connected', async () => {
  const { edgeId, token } = await enrolled('Crane 4')
  const params = { projectId: from, edgeId }
  await owner.call(edgeEndpoints.update, {
    params,
    body: { tags: ['Crane'], place: 'Quay 3', alertAfter: 5 },
  })
  for (const label of ['Own', 'Lent', 'Borrowed'])
    await owner.call(edgeEndpoints.addInstance, { params, body: { label } })
  const third = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  const { body: before } = await read(from, edgeId)
  const assign = (label: string, project: string) =>
    owner.call(edgeEndpoints.updateInstance, {
      params: { ...params, instanceId: before.instances.find((one) => one.label === label)?._id ?? '' },
      body: { project },
    })
  expect(await assign('Lent', third)).toSucceed()
  expect(await assign('Borrowed', to)).toSucceed()
  await sql`insert into edge_outage (edge_id, begins, ends) values (${edgeId}, now() - interval '2 hours', now() - interval '1 hour')`.execute(
    db,
  )
  const agent = await connectAgent(server.url, { token })
  onTestFinished(() => agent.ws.terminate())
  agent.report({ uptime: 1 })
  await expect.poll(async () => (await read(from, edgeId)).body.report?.uptime).toBe(1)

  const moved = await move(edgeId)
  expect(moved).toSucceed()
  expect(moved.body).toMatchObject({
    _id: edgeId,
    label: 'Crane 4',
    tags: ['Crane'],
    place: 'Quay 3',
    alertAfter: 5,
    state: 'online',
  })
  expect(moved.body.instances.map(({ label, project }) => [label, project._id])).toEqual([
    ['Borrowed', to],
    ['Lent', third],
    ['Own', to],
  ])
  expect(await read(from, edgeId)).toFailWith('NOT_FOUND')
  agent.report({ uptime: 2 })
  await expect.poll(async () => (await read(to, edgeId)).body.report?.uptime).toBe(2)
  expect(agent.isOpen()).toBe(true)
  const { rows } = await sql`select from edge_outage where edge_id = ${edgeId}`.execute(db)
  expect(rows).toHaveLength(1)

  const entries = await sql<{ project: string; detail: unknown }>`
    select project_id as project, detail from audit where event = 'edge.moved' and target = ${edgeId} order by project_id = ${to}`.execute(
    db,
  )
  expect(entries.rows).toEqual([
    { project: from, detail: { label: 'Crane 4', to } },
    { project: to, detail: { label: 'Crane 4', from } },
  ])
})

test('jobs of the former project do not reach a moved edge, and groups of the new one include it', async () => {
  const { edgeId, token } = await enrolled('Hall')
  await sql`
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    values (${edgeId}, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(), ${JSON.stringify(someReport({ commands: [] }))}::jsonb)`.execute(
    db,
  )
  const job = await owner.call(edgeJobEndpoints.start, {
    params: { projectId: from },
    body: { command: { name: 'diagnostics' }, target: { edges: [edgeId] } },
  })
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId: to },
    body: { label: 'All', rule: {} },
  })
  expect(await move(edgeId)).toSucceed()
  const agent = await connectAgent(server.url, { token })
  onTestFinished(() => agent.ws.terminate())
  agent.report({ commands: [] })
  const jobId = job.body._id
  const counts = async () =>
    (await owner.call(edgeJobEndpoints.read, { params: { projectId: from, jobId } })).body.counts
  await expect.poll(counts).toMatchObject({ waiting: 0, cancelled: 1 })
  expect(agent.messages.filter(({ type }) => type === 'command')).toEqual([])
  const found = await owner.call(edgeEndpoints.list, {
    params: { projectId: to },
    query: { group: group.body._id },
  })
  expect(found.body.items.map(({ _id }) => _id)).toEqual([edgeId])
})

test('the decks of a moved edge lose their accounts and keys, so that a borrowed account does not act in the other project', async () => {
  const lender = await given.person()
  const operator = (person: GivenPerson) => ({ person, productRole: 'edges/operator' })
  from = (await given.project(owner, { products: ['project', 'edges'], grants: [operator(lender)] }))
    .projectId
  to = (await given.project(lender, { products: ['project', 'edges'], grants: [operator(owner)] })).projectId
  const { edgeId, token } = await enrolled('Hall')
  const agent = await connectAgent(server.url, { token })
  onTestFinished(() => agent.ws.terminate())
  const deck = { serial: 'AL01', model: 'MK.2', firmware: '1', columns: 5, rows: 3, width: 0, height: 0 }
  const decks = { driver: 'ready' as const, reason: null, devices: [{ ...deck, problem: null }] }
  agent.report({ decks, commands: [] })
  await expect.poll(async () => (await read(from, edgeId)).body.report).not.toBeNull()
  const { serial } = deck
  const params = { projectId: from, edgeId, serial }
  const body = { account: lender.personId }
  expect(await owner.call(edgeDeckEndpoints.update, { params, body })).toSucceed()
  expect(await lender.call(ownEdgeDeckEndpoints.agree, { params })).toSucceed()
  const press = [{ type: 'job' as const, command: { name: 'diagnostics' as const }, group: null }]
  const page = { keys: [{ key: 0, label: 'Check', press, hold: [] }], face: null }
  expect(
    await owner.call(edgeDeckEndpoints.setPage, { params: { ...params, page: '0' }, body: page }),
  ).toSucceed()
  const desks = () => agent.messages.filter(({ type }) => type === 'desk')
  await expect.poll(() => desks().at(-1)).toMatchObject({ keys: [{ key: 0 }] })

  expect(await move(edgeId)).toSucceed()
  const moved = await lender.call(edgeDeckEndpoints.read, { params: { ...params, projectId: to } })
  expect(moved.body).toMatchObject({ account: null, agreedAt: null, pages: [] })
  expect((await lender.call(ownEdgeDeckEndpoints.list)).body.items).toEqual([])
  await expect.poll(() => desks().at(-1)).toMatchObject({ keys: [] })
  const id = randomUUID()
  agent.send({ type: 'press', id, serial, page: 0, key: 0, isHeld: false })
  await expect
    .poll(() => agent.messages.find(({ type }) => type === 'pressed'))
    .toMatchObject({ id, isDone: false })
  const jobs = await lender.call(edgeJobEndpoints.list, { params: { projectId: to } })
  expect(jobs.body.items).toEqual([])
})

test('a code that the former project created does not enrol a machine as the moved edge', async () => {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId: from }, body: { label: 'Hall' } })
  server.watchSecret(made.body.code)
  expect(await move(made.body.edge._id)).toSucceed()
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  expect(redeemed).toFailWith('EDGE_CODE_NOT_VALID')
  expect((await read(to, made.body.edge._id)).body).toMatchObject({ state: 'enrolling', codeExpiresAt: null })
})

test('an edge moves only to a project whose edges the caller may manage, and only within its limit', async () => {
  const helper = await given.person()
  const operator = { person: helper, productRole: 'edges/operator' }
  from = (await given.project(owner, { products: ['project', 'edges'], grants: [operator] })).projectId
  const hidden = to
  const seen = (
    await given.project(owner, {
      products: ['project', 'edges'],
      grants: [{ person: helper, productRole: 'edges/viewer' }],
    })
  ).projectId
  const { edgeId } = await enrolled('Hall')
  expect(await move(edgeId, hidden, helper)).toFailWith('NOT_FOUND')
  expect(await move(edgeId, seen, helper)).toFailWith('FORBIDDEN')
  await sql`
    insert into edge (id, project_id, label)
    select gen_random_uuid(), ${to}::uuid, 'Edge' from generate_series(1, ${limits.edgesMax}::int)`.execute(
    db,
  )
  expect(await move(edgeId)).toFailWith('TOO_MANY_EDGES')
  expect(await read(from, edgeId)).toSucceed()
})
