import {
  type CollectionChange,
  organisationEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
  type ServerMessage,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket, type TestSocket } from '#platform/realtime/test-socket.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

let sockets: TestSocket[] = []
afterEach(() => {
  for (const socket of sockets) socket.ws.terminate()
  sockets = []
})

let owner: GivenPerson
let successor: GivenPerson
let maker: GivenPerson
let holder: GivenPerson
let root: GivenPerson
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  successor = await given.person({ firstname: 'Sue' })
  maker = await given.person({ firstname: 'Mia' })
  holder = await given.person({ firstname: 'Greta' })
  root = await given.person({ firstname: 'Ruth', isRoot: true })
})

/** Subscribes on the node that does not receive the calls. */
async function listen(person: GivenPerson, topic = 'projects') {
  const socket = await openTestSocket(second.url, { token: person.token })
  sockets.push(socket)
  expect(await socket.ask({ type: 'subscribe', topic })).toBe('subscribed')
  const isEvent = (message: ServerMessage) => message.type === 'event'
  const changes = () => socket.messages.filter(isEvent).map(({ data }) => data as CollectionChange)
  return {
    changes,
    opsOf: (id: string) => changes().flatMap((change) => (change.id === id ? [change.op] : [])),
  }
}

/** Publishes one last change and waits for it; all earlier events have then arrived. */
async function untilAllArrived(listeners: Record<string, Awaited<ReturnType<typeof listen>>>) {
  const { body } = await root.call(projectEndpoints.create, { body: { label: 'Last' } })
  const grants = [owner, successor, maker, holder].map(({ personId }) =>
    root.call(rootGrantEndpoints.add, { params: { projectId: body._id }, body: { user: personId } }),
  )
  await Promise.all(grants)
  for (const [name, { opsOf }] of Object.entries(listeners)) {
    await expect.poll(() => opsOf(body._id), { message: name }).toContain('upsert')
  }
}

test('DEC-14 DEC-15 a new owner of an organisation sees its projects immediately, and the former owner no longer does', async () => {
  const org = await given.organisation(owner, { members: [successor, maker] })
  const plain = await given.project(maker, { org })
  const own = await given.project(owner, { org })
  const granted = await given.project(maker, { org, grants: [{ person: owner, productRole: null }] })
  const elsewhere = await given.project(owner)
  const listening = {
    owner: await listen(owner),
    successor: await listen(successor),
    maker: await listen(maker),
    holder: await listen(holder),
    root: await listen(root),
  }
  await owner.call(organisationEndpoints.update, {
    params: { orgId: org.orgId },
    body: { owner: successor.personId },
  })
  await untilAllArrived(listening)
  for (const { projectId } of [plain, own, granted]) {
    expect(listening.successor.opsOf(projectId)).toEqual(['upsert'])
    expect(listening.root.opsOf(projectId)).toEqual(['upsert'])
    expect(listening.holder.opsOf(projectId)).toEqual([])
  }
  expect(listening.owner.opsOf(plain.projectId)).toEqual(['remove'])
  expect(listening.owner.opsOf(own.projectId)).toEqual(['upsert'])
  expect(listening.owner.opsOf(granted.projectId)).toEqual(['upsert'])
  expect(listening.maker.opsOf(plain.projectId)).toEqual(['upsert'])
  expect(listening.owner.opsOf(elsewhere.projectId)).toEqual([])
  expect(JSON.stringify(listening.owner.changes())).not.toContain('audience')
})

test('DEC-14 a new owner of an organisation with 300 projects is announced with one INSERT', async () => {
  const org = await given.organisation(owner, { members: [successor] })
  await sql`
    insert into project (id, label, organisation_id, owner_id)
    select gen_random_uuid(), 'Hall ' || n, ${org.orgId}::uuid, ${maker.personId}::uuid from generate_series(1, 300) n`.execute(
    db,
  )
  const body = { owner: successor.personId }
  expect(await owner.call(organisationEndpoints.update, { params: { orgId: org.orgId }, body })).toSucceed()
  const { rows } = await sql`
    select data ->> 'op' as op, count(*) as events, count(distinct (xmin::text, cmin::text)) as inserts
    from event where topic = 'projects' and data ->> 'id' in (
      select id::text from project where organisation_id = ${org.orgId}::uuid
    ) group by 1 order by 1`.execute(db)
  expect(rows).toEqual([
    { op: 'remove', events: 300, inserts: 1 },
    { op: 'upsert', events: 300, inserts: 1 },
  ])
})

test('DEC-15 a changed project is published to its readers, a moved one also to its new readers, a deleted one to its former readers', async () => {
  const org = await given.organisation(owner, { members: [maker] })
  const { projectId } = await given.project(maker, {
    org,
    grants: [{ person: holder, productRole: 'project/viewer' }],
  })
  const listening = {
    owner: await listen(owner),
    maker: await listen(maker),
    holder: await listen(holder),
    successor: await listen(successor),
    root: await listen(root),
  }
  const params = { projectId }
  await maker.call(projectEndpoints.update, { params, body: { label: 'B' } })
  await maker.call(projectEndpoints.update, { params, body: { org: null } })
  await maker.call(projectEndpoints.remove, { params })
  await untilAllArrived(listening)
  expect(listening.owner.opsOf(projectId).at(-1)).toBe('remove')
  for (const name of ['maker', 'holder', 'root'] as const) {
    expect(listening[name].opsOf(projectId).at(-1), name).toBe('remove')
  }
  expect(listening.successor.opsOf(projectId)).toEqual([])
})

test('DEC-15 a user with a new or removed grant receives the project and the change of their permissions', async () => {
  const { projectId } = await given.project(owner)
  const listening = { holder: await listen(holder), owner: await listen(owner), maker: await listen(maker) }
  const me = await listen(holder, 'me')
  const others = await listen(owner, 'me')
  const countOf = () =>
    me.changes().filter(({ collection, id }) => collection === 'credentials' && id === holder.personId).length

  const added = await root.call(rootGrantEndpoints.add, {
    params: { projectId },
    body: { user: holder.personId },
  })
  const params = { projectId, grantId: added.body._id }
  await expect.poll(() => listening.holder.opsOf(projectId)).toEqual(['upsert'])
  await expect.poll(countOf).toBe(1)
  await owner.call(projectEndpoints.changeProductRole, { params, body: { productRole: 'project/viewer' } })
  await expect.poll(countOf).toBe(2)
  // Roles of a product that the project no longer uses do not count.
  await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: [] } })
  await expect.poll(countOf).toBe(3)
  await root.call(rootGrantEndpoints.remove, { params })
  await expect.poll(countOf).toBe(4)
  await untilAllArrived(listening)
  expect(listening.holder.opsOf(projectId).at(-1)).toBe('remove')
  expect(listening.owner.opsOf(projectId).at(-1)).toBe('upsert')
  expect(listening.maker.opsOf(projectId)).toEqual([])
  expect(others.changes().filter(({ id }) => id !== owner.personId)).toEqual([])
})

test('DEC-13 changes of an organisation reach its members and root, and a removed member learns of the removal', async () => {
  const { orgId } = await given.organisation(owner, { members: [maker, holder] })
  const topic = 'organisations'
  const listening = {
    owner: await listen(owner, topic),
    maker: await listen(maker, topic),
    holder: await listen(holder, topic),
    stranger: await listen(successor, topic),
    root: await listen(root, topic),
  }
  const params = { orgId }
  await owner.call(organisationEndpoints.update, { params, body: { label: 'B' } })
  await expect.poll(() => listening.maker.opsOf(orgId)).toEqual(['upsert'])
  await owner.call(organisationEndpoints.removeMember, { params: { orgId, personId: maker.personId } })
  await expect.poll(() => listening.maker.opsOf(orgId)).toEqual(['upsert', 'remove'])
  await owner.call(organisationEndpoints.remove, { params })
  for (const name of ['owner', 'holder', 'root'] as const) {
    await expect.poll(() => listening[name].opsOf(orgId).at(-1), { message: name }).toBe('remove')
  }
  expect(listening.maker.opsOf(orgId)).toEqual(['upsert', 'remove'])
  expect(listening.stranger.opsOf(orgId)).toEqual([])
})
