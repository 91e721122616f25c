import {
  type EdgeServerMessage,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeProgramEndpoints,
  projectEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectAgent, type VirtualAgent } from '../testing/virtual-agent.ts'
import { createEdgeLogs } from './edge-logs.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const program = { since: 90, restarts: 2, lastExit: { code: 3, signal: null, reason: null } }
const player = { key: 'player', label: 'Player', state: 'running' as const, canRestart: true, program }

let owner: GivenPerson
let operator: GivenPerson
let viewer: GivenPerson
let projectId: string
let operatorGrant: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  operator = await given.person({ firstname: 'Otto' })
  viewer = await given.person({ firstname: 'Vera' })
  const made = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [
      { person: operator, productRole: 'edges/operator' },
      { person: viewer, productRole: 'edges/viewer' },
    ],
  })
  projectId = made.projectId
  operatorGrant = made.grantIds[0] ?? ''
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

/** Returns lines so long that ten of them fill an answer. */
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index} ${'.'.repeat(1500)}`)

/** Starts an edge with one program and its log, of which it sends ten lines at a time. */
async function start({ node = server, instance = player }: { node?: typeof server; instance?: object } = {}) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  const agent = await connectAgent(node.url, { token: body.token })
  agents.push(agent)
  const log: string[] = []
  const asked: { after: number }[] = []
  agent.ws.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString())
    if (message.type !== 'log') return
    asked.push(message)
    const { id, after, before = log.length + 1, isForward } = message
    const found = log.slice(after, before - 1)
    const lines = isForward ? found.slice(0, 10) : found.slice(-10)
    const first = isForward ? after + 1 : before - lines.length
    agent.send({ type: 'log', id, first, lines, oldest: 1 })
  })
  agent.report({ instances: [instance as typeof player] })
  const edge = { projectId, edgeId: made.body.edge._id }
  const read = async () => (await owner.call(edgeEndpoints.read, { params: edge })).body
  await expect.poll(async () => (await read()).instances[0]?.state).toBe('running')
  const params = { ...edge, instanceId: (await read()).instances[0]?._id ?? '' }
  const tail = (after: number, as = operator) =>
    as.call(edgeProgramEndpoints.log, { params, query: { after: String(after) } })
  return { agent, log, asked, read, params, tail, token: body.token }
}

test('a program reports its start, its restarts and its last end; an earlier agent reports none of them', async () => {
  const { read } = await start()
  const { instances } = await read()
  expect(instances[0]?.program).toEqual({ ...program, since: expect.any(String) })
  const ago = Date.now() - Date.parse(instances[0]?.program?.since ?? '')
  expect(ago).toBeGreaterThan(80_000)
  const { program: _program, ...plain } = player
  const old = await start({ instance: plain })
  expect((await old.read()).instances[0]?.program).toBeNull()
  expect(await old.tail(0)).toFailWith('EDGE_CANNOT')
  expect(await operator.call(edgeProgramEndpoints.stop, { params: old.params })).toFailWith('EDGE_CANNOT')
  expect(old.asked).toEqual([])
})

test('a user who manages edges starts and stops a program as a task, which the audit log records', async () => {
  const { agent, params } = await start()
  expect(await viewer.call(edgeProgramEndpoints.stop, { params })).toFailWith('FORBIDDEN')
  const commands = () => agent.messages.flatMap((one) => (one.type === 'command' ? [one] : []))
  for (const [index, verb] of (['stop', 'start'] as const).entries()) {
    const begun = await operator.call(edgeProgramEndpoints[verb], { params })
    expect(begun).toSucceed()
    await expect.poll(() => commands().length).toBe(index + 1)
    expect(commands()[index]?.command).toEqual({ name: `${verb}-instance`, key: 'player' })
    const info = `Player: ${verb}`
    agent.send({
      type: 'answer',
      command: commands()[index]?.id ?? '',
      lines: [],
      outcome: { ok: true, info },
    })
    const task = { projectId, taskId: begun.body._id }
    await expect
      .poll(async () => (await owner.call(taskEndpoints.read, { params: task })).body.state.info)
      .toBe(info)
  }
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id'])
    .where('target', '=', params.edgeId)
    .where('event', 'like', 'edge.program-%')
    .execute()
  expect(rows.map(({ event }) => event).toSorted()).toEqual(['edge.program-started', 'edge.program-stopped'])
  expect(rows.every(({ actor_id }) => actor_id === operator.personId)).toBe(true)
})

type Question = Extract<EdgeServerMessage, { type: 'log' }>

/** Creates the logs of a node to which the edge `here` is connected. */
function logsWith(answerTime?: number) {
  const sent: Question[] = []
  const logs = createEdgeLogs({
    events: { listen: () => () => {}, transaction: async () => undefined as never },
    gateway: {
      send(edgeId, message) {
        if (edgeId !== 'here') return undefined
        if (message.type === 'log') sent.push(message)
        return Promise.resolve()
      },
    },
    ...(answerTime !== undefined && { answerTime }),
  })
  const answer = (first: number, lines: string[], edgeId = 'here') =>
    logs.onAnswer({ edgeId }, { type: 'log', id: sent.at(-1)?.id ?? '', first, lines, oldest: 1 })
  return { logs, sent, answer }
}
const player1 = { edgeId: 'here', key: 'player' }

test('the users of a node share one request, and a second user can read older lines than the first', async () => {
  const { logs, sent, answer } = logsWith()
  const shared = [1, 2, 3].map(() => logs.newest(player1, 4))
  expect(sent).toMatchObject([{ key: 'player', after: 4 }])
  await answer(5, ['five'])
  for (const lines of await Promise.all(shared))
    expect(lines).toEqual({ first: 5, lines: ['five'], oldest: 1 })
  const newcomer = logs.newest(player1, 0)
  expect(sent.at(-1)?.after).toBe(0)
  await answer(1, ['one', 'two', 'three', 'four', 'five'])
  expect((await newcomer).lines).toHaveLength(5)
})

test('a request times out if the edge has disconnected or another edge answers it', async () => {
  const { logs, answer } = logsWith(20)
  await expect(logs.newest({ ...player1, edgeId: 'gone' }, 0)).rejects.toThrow('did not answer')
  const asked = logs.newest(player1, 0)
  await answer(1, ['forged'], 'there')
  await expect(asked).rejects.toThrow('did not answer')
  // The next call asks again.
  const again = logs.newest(player1, 0)
  await answer(1, ['true'])
  expect((await again).lines).toEqual(['true'])
})

test('an edge is asked for lines only while a user reads, and skipped lines are visible', async () => {
  const { agent, log, asked, tail } = await start()
  log.push(...numbered(1, 25))
  agent.report({ instances: [player] })
  expect(asked).toEqual([])
  expect(await tail(0, viewer)).toFailWith('FORBIDDEN')
  expect(asked).toEqual([])
  const answers = await Promise.all([tail(0), tail(0), tail(0, owner)])
  for (const { body } of answers) expect(body).toMatchObject({ first: 16, lines: log.slice(15), oldest: 1 })
  log.push(...numbered(26, 26))
  await expect.poll(async () => (await tail(25)).body.lines).toEqual(log.slice(25))
  // More lines than one answer has, so the caller sees the gap from 26 to 31.
  log.push(...numbered(27, 40))
  await expect.poll(async () => (await tail(26)).body).toMatchObject({ first: 31, lines: log.slice(30) })
  const earlier = await operator.call(edgeProgramEndpoints.log, {
    params: (await start()).params,
    query: { before: '1' },
  })
  expect(earlier.body).toMatchObject({ lines: [] })
  // A log that the edge has lost starts again.
  log.splice(0, log.length, 'fresh 1', 'fresh 2')
  await expect.poll(async () => (await tail(40)).body).toMatchObject({ first: 1, lines: log })
})

test('an edge at another node is asked through that node, and its whole log can be downloaded', async () => {
  const { log, params, tail } = await start({ node: second })
  log.push(...numbered(1, 35))
  expect((await tail(0)).body).toMatchObject({ first: 26, lines: log.slice(25) })
  const earlier = await operator.call(edgeProgramEndpoints.log, { params, query: { before: '26' } })
  expect(earlier.body).toMatchObject({ first: 16, lines: log.slice(15, 25) })
  const file = await operator.call(edgeProgramEndpoints.logFile, { params })
  expect(file.body).toBe(`${log.join('\n')}\n`)
  expect(await viewer.call(edgeProgramEndpoints.logFile, { params })).toFailWith('FORBIDDEN')
})

test('a user who loses the permission, and one whose edge disconnects, get a refusal at the next call', async () => {
  const { agent, log, tail, asked, params } = await start()
  log.push('line 1')
  expect((await tail(0)).body.lines).toEqual(['line 1'])
  const changed = await owner.call(projectEndpoints.changeProductRole, {
    params: { projectId, grantId: operatorGrant },
    body: { productRole: 'edges/viewer' },
  })
  expect(changed).toSucceed()
  const before = asked.length
  expect(await tail(1)).toFailWith('FORBIDDEN')
  expect(asked).toHaveLength(before)
  await sql`update edge_presence set is_online = false where edge_id = ${params.edgeId}`.execute(db)
  agent.ws.terminate()
  expect(await tail(1, owner)).toFailWith('EDGE_OFFLINE')
})

test('an agent whose answer exceeds its limits is disconnected', async () => {
  const { agent } = await start()
  const id = '018f0000-0000-7000-8000-000000000000'
  agent.send({ type: 'log', id, first: 1, lines: ['x'.repeat(3000)], oldest: 1 })
  expect(await agent.closed).toBe(4400)
})
