import {
  type Endpoint,
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeInstanceEndpoints,
  edgeJobEndpoints,
  edgeKeyEndpoints,
  edgeScheduleEndpoints,
  edgeValueEndpoints,
  homeEndpoints,
  limits,
} from '@pult/contract'
import { type GivenPerson, inWaves, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket, type TestSocket } from '#platform/realtime/test-socket.ts'
import { hashToken } from '#platform/secrets.ts'
import {
  connectAgent,
  someReport,
  type VirtualAgent,
  type VirtualAgentOptions,
} from './testing/virtual-agent.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const unknownId = '018f0000-0000-7000-8000-000000000000'

let owner: GivenPerson
let operator: GivenPerson
let viewer: GivenPerson
let colleague: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  operator = await given.person({ firstname: 'Otto' })
  viewer = await given.person({ firstname: 'Vera' })
  colleague = await given.person({ firstname: 'Kim' })
  const made = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [
      { person: operator, productRole: 'edges/operator' },
      { person: viewer, productRole: 'edges/viewer' },
      { person: colleague, productRole: 'project/viewer' },
    ],
  })
  projectId = made.projectId
})

const agents: VirtualAgent[] = []
const sockets: TestSocket[] = []
afterEach(() => {
  for (const { ws } of [...agents.splice(0), ...sockets.splice(0)]) ws.terminate()
})

async function connect(options: VirtualAgentOptions, node = server): Promise<VirtualAgent> {
  const agent = await connectAgent(node.url, options)
  agents.push(agent)
  return agent
}

async function enrol(label = 'Hall 3', by = owner) {
  const made = await by.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  expect(made).toSucceed()
  server.watchSecret(made.body.code)
  return { params: { projectId, edgeId: made.body.edge._id }, code: made.body.code }
}

async function redeem(code: string) {
  const answer = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code } })
  if (answer.status === 200) server.watchSecret(answer.body.token)
  return answer
}

async function enrolled(label?: string) {
  const { params, code } = await enrol(label)
  const answer = await redeem(code)
  expect(answer).toSucceed()
  return { params, token: answer.body.token }
}

type Params = { projectId: string; edgeId: string }
const read = async (params: Params, as = owner) => (await as.call(edgeEndpoints.read, { params })).body
const untilState = (params: Params, state: string) =>
  expect.poll(async () => (await read(params)).state).toBe(state)

/** Moves the presence times of an edge into the past. */
const silentFor = ({ edgeId }: Params, seconds: number) =>
  sql`update edge_presence set seen_at = now() - make_interval(secs => ${seconds}) where edge_id = ${edgeId}`.execute(
    db,
  )

test('a code in any spelling is exchanged for a token once, and neither is stored', async () => {
  const { params, code } = await enrol()
  expect(await read(params)).toMatchObject({ state: 'enrolling', codeExpiresAt: expect.any(String) })
  const typed = ` ${code
    .toLowerCase()
    .replaceAll('-', ' ')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll(/[2-9]/g, (digit) => String.fromCodePoint(0x6f0 + Number(digit)))}`
  const answers = await inWaves(40, (index) => redeem(index % 2 === 0 ? typed : code))
  const good = answers.filter(({ status }) => status === 200)
  expect(good).toHaveLength(1)
  expect(answers.filter(({ code: refusal }) => refusal === 'EDGE_CODE_NOT_VALID')).toHaveLength(39)
  const row = await db
    .selectFrom('edge')
    .selectAll()
    .where('id', '=', params.edgeId)
    .executeTakeFirstOrThrow()
  expect(row.code_hash).toBeNull()
  expect(row.token_hash).toEqual(hashToken(good[0]?.body.token ?? ''))
  expect(await read(params)).toMatchObject({ state: 'enrolling', codeExpiresAt: null, lastSeenAt: null })
  // It has not connected yet, so it has no outage.
  const found = async (search: string) =>
    (await owner.call(edgeEndpoints.list, { params, query: { search } })).body.total
  expect(await found('state:offline')).toBe(0)
  expect(await found('state:enrolling')).toBe(1)
})

test('a code expires after 15 minutes of database time or with the next code', async () => {
  const { params, code } = await enrol()
  const { body } = await owner.call(edgeEndpoints.newCode, { params })
  server.watchSecret(body.code)
  expect(await redeem(code)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(limits.edgeCode - 60_000)
  await db
    .updateTable('edge')
    .set({ code_expires_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', params.edgeId)
    .execute()
  expect(await redeem(body.code)).toFailWith('EDGE_CODE_NOT_VALID')
  expect((await read(params)).codeExpiresAt).toBeNull()
})

test('after 100 wrong codes an address is blocked for a time; correct codes do not count', async () => {
  await db.deleteFrom('attempt').execute()
  const { code } = await enrol()
  expect(await redeem(code)).toSucceed()
  const answers = await inWaves(120, (index) => redeem(`WRONG-${index}`))
  expect(answers.filter(({ code: refusal }) => refusal === 'EDGE_CODE_NOT_VALID')).toHaveLength(100)
  expect(answers.filter(({ code: refusal }) => refusal === 'TOO_MANY_REQUESTS')).toHaveLength(20)
  const next = await enrol()
  expect(await redeem(next.code)).toFailWith('TOO_MANY_REQUESTS')
  await db.deleteFrom('attempt').execute()
  expect(await redeem(next.code)).toSucceed()
})

test('RULE-08 wrong codes are counted per network, so all addresses of one customer count as one', async () => {
  const behindProxy = await testServer({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1' } })
  const from = (address: string) =>
    behindProxy.call(edgeEnrolmentEndpoints.redeem, {
      body: { code: 'WRONG' },
      headers: { 'x-forwarded-for': address },
    })
  const answers = await inWaves(101, (index) => from(`2001:db8:1:2::${(index + 1).toString(16)}`))
  expect(answers.filter(({ code }) => code === 'TOO_MANY_REQUESTS')).toHaveLength(1)
  expect(await from('2001:db8:1:3::1')).toFailWith('EDGE_CODE_NOT_VALID')
  await behindProxy.stop()
})

test('RULE-59 a repeated enrolment creates one edge, and its newest code is valid', async () => {
  const call = () =>
    owner.call(edgeEndpoints.enrol, {
      params: { projectId },
      body: { label: 'Stage' },
      headers: { 'idempotency-key': 'stage' },
    })
  const [first, again] = [await call(), await call()]
  expect(again.body.edge._id).toBe(first.body.edge._id)
  for (const { body } of [first, again]) server.watchSecret(body.code)
  expect((await owner.call(edgeEndpoints.list, { params: { projectId } })).body.total).toBe(1)
  expect(await redeem(first.body.code)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await redeem(again.body.code)).toSucceed()
})

test('RULE-59 an enrolment that is repeated after its edge was deleted creates no code and is not audited', async () => {
  const call = () =>
    owner.call(edgeEndpoints.enrol, {
      params: { projectId },
      body: { label: 'Stage' },
      headers: { 'idempotency-key': 'deleted' },
    })
  const { body } = await call()
  server.watchSecret(body.code)
  await owner.call(edgeEndpoints.remove, { params: { projectId, edgeId: body.edge._id } })
  expect(await call()).toFailWith('NOT_FOUND')
  const rows = await db.selectFrom('audit').select('event').where('target', '=', body.edge._id).execute()
  expect(rows.map(({ event }) => event).toSorted()).toEqual(['edge.created', 'edge.removed'])
})

test('RULE-76 a code request is answered if its edge is deleted afterwards, and refused if it is deleted before', async () => {
  const { params } = await enrol('Fleeting')
  // Deletes the edge within the commit, before any other read.
  await sql`
    create function delete_edge() returns trigger language plpgsql as $$
      begin delete from edge where id = new.id; return null; end $$;
    create constraint trigger fleeting after update on edge deferrable initially deferred
      for each row when (new.label = 'Fleeting') execute function delete_edge()`.execute(db)
  const made = await owner.call(edgeEndpoints.newCode, { params })
  expect(made).toSucceed()
  server.watchSecret(made.body.code)
  expect(await owner.call(edgeEndpoints.newCode, { params })).toFailWith('NOT_FOUND')
})

test('RULE-60 an agent connects without an Origin, negotiates the protocol and sends its token within 5 s', async () => {
  const { params, token } = await enrolled()
  expect((await connect({ token, origin: server.url })).status).toBe(403)
  expect((await connect({ token, path: '/api/edges/connect?x=1' })).status).toBe(404)
  const close = async (options: VirtualAgentOptions) => (await connect(options)).closed
  expect(await close({ token: `${token}x` })).toBe(4401)
  expect(await close({ token, speaks: 3 })).toBe(4406)
  expect(await close({ token, speaks: { min: 3, max: 9 } })).toBe(4406)
  const silent = await connect({})
  const unread = await connect({})
  unread.ws.send('{"type":"hello"}')
  expect(await unread.closed).toBe(4400)
  const eager = await connect({})
  eager.report()
  expect(await eager.closed).toBe(4401)
  const big = await connect({ token })
  big.ws.send('x'.repeat(70_000))
  expect(await big.closed).toBe(1009)
  const talkative = await connect({ token })
  for (let index = 0; index < 30; index += 1) talkative.report()
  expect(await talkative.closed).toBe(4429)
  const good = await connect({ token })
  await expect
    .poll(() => good.messages)
    .toEqual([
      { type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2, enrolment: expect.any(String) },
    ])
  await untilState(params, 'online')
  // The greeting may be lost. After 4401 the agent waits for up to an hour.
  expect(await silent.closed).toBe(1013)
  expect(good.isOpen()).toBe(true)
})

test('agents of the previous and the next protocol connect, and each gets only fields that it supports', async () => {
  const { params, token } = await enrolled()
  // An agent of protocol 1 rejects a message with any other field.
  const previous = await connect({ token, speaks: 1 })
  await expect
    .poll(() => previous.texts)
    .toEqual([JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000 })])
  previous.report()
  await untilState(params, 'online')
  const restart = await owner.call(edgeEndpoints.restart, { params, body: {} })
  expect(restart).toSucceed()
  await expect.poll(() => previous.messages.length).toBe(2)
  const sent = JSON.parse(previous.texts[1] ?? '') as object
  expect(Object.keys(sent)).toEqual(['type', 'id', 'command'])
  expect(sent).toMatchObject({ type: 'command', command: { name: 'restart' } })

  const next = await connect({ token, speaks: { min: 2, max: 3 } })
  await expect.poll(() => next.messages).toMatchObject([{ type: 'welcome', protocol: 2 }])
  const report = { ...someReport({ hostname: 'of-tomorrow' }), memory: { total: 9, free: 1, swap: 4 } }
  next.ws.send(
    JSON.stringify({ type: 'report', report: { ...report, forecast: { temperature: 21 } }, at: 7 }),
  )
  await expect.poll(async () => (await read(params)).report?.hostname).toBe('of-tomorrow')
  expect((await read(params)).report).not.toHaveProperty('forecast')
  expect((await read(params)).report?.memory).toEqual({ total: 9, free: 1 })
  expect(next.isOpen()).toBe(true)
})

test('EDGE-01 API-20 an edge shows the report of its agent on another node, including its instances', async () => {
  const { params, token } = await enrolled()
  const agent = await connect({ token }, second)
  const camera = { key: 'camera', label: 'Camera', state: 'running', canRestart: true } as const
  const mixer = { key: 'mixer', label: 'Mixer', state: 'stopped', canRestart: false } as const
  agent.report({ instances: [camera, mixer], load: [3, 2, 1] })
  await expect.poll(async () => (await read(params)).instances.length).toBe(2)
  const edge = await read(params)
  expect(edge).toMatchObject({
    label: 'Hall 3',
    state: 'online',
    version: '1.2.3',
    report: { hostname: 'edge-1', load: [3, 2, 1], addresses: ['192.168.1.20'] },
    instances: [
      { key: 'camera', label: 'Camera', state: 'running', canRestart: true, isReported: true },
      { key: 'mixer', label: 'Mixer', state: 'stopped', canRestart: false, isReported: true },
    ],
  })
  expect(edge.report).not.toHaveProperty('instances')
  // A label set in the console remains until the agent reports another. An instance that is no longer reported remains
  // until a user deletes it.
  const instanceId = edge.instances[0]?._id ?? ''
  const one = { ...params, instanceId }
  await owner.call(edgeEndpoints.updateInstance, { params: one, body: { label: 'Left camera' } })
  expect(await owner.call(edgeEndpoints.removeInstance, { params: one })).toFailWith('INSTANCE_IS_REPORTED')
  agent.report({ instances: [camera] })
  await expect
    .poll(async () => (await read(params)).instances.map(({ label, isReported }) => [label, isReported]))
    .toEqual([
      ['Left camera', true],
      ['Mixer', false],
    ])
  const gone = { ...params, instanceId: edge.instances[1]?._id ?? '' }
  expect(await owner.call(edgeEndpoints.removeInstance, { params: gone })).toSucceed()
  agent.report({ instances: [{ ...camera, label: 'Camera 2' }] })
  await expect
    .poll(async () => (await read(params)).instances.map(({ label }) => label))
    .toEqual(['Camera 2'])
})

test('an edge goes offline 15 s of database time after its last report, with one event, and back online with the next', async () => {
  const { params, token } = await enrolled()
  const watcher = await openTestSocket(second.url, { token: viewer.token })
  sockets.push(watcher)
  expect(await watcher.ask({ type: 'subscribe', topic: `/projects/${projectId}/edges` })).toBe('subscribed')
  const states = () =>
    watcher.messages.flatMap((message) =>
      message.type === 'event' && message.name === 'edge:presence'
        ? (message.data as { edges: { _id: string; state: string }[] }).edges.map(({ state }) => state)
        : [],
    )
  const agent = await connect({ token })
  agent.report()
  await expect.poll(states).toEqual(['online'])
  // A reconnect alone changes nothing; only reports count.
  agent.ws.terminate()
  for (let index = 0; index < 5; index += 1) {
    const flapping = await connect({ token }, index % 2 === 0 ? server : second)
    await expect.poll(() => flapping.messages.length).toBe(1)
    flapping.ws.terminate()
  }
  await silentFor(params, 8)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(states()).toEqual(['online'])
  await silentFor(params, 16)
  // A node that has just started waits for edges to reconnect.
  await expect.poll(states).toEqual(['online', 'offline'])
  expect((await read(params)).offlineSince).not.toBeNull()
  const back = await connect({ token }, second)
  back.report()
  await expect.poll(states).toEqual(['online', 'offline', 'online'])
  expect((await read(params)).offlineSince).toBeNull()
})

test('the newest connection of an edge replaces the previous one, even on another node', async () => {
  const { params, token } = await enrolled()
  const first = await connect({ token })
  first.report()
  await untilState(params, 'online')
  const next = await connect({ token })
  expect(await first.closed).toBe(4409)
  await expect.poll(() => next.messages).toHaveLength(1)
  // Immediately, so that the second node may write its connection before the first node writes the earlier one.
  const elsewhere = await connect({ token }, second)
  elsewhere.report({ hostname: 'moved' })
  await expect.poll(async () => (await read(params)).report?.hostname).toBe('moved')
  if (next.isOpen()) next.report({ hostname: 'stale' })
  expect(await next.closed).toBe(4409)
  expect((await read(params)).report?.hostname).toBe('moved')
  expect(elsewhere.isOpen()).toBe(true)
})

test('the socket of a silent agent is closed when its edge connects to another node', async () => {
  const { params, token } = await enrolled()
  const silent = await connect({ token })
  silent.report()
  await untilState(params, 'online')
  const elsewhere = await connect({ token }, second)
  elsewhere.report({ hostname: 'moved' })
  expect(await silent.closed).toBe(4409)
  expect(elsewhere.isOpen()).toBe(true)
})

test('RULE-62 revoking, deleting or enrolling an edge closes its agent’s connection immediately on any node', async () => {
  const { params, token } = await enrolled()
  const agent = await connect({ token }, second)
  agent.report()
  await untilState(params, 'online')
  expect((await owner.call(edgeEndpoints.revoke, { params })).body.state).toBe('revoked')
  const from = performance.now()
  expect(await agent.closed).toBe(4401)
  expect(performance.now() - from).toBeLessThan(underLoad(1000))
  expect(await (await connect({ token })).closed).toBe(4401)

  const again = await owner.call(edgeEndpoints.newCode, { params })
  server.watchSecret(again.body.code)
  const renewed = (await redeem(again.body.code)).body.token
  const renewedAgent = await connect({ token: renewed }, second)
  await untilState(params, 'online')
  const third = await owner.call(edgeEndpoints.newCode, { params })
  server.watchSecret(third.body.code)
  expect(renewedAgent.isOpen()).toBe(true)
  const last = (await redeem(third.body.code)).body.token
  expect(await renewedAgent.closed).toBe(4401)
  const lastAgent = await connect({ token: last }, second)
  await untilState(params, 'online')
  expect(await owner.call(edgeEndpoints.remove, { params })).toSucceed()
  expect(await lastAgent.closed).toBe(4401)
  expect(await owner.call(edgeEndpoints.read, { params })).toFailWith('NOT_FOUND')
})

test('an agent whose edge was deleted without an event is disconnected at the next check', async () => {
  const { params, token } = await enrolled()
  const agent = await connect({ token })
  agent.report()
  await untilState(params, 'online')
  await db.deleteFrom('edge').where('id', '=', params.edgeId).execute()
  agent.report()
  expect(await agent.closed).toBe(4401)
})

test('RULE-52 RULE-51 `edges` allows reading, `edges:manage` allows changes, and foreign edges return 404', async () => {
  const { params } = await enrol()
  for (const person of [owner, operator, viewer])
    expect(await person.call(edgeEndpoints.read, { params })).toSucceed()
  expect(await colleague.call(edgeEndpoints.read, { params })).toFailWith('FORBIDDEN')
  const change = { params, body: { label: 'Hall 4' } }
  expect(await viewer.call(edgeEndpoints.update, change)).toFailWith('FORBIDDEN')
  expect(await operator.call(edgeEndpoints.update, change)).toSucceed()
  const { projectId: other } = await given.project(owner)
  const foreign = { projectId: other, edgeId: params.edgeId }
  const instanceId = unknownId
  for (const answer of [
    await owner.call(edgeEndpoints.read, { params: foreign }),
    await owner.call(edgeEndpoints.update, { params: foreign, body: { label: 'X' } }),
    await owner.call(edgeEndpoints.newCode, { params: foreign }),
    await owner.call(edgeEndpoints.revoke, { params: foreign }),
    await owner.call(edgeEndpoints.remove, { params: foreign }),
    await owner.call(edgeEndpoints.addInstance, { params: foreign, body: { label: 'X' } }),
    await owner.call(edgeEndpoints.updateInstance, {
      params: { ...params, instanceId },
      body: { label: 'X' },
    }),
    await owner.call(edgeEndpoints.restart, { params: foreign, body: {} }),
    await owner.call(edgeEndpoints.diagnose, { params: foreign }),
    await owner.call(edgeEndpoints.setDeck, {
      params: { ...params, serial: 'AB1' },
      body: { brightness: 1 },
    }),
  ])
    expect(answer).toFailWith('NOT_FOUND')
  expect((await read(params)).label).toBe('Hall 4')
  expect(await owner.call(edgeEndpoints.restart, { params, body: {} })).toFailWith('EDGE_OFFLINE')
})

test('API-20 an instance can be assigned to a project that the same user may edit, and only that project’s users see it', async () => {
  const { params } = await enrol('Truck')
  const add = async (label: string) =>
    (await operator.call(edgeEndpoints.addInstance, { params, body: { label } })).body.instances.find(
      (instance) => instance.label === label,
    )?._id ?? ''
  const [encoder, player] = [await add('Encoder'), await add('Player')]
  const { projectId: target } = await given.project(owner, {
    label: 'Tour',
    grants: [{ person: colleague, productRole: 'project/viewer' }],
  })
  const assign = (person: GivenPerson, project: string | null) =>
    person.call(edgeEndpoints.updateInstance, {
      params: { ...params, instanceId: encoder },
      body: { project },
    })
  // A manager of the edge who cannot see that project gets 404.
  expect(await assign(operator, target)).toFailWith('NOT_FOUND')
  expect(await assign(owner, unknownId)).toFailWith('NOT_FOUND')
  expect(await assign(owner, target)).toSucceed()
  const of = async (person: GivenPerson, id: string) =>
    (await person.call(edgeInstanceEndpoints.list, { params: { projectId: id } })).body.items
  expect(await of(colleague, target)).toEqual([
    {
      _id: params.edgeId,
      label: 'Truck',
      state: 'enrolling',
      instances: [{ _id: encoder, label: 'Encoder' }],
    },
  ])
  expect((await of(colleague, projectId))[0]?.instances).toEqual([{ _id: player, label: 'Player' }])
  const places = ({ instances }: Awaited<ReturnType<typeof read>>) =>
    instances.map(({ project }) => project.label)
  expect(places(await read(params))).toEqual(['Tour', 'Messe 2026'])
  expect(places(await read(params, operator))).toEqual([null, 'Messe 2026'])
  expect(await operator.call(edgeInstanceEndpoints.list, { params: { projectId: target } })).toFailWith(
    'NOT_FOUND',
  )
  await db.deleteFrom('project').where('id', '=', target).execute()
  expect(places(await read(params))).toEqual(['Messe 2026', 'Messe 2026'])
})

test('RULE-76 an update without changes writes nothing, and one to a project being deleted is refused', async () => {
  const { params } = await enrol('Truck')
  const added = await owner.call(edgeEndpoints.addInstance, { params, body: { label: 'Encoder' } })
  const instanceId = added.body.instances[0]?._id ?? ''
  const put = (body: object) =>
    owner.call(edgeEndpoints.updateInstance, { params: { ...params, instanceId }, body })
  for (const body of [{}, { label: 'Encoder' }, { project: null }, { project: projectId }])
    expect((await put(body)).body).toEqual(added.body)

  const { projectId: target } = await given.project(owner)
  const answer = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('project').where('id', '=', target).execute()
    const asked = put({ project: target })
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        return rows.length
      })
      .toBeGreaterThan(0)
    return { asked }
  })
  expect(await answer.asked).toFailWith('NOT_FOUND')
  expect(await read(params)).toEqual(added.body)
})

test('RULE-54 RULE-58 bodies are strict, stale updates are refused, and every change is audited', async () => {
  const { params } = await enrol()
  const before = await read(params)
  const update = (body: object, revision?: number) =>
    owner.call(edgeEndpoints.update, {
      params,
      body,
      ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } }),
    })
  for (const extra of [{ state: 'online' }, { _id: unknownId }, { token: 'x' }, { project: unknownId }])
    expect(await update({ label: 'A', ...extra })).toFailWith('VALIDATION_FAILED')
  for (const alertAfter of [0, 1441, 1.5, '5'])
    expect(await update({ alertAfter })).toFailWith('VALIDATION_FAILED')
  expect(await update({ alertAfter: null }, before.revision)).toSucceed()
  expect(await update({ label: 'Late' }, before.revision)).toFailWith('REVISION_CONFLICT')
  await owner.call(edgeEndpoints.revoke, { params })
  await owner.call(edgeEndpoints.remove, { params })
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'project_id'])
    .where('target', '=', params.edgeId)
    .orderBy('id')
    .execute()
  expect(rows.map(({ event }) => event)).toEqual([
    'edge.created',
    'edge.changed',
    'edge.revoked',
    'edge.removed',
  ])
  for (const row of rows) expect(row).toMatchObject({ actor_id: owner.personId, project_id: projectId })
})

test('the list is ordered by label, paginated and searchable by key:value', async () => {
  for (const label of ['gamma', 'Alpha', 'beta', 'Alpha']) await enrol(label)
  const list = async (query: Record<string, string>) =>
    (await viewer.call(edgeEndpoints.list, { params: { projectId }, query })).body
  const first = await list({ limit: '2' })
  expect(first.items.map(({ label }) => label)).toEqual(['Alpha', 'Alpha'])
  const rest = await list({ limit: '2', after: first.next ?? '' })
  expect(rest.items.map(({ label }) => label)).toEqual(['beta', 'gamma'])
  expect(rest.next).toBeUndefined()
  expect((await list({ search: 'state:enrolling label:al' })).total).toBe(2)
  expect((await list({ search: 'state:online' })).total).toBe(0)

  const [troubled, well] = rest.items.map(({ _id }) => _id)
  for (const [id, troubles] of [
    [troubled, '{"disk":"2026-11-24T12:00:00Z"}'],
    [well, null],
  ] as const) {
    await sql`update edge set token_hash = sha256(${id}::text::bytea) where id = ${id}::uuid`.execute(db)
    await sql`
      insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, troubles)
      values (${id}, ${id}, ${id}, '1', true, now(), ${troubles}::jsonb)
      on conflict (edge_id) do update set is_online = true, troubles = excluded.troubles`.execute(db)
  }
  expect((await list({ search: 'state:online' })).total).toBe(2)
  expect((await list({ search: 'state:trouble' })).items.map(({ _id }) => _id)).toEqual([troubled])
})

test('silverbulletmd/silverbullet#614 edges have the order of names that users expect, on each page', async () => {
  const expected = ['Ähre', 'Apfel', 'Kran 2', 'Kran 10', 'Österreich', 'Zürich']
  for (const label of ['Zürich', 'Kran 10', 'Österreich', 'Apfel', 'Kran 2', 'Ähre']) await enrol(label)
  const labels: string[] = []
  for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
    const query = { limit: '2', ...(after !== undefined && { after }) }
    const { body } = await viewer.call(edgeEndpoints.list, { params: { projectId }, query })
    labels.push(...body.items.map(({ label }) => label))
    after = body.next
  }
  expect(labels).toEqual(expected)
})

test.each<[string, unknown]>([
  ['a load and cores that are no numbers', { ...someReport(), load: ['much', 1, 1], cores: 'four' }],
  ['a load that is no list', { ...someReport(), load: 'much', cores: null }],
  [
    'no size of memory and disk',
    { ...someReport(), memory: { total: 'big', free: {} }, disk: { total: true } },
  ],
  [
    'no cores, memory and disk',
    { ...someReport(), cores: 0, memory: { total: 0, free: 0 }, disk: { total: 0, free: 0 } },
  ],
  ['sizes beyond all numbers', { ...someReport(), memory: { total: 1e-300, free: 1e300 }, uptime: 'long' }],
  ['a text instead of parts', { ...someReport(), memory: 'much', disk: [], uptime: {}, missing: 'all' }],
  ['nothing but a number', 5],
])('a stored report with %s breaks no order of the list and no overview', async (_name, odd) => {
  for (const [label, report] of [
    ['Good', someReport()],
    ['Odd', odd],
  ] as const) {
    const { edgeId: id } = (await enrol(label)).params
    await sql`update edge set token_hash = sha256(${id}::text::bytea) where id = ${id}::uuid`.execute(db)
    await sql`
      insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, report)
      values (${id}, ${id}, ${id}, '1', true, now(), ${JSON.stringify(report)}::jsonb)`.execute(db)
  }
  for (const field of ['load', 'memory', 'disk', 'seen', 'state'] as const)
    for (const sort of [field, `-${field}`] as const) {
      const { body } = await owner.call(edgeEndpoints.list, { params: { projectId }, query: { sort } })
      expect(body.items.map(({ label }) => label).toSorted(), sort).toEqual(['Good', 'Odd'])
    }
  const params = { projectId }
  const home = await owner.call(homeEndpoints.read, { params })
  expect(home.body.fleet).toMatchObject({ counts: { online: 2 } })
  const { body: values } = await owner.call(edgeValueEndpoints.fleet, { params })
  expect(values.measures.find(({ key }) => key === 'load')).toMatchObject({ highest: 10 })
})

test('the list filters by state, counts all states, and pages through every order exactly once', async () => {
  const report = (load: number, free: number) =>
    someReport({
      load: [load, load, load],
      memory: { total: 1000, free },
      disk: { total: 1000, free: 1000 - free },
    })
  const machines = [
    { label: 'Crane', report: report(2, 600), version: '2.9.0', isOnline: true, troubles: null },
    {
      label: 'Gate',
      report: report(0.4, 200),
      version: '2.10.0',
      isOnline: true,
      troubles: '{"disk":"2026"}',
    },
    { label: 'Lock', report: report(4, 900), version: '2.9.0', isOnline: false, troubles: null },
    { label: 'Wall', report: null, version: null, isOnline: null, troubles: null },
  ]
  for (const { label, report: reported, version, isOnline, troubles } of machines) {
    const { params } = await enrol(label)
    if (isOnline === null) continue
    const id = params.edgeId
    await sql`update edge set token_hash = sha256(${id}::text::bytea) where id = ${id}::uuid`.execute(db)
    await sql`
      insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, report, troubles)
      values (${id}, ${id}, ${id}, ${version}, ${isOnline}, now(), ${JSON.stringify(reported)}::jsonb, ${troubles}::jsonb)`.execute(
      db,
    )
  }
  const list = async (query: Record<string, string>) => {
    const answer = await viewer.call(edgeEndpoints.list, { params: { projectId }, query })
    expect(answer).toSucceed()
    return answer.body
  }
  const counts = { total: 4, online: 1, trouble: 1, offline: 1, waiting: 1, revoked: 0, silent: 0 }
  expect((await list({})).counts).toEqual(counts)

  const offline = await list({ state: 'offline' })
  expect(offline).toMatchObject({ total: 1, counts, items: [{ label: 'Lock', isInTrouble: false }] })
  expect((await list({ state: 'trouble' })).items).toMatchObject([{ label: 'Gate', isInTrouble: true }])
  expect((await list({ state: 'waiting', search: 'crane' })).counts).toMatchObject({ total: 1, online: 1 })

  const inOrder = async (sort: string) => {
    const labels: string[] = []
    let after: string | undefined
    do {
      const page = await list({ sort, limit: '1', ...(after !== undefined && { after }) })
      labels.push(...page.items.map(({ label }) => label))
      after = page.next
    } while (after !== undefined)
    return labels.join(' ')
  }
  expect(await inOrder('-label')).toBe('Wall Lock Gate Crane')
  expect(await inOrder('state')).toBe('Lock Gate Crane Wall')
  // An offline edge has no current values, so it is last in both directions.
  expect(await inOrder('load')).toBe('Gate Crane Lock Wall')
  expect(await inOrder('-load')).toBe('Crane Gate Lock Wall')
  expect(await inOrder('-memory')).toBe('Gate Crane Lock Wall')
  expect(await inOrder('-disk')).toBe('Crane Gate Lock Wall')
  expect(await inOrder('-version')).toBe('Gate Crane Lock Wall')
  expect(await inOrder('seen')).toMatch(/Wall$/)

  const from = (key: string) =>
    viewer.call(edgeEndpoints.list, {
      params: { projectId },
      query: { sort: 'load' as const, after: `${unknownId}${key}` },
    })
  expect(await from('never')).toFailWith('VALIDATION_FAILED')
  // Numbers that JavaScript accepts and PostgreSQL rejects.
  for (const key of ['1e999', '1e-999', '0b1', ' ']) expect(await from(key)).toSucceed()
})

test('RULE-51 jobs, schedules, groups, keys and decks of another project return 404 below an own project', async () => {
  const there = { projectId: (await given.project(owner, { products: ['project', 'edges'] })).projectId }
  const serial = 'AL01'
  const deck = { serial, model: 'MK.2', firmware: '1', columns: 5, rows: 3, width: 20, height: 12 }
  const decks = { driver: 'ready' as const, reason: null, devices: [{ ...deck, problem: null }] }
  const report = someReport({ commands: [], decks })
  const edgeId = await given.edge(there.projectId, { label: 'Hall', state: 'offline', report })
  const command = { name: 'diagnostics' as const }
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: there,
    body: { label: 'All', rule: {} },
  })
  const rhythm = { cron: '0 3 1 1 *', timeZone: 'Europe/Berlin' }
  const schedule = await owner.call(edgeScheduleEndpoints.create, {
    params: there,
    body: { label: 'Night', command, group: group.body._id, ...rhythm },
  })
  const job = await owner.call(edgeJobEndpoints.start, {
    params: there,
    body: { command, target: { edges: [edgeId] } },
  })
  const key = await owner.call(edgeKeyEndpoints.create, { params: there, body: { label: 'Halls' } })
  for (const { status } of [group, schedule, job, key]) expect(status).toBe(200)
  server.watchSecret(key.body.secret)
  const jobId = job.body._id
  const lines = await owner.call(edgeJobEndpoints.lines, { params: { ...there, jobId }, query: {} })
  const ids = { jobId, lineId: lines.body.items[0]?._id ?? '', keyId: key.body.key._id, edgeId, serial }
  const ofGroup = { itemId: group.body._id }
  const ofSchedule = { itemId: schedule.body._id }
  const calls: [endpoint: Endpoint, ids: Record<string, string>, body?: object][] = [
    [edgeJobEndpoints.read, ids],
    [edgeJobEndpoints.lines, ids],
    [edgeJobEndpoints.log, ids],
    [edgeJobEndpoints.cancel, ids],
    [edgeJobEndpoints.retry, ids],
    [edgeScheduleEndpoints.read, ofSchedule],
    [edgeScheduleEndpoints.runs, ofSchedule],
    [edgeScheduleEndpoints.update, ofSchedule, { label: 'Theirs' }],
    [edgeScheduleEndpoints.remove, ofSchedule],
    [edgeGroupEndpoints.read, ofGroup],
    [edgeGroupEndpoints.update, ofGroup, { label: 'Theirs' }],
    [edgeGroupEndpoints.remove, ofGroup],
    [edgeKeyEndpoints.revoke, ids],
    [edgeDeckEndpoints.read, ids],
    [edgeDeckEndpoints.update, ids, { isLocked: true }],
    [edgeDeckEndpoints.setPage, { ...ids, page: '0' }, { keys: [], face: null }],
  ]
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
  for (const [endpoint, own, body] of calls) {
    const params = { ...own, projectId }
    const answer = await owner.call(endpoint, { params, ...(body !== undefined && { body }) })
    expect(answer, nameOf(endpoint)).toFailWith('NOT_FOUND')
  }
  // The ids are right.
  for (const [endpoint, own] of calls.filter(([{ method }]) => method === 'GET'))
    expect(await owner.call(endpoint, { params: { ...own, ...there } }), nameOf(endpoint)).toSucceed()
})

test('RULE-52 a viewer of edges can make none of the calls that manage them', async () => {
  const managing = server.app.http.routeTable.filter(({ permission }) =>
    permission.startsWith('role edges:manage of the project'),
  )
  expect(managing.length).toBeGreaterThan(30)
  for (const { endpoint } of managing) {
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
        name,
        name === 'projectId' ? projectId : name.endsWith('Id') ? unknownId : 'none',
      ]),
    )
    const answer = await viewer.call(endpoint, {
      params,
      ...(endpoint.body === undefined ? {} : { body: {} }),
    })
    expect(answer, `${endpoint.method} ${endpoint.path}`).toFailWith('FORBIDDEN')
  }
})

test('RULE-54 keys, groups, schedules and jobs accept only declared fields', async () => {
  const command = { name: 'diagnostics' }
  const rhythm = { cron: '0 3 1 1 *', timeZone: 'Europe/Berlin' }
  const calls: [Endpoint, object][] = [
    [edgeKeyEndpoints.create, { label: 'Halls' }],
    [edgeGroupEndpoints.create, { label: 'All', rule: {} }],
    [edgeScheduleEndpoints.create, { label: 'Night', command, group: unknownId, ...rhythm }],
    [edgeJobEndpoints.start, { command, target: { edges: [unknownId] } }],
  ]
  const undeclared: object[] = [
    { _id: unknownId },
    { project: unknownId },
    { projectId: unknownId },
    { owner: viewer.personId },
    { createdBy: viewer.personId },
    { updatedBy: viewer.personId },
    { used: 0 },
    { revision: 7 },
    { nextAt: '2099-01-01T00:00:00Z' },
    { expiresAt: '2099-01-01T00:00:00Z' },
    JSON.parse('{"__proto__":{"isRoot":true}}') as object,
  ]
  for (const [endpoint, body] of calls)
    for (const extra of undeclared) {
      const answer = await owner.call(endpoint, { params: { projectId }, body: { ...body, ...extra } })
      expect(answer, `${endpoint.path} ${JSON.stringify(extra)}`).toFailWith('VALIDATION_FAILED')
    }
})
