import { randomUUID } from 'node:crypto'
import { type EdgeReport, edgeEndpoints, edgeEnrolmentEndpoints, homeEndpoints, limits } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Clock, createClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import { createEvents } from '#platform/realtime/events.ts'
import { hashToken } from '#platform/secrets.ts'
import { connectAgent, someReport, type VirtualAgent } from '../testing/virtual-agent.ts'
import type { Agent } from './agent-gateway.ts'
import { createPresenceRepository } from './presence.repository.ts'
import { createPresence } from './presence.ts'
import { createSilence } from './silence.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['project', 'edges'] })).projectId
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

async function enrolled(label: string): Promise<{ edgeId: string; token: string }> {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  return { edgeId: made.body.edge._id, token: body.token }
}

async function start(label: string) {
  const { edgeId, token } = await enrolled(label)
  const agent = await connectAgent(server.url, { token })
  agents.push(agent)
  const read = async () => (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body
  return { agent, edgeId, read }
}

/** An agent of another node, whose report is not written yet. */
const unwrittenAgent = (
  { edgeId, token }: { edgeId: string; token: string },
  changes: Partial<EdgeReport> = {},
): Agent => ({
  edgeId,
  tokenHash: hashToken(token),
  connection: randomUUID(),
  number: Number.MAX_SAFE_INTEGER,
  address: '127.0.0.1',
  version: '1.2.3',
  run: randomUUID(),
  report: someReport(changes),
  reportedAt: performance.now(),
  isDirty: true,
  isNew: true,
})

const player = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const

test.each<[string, Record<string, unknown>, object]>([
  ['hostname', { hostname: 'half \ud800' }, { report: { hostname: 'half  ' } }],
  [
    'instances[].label',
    { instances: [{ ...player, label: 'half \udc00' }] },
    { instances: [{ label: 'half  ' }] },
  ],
  ['instances', { instances: [player, player] }, { instances: [{ label: 'Player' }] }],
  [
    'disk.total',
    { disk: { total: 2 ** 64, free: 2 ** 64 } },
    { report: { disk: { total: Number.MAX_SAFE_INTEGER, free: Number.MAX_SAFE_INTEGER } } },
  ],
  ['load', { load: null }, { report: { cores: 4, missing: { load: expect.stringContaining('load') } } }],
  ['memory', { memory: 'much' }, { report: { memory: { total: 0, free: 0 }, hostname: 'edge-1' } }],
])(
  'RULE-76 s3fs-fuse#1870 a report with an odd %s is stored without it, and its agent stays connected',
  async (field, changes, expected) => {
    const { agent, read } = await start('Odd')
    const send = () =>
      agent.ws.send(
        JSON.stringify({ type: 'report', report: { ...someReport({ instances: [player] }), ...changes } }),
      )
    send()
    await expect.poll(read).toMatchObject({ state: 'online', ...expected })
    send()
    await expect
      .poll(() => agent.messages.filter(({ type }) => type === 'refused'))
      .toMatchObject([{ parts: [{ path: `report.${field}`, rule: expect.any(String) }] }])
    expect(agent.isOpen()).toBe(true)
  },
)

test('a stored report that does not fit hides neither its edge nor the list', async () => {
  const { agent, edgeId, read } = await start('Spoilt report')
  agent.report()
  await expect.poll(async () => (await read()).report?.hostname).toBe('edge-1')
  agent.ws.terminate()
  await sql`update edge_presence set report = '{"hostname": 5, "load": [1]}' where edge_id = ${edgeId}`.execute(
    db,
  )
  const listed = await owner.call(edgeEndpoints.list, { params: { projectId }, query: {} })
  expect(listed).toSucceed()
  expect(edgeEndpoints.list.reply.parse(listed.body).items.find(({ _id }) => _id === edgeId)).toMatchObject({
    report: { hostname: '', load: [0, 0, 0], missing: { hostname: expect.any(String) } },
  })
  await sql`update edge_presence set is_online = false where edge_id = ${edgeId}`.execute(db)
  const home = await owner.call(homeEndpoints.read, { params: { projectId } })
  expect(home.body.problems).toMatchObject([{ kind: 'edgeOffline', edge: { _id: edgeId } }])
})

test('vercel/serve#746 an edge whose agent answers but sends no reports is connected, but not reporting', async () => {
  const { agent, edgeId, read } = await start('Termux')
  // The reports of this agent are of no use, but it answers.
  agent.ws.send('{"type":"report","report":null}')
  await expect
    .poll(() => agent.messages.filter(({ type }) => type === 'refused'))
    .toMatchObject([{ parts: [{ path: 'report', rule: 'Must be an object' }] }])
  const other = await start('Silent without a reason')
  const silence = createSilence({
    db,
    events: server.app.events,
    gateway: {
      silent: () => [
        { ...unwrittenOf(edgeId), refusal: 'report: Must be an object' },
        unwrittenOf(other.edgeId),
      ],
    },
    log: createLog('silent'),
    interval: 100,
  })
  const connections = new Map<string, string>()
  await expect
    .poll(async () => {
      const { rows } = await sql<{ id: string; connection: string }>`
        select edge_id as id, connection from edge_presence where edge_id = any(${[edgeId, other.edgeId]}::uuid[])`.execute(
        db,
      )
      for (const { id, connection } of rows) connections.set(id, connection)
      return rows.length
    })
    .toBe(2)
  function unwrittenOf(id: string): Agent {
    return { edgeId: id, connection: connections.get(id) } as Agent
  }
  await sql`update edge_presence set is_online = false, offline_since = seen_at
    where edge_id = any(${[edgeId, other.edgeId]}::uuid[])`.execute(db)
  silence.start()
  onTestFinished(() => silence.stop())
  await expect
    .poll(read)
    .toMatchObject({ state: 'offline', silence: { reason: 'report: Must be an object' } })
  await expect.poll(other.read).toMatchObject({ state: 'offline', silence: { reason: null } })
  const query = { state: 'silent', limit: '100' } as const
  const { body } = await owner.call(edgeEndpoints.list, { params: { projectId }, query })
  expect(body.counts).toMatchObject({ silent: 2 })
  expect(body.items.map(({ _id }) => _id).toSorted()).toEqual([edgeId, other.edgeId].toSorted())
  const home = await owner.call(homeEndpoints.read, { params: { projectId } })
  expect(home.body.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'edgeOffline',
        edge: { _id: edgeId, label: 'Termux' },
        silence: { reason: 'report: Must be an object' },
      }),
    ]),
  )
  expect(home.body.fleet?.counts).toMatchObject({ silent: 2 })
  // It can be diagnosed.
  expect(await owner.call(edgeEndpoints.diagnose, { params: { projectId, edgeId } })).toSucceed()
  // The next report ends it.
  agent.report()
  await expect.poll(read).toMatchObject({ state: 'online', silence: null })
  // It ends when no node is in contact with the agent.
  await silence.stop()
  await sql`update edge_presence set contact_at = now() - interval '1 minute' where edge_id = ${other.edgeId}`.execute(
    db,
  )
  expect(await other.read()).toMatchObject({ state: 'offline', silence: null })
})

test('RULE-76 an edge that cannot be stored does not affect others, which connect, report and disconnect', async () => {
  // Simulates a report that the database rejects for an unforeseen reason.
  await sql`
    create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'spoilt' using errcode = '22P02'; end $$;
    create trigger spoilt before insert or update on edge_presence
      for each row when (new.report ->> 'hostname' = 'spoilt') execute function refuse_row();
    create trigger spoilt before insert or update on edge_instance
      for each row when (new.label = 'spoilt') execute function refuse_row()`.execute(db)
  const [first, spoilt, half, last, leaving] = [
    await start('First'),
    await start('Spoilt'),
    await start('Half'),
    await start('Last'),
    await start('Leaving'),
  ]
  const others = [first, last, leaving]
  for (const { agent } of others) agent.report({ instances: [player] })
  for (const { read } of others) await expect.poll(async () => (await read()).instances.length).toBe(1)
  leaving.agent.ws.terminate()
  await sql`update edge_presence set seen_at = seen_at - interval '1 minute' where edge_id = ${leaving.edgeId}`.execute(
    db,
  )
  const speak = () => {
    spoilt.agent.report({ hostname: 'spoilt' })
    half.agent.report({ hostname: 'half', instances: [{ ...player, label: 'spoilt' }] })
    for (const { agent } of [first, last]) agent.report({ hostname: 'as ever', instances: [player] })
  }
  speak()
  const speaking = setInterval(speak, 1000)
  try {
    for (const { read } of [first, last])
      await expect.poll(async () => (await read()).report?.hostname).toBe('as ever')
    // A node that has just started waits for edges to reconnect.
    await expect.poll(async () => (await leaving.read()).state).toBe('offline')
    for (const { read } of [first, half, last]) expect((await read()).state).toBe('online')
    expect((await half.read()).report?.hostname).toBe('half')
    expect((await spoilt.read()).report?.hostname).not.toBe('spoilt')
  } finally {
    clearInterval(speaking)
  }
  const warned = server.logLines.filter((line) => line.includes('the report of an edge could not be written'))
  for (const { edgeId } of [spoilt, half]) expect(warned.join()).toContain(edgeId)
  for (const { edgeId } of others) expect(warned.join()).not.toContain(edgeId)
})

test('a report whose programs are unknown leaves those of the edge as they are', async () => {
  const { agent, read } = await start('Without programs')
  agent.report({ instances: [player] })
  await expect.poll(read).toMatchObject({ instances: [{ label: 'Player', isReported: true }] })
  const [before] = (await read()).instances
  // An agent of which a part is missing sends a neutral value for it.
  agent.report({
    hostname: 'edge-2',
    instances: [],
    missing: { instances: 'Reading it takes longer than 2 s' },
  })
  await expect.poll(async () => (await read()).report?.hostname).toBe('edge-2')
  agent.report({ hostname: 'edge-3', instances: [player, { ...player, key: 'second', label: 'Second' }] })
  await expect
    .poll(async () => (await read()).instances.map(({ label }) => label))
    .toEqual(['Player', 'Second'])
  expect((await read()).instances[0]).toMatchObject({ _id: before?._id, isReported: true })
  agent.report({
    hostname: 'edge-4',
    instances: [],
    missing: { instances: 'Reading it takes longer than 2 s' },
  })
  await expect.poll(async () => (await read()).report?.hostname).toBe('edge-4')
  // The programs of a report are written with it or before the next one.
  agent.report({
    hostname: 'edge-5',
    instances: [],
    missing: { instances: 'Reading it takes longer than 2 s' },
  })
  await expect.poll(async () => (await read()).report?.hostname).toBe('edge-5')
  expect((await read()).instances.map(({ isReported }) => isReported)).toEqual([true, true])
})

test('an instance that is reported twice is stored once', async () => {
  const { edgeId, read } = await start('Twice')
  const instances = [
    { key: 'player', label: 'Player' },
    { key: 'player', label: 'Again' },
  ]
  const presence = createPresenceRepository(db)
  expect(await presence.writeInstances([{ edgeId, instances }])).toEqual([{ id: edgeId, projectId }])
  expect((await read()).instances.map(({ label }) => label)).toEqual(['Player'])
})

test('changed instances of many edges are published in one statement', async () => {
  const edges = await Promise.all(['First', 'Second', 'Third'].map(enrolled))
  const unwritten = edges.map((edge) => unwrittenAgent(edge, { instances: [player] }))
  // All agents have connected to this new node at the same time.
  const presence = createPresence({
    db,
    events: server.app.events,
    gateway: { agents: () => unwritten, end: () => {} },
    clock: createClock({ log: createLog('silent') }),
    log: createLog('silent'),
  })
  presence.start()
  onTestFinished(() => presence.stop())
  // Rows of one INSERT have the same transaction id and command id.
  const inserts = async () => {
    const { rows } = await sql`
      select count(*) as changes, count(distinct (xmin::text, cmin::text)) as inserts from event
      where topic = ${`/projects/${projectId}/edges`} and name = 'change' and data ->> 'id' = any(${edges.map(({ edgeId }) => edgeId)})
        and xmin in (select xmin from edge_instance)`.execute(db)
    return rows
  }
  await expect.poll(inserts).toEqual([{ changes: 3, inserts: 1 }])
})

const silent = createLog('silent')

/** Opens the database as another node. Until the end of the test, only that node marks edges as offline. */
async function otherNode() {
  const connection = server.testDatabase.connection
  const opened = openDatabase({ connection, max: 2, limits: {}, name: 'other node', onError: () => {} })
  onTestFinished(opened.close)
  const events = createEvents({ db: opened.db, connection, log: silent })
  onTestFinished(() => events.stop())
  await sql`
    create function leave_to_other_node() returns trigger language plpgsql as $$
      begin
        if current_setting('application_name') = 'other node' then return new; end if;
        return null;
      end $$;
    create trigger leave_to_other_node before update on edge_presence
      for each row when (old.is_online and not new.is_online) execute function leave_to_other_node()`.execute(
    db,
  )
  onTestFinished(async () => void (await sql`drop function leave_to_other_node cascade`.execute(db)))
  return { db: opened.db, events }
}

test('an edge that ended becomes offline while writes of others time out, and one whose report waits does not', async () => {
  const { db: otherDb, events } = await otherNode()
  const [stuck, ended, well] = [await enrolled('Stuck'), await enrolled('Ended'), await enrolled('Well')]
  const connected = [stuck, ended, well].map((edge) => unwrittenAgent(edge))
  await createPresenceRepository(db).write(connected, performance.now())
  const gone = [stuck.edgeId, ended.edgeId]
  await sql`update edge_presence set seen_at = seen_at - interval '1 minute' where edge_id = any(${gone}::uuid[])`.execute(
    db,
  )
  // Writes of one report time out.
  await sql`
    create function fail_as_slow() returns trigger language plpgsql as $$
      begin raise exception 'too slow' using errcode = '57014'; end $$;
    create trigger fail_as_slow before insert or update on edge_presence
      for each row when (new.report ->> 'hostname' = 'stuck') execute function fail_as_slow()`.execute(db)
  onTestFinished(async () => void (await sql`drop function fail_as_slow cascade`.execute(db)))
  const reporting = connected.filter(({ edgeId }) => edgeId !== ended.edgeId)
  const report = () => {
    for (const agent of reporting) {
      agent.report = someReport({ hostname: agent.edgeId === stuck.edgeId ? 'stuck' : 'as ever' })
      agent.reportedAt = performance.now()
      agent.isDirty = true
    }
  }
  report()
  const timer = setInterval(report, 1000)
  onTestFinished(() => clearInterval(timer))
  const gateway = { agents: () => reporting, end: () => {} }
  const presence = createPresence({
    db: otherDb,
    events,
    gateway,
    clock: createClock({ log: silent }),
    log: silent,
    graceTime: 0,
  })
  presence.start()
  onTestFinished(() => presence.stop())
  const read = async ({ edgeId }: { edgeId: string }) =>
    (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body
  await expect.poll(async () => (await read(ended)).state).toBe('offline')
  expect((await read(stuck)).state).toBe('online')
  await expect.poll(async () => (await read(well)).report?.hostname).toBe('as ever')
  expect((await read(stuck)).report?.hostname).not.toBe('stuck')
})

test('a step of the database’s clock that another part of the node has noticed begins the time of grace', async () => {
  const { db: otherDb, events } = await otherNode()
  const [ended, stepped] = [await enrolled('Ended'), await enrolled('Stepped')]
  await createPresenceRepository(db).write(
    [unwrittenAgent(ended), unwrittenAgent(stepped)],
    performance.now(),
  )
  const silence = ({ edgeId }: { edgeId: string }) =>
    sql`update edge_presence set seen_at = seen_at - interval '1 minute' where edge_id = ${edgeId}`.execute(
      db,
    )
  const stateOf = async ({ edgeId }: { edgeId: string }) =>
    (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body.state
  const listeners: Parameters<Clock['onStep']>[0][] = []
  const graceTime = 5000
  const presence = createPresence({
    db: otherDb,
    events,
    gateway: { agents: () => [], end: () => {} },
    clock: { noteDatabase: () => false, onStep: (listener) => void listeners.push(listener) },
    log: silent,
    graceTime,
  })
  presence.start()
  onTestFinished(() => presence.stop())
  await silence(ended)
  // The time of grace after the start has ended.
  await expect.poll(() => stateOf(ended), { timeout: 30_000 }).toBe('offline')

  const from = performance.now()
  for (const listener of listeners) listener({ whose: 'database', by: 60_000, seenAt: '' })
  await silence(stepped)
  await expect.poll(() => stateOf(stepped), { timeout: 30_000 }).toBe('offline')
  expect(performance.now() - from).toBeGreaterThan(graceTime)
})

test('an agent that renames its programs in each report does not fill the table, and keeps its known ones', async () => {
  const { edgeId } = await enrolled('Hall')
  const write = (name: (index: number) => string) =>
    createPresenceRepository(db).writeInstances([
      {
        edgeId,
        instances: Array.from({ length: limits.edgeInstancesMax }, (_, index) => ({
          key: name(index),
          label: name(index),
        })),
      },
    ])
  for (let round = 0; round < 4; round += 1) await write((index) => `round${round}.${index}`)
  await write((index) => `round0.${index}`)
  const { rows } = await sql<{ round: string; all: number; reported: number }>`
    select split_part(key, '.', 1) as round, count(*) as all, count(*) filter (where is_reported) as reported
    from edge_instance where edge_id = ${edgeId} group by 1 order by 1`.execute(db)
  expect(rows).toEqual([
    { round: 'round0', all: 100, reported: 100 },
    { round: 'round1', all: 100, reported: 0 },
  ])
})
