import { edgeEndpoints, edgeEnrolmentEndpoints, taskEndpoints } from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { createAlertRepository } from './alerts/alert.repository.ts'
import { connectAgent, someReport, type VirtualAgent } from './testing/virtual-agent.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const second = await testServer({
  besides: server,
  settings: { SMTP_URL: mailbox.url },
  config: { publicUrl: server.url },
})
const { given, db } = server

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  projectId = (await given.project(owner, { label: 'Messe', products: ['project', 'edges'] })).projectId
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

async function start(label: string, node = server) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  const agent = await connectAgent(node.url, { token: body.token })
  agents.push(agent)
  const player = { key: 'player', label: 'Player', state: 'running' as const, canRestart: true }
  agent.report(someReport({ instances: [player] }))
  const params = { projectId, edgeId: made.body.edge._id }
  const read = async () => (await owner.call(edgeEndpoints.read, { params })).body
  await expect.poll(async () => (await read()).instances.length).toBe(1)
  return { agent, params, read, token: body.token }
}

/** Marks an edge as offline since `minutes` minutes ago. */
const goneFor = (edgeId: string, minutes: number) =>
  sql`update edge_presence set is_online = false, offline_since = now() - make_interval(secs => ${minutes * 60}),
    seen_at = now() - make_interval(secs => ${minutes * 60}) where edge_id = ${edgeId}`.execute(db)

const mailsTo = ({ email }: GivenPerson) => mailbox.received.filter(({ to }) => to === email)
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('an outage is reported once after its delay, by one mail for all edges of a project and in the console', async () => {
  const [hall, truck, stage, quiet] = [
    await start('Hall'),
    await start('Truck'),
    await start('Stage'),
    await start('Quiet'),
  ]
  for (const { ws } of agents.splice(0)) ws.terminate()
  const put = (edgeId: string, alertAfter: number | null) =>
    owner.call(edgeEndpoints.update, { params: { projectId, edgeId }, body: { alertAfter } })
  await put(stage.params.edgeId, 10)
  await put(quiet.params.edgeId, null)
  const watcher = await openTestSocket(second.url, { token: owner.token })
  await watcher.ask({ type: 'subscribe', topic: `/projects/${projectId}/edges` })
  const ids = [hall, truck, stage, quiet].map(({ params }) => params.edgeId)
  await sql`update edge_presence set is_online = false, seen_at = now() - interval '5 minutes',
    offline_since = now() - interval '5 minutes' where edge_id = any(${ids}::uuid[])`.execute(db)
  const mail = await mailbox.take(owner.email, /offline/)
  expect(mail.subject).toBe('2 Edges sind offline / 2 edges are offline')
  expect(mail.text).toContain('Hall (')
  expect(mail.text).toContain('Truck (')
  expect(mail.text).not.toContain('Stage')
  expect(mail.link).toBe(`${server.config.publicUrl}/app/edges?project=${projectId}&state=offline`)
  const alerts = () =>
    watcher.messages.flatMap((message) =>
      message.type === 'event' && message.name === 'edge:alert'
        ? [(message.data as { edges: { label: string }[] }).edges.map(({ label }) => label).toSorted()]
        : [],
    )
  await expect.poll(alerts).toEqual([['Hall', 'Truck']])
  await pause(2500)
  expect(alerts()).toHaveLength(1)
  expect(mailsTo(owner)).toHaveLength(1)
  watcher.ws.terminate()
})

test('NagiosEnterprises/nagioscore#91 a flapping edge alerts in the console on each outage, and by mail at most once an hour, but of each outage that lasts', async () => {
  const { params, agent, token, read } = await start('Flapping')
  agent.ws.terminate()
  await goneFor(params.edgeId, 2)
  await mailbox.take(owner.email, /Flapping/)
  const alertCount = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from event where name = 'edge:alert' and data::text like ${`%${params.edgeId}%`}`.execute(
      db,
    )
    return rows[0]?.count
  }
  expect(await alertCount()).toBe(1)
  const comeAndGo = async () => {
    const back = await connectAgent(server.url, { token })
    back.report()
    await expect.poll(async () => (await read()).state).toBe('online')
    back.ws.terminate()
    await goneFor(params.edgeId, 2)
  }
  await comeAndGo()
  await expect.poll(alertCount).toBe(2)
  expect(mailsTo(owner)).toHaveLength(1)
  // The outage lasts until the pause has ended.
  await sql`update edge_presence set mailed_at = now() - interval '61 minutes'`.execute(db)
  await mailbox.take(owner.email, /Flapping/)
  await pause(2500)
  expect(mailsTo(owner)).toHaveLength(2)
  expect(await alertCount()).toBe(2)
  await sql`update edge_presence set mailed_at = now() - interval '61 minutes'`.execute(db)
  await comeAndGo()
  await mailbox.take(owner.email, /Flapping/)
  expect(mailsTo(owner)).toHaveLength(3)
})

test('a disabled owner receives no mail about offline edges', async () => {
  const disabled = await given.person({ firstname: 'Dana' })
  const theirs = (await given.project(disabled, { products: ['project', 'edges'] })).projectId
  await db
    .updateTable('person')
    .set({ disabled_at: new Date() })
    .where('id', '=', disabled.personId)
    .execute()
  // Only this transaction sees the edges, so no node claims them first.
  const away = await db.transaction().execute(async (trx) => {
    for (const place of [projectId, theirs])
      await sql`
        with made as (
          insert into edge (id, project_id, label, token_hash, enrolled_at)
          values (gen_random_uuid(), ${place}::uuid, 'Hall', decode(md5(random()::text), 'hex'), now()) returning id
        )
        insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, offline_since)
        select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(), now() - interval '5 minutes'
        from made`.execute(trx)
    return createAlertRepository(trx).claim()
  })
  const mailed = new Map(away.map(({ projectId: place, email }) => [place, email]))
  expect(mailed.get(projectId)).toBe(owner.email)
  expect(mailed.get(theirs)).toBeNull()
})

/** Returns the commands that an agent received. */
const commandsOf = ({ messages }: VirtualAgent) =>
  messages.flatMap((message) => (message.type === 'command' ? [message] : []))

const logOf = async (taskId: string) =>
  (await owner.call(taskEndpoints.log, { params: { projectId, taskId } })).body.items.map(({ line }) => line)
const taskNow = async (taskId: string) =>
  (await owner.call(taskEndpoints.read, { params: { projectId, taskId } })).body

test('a command reaches the agent on another node and its output returns; answers of other agents are ignored', async () => {
  const { agent, params } = await start('Hall', second)
  const other = await start('Truck')
  const begun = await owner.call(edgeEndpoints.diagnose, { params })
  expect(begun).toSucceed()
  await expect.poll(() => commandsOf(agent).length).toBe(1)
  const id = commandsOf(agent)[0]?.id ?? ''
  expect(commandsOf(other.agent)).toEqual([])
  other.agent.send({ type: 'answer', command: id, lines: ['forged'], outcome: { ok: true, info: 'forged' } })
  agent.send({ type: 'answer', command: crypto.randomUUID(), lines: ['stray'] })
  agent.send({ type: 'answer', command: id, lines: ['one', 'two'] })
  await expect.poll(() => logOf(begun.body._id)).toEqual(['one', 'two'])
  agent.send({
    type: 'answer',
    command: id,
    lines: ['three'],
    outcome: { ok: true, info: 'No problems found.' },
  })
  agent.send({ type: 'answer', command: id, lines: ['late'] })
  await expect.poll(async () => (await taskNow(begun.body._id)).fulfilledAt).not.toBeNull()
  expect(await taskNow(begun.body._id)).toMatchObject({
    isRejected: false,
    state: { info: 'No problems found.' },
  })
  expect(await logOf(begun.body._id)).toEqual(['one', 'two', 'three'])
})

test('RULE-76 an answer that cannot be stored is refused as a bad message', async () => {
  const { agent, params } = await start('Hall')
  await owner.call(edgeEndpoints.diagnose, { params })
  await expect.poll(() => commandsOf(agent).length).toBe(1)
  agent.send({ type: 'answer', command: commandsOf(agent)[0]?.id ?? '', lines: ['half \ud800'] })
  expect(await agent.closed).toBe(4400)
})

test('a restart succeeds when a new process of the agent connects, not when the same one reconnects', async () => {
  const { agent, params, token } = await start('Hall')
  const begun = await owner.call(edgeEndpoints.restart, { params, body: {} })
  await expect.poll(() => commandsOf(agent).length).toBe(1)
  const id = commandsOf(agent)[0]?.id ?? ''
  agent.send({ type: 'answer', command: id, lines: [], outcome: { ok: true, info: 'ends' } })
  await expect.poll(() => logOf(begun.body._id)).toHaveLength(1)
  agent.ws.terminate()
  const same = await connectAgent(second.url, { token, run: agent.run })
  agents.push(same)
  await pause(1200)
  expect((await taskNow(begun.body._id)).fulfilledAt).toBeNull()
  same.ws.terminate()
  agents.push(await connectAgent(second.url, { token }))
  await expect.poll(async () => (await taskNow(begun.body._id)).fulfilledAt).not.toBeNull()
  expect((await taskNow(begun.body._id)).isRejected).toBe(false)
})

test('an unsupported command is refused or ends the task with its reason', async () => {
  const { agent, params, read } = await start('Hall')
  const [player] = (await read()).instances
  const added = await owner.call(edgeEndpoints.addInstance, { params, body: { label: 'Made here' } })
  const own = added.body.instances.find(({ label }) => label === 'Made here')?._id ?? ''
  expect(await owner.call(edgeEndpoints.restart, { params, body: { instance: own } })).toFailWith(
    'EDGE_CANNOT',
  )
  const begun = await owner.call(edgeEndpoints.restart, { params, body: { instance: player?._id ?? '' } })
  await expect.poll(() => commandsOf(agent).length).toBe(1)
  expect(commandsOf(agent)[0]?.command).toEqual({ name: 'restart-instance', key: 'player' })
  const command = commandsOf(agent)[0]?.id ?? ''
  agent.send({ type: 'answer', command, lines: [], outcome: { ok: false, error: 'no such unit' } })
  await expect.poll(async () => (await taskNow(begun.body._id)).isRejected).toBe(true)
  expect((await taskNow(begun.body._id)).error).toBe('no such unit')
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id'])
    .where('target', '=', params.edgeId)
    .where('event', '=', 'edge.restarted')
    .execute()
  expect(rows).toEqual([{ event: 'edge.restarted', actor_id: owner.personId }])
})

test('a deck receives its brightness and its picture in its resolution, and again after it is reattached', async () => {
  const { agent, params } = await start('Hall', second)
  const deck = {
    serial: 'AL01',
    model: 'Mini',
    firmware: '2',
    columns: 3,
    rows: 2,
    width: 30,
    height: 20,
    problem: null,
  }
  const decks = { driver: 'ready' as const, reason: null, devices: [deck] }
  const set = (body: object) =>
    owner.call(edgeEndpoints.setDeck, { params: { ...params, serial: 'AL01' }, body })
  expect(await set({ brightness: 0.4 })).toFailWith('NOT_FOUND')
  agent.report(someReport({ decks }))
  await expect
    .poll(async () => (await owner.call(edgeEndpoints.read, { params })).body.report?.decks.devices.length)
    .toBe(1)
  expect(await set({ brightness: 0.4 })).toSucceed()
  const shown = () => agent.messages.flatMap((message) => (message.type === 'deck' ? [message] : []))
  await expect.poll(shown).toMatchObject([{ serial: 'AL01', brightness: 0.4, picture: null }])
  const { default: sharp } = await import('sharp')
  const red = sharp({ create: { width: 90, height: 20, channels: 3, background: '#ff0000' } })
  expect(await set({ picture: (await red.png().toBuffer()).toString('base64') })).toSucceed()
  await expect.poll(() => shown().length).toBe(2)
  const picture = shown()[1]?.picture
  expect(picture).toMatchObject({ width: 30, height: 20 })
  const pixels = Buffer.from(picture?.rgb ?? '', 'base64')
  expect(pixels).toHaveLength(30 * 20 * 3)
  expect([...pixels.subarray(0, 3)]).toEqual([255, 0, 0])
  expect(await set({ picture: Buffer.from('<svg/>').toString('base64') })).toFailWith('CONTENT_MISMATCH')
  expect(await set({ brightness: 1.1 })).toFailWith('VALIDATION_FAILED')
  agent.report(someReport())
  agent.report(someReport({ decks }))
  await expect.poll(() => shown().length).toBe(3)
  expect(shown()[2]?.picture).not.toBeNull()
})

test('RULE-76 the maximum number of the largest decks receive their pictures while their agent reads slowly', async () => {
  const { agent, params, token } = await start('Hall')
  agent.ws.terminate()
  const devices = Array.from({ length: 16 }, (_, index) => ({
    serial: `ST${index}`,
    model: 'Studio',
    firmware: '1',
    columns: 17,
    rows: 2,
    width: 2304,
    height: 224,
    problem: null,
  }))
  const { default: sharp } = await import('sharp')
  const red = { create: { width: 1, height: 1, channels: 3, background: '#f00' } } as const
  const picture = await sharp(red).png().toBuffer()
  await db
    .insertInto('edge_deck')
    .values(devices.map(({ serial }) => ({ edge_id: params.edgeId, serial, picture })))
    .execute()
  const slow = await connectAgent(server.url, { token })
  agents.push(slow)
  slow.ws.pause()
  slow.report(someReport({ decks: { driver: 'ready', reason: null, devices } }))
  await pause(2500)
  slow.ws.resume()
  const shown = () => slow.messages.flatMap((message) => (message.type === 'deck' ? [message.serial] : []))
  await expect.poll(() => shown().length).toBe(16)
  expect(new Set(shown()).size).toBe(16)
  expect(slow.isOpen()).toBe(true)
})

test('the restart of an unknown or deleted instance returns 404, and restarts nothing', async () => {
  const { agent, params } = await start('Hall')
  const made = await owner.call(edgeEndpoints.addInstance, { params, body: { label: 'Old' } })
  const deleted = made.body.instances.find(({ label }) => label === 'Old')?._id ?? ''
  await owner.call(edgeEndpoints.removeInstance, { params: { ...params, instanceId: deleted } })
  for (const instance of [deleted, projectId])
    expect(await owner.call(edgeEndpoints.restart, { params, body: { instance } })).toFailWith('NOT_FOUND')
  const { body } = await owner.call(taskEndpoints.list, { params, query: {} })
  expect(body.items).toEqual([])
  expect(commandsOf(agent)).toEqual([])
})

test('RULE-76 a deck that is plugged in and out without a pause receives its largest picture a few times only', async () => {
  const { agent, params } = await start('Hall')
  const deck = {
    serial: 'AL01',
    model: 'Studio',
    firmware: '1',
    columns: 17,
    rows: 2,
    width: 2304,
    height: 224,
    problem: null,
  }
  const decks = { driver: 'ready' as const, reason: null, devices: [deck] }
  const { default: sharp } = await import('sharp')
  const largest = { create: { width: 7000, height: 7000, channels: 3, background: '#f00' } } as const
  const picture = await sharp(largest).png().toBuffer()
  await db.insertInto('edge_deck').values({ edge_id: params.edgeId, serial: deck.serial, picture }).execute()
  for (let count = 0; count < 8; count += 1) {
    agent.report(someReport({ decks }))
    agent.report(someReport())
  }
  agent.report(someReport({ decks }))
  const shown = () => agent.messages.filter(({ type }) => type === 'deck').length
  expect(await owner.call(edgeEndpoints.read, { params })).toSucceed()
  await expect.poll(shown).toBeGreaterThan(0)
  await pause(3000)
  expect(shown()).toBeLessThan(5)
  expect(agent.isOpen()).toBe(true)
})
