import { randomUUID } from 'node:crypto'
import { edgeEndpoints, edgeEnrolmentEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { hashToken } from '#platform/secrets.ts'
import { connectAgent, someReport, type VirtualAgent } from '../testing/virtual-agent.ts'
import type { Agent } from './agent-gateway.ts'
import { createPresenceRepository } from './presence.repository.ts'
import { createPresence } from './presence.ts'

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

const player = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const

test('RULE-76 a report that cannot be stored is refused, and its agent is disconnected', async () => {
  for (const changes of [
    { hostname: 'half \ud800' },
    { instances: [{ ...player, label: 'half \udc00' }] },
    { instances: [player, player] },
  ]) {
    const { agent } = await start('Odd')
    agent.report(someReport(changes))
    expect(await agent.closed).toBe(4400)
  }
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
  const unwritten = edges.map(
    ({ edgeId, token }): Agent => ({
      edgeId,
      tokenHash: hashToken(token),
      connection: randomUUID(),
      connectedAt: new Date().toISOString(),
      address: '127.0.0.1',
      version: '1.2.3',
      run: randomUUID(),
      report: someReport({ instances: [player] }),
      reportedAt: performance.now(),
      isDirty: true,
      isNew: true,
    }),
  )
  // All agents have connected to this new node at the same time.
  const presence = createPresence({
    db,
    events: server.app.events,
    gateway: { agents: () => unwritten, end: () => {} },
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
