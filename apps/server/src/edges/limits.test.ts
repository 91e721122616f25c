import { createHash } from 'node:crypto'
import {
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeKeyEndpoints,
  edgeScheduleEndpoints,
  limits,
} from '@pult/contract'
import { type GivenPerson, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { connectAgent, someReport } from './testing/virtual-agent.ts'

const server = await testServer()
/** Another node of the same installation. */
const second = await testServer({ besides: server })
const { given, db } = server

let owner: GivenPerson
let projectId: string
let params: { projectId: string }
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  params = { projectId }
})

/** Makes twenty concurrent calls, alternately on two nodes, where the limit has room for three. */
async function outcomesOf(
  code: string,
  make: (node: TestServer, index: number) => Promise<{ status: number; code?: string | undefined }>,
): Promise<{ made: number; refused: number }> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => make(index % 2 === 0 ? server : second, index)),
  )
  return {
    made: answers.filter(({ status }) => status < 300).length,
    refused: answers.filter((answer) => answer.code === code).length,
  }
}

/** Adds edges that have been connected once and are now offline. */
async function addEdges(to: string, number: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      select gen_random_uuid(), ${to}::uuid, 'Edge ' || n, decode(md5(random()::text || n), 'hex'), now()
      from generate_series(1, ${number}::int) n returning id
    ), seen as (
      insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
      select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(),
        ${JSON.stringify(someReport({ commands: [] }))}::jsonb from made
    )
    select id from made`.execute(db)
  return rows.map(({ id }) => id)
}

const addGroups = (number: number) =>
  sql`
    insert into edge_group (id, project_id, label, all_tags, any_tags, places, versions, states)
    select gen_random_uuid(), ${projectId}::uuid, 'Group ' || n, '{}', '{}', '{}', '{}', '{}'
    from generate_series(1, ${number}::int) n`.execute(db)

test('groups that are created at the same time keep within the limit', async () => {
  await addGroups(limits.edgeGroupsMax - 3)
  const outcomes = await outcomesOf('TOO_MANY_EDGE_GROUPS', (node, index) =>
    node.call(
      edgeGroupEndpoints.create,
      { params, body: { label: `One of ${index}`, rule: {} } },
      owner.token,
    ),
  )
  expect(outcomes).toEqual({ made: 3, refused: 17 })
})

test('schedules that are created at the same time keep within the limit', async () => {
  await addGroups(1)
  const { id: group } = await db
    .selectFrom('edge_group')
    .select('id')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  await sql`
    insert into edge_schedule (id, project_id, label, command, group_id, cron, time_zone, at_once)
    select gen_random_uuid(), ${projectId}::uuid, 'Night', '{"name":"diagnostics"}', ${group}::uuid, '0 3 1 1 *', 'Europe/Berlin', 20
    from generate_series(1, ${limits.edgeSchedulesMax - 3}::int)`.execute(db)
  const body = {
    label: 'Night',
    command: { name: 'diagnostics' as const },
    group,
    cron: '0 3 1 1 *',
    timeZone: 'Europe/Berlin',
  }
  const outcomes = await outcomesOf('TOO_MANY_EDGE_SCHEDULES', (node) =>
    node.call(edgeScheduleEndpoints.create, { params, body }, owner.token),
  )
  expect(outcomes).toEqual({ made: 3, refused: 17 })
})

test('jobs that are started at the same time keep within the limit', async () => {
  const edges = await addEdges(projectId, 1)
  await sql`
    with made as (
      insert into edge_job (id, project_id, command, at_once, total, expires_at)
      select gen_random_uuid(), ${projectId}::uuid, '{"name":"diagnostics"}', 1, 1, now() + interval '1 day'
      from generate_series(1, ${limits.openEdgeJobsMax - 3}::int) returning id
    )
    insert into edge_job_line (id, job_id, edge_id, label)
    select gen_random_uuid(), id, ${edges[0]}::uuid, 'Hall' from made`.execute(db)
  const body = { command: { name: 'diagnostics' as const }, target: { edges } }
  const outcomes = await outcomesOf('TOO_MANY_EDGE_JOBS', (node) =>
    node.call(edgeJobEndpoints.start, { params, body }, owner.token),
  )
  expect(outcomes).toEqual({ made: 3, refused: 17 })
})

test('edges that move to a project at the same time keep within its limit', async () => {
  const target = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  await addEdges(target, limits.edgesMax - 3)
  const edges = await addEdges(projectId, 20)
  const outcomes = await outcomesOf('TOO_MANY_EDGES', (node, index) =>
    node.call(
      edgeEndpoints.move,
      { params: { ...params, edgeId: edges[index] ?? '' }, body: { project: target } },
      owner.token,
    ),
  )
  expect(outcomes).toEqual({ made: 3, refused: 17 })
})

test('copies of a disk that connect at the same time keep within the limit of an edge', async () => {
  const made = await owner.call(edgeEndpoints.enrol, { params, body: { label: 'Hall' } })
  const machineOf = (index: number) => ({
    ids: [createHash('md5').update(String(index)).digest('hex')],
    hostname: `edge-${index}`,
    platform: 'linux x64',
    model: null,
    serial: null,
    addresses: [],
  })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, {
    body: { code: made.body.code, machine: machineOf(0) },
  })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  const edgeId = made.body.edge._id
  await sql`
    insert into edge_request (id, project_id, edge_id, hardware, label, tags, address)
    select gen_random_uuid(), ${projectId}::uuid, ${edgeId}::uuid, 'copy ' || n, 'Hall', '{}', '192.0.2.1'
    from generate_series(1, 17) n`.execute(db)
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const node = index % 2 === 0 ? server : second
      const agent = await connectAgent(node.url, { token: body.token, machine: machineOf(index + 1) })
      onTestFinished(() => agent.ws.terminate())
      expect(await agent.closed).toBe(4425)
    }),
  )
  const { rows } = await sql`select from edge_request where edge_id = ${edgeId}`.execute(db)
  expect(rows).toHaveLength(20)
})

test('keys that are created at the same time keep within the limit', async () => {
  const row = { project_id: projectId, label: 'Key', tags: [], needs_approval: false }
  await db
    .insertInto('edge_key')
    .values(
      Array.from({ length: limits.edgeKeysMax - 3 }, (_, index) => ({
        ...row,
        id: crypto.randomUUID(),
        hash: hashToken(`${projectId} ${index}`),
      })),
    )
    .execute()
  const outcomes = await outcomesOf('TOO_MANY_EDGE_KEYS', (node, index) =>
    node.call(edgeKeyEndpoints.create, { params, body: { label: `Key ${index}` } }, owner.token),
  )
  expect(outcomes).toEqual({ made: 3, refused: 17 })
})
