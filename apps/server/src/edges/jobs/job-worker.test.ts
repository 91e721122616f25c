import { randomUUID } from 'node:crypto'
import type { EdgeServerMessage } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createClock } from '#platform/clock.ts'
import { createLog } from '#platform/log.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { someReport } from '../testing/virtual-agent.ts'
import { createJobWorker, jobsDue } from './job-worker.ts'
import { outcomeRequest } from './outcome-request.ts'
import { createWorkRepository } from './work.repository.ts'

const server = await testServer()
const { given, db } = server
const { events } = server.app

/** Another node, whose agents and permissions the test decides about. Its rounds have not started. */
const node = {
  agents: [] as Agent[],
  sent: [] as { edgeId: string; message: EdgeServerMessage }[],
  isAllowed: true,
  /** The projects of the jobs that it has looked at. */
  checked: [] as string[],
}
const worker = createJobWorker({
  db,
  events,
  audit: createAuditService(db),
  gateway: {
    agents: () => node.agents,
    send(edgeId, message) {
      node.sent.push({ edgeId, message })
      return Promise.resolve()
    },
  } satisfies Pick<AgentGateway, 'agents' | 'send'>,
  async managersAmong(projectId, personIds) {
    node.checked.push(projectId)
    return node.isAllowed ? personIds : []
  },
  clock: createClock({ log: createLog('silent') }),
  log: createLog('silent'),
})
afterAll(() => worker.stop())

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  Object.assign(node, { agents: [], sent: [], isAllowed: true, checked: [] })
})

/** Adds an edge whose agent is connected to the other node; servers of the test see it as offline. */
async function addEdge() {
  const [edgeId, connection] = [randomUUID(), randomUUID()]
  await sql`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      values (${edgeId}::uuid, ${projectId}::uuid, 'Hall', decode(md5(random()::text), 'hex'), now()) returning id
    )
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    select id, ${connection}::uuid, now(), gen_random_uuid(), '1.2.3', false, now(), ${JSON.stringify(someReport({ commands: [] }))}::jsonb
    from made`.execute(db)
  const agent = { edgeId, connection } as Agent
  node.agents.push(agent)
  return agent
}

/** Adds an unfinished job whose command was sent to these agents. */
async function addJob(agents: readonly Agent[], state: 'waiting' | 'running' = 'waiting') {
  const jobId = randomUUID()
  await sql`
    insert into edge_job (id, project_id, command, at_once, total, created_by, expires_at)
    values (${jobId}, ${projectId}, '{"name":"diagnostics"}', 20, ${agents.length}, ${owner.personId}, now() + interval '1 day')`.execute(
    db,
  )
  const sent: { id: string; connection: string }[] = []
  for (const { edgeId, connection } of agents) {
    const id = randomUUID()
    await sql`
      insert into edge_job_line (id, job_id, edge_id, label, state, connection, sent_at, heard_at)
      values (${id}, ${jobId}, ${edgeId}, 'Hall', ${state}, ${connection}, now(), now())`.execute(db)
    sent.push({ id, connection })
  }
  return { jobId, sent }
}

const publish = (...published: { topic: string; name: string; data: Record<string, unknown> }[]) =>
  events.transaction((_trx, emit) => emit(...published))

test('a claimed command is sent only while its line is open, its edge is in the project, and its creator may send it', async () => {
  const agents = [await addEdge(), await addEdge(), await addEdge(), await addEdge()]
  const { jobId, sent } = await addJob(agents)
  const [, cancelled, , acknowledged] = sent
  const setState = (state: string, id = '') =>
    sql`update edge_job_line set state = ${state} where id = ${id}`.execute(db)
  await setState('cancelled', cancelled?.id)
  await setState('running', acknowledged?.id)
  const elsewhere = await given.project(owner, { products: ['project', 'edges'] })
  await sql`update edge set project_id = ${elsewhere.projectId} where id = ${agents[2]?.edgeId}`.execute(db)

  const claimed = { topic: edgeNodeTopic, name: 'edge:job-sent', data: { job: jobId, sent } }
  await publish(claimed)
  const isRepeated = true
  const outcome = {
    edgeId: agents[3]?.edgeId,
    message: { type: 'command', id: acknowledged?.id, command: outcomeRequest, isRepeated },
  }
  const command = {
    edgeId: agents[0]?.edgeId,
    message: { type: 'command', id: sent[0]?.id, command: { name: 'diagnostics' }, isRepeated },
  }
  await expect.poll(() => node.sent.length).toBeGreaterThan(1)
  expect(node.sent).toHaveLength(2)
  expect(node.sent).toEqual(expect.arrayContaining([command, outcome]))

  Object.assign(node, { sent: [], isAllowed: false })
  await publish(claimed)
  await expect.poll(() => node.sent.length).toBeGreaterThan(0)
  expect(node.sent).toEqual([outcome])
})

test('an event makes a node look at the jobs that it names, however many others are open', async () => {
  const crowded = projectId
  const busy = await addEdge()
  for (let index = 0; index < 30; index += 1) await addJob([busy], 'running')
  projectId = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  const [agent, running] = [await addEdge(), await addEdge()]
  const { jobId, sent } = await addJob([agent, running], 'running')

  /** Waits until the node has looked at the job again, once or more often if another node works on it. */
  const looked = async (act: () => Promise<unknown>) => {
    node.checked = []
    await act()
    await expect.poll(() => node.checked).toContain(projectId)
    expect(node.checked).not.toContain(crowded)
  }
  await looked(() => publish(jobsDue({ jobs: [jobId] })))
  const edges = [{ id: agent.edgeId, run: randomUUID() }]
  await looked(() => publish({ topic: edgeNodeTopic, name: 'edge:begun', data: { edges } }))
  const outcome = { ok: true as const, info: 'It is done.' }
  await looked(() =>
    worker.onAnswer(agent, { type: 'answer', command: sent[0]?.id ?? '', lines: [], outcome }),
  )
})

test('the round reads the unfinished jobs page by page, and names those with work', async () => {
  const agent = await addEdge()
  await sql`
    with made as (
      insert into edge_job (id, project_id, command, at_once, total, created_by, expires_at)
      select gen_random_uuid(), ${projectId}::uuid, '{"name":"diagnostics"}', 20, 1, ${owner.personId}::uuid, now() + interval '1 day'
      from generate_series(1, 150) returning id
    )
    insert into edge_job_line (id, job_id, edge_id, label)
    select gen_random_uuid(), id, ${agent.edgeId}::uuid, 'Hall' from made`.execute(db)
  const { jobId } = await addJob([agent], 'running')
  const found: string[] = []
  let pages = 0
  for (let after: string | null | undefined = null; after !== undefined; pages += 1) {
    const page: Awaited<ReturnType<ReturnType<typeof createWorkRepository>['page']>> =
      await createWorkRepository(db).page(after)
    found.push(...page.jobs.flatMap((job) => (job.projectId === projectId ? [job.id] : [])))
    after = page.last
  }
  expect(pages).toBeGreaterThan(1)
  expect(found).toEqual([jobId])
})
