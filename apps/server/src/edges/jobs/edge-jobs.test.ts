import {
  type BodyOf,
  type EdgeDeclaration,
  type EdgeJob,
  type EdgeReport,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
} from '@pult/contract'
import { type GivenPerson, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectAgent, someReport, type VirtualAgent } from '../testing/virtual-agent.ts'

const server = await testServer()
/** Another node of the same installation. */
const other = await testServer({ besides: server })
const { given, db } = server

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

const play: EdgeDeclaration = {
  key: 'play',
  label: 'Play a list',
  parameters: [
    { key: 'name', label: 'Name', type: 'string', maxLength: 10 },
    { key: 'volume', label: 'Volume', type: 'number', min: 0, max: 10, default: 5 },
  ],
}
const playing = (values: Record<string, string | number | boolean>) => ({
  name: 'run' as const,
  key: 'play',
  values,
})
const diagnostics = { name: 'diagnostics' as const }

async function enrolled(label: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  return { edgeId: made.body.edge._id, token }
}

interface Behaviour {
  url?: string
  commands?: EdgeDeclaration[]
  report?: Partial<EdgeReport>
  /** Outcome of the command with this id; undefined while it is running. */
  outcome?: (id: string) => { ok: true; info: string } | { ok: false; error: string } | undefined
}

const done = () => ({ ok: true as const, info: 'It is done.' })

/** An agent that answers as the real one does and records the commands that it receives. */
async function live(
  token: string,
  { url = server.url, commands = [], report = {}, outcome = done }: Behaviour = {},
): Promise<VirtualAgent & { received: { id: string; command: object }[] }> {
  const agent = await connectAgent(url, { token })
  ends.push(() => agent.ws.terminate())
  agent.report({ commands, ...report })
  const received: { id: string; command: object }[] = []
  agent.ws.on('message', () => {
    const message = agent.messages.at(-1)
    if (message?.type !== 'command') return
    const { id, command, isRepeated } = message
    expect(isRepeated).toBe(true)
    received.push({ id, command })
    const result = outcome(id)
    const lines = result === undefined ? [] : ['a line']
    agent.send({ type: 'answer', command: id, lines, ...(result !== undefined && { outcome: result }) })
  })
  return Object.assign(agent, { received })
}

async function edge(label: string, behaviour: Behaviour = {}) {
  const { edgeId, token } = await enrolled(label)
  const agent = await live(token, behaviour)
  await online(edgeId)
  return { edgeId, token, agent }
}

const online = (edgeId: string) =>
  expect
    .poll(async () => (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body.report)
    .not.toBeNull()

/** Adds edges that have been connected once and are now offline. */
async function absent(
  number: number,
  report: EdgeReport = someReport({ commands: [play] }),
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      select gen_random_uuid(), ${projectId}::uuid, 'Absent ' || lpad(n::text, 5, '0'), decode(md5(random()::text) || md5(random()::text), 'hex'), now()
      from generate_series(1, ${number}::int) n returning id
    ), seen as (
      insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
      select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(), ${JSON.stringify(report)}::jsonb from made
    )
    select id from made`.execute(db)
  return rows.map(({ id }) => id)
}

/** Adds an enrolled edge that has been connected once and is now offline. */
async function awayEdge(label: string) {
  const { edgeId, token } = await enrolled(label)
  await sql`
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    values (${edgeId}, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(),
      ${JSON.stringify(someReport({ commands: [play] }))}::jsonb)`.execute(db)
  return { edgeId, token }
}

type Start = BodyOf<typeof edgeJobEndpoints.start>
const start = (body: Start, by: GivenPerson = owner) =>
  by.call(edgeJobEndpoints.start, { params: { projectId }, body })
async function started(body: Start): Promise<EdgeJob> {
  const answer = await start(body)
  expect(answer).toSucceed()
  return answer.body
}
const read = async ({ _id: jobId }: EdgeJob) =>
  (await owner.call(edgeJobEndpoints.read, { params: { projectId, jobId } })).body
const linesOf = async ({ _id: jobId }: EdgeJob) =>
  (await owner.call(edgeJobEndpoints.lines, { params: { projectId, jobId }, query: { limit: '200' } })).body
    .items
const counts = (job: EdgeJob) => expect.poll(async () => (await read(job)).counts)
const none = { waiting: 0, running: 0, done: 0, failed: 0, expired: 0, cancelled: 0 }

test('a preview names the edges that a command reaches now, later, and not at all with the reason', async () => {
  const commands = [play]
  const quiet = { ...play, parameters: play.parameters.map((one) => ({ ...one, maxLength: 2 })) }
  const { edgeId: here } = await edge('Here', { commands })
  const { edgeId: strict } = await edge('Strict', { commands: [quiet] })
  const { edgeId: bare } = await edge('Bare')
  const { edgeId: old } = await enrolled('Old')
  const { edgeId: revoked } = await enrolled('Revoked')
  const { edgeId: fresh } = await enrolled('Fresh')
  const [away = '', ancient = ''] = [...(await absent(1)), ...(await absent(1, someReport()))]
  await owner.call(edgeEndpoints.revoke, { params: { projectId, edgeId: revoked } })
  await owner.call(edgeEndpoints.remove, { params: { projectId, edgeId: old } })

  const edges = [here, strict, bare, old, revoked, fresh, away, ancient]
  const preview = async (values: Record<string, string | number>) =>
    (
      await owner.call(edgeJobEndpoints.preview, {
        params: { projectId },
        body: { command: playing(values), target: { edges } },
      })
    ).body
  const found = await preview({ name: 'night' })
  expect(found.now).toEqual({ count: 1, edges: [{ _id: here, label: 'Here' }] })
  expect(found.away).toMatchObject({ count: 1, edges: [{ _id: away }] })
  const obstacles = Object.fromEntries(
    found.offLimits.map(({ obstacle, edges: which }) => [obstacle, which.map(({ _id }) => _id)]),
  )
  expect(obstacles).toEqual({
    notAccepted: [strict],
    notDeclared: [bare],
    revoked: [revoked],
    neverConnected: [fresh],
    tooOld: [ancient],
    unknown: [],
  })
  // The same call with values that no declaration accepts reaches no edge, so such a job does not start.
  for (const values of [
    { name: 'much too long' },
    { volume: 3 },
    { name: 'a', volume: 11 },
    { name: 'a', path: '/' },
  ]) {
    expect(await preview(values)).toMatchObject({ now: { count: 0 }, away: { count: 0 } })
    expect(await start({ command: playing(values), target: { edges } })).toFailWith('EDGE_JOB_REACHES_NONE')
  }
  const { body } = await owner.call(edgeJobEndpoints.choices, { params: { projectId } })
  expect(body.commands).toMatchObject([{ key: 'play', label: 'Play a list', edges: 3 }])
})

test('an odd declaration or report that another release has stored hides no command and no program', async () => {
  const player = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const
  const [good = '', odd = ''] = [
    ...(await absent(1, someReport({ commands: [play], instances: [player] }))),
    ...(await absent(2, {
      ...someReport({ instances: [{ ...player, canRestart: 'perhaps' as never }] }),
      // The key of one declaration fits, its parameters do not.
      commands: [{ key: 'play', label: 'Play', parameters: 'many' }, { key: 'clean' }, 5] as never,
    })),
    ...(await absent(1, { ...someReport(), commands: 'none' as never, instances: { player: 1 } as never })),
  ]
  const { body } = await owner.call(edgeJobEndpoints.choices, { params: { projectId } })
  expect(body).toMatchObject({
    commands: [{ key: 'play', label: 'Play a list', edges: 3 }],
    programs: [{ key: 'player', label: 'Player', edges: 1 }],
  })
  const target = { edges: [good, odd] }
  const preview = async (command: BodyOf<typeof edgeJobEndpoints.preview>['command']) =>
    (await owner.call(edgeJobEndpoints.preview, { params: { projectId }, body: { command, target } })).body
  expect(await preview(playing({ name: 'night' }))).toMatchObject({
    away: { edges: [{ _id: good }] },
    offLimits: [{ obstacle: 'notAccepted', edges: [{ _id: odd }] }],
  })
  expect(await preview({ name: 'restart-instance', key: 'player' })).toMatchObject({
    away: { edges: [{ _id: good }] },
    offLimits: [{ obstacle: 'notDeclared', edges: [{ _id: odd }] }],
  })
})

test('a job runs on connected edges of both nodes immediately, and on absent ones when they reconnect', async () => {
  const commands = [play]
  const one = await edge('One', { commands })
  const two = await edge('Two', { commands, url: other.url })
  const later = await awayEdge('Later')
  const group = (
    await owner.call(edgeGroupEndpoints.create, { params: { projectId }, body: { label: 'All', rule: {} } })
  ).body
  const job = await started({
    command: playing({ name: 'night' }),
    target: { group: group._id },
    label: 'Night',
  })
  expect(job).toMatchObject({ total: 3, group: 'All', commandLabel: 'Play a list', label: 'Night' })
  await counts(job).toEqual({ ...none, waiting: 1, done: 2 })
  for (const { agent } of [one, two])
    expect(agent.received).toMatchObject([
      { command: { name: 'run', key: 'play', values: { name: 'night' } } },
    ])

  const back = await live(later.token, { commands, url: other.url })
  await counts(job).toEqual({ ...none, done: 3 })
  expect(back.received).toHaveLength(1)
  await expect.poll(async () => (await read(job)).endedAt).not.toBeNull()
  const lines = await linesOf(job)
  expect(lines.map(({ label, state, info }) => [label, state, info])).toEqual([
    ['Later', 'done', 'It is done.'],
    ['One', 'done', 'It is done.'],
    ['Two', 'done', 'It is done.'],
  ])
  const params = { projectId, jobId: job._id, lineId: lines[0]?._id ?? '' }
  expect((await owner.call(edgeJobEndpoints.log, { params })).body.lines).toEqual(['a line'])
})

test('a command without an outcome is sent again with its id on the next connection, even at another node', async () => {
  let isReady = false
  const outcome = () => (isReady ? done() : undefined)
  const { edgeId, agent, token } = await edge('Hall', { outcome })
  const job = await started({ command: diagnostics, target: { edges: [edgeId] } })
  await expect.poll(() => agent.received.length).toBe(1)
  agent.ws.terminate()
  isReady = true
  const again = await live(token, { outcome, url: other.url })
  await counts(job).toEqual({ ...none, done: 1 })
  expect(again.received.map(({ id }) => id)).toEqual(agent.received.map(({ id }) => id))
})

test('two jobs on one edge run one after the other, in the order of their starts', async () => {
  let isReady = false
  const { edgeId, agent } = await edge('Hall', { outcome: () => (isReady ? done() : undefined) })
  const { edgeId: free } = await edge('Free')
  const first = await started({ command: diagnostics, target: { edges: [edgeId] } })
  await expect.poll(() => agent.received.length).toBe(1)
  const second = await started({ command: diagnostics, target: { edges: [edgeId, free] } })
  await counts(second).toEqual({ ...none, done: 1, waiting: 1 })
  expect(agent.received).toHaveLength(1)
  isReady = true
  const outcome = done()
  agent.send({ type: 'answer', command: agent.received[0]?.id ?? '', lines: [], outcome })
  await counts(second).toEqual({ ...none, done: 2 })
  expect(agent.received).toHaveLength(2)
  expect(await read(first)).toMatchObject({ counts: { ...none, done: 1 } })
})

test('a job runs on at most the chosen number of edges, and stops after the chosen number of failures', async () => {
  const open: { agent: VirtualAgent; id: string }[] = []
  const ids: string[] = []
  for (let index = 0; index < 6; index += 1) {
    const { edgeId, agent } = await edge(`Edge ${index}`, {
      outcome: (id) => {
        open.push({ agent, id })
        return undefined
      },
    })
    ids.push(edgeId)
  }
  const job = await started({
    command: diagnostics,
    target: { edges: ids },
    atOnce: 2,
    stopAfter: { percent: 33 },
  })
  expect(job).toMatchObject({ atOnce: 2, stopAfter: 2, total: 6 })
  await counts(job).toEqual({ ...none, running: 2, waiting: 4 })
  const answer = (ok: boolean) => {
    const { agent, id } = open.shift() as (typeof open)[number]
    const outcome = ok ? done() : { ok: false as const, error: 'It exited with code 3' }
    agent.send({ type: 'answer', command: id, lines: [], outcome })
  }
  answer(true)
  await counts(job).toEqual({ ...none, running: 2, done: 1, waiting: 3 })
  await expect.poll(() => open.length).toBe(2)
  answer(false)
  answer(false)
  await counts(job).toMatchObject({ running: 0, failed: 2, waiting: 0 })
  const ended = await read(job)
  expect(ended).toMatchObject({ stopped: 'failures' })
  expect(ended.counts.cancelled).toBeGreaterThan(0)

  // The retry contains exactly the failed edges.
  const { body: retried } = await owner.call(edgeJobEndpoints.retry, {
    params: { projectId, jobId: job._id },
  })
  expect(retried).toMatchObject({ total: 2, atOnce: 2, stopAfter: 2 })
})

test('RULE-59 an expired or cancelled job reaches no edge; a retry reaches the expired edges once', async () => {
  const ids = await absent(2)
  const expiring = await started({ command: diagnostics, target: { edges: ids }, days: 1 })
  expect(await owner.call(edgeJobEndpoints.retry, { params: { projectId, jobId: expiring._id } })).toFailWith(
    'EDGE_JOB_NOT_ENDED',
  )
  await sql`update edge_job set expires_at = now() where id = ${expiring._id}`.execute(db)
  const cancelled = await started({ command: diagnostics, target: { edges: ids } })
  const { body } = await owner.call(edgeJobEndpoints.cancel, { params: { projectId, jobId: cancelled._id } })
  expect(body.counts).toEqual({ ...none, cancelled: 2 })
  await counts(expiring).toEqual({ ...none, expired: 2 })
  await expect.poll(async () => (await read(cancelled)).endedAt).not.toBeNull()
  expect(await read(cancelled)).toMatchObject({ stopped: 'cancelled' })
  const retry = { params: { projectId, jobId: expiring._id }, headers: { 'idempotency-key': 'one-press' } }
  const again = await owner.call(edgeJobEndpoints.retry, retry)
  expect(again.body).toMatchObject({ total: 2 })
  // The same call, repeated after its answer was lost.
  expect((await owner.call(edgeJobEndpoints.retry, retry)).body._id).toBe(again.body._id)
})

test('the list of jobs has all or only the unfinished ones', async () => {
  const edges = await absent(1)
  const [open, ended] = [
    await started({ command: diagnostics, target: { edges } }),
    await started({ command: diagnostics, target: { edges } }),
  ]
  await owner.call(edgeJobEndpoints.cancel, { params: { projectId, jobId: ended._id } })
  await expect.poll(async () => (await read(ended)).endedAt).not.toBeNull()
  const listed = async (query: { state?: 'open' }) => {
    const answer = await owner.call(edgeJobEndpoints.list, { params: { projectId }, query })
    expect(answer).toSucceed()
    return [answer.body.total, answer.body.items.map(({ _id }) => _id)]
  }
  expect(await listed({})).toEqual([2, [ended._id, open._id]])
  expect(await listed({ state: 'open' })).toEqual([1, [open._id]])
})

test('a job sends nothing after its creator was disabled', async () => {
  const helper = await given.person()
  const grants = [{ person: helper, productRole: 'edges/operator' }]
  projectId = (await given.project(owner, { products: ['project', 'edges'], grants })).projectId
  const { edgeId, token } = await awayEdge('Hall')
  const job = (await start({ command: diagnostics, target: { edges: [edgeId] } }, helper)).body
  await db.updateTable('person').set({ disabled_at: new Date() }).where('id', '=', helper.personId).execute()
  await live(token)
  await counts(job).toEqual({ ...none, cancelled: 1 })
  expect(await read(job)).toMatchObject({ stopped: 'noRight' })
})

test('a job sends nothing after its creator has lost the permission', async () => {
  const helper = await given.person()
  const grants = [{ person: helper, productRole: 'edges/operator' }]
  projectId = (await given.project(owner, { products: ['project', 'edges'], grants })).projectId
  const { edgeId, token } = await awayEdge('Hall')
  const job = (await start({ command: diagnostics, target: { edges: [edgeId] } }, helper)).body
  await db.deleteFrom('project_grant').where('person_id', '=', helper.personId).execute()
  const back = await live(token)
  await counts(job).toEqual({ ...none, cancelled: 1 })
  expect(await read(job)).toMatchObject({ stopped: 'noRight' })
  expect(back.received).toEqual([])
  const { rows } = await sql<{ event: string; actor: string | null }>`
    select event, actor_id as actor from audit where target = ${job._id} order by at`.execute(db)
  expect(rows).toEqual([
    { event: 'edge-job.started', actor: helper.personId },
    { event: 'edge-job.stopped', actor: null },
  ])
})

test('the line of a waiting edge that leaves the project is cancelled and remains', async () => {
  const [first = '', second = '', third = ''] = await absent(3)
  const job = await started({ command: diagnostics, target: { edges: [first, second] } })
  await owner.call(edgeEndpoints.remove, { params: { projectId, edgeId: first } })
  await owner.call(edgeEndpoints.revoke, { params: { projectId, edgeId: second } })
  // Nodes check for work when a job begins.
  await started({ command: diagnostics, target: { edges: [third] } })
  await counts(job).toEqual({ ...none, cancelled: 2 })
  expect((await linesOf(job)).map(({ state, info }) => [state, info])).toEqual([
    ['cancelled', 'EDGE_GONE'],
    ['cancelled', 'EDGE_GONE'],
  ])
})

test('a job for 5,000 absent edges is queued in one statement', { tags: ['long'] }, async () => {
  const number = sized(200, 5000)
  await absent(number)
  const group = (
    await owner.call(edgeGroupEndpoints.create, { params: { projectId }, body: { label: 'All', rule: {} } })
  ).body
  const job = await started({ command: playing({ name: 'night' }), target: { group: group._id } })
  expect(job).toMatchObject({ total: number, counts: { waiting: number } })
})

test('a repeated start with one Idempotency-Key makes one job', async () => {
  const edges = await absent(1)
  const body = { command: diagnostics, target: { edges } }
  const call = () =>
    owner.call(edgeJobEndpoints.start, { params: { projectId }, body, headers: { 'idempotency-key': 'one' } })
  expect((await call()).body._id).toBe((await call()).body._id)
})

test('RULE-51 a job reaches no edge of another project, and takes no group of another project', async () => {
  const [foreign = ''] = await absent(1)
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'All', rule: {} },
  })
  projectId = (await given.project(owner, { products: ['edges'] })).projectId
  const [own = ''] = await absent(1)
  const target = { edges: [own, foreign] }
  const { body } = await owner.call(edgeJobEndpoints.preview, {
    params: { projectId },
    body: { command: diagnostics, target },
  })
  expect(body).toMatchObject({ now: { count: 0 }, away: { count: 1, edges: [{ _id: own }] } })
  expect(await start({ command: diagnostics, target: { edges: [foreign] } })).toFailWith(
    'EDGE_JOB_REACHES_NONE',
  )
  expect(await start({ command: diagnostics, target: { group: group.body._id } })).toFailWith('NOT_FOUND')
  const job = await started({ command: diagnostics, target })
  expect((await linesOf(job)).map(({ edge: reached }) => reached)).toEqual([own])
})
