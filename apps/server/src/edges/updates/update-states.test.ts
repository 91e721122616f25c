import { randomUUID } from 'node:crypto'
import {
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeUpdateEndpoints,
  limits,
  usualEdgeUpdatePolicy,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import { createEdgeUpdates } from './edge-updates.ts'
import { createUpdateRepository } from './update.repository.ts'

/*
 * Tests how the server judges edges by their last report and their last order. The rows are written directly, so that
 * no agent has to fail or stay away.
 */

/** No edge becomes offline during the test. */
const server = await testServer({ edgeGraceTime: 3_600_000 })
const { given, db } = server
const updates = createUpdateRepository(db)

/** Newer than the version of the server itself, so that the server's own worker orders nothing here. */
const version = '900.1.0'
const former = '900.0.0'

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['edges'] })).projectId
})

interface Seen {
  version?: string
  isOnline?: boolean
  isReady?: boolean
  failed?: string
  /** Minutes since the order of a version. */
  ordered?: number
  orderedVersion?: string
  /** Consecutive orders of that version. */
  orders?: number
  isRevoked?: boolean
}

async function edge(
  {
    version: runs = former,
    isOnline = true,
    isReady = true,
    failed,
    ordered,
    orderedVersion = version,
    orders = 1,
    isRevoked = false,
  }: Seen = {},
  where = { owner, projectId },
): Promise<string> {
  const params = { projectId: where.projectId }
  const { body } = await where.owner.call(edgeEndpoints.enrol, { params, body: { label: 'Hall' } })
  server.watchSecret(body.code)
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
  server.watchSecret(redeemed.body.token)
  const edgeId = body.edge._id
  const report = { update: { isReady, failed: failed === undefined ? null : { version: failed } } }
  await db
    .insertInto('edge_presence')
    .values({
      edge_id: edgeId,
      connection: randomUUID(),
      run: randomUUID(),
      version: runs,
      is_online: isOnline,
      seen_at: new Date(),
      report: JSON.stringify(report),
    })
    .execute()
  if (ordered !== undefined)
    await sql`insert into edge_update (edge_id, version, ordered_at, orders)
      values (${edgeId}, ${orderedVersion}, now() - make_interval(mins => ${ordered}::int), ${orders})`.execute(
      db,
    )
  if (isRevoked) await owner.call(edgeEndpoints.revoke, { params: { projectId: where.projectId, edgeId } })
  return edgeId
}

const day = 24 * 60

test.each<[string, Seen, string]>([
  ['the version', { version }, 'done'],
  ['a newer version, which no order may replace', { version: '900.2.0' }, 'done'],
  [
    'the version that goes offline within a day of its order',
    { version, isOnline: false, ordered: 60 },
    'away',
  ],
  ['the version that goes offline later', { version, isOnline: false, ordered: 2 * day }, 'done'],
  ['the version without an order that goes offline', { version, isOnline: false }, 'done'],
  ['a version that is not a number', { version: 'build-of-monday' }, 'ready'],
  ['a former version', {}, 'ready'],
  ['a former version after a failure of another one', { failed: '899.0.0' }, 'ready'],
  ['a former version after a failure of this one', { failed: version, ordered: 1 }, 'failed'],
  ['a former version a minute after its order', { ordered: 1 }, 'running'],
  ['a former version long after its order', { ordered: 6 }, 'ready'],
  ['a former version 39 minutes after its fourth order, zaparoo#1334', { ordered: 39, orders: 4 }, 'waiting'],
  ['a former version 41 minutes after its fourth order', { ordered: 41, orders: 4 }, 'ready'],
  ['a former version a day after its hundredth order', { ordered: day, orders: 100 }, 'ready'],
  ['a former version after the order of another one', { ordered: 1, orderedVersion: former }, 'ready'],
  ['a former version, offline since its order', { isOnline: false, ordered: 6 }, 'away'],
  ['a former version, offline without an order', { isOnline: false }, 'waiting'],
  ['a former version that cannot update itself', { isReady: false }, 'unable'],
])('an edge with %s has the expected state', async (_, seen, state) => {
  await edge(seen)
  const { sinceOrder: _sinceOrder, ...counts } = await updates.counts(projectId, version)
  expect(counts).toEqual({
    done: 0,
    running: 0,
    failed: 0,
    away: 0,
    ready: 0,
    unable: 0,
    waiting: 0,
    [state]: 1,
  })
})

test('revoked edges and those of other projects are neither counted nor ordered', async () => {
  const stranger = await given.person()
  const foreign = (await given.project(stranger, { products: ['edges'] })).projectId
  const ready = await edge()
  await edge({ isRevoked: true })
  await edge({}, { owner: stranger, projectId: foreign })
  expect(await updates.versions(projectId)).toEqual([{ version: former, count: 1 }])
  expect(await updates.counts(projectId, version)).toMatchObject({ ready: 1, waiting: 0, unable: 0 })
  expect(await updates.order(projectId, version, 10)).toEqual([ready])
  expect(await updates.order(projectId, version, 10)).toEqual([])
})

test('a repeated order counts from the time of the repeat', async () => {
  const edgeId = await edge({ ordered: 6 })
  expect(await updates.order(projectId, version, 10)).toEqual([edgeId])
  expect(await updates.counts(projectId, version)).toMatchObject({ running: 1, ready: 0 })
})

test('repeated orders of a version are counted, and another version or a user begins again', async () => {
  const edgeId = await edge({ ordered: 6 })
  const orders = async () => {
    const row = db.selectFrom('edge_update').select('orders').where('edge_id', '=', edgeId)
    return (await row.executeTakeFirstOrThrow()).orders
  }
  await updates.order(projectId, version, 10)
  expect(await orders()).toBe(2)
  await updates.order(projectId, '900.2.0', 10)
  expect(await orders()).toBe(1)
  await sql`update edge_update set orders = 7`.execute(db)
  await updates.orderOne(edgeId, '900.2.0')
  expect(await orders()).toBe(1)
})

test('the commands for all edges of one step are published in one statement', async () => {
  const edgeIds = [await edge(), await edge(), await edge()]
  const body = { ...usualEdgeUpdatePolicy, mode: 'now' } as const
  expect(await owner.call(edgeUpdateEndpoints.update, { params: { projectId }, body })).toSucceed()
  const { events } = server.app
  const log = createLog('silent')
  await createEdgeUpdates({ db, events, audit: createAuditService(db), version, log }).check()
  // Rows of one INSERT have the same transaction id and command id.
  const { rows } = await sql`
    select count(*) as orders, count(distinct (xmin::text, cmin::text)) as inserts from event
    where name = 'edge:command' and data ->> 'edgeId' = any(${edgeIds})`.execute(db)
  expect(rows).toEqual([{ orders: 3, inserts: 1 }])
})

test('only projects with online edges of another version are read', async () => {
  const of = async (...all: Seen[]) => {
    const one = await given.project(owner, { products: ['edges'] })
    for (const seen of all) await edge(seen, { owner, projectId: one.projectId })
    return one.projectId
  }
  const behind = await of({}, { version })
  const others = [await of({ version }), await of({ isOnline: false }), await of({ isRevoked: true })]
  const found = new Set(await updates.projectsBehind(version))
  expect(found.has(behind)).toBe(true)
  expect(others.filter((id) => found.has(id))).toEqual([])
})

test('RULE-51 a viewer sees the policy and can neither change it nor order an update', async () => {
  const viewer = await given.person()
  const { projectId: shared } = await given.project(owner, {
    products: ['edges'],
    grants: [{ person: viewer, productRole: 'edges/viewer' }],
  })
  const edgeId = await edge({}, { owner, projectId: shared })
  const params = { projectId: shared }
  expect(await viewer.call(edgeUpdateEndpoints.read, { params })).toSucceed()
  const body = { ...usualEdgeUpdatePolicy, mode: 'now' } as const
  expect(await viewer.call(edgeUpdateEndpoints.update, { params, body })).toFailWith('FORBIDDEN')
  expect(await viewer.call(edgeEndpoints.updateAgent, { params: { ...params, edgeId } })).toFailWith(
    'FORBIDDEN',
  )
  const { body: after } = await owner.call(edgeUpdateEndpoints.read, { params })
  expect(after.policy.mode).toBe('rings')
  // An edge of another project is unknown through a project of the caller.
  const own = (await given.project(viewer, { products: ['edges'] })).projectId
  const elsewhere = { params: { projectId: own, edgeId } }
  expect(await viewer.call(edgeEndpoints.updateAgent, elsewhere)).toFailWith('NOT_FOUND')
})

test('DEC-29 a policy that another user has changed since it was read is not overwritten, and names that user', async () => {
  const params = { projectId }
  const policy = (changes: object) => ({ ...usualEdgeUpdatePolicy, ...changes })
  const save = (revision: string, changes: object) =>
    owner.call(edgeUpdateEndpoints.update, {
      params,
      body: policy(changes),
      headers: { 'if-match': `"${revision}"` },
    })
  const read = async () => (await owner.call(edgeUpdateEndpoints.read, { params })).body
  expect(await read()).toMatchObject({ revision: 0, updatedAt: null, updatedBy: null })
  expect((await save('0', { mode: 'now' })).body).toMatchObject({ revision: 1, policy: { mode: 'now' } })
  const refused = await save('0', { mode: 'manual' })
  expect(refused).toFailWith('REVISION_CONFLICT')
  expect(refused.body).toMatchObject({
    detail: { current: { revision: 1, policy: { mode: 'now' } }, updatedBy: { _id: owner.personId } },
  })
  expect((await read()).policy.mode).toBe('now')
  const both = await Promise.all([save('1', { pause: 1 }), save('1', { pause: 2 })])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await read()).revision).toBe(2)
})

test('an order whose task cannot be started is not recorded', async () => {
  const edgeId = await edge()
  const rows = Array.from({ length: limits.openTasksMax }, () => ({
    id: randomUUID(),
    ...({ project_id: projectId, type: 'unknown', kind: 'info', title: 'Waits', state: 'queued' } as const),
    lease_for: '15 seconds',
    deadline_at: '2099-01-01',
  }))
  await db.insertInto('task').values(rows).execute()
  const refused = await owner.call(edgeEndpoints.updateAgent, { params: { projectId, edgeId } })
  expect(refused).toFailWith('TOO_MANY_TASKS')
  expect(
    await db.selectFrom('edge_update').where('edge_id', '=', edgeId).select('version').execute(),
  ).toEqual([])
})

test('a user orders an update only while the edge is online, and the order is recorded', async () => {
  const [online, offline] = [await edge(), await edge({ isOnline: false })]
  const order = (edgeId: string) => owner.call(edgeEndpoints.updateAgent, { params: { projectId, edgeId } })
  expect(await order(offline)).toFailWith('EDGE_OFFLINE')
  expect(await order(online)).toSucceed()
  const rows = await db
    .selectFrom('edge_update')
    .select('edge_id')
    .where('edge_id', 'in', [online, offline])
    .execute()
  expect(rows).toEqual([{ edge_id: online }])
})
