import { setTimeout as delay } from 'node:timers/promises'
import {
  type EdgeUpdatePolicy,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeUpdateEndpoints,
  taskEndpoints,
  usualEdgeUpdatePolicy,
} from '@pult/contract'
import { type GivenPerson, inWaves, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { createAuditService } from '../../audit/audit.service.ts'
import { lockProject } from '../lock-project.ts'
import { connectAgent, someReport, type VirtualAgent } from '../testing/virtual-agent.ts'
import { createEdgeUpdates } from './edge-updates.ts'

const server = await testServer()
const { given, db } = server
const { version } = manifest

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['edges'] })).projectId
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

type Release = 'current' | 'former' | 'ancient'
const releases = {
  current: { version, speaks: { min: 1, max: 2 } },
  /** Supports only the previous protocol of the server. */
  former: { version: '2.3.0', speaks: { min: 0, max: 1 } },
  /** Supports no protocol of the server. */
  ancient: { version: '1.0.0', speaks: { min: 0, max: 0 } },
} as const

interface Behaviour {
  release?: Release
  isReady?: boolean
  /** The result of an order. */
  outcome?: 'current' | 'failed' | 'away'
}

/** Adds an edge whose agent follows orders as the real one does: it reconnects with the version of the server. */
async function edge(
  label: string,
  { release = 'former', isReady = true, outcome = 'current' }: Behaviour = {},
) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  const orders: string[] = []
  let isOver = false
  let agent: VirtualAgent | undefined
  ends.push(() => {
    isOver = true
    agent?.ws.terminate()
  })

  async function live(as: Release, failed: { version: string; reason: string; at: string } | null) {
    const { speaks, version: runs } = releases[as]
    const connected = await connectAgent(server.url, { token, speaks, version: runs })
    agent = connected
    if (isOver) return connected.ws.terminate()
    connected.report({ update: { isReady, failed } })
    let isOrdered = false
    connected.ws.on('message', () => {
      const command = connected.messages.at(-1)
      if (command?.type !== 'command' || command.command.name !== 'update') return
      isOrdered = true
      orders.push(command.id)
      connected.send({
        type: 'answer',
        command: command.id,
        lines: [],
        outcome: { ok: true, info: 'It starts.' },
      })
      connected.ws.close()
      if (outcome === 'away' || isOver) return
      const gaveUp = {
        version,
        reason: 'It exited with code 1 before it had reported',
        at: '2026-11-25T12:00:00Z',
      }
      void (outcome === 'failed' ? live('former', gaveUp) : live('current', null))
    })
    // The server disconnects a silent agent.
    const beat = setInterval(() => connected.ws.ping(), 5000)
    // A busy server may disconnect it nevertheless. The real agent reconnects.
    void connected.closed.then((code) => {
      clearInterval(beat)
      if (!isOver && !isOrdered) void live(code === 4406 ? 'current' : as, failed)
    })
  }
  await live(release, null)
  return { params: { projectId, edgeId: made.body.edge._id }, orders }
}

const state = async () => (await owner.call(edgeUpdateEndpoints.read, { params: { projectId } })).body
const put = (changes: Partial<EdgeUpdatePolicy>) =>
  owner.call(edgeUpdateEndpoints.update, {
    params: { projectId },
    body: { ...usualEdgeUpdatePolicy, ...changes },
  })
const currentCount = async () =>
  (await state()).versions.reduce((sum, { count, isCurrent }) => sum + (isCurrent ? count : 0), 0)
/** Another node of the same version. The worker of the server itself checks every 10 s. */
const { check } = createEdgeUpdates({
  db,
  events: server.app.events,
  audit: createAuditService(db),
  version,
  log: createLog('silent'),
})

test('a fleet of three versions, one of an unsupported protocol, becomes current', {
  tags: ['long'],
  timeout: sized(60_000, 900_000),
}, async () => {
  const size = sized(12, 1000)
  await put({ mode: 'now' })
  const kinds: Release[] = ['current', 'former', 'ancient']
  await inWaves(size, (index) => edge(`Edge ${index}`, { release: kinds[index % kinds.length] as Release }))
  await expect
    .poll(
      async () => {
        await check()
        return currentCount()
      },
      { timeout: sized(50_000, 600_000), interval: 200 },
    )
    .toBe(size)
  expect(await state()).toMatchObject({
    versions: [{ version, count: size, isCurrent: true }],
    counts: { running: 0, failed: 0, away: 0, unable: 0, waiting: 0 },
  })
})

test('a node orders nothing while another node orders', async () => {
  await put({ mode: 'now' })
  const { orders } = await edge('Hall')
  await expect.poll(async () => (await state()).counts.waiting).toBe(1)
  const ordered = async () =>
    (
      await db
        .selectFrom('audit')
        .select('id')
        .where('project_id', '=', projectId)
        .where('event', '=', 'edge.update-ordered')
        .execute()
    ).length
  await db.transaction().execute(async (other) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('edge_update', 0))`.execute(other)
    // The worker of the server itself may have been first.
    const before = await ordered()
    await check()
    expect(await ordered()).toBe(before)
  })
  await check()
  await expect.poll(() => orders.length).toBe(1)
})

/** Ages the orders, as if time had passed. */
const wait = (minutes: number) =>
  sql`update edge_update set ordered_at = ordered_at - make_interval(mins => ${minutes}::int)`.execute(db)

test('the next ring starts when the previous one is current and the pause has passed', async () => {
  await put({ mode: 'rings', rings: [25, 100], pause: 60 })
  const edges = await inWaves(4, (index) => edge(`Edge ${index}`))
  await expect.poll(async () => (await state()).versions[0]?.count).toBe(4)
  await check()
  await expect.poll(currentCount).toBe(1)
  await check()
  expect((await state()).counts.running).toBe(0)
  expect(edges.flatMap(({ orders }) => orders)).toHaveLength(1)
  await wait(60)
  await check()
  await expect.poll(currentCount).toBe(4)
  expect(edges.map(({ orders }) => orders.length)).toEqual([1, 1, 1, 1])
})

test.each(['failed', 'away'] as const)(
  'an edge that is %s after its update holds the next step',
  async (outcome) => {
    await put({ mode: 'rings', rings: [25, 100], pause: 0 })
    const edges = await inWaves(4, (index) => edge(`Edge ${index}`, { outcome }))
    await expect.poll(async () => (await state()).versions[0]?.count).toBe(4)
    await check()
    const ordered = () => edges.flatMap(({ orders }) => orders).length
    await expect.poll(ordered).toBe(1)
    if (outcome === 'away') {
      await sql`update edge_presence set is_online = false, offline_since = now(), seen_at = now() - interval '1 minute'
      where edge_id in (select edge_id from edge_update)`.execute(db)
      await wait(6)
    }
    await expect.poll(state).toMatchObject({ isHeld: true, counts: { [outcome]: 1 } })
    await check()
    expect(ordered()).toBe(1)
    // Without steps all other edges follow.
    await put({ mode: 'now' })
    await check()
    await expect.poll(ordered).toBe(4)
  },
)

test('a user updates one edge as a task under any policy, and an agent without updates is refused', async () => {
  await put({ mode: 'manual' })
  const [able, old, broken] = [
    await edge('Able'),
    await edge('Old', { isReady: false }),
    await edge('Broken', { outcome: 'failed' }),
  ]
  await expect.poll(async () => (await state()).counts).toMatchObject({ unable: 1, waiting: 2 })
  await check()
  const ended = async (one: typeof able) => {
    const begun = await owner.call(edgeEndpoints.updateAgent, { params: one.params })
    expect(begun).toSucceed()
    const params = { projectId, taskId: begun.body._id }
    const read = async () => (await owner.call(taskEndpoints.read, { params })).body
    await expect.poll(async () => (await read()).fulfilledAt).not.toBeNull()
    return read()
  }
  expect(await ended(able)).toMatchObject({ isRejected: false, state: { info: 'The agent is up to date.' } })
  expect(await ended(broken)).toMatchObject({ isRejected: true })
  expect(await owner.call(edgeEndpoints.updateAgent, { params: old.params })).toFailWith('EDGE_CANNOT')
  expect([able, old, broken].map(({ orders }) => orders.length)).toEqual([1, 0, 1])
  const { body } = await owner.call(edgeEndpoints.read, { params: broken.params })
  expect(body.report?.update?.failed?.reason).toBe('It exited with code 1 before it had reported')
})

test('orders and changes of the policy are audited, and invalid policies are refused', async () => {
  const audited = async () => {
    const rows = await db
      .selectFrom('audit')
      .select(['event', 'detail'])
      .where('project_id', '=', projectId)
      .where('event', 'like', 'edge.update-%')
      .orderBy('at')
      .execute()
    return rows.map(({ event, detail }) => ({ event, ...(detail as object) }))
  }
  const bad: unknown[] = [
    { mode: 'later' },
    { rings: [] },
    { rings: [50, 10, 100] },
    { rings: [10, 50] },
    { rings: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100] },
    { pause: -1 },
    { pause: 10_081 },
    { version: '9.9.9' },
    { window: { ...usualEdgeUpdatePolicy.window, from: '24:00' } },
    { window: { ...usualEdgeUpdatePolicy.window, timeZone: 'Mars/Phobos' } },
  ]
  for (const changes of bad) expect(await put(changes as object)).toFailWith('VALIDATION_FAILED')
  expect(await audited()).toEqual([])
  await put({ mode: 'now' })
  await edge('Hall')
  await expect
    .poll(async () => {
      await check()
      return audited()
    })
    .toMatchObject([
      { event: 'edge.update-policy-changed', mode: 'now' },
      { event: 'edge.update-ordered', version, edges: 1, mode: 'now' },
    ])
})

/** Adds an edge whose agent is connected to no node and could be updated. */
async function readyEdge(): Promise<string> {
  const report = JSON.stringify(someReport({ update: { isReady: true, failed: null } }))
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      values (gen_random_uuid(), ${projectId}::uuid, 'Hall', decode(md5(random()::text), 'hex'), now()) returning id
    ), seen as (
      insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
      select id, gen_random_uuid(), now(), gen_random_uuid(), '1.0.0', true, now(), ${report}::jsonb from made
    )
    select id from made`.execute(db)
  return rows[0]?.id ?? ''
}
const setMode = (mode: EdgeUpdatePolicy['mode'], within: Db) =>
  sql`update edge_update_policy set policy = policy || ${JSON.stringify({ mode })}::jsonb where project_id = ${projectId}`.execute(
    within,
  )
const isOrdered = async (edgeId: string) =>
  (await sql`select from edge_update where edge_id = ${edgeId}`.execute(db)).rows.length > 0

test('equally frequent versions of a fleet are in the order of their numbers', async () => {
  await put({ mode: 'manual' })
  const numbers = ['2.10.0', '2.9.0', '2.9.10']
  for (const number of numbers)
    await sql`update edge_presence set version = ${number} where edge_id = ${await readyEdge()}`.execute(db)
  expect((await state()).versions.map((one) => one.version)).toEqual(['2.9.0', '2.9.10', '2.10.0'])
})

test('an order waits for a concurrent change of the policy, and follows the new policy', async () => {
  await put({ mode: 'manual' })
  const edgeId = await readyEdge()
  const checked = await db.transaction().execute(async (other) => {
    await lockProject(other, projectId)
    await setMode('now', db)
    const checking = check()
    await delay(500)
    await setMode('manual', other)
    return { checking }
  })
  await checked.checking
  expect(await isOrdered(edgeId)).toBe(false)
})

test('an edge that is being moved receives no order of its former project', async () => {
  await put({ mode: 'manual' })
  const [moving, staying] = [await readyEdge(), await readyEdge()]
  const target = (await given.project(owner, { products: ['edges'] })).projectId
  await db.transaction().execute(async (other) => {
    await sql`update edge set project_id = ${target} where id = ${moving}`.execute(other)
    await setMode('now', db)
    await expect
      .poll(async () => {
        await check()
        return isOrdered(staying)
      })
      .toBe(true)
  })
  expect(await isOrdered(moving)).toBe(false)
})
