import {
  type BodyOf,
  type EdgeJob,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeJobEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectAgent } from '../testing/virtual-agent.ts'
import { outcomeRequest } from './outcome-request.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let operator: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  operator = await given.person()
  const grants = [{ person: operator, productRole: 'edges/operator' }]
  projectId = (await given.project(owner, { products: ['project', 'edges'], grants })).projectId
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const diagnostics = { name: 'diagnostics' as const }
const done = { ok: true as const, info: 'It is done.' }

/** An agent that answers only when the test asks for it. */
async function live(token: string) {
  const agent = await connectAgent(server.url, { token })
  ends.push(() => agent.ws.terminate())
  agent.report({ commands: [] })
  const received = () => agent.messages.flatMap((message) => (message.type === 'command' ? [message] : []))
  return Object.assign(agent, { received })
}

async function edge(label: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  const params = { projectId, edgeId: made.body.edge._id }
  const agent = await live(token)
  await expect.poll(async () => (await owner.call(edgeEndpoints.read, { params })).body.report).not.toBeNull()
  return { edgeId: params.edgeId, token, agent }
}

async function started(
  edges: string[],
  more: Partial<BodyOf<typeof edgeJobEndpoints.start>> = {},
  by = owner,
): Promise<EdgeJob> {
  const body = { command: diagnostics, target: { edges }, ...more }
  const answer = await by.call(edgeJobEndpoints.start, { params: { projectId }, body })
  expect(answer).toSucceed()
  return answer.body
}
const placeOf = ({ _id: jobId }: EdgeJob) => ({ params: { projectId, jobId } })
const read = async (job: EdgeJob) => (await owner.call(edgeJobEndpoints.read, placeOf(job))).body
const counts = (job: EdgeJob) => expect.poll(async () => (await read(job)).counts)
const cancel = (job: EdgeJob) => owner.call(edgeJobEndpoints.cancel, placeOf(job))
const linesOf = async (job: EdgeJob) =>
  (await owner.call(edgeJobEndpoints.lines, { ...placeOf(job), query: {} })).body.items
const none = { waiting: 0, running: 0, done: 0, failed: 0, expired: 0, cancelled: 0 }

/** Starts a job on an edge whose agent is gone although the edge still counts as online. */
async function sentIntoTheVoid(by = owner) {
  const { edgeId, token, agent } = await edge('Hall')
  agent.ws.terminate()
  await agent.closed
  const job = await started([edgeId], {}, by)
  await expect.poll(async () => (await linesOf(job))[0]?.sentAt).not.toBeNull()
  expect((await read(job)).counts).toEqual({ ...none, waiting: 1 })
  return { edgeId, token, job }
}

/** The commands of a returning agent, after the server has sent it everything that is due. */
async function receivedAfterReturn({ edgeId, token }: { edgeId: string; token: string }): Promise<string[]> {
  const back = await live(token)
  const last = await started([edgeId])
  const [line] = await linesOf(last)
  await expect.poll(() => back.received().map(({ id }) => id)).toContain(line?._id)
  return back.received().flatMap(({ id }) => (id === line?._id ? [] : [id]))
}

test('a command that no agent has acknowledged counts as waiting, and is not sent after the job was cancelled', async () => {
  const sent = await sentIntoTheVoid()
  expect((await cancel(sent.job)).body).toMatchObject({
    stopped: 'cancelled',
    counts: { ...none, cancelled: 1 },
  })
  expect(await receivedAfterReturn(sent)).toEqual([])
  expect((await read(sent.job)).counts).toEqual({ ...none, cancelled: 1 })
})

test('a command that no agent has acknowledged is sent again to a returning agent', async () => {
  const { token, job } = await sentIntoTheVoid()
  const back = await live(token)
  await expect.poll(() => back.received().length).toBe(1)
  const [message] = back.received()
  expect(message).toMatchObject({ command: diagnostics, isRepeated: true })
  back.send({ type: 'answer', command: message?.id ?? '', lines: [], outcome: done })
  await counts(job).toEqual({ ...none, done: 1 })
})

test.each([
  [
    'has lost the permission',
    () => db.deleteFrom('project_grant').where('person_id', '=', operator.personId).execute(),
  ],
  [
    'was disabled',
    () =>
      db.updateTable('person').set({ disabled_at: new Date() }).where('id', '=', operator.personId).execute(),
  ],
])('a command that no agent has acknowledged is not sent again after its creator %s', async (_name, lose) => {
  const sent = await sentIntoTheVoid(operator)
  await lose()
  const back = await live(sent.token)
  await counts(sent.job).toEqual({ ...none, cancelled: 1 })
  expect(await read(sent.job)).toMatchObject({ stopped: 'noRight' })
  expect(back.received()).toEqual([])
})

test('a command that no agent has acknowledged is not sent again after too many failures', async () => {
  const failing = await edge('Failing')
  const { edgeId, token, agent } = await edge('Gone')
  agent.ws.terminate()
  await agent.closed
  const job = await started([failing.edgeId, edgeId], { stopAfter: { failures: 1 } })
  await expect.poll(() => failing.agent.received().length).toBe(1)
  const command = failing.agent.received()[0]?.id ?? ''
  failing.agent.send({ type: 'answer', command, lines: [], outcome: { ok: false, error: 'It failed' } })
  await counts(job).toEqual({ ...none, failed: 1, cancelled: 1 })
  expect(await read(job)).toMatchObject({ stopped: 'failures' })
  expect(await receivedAfterReturn({ edgeId, token })).toEqual([])
})

test('a late answer to a cancelled command shows what the edge did', async () => {
  const { edgeId, agent } = await edge('Hall')
  const job = await started([edgeId])
  await expect.poll(() => agent.received().length).toBe(1)
  const command = agent.received()[0]?.id ?? ''
  await cancel(job)
  await expect.poll(async () => (await read(job)).endedAt).not.toBeNull()
  agent.send({ type: 'answer', command, lines: ['It begins'] })
  await counts(job).toEqual({ ...none, running: 1 })
  expect(await read(job)).toMatchObject({ stopped: 'cancelled', endedAt: null })
  agent.send({ type: 'answer', command, lines: [], outcome: done })
  await counts(job).toEqual({ ...none, done: 1 })
  await expect.poll(async () => (await read(job)).endedAt).not.toBeNull()
  expect(await linesOf(job)).toMatchObject([{ state: 'done', info: 'It is done.', lines: 1 }])
})

test.each([
  ['that remembers it', done, 'done', 'It is done.'],
  [
    'that has forgotten it',
    {
      ok: false as const,
      error: `The settings of the agent do not declare the command ${outcomeRequest.key}`,
    },
    'failed',
    'NO_ANSWER',
  ],
])(
  'an acknowledged command is never sent again: an agent %s answers the request for its outcome',
  async (_name, outcome, state, info) => {
    const { edgeId, token, agent } = await edge('Hall')
    const job = await started([edgeId])
    await expect.poll(() => agent.received().length).toBe(1)
    const command = agent.received()[0]?.id ?? ''
    agent.send({ type: 'answer', command, lines: [] })
    await counts(job).toEqual({ ...none, running: 1 })
    expect((await cancel(job)).body).toMatchObject({ stopped: null, counts: { running: 1 } })
    agent.ws.terminate()
    const back = await live(token)
    await expect.poll(() => back.received().length).toBe(1)
    expect(back.received()).toMatchObject([{ id: command, command: outcomeRequest, isRepeated: true }])
    back.send({ type: 'answer', command, lines: [], outcome })
    await expect.poll(async () => (await linesOf(job))[0]).toMatchObject({ state, info })
  },
)

test('a job keeps the last lines of each edge within 20,000 bytes, and within 5 MiB for all edges', async () => {
  const { edgeId, agent } = await edge('Hall')
  const job = await started([edgeId])
  await expect.poll(() => agent.received().length).toBe(1)
  const [line] = await linesOf(job)
  const log = async () =>
    (
      await owner.call(edgeJobEndpoints.log, {
        params: { ...placeOf(job).params, lineId: line?._id ?? '' },
      })
    ).body.lines
  const write = async (name: string) => {
    for (let message = 0; message < 4; message += 1) {
      const lines = Array.from({ length: 20 }, (_, index) => `${message}-${index} ${'é'.repeat(400)}`)
      lines[19] = `${message} ${name}`
      agent.send({ type: 'answer', command: line?._id ?? '', lines })
    }
    await expect.poll(async () => (await log()).at(-1)).toBe(`3 ${name}`)
    return Buffer.byteLength((await log()).join(''))
  }
  const kept = await write('alone')
  expect(kept).toBeGreaterThan(10_000)
  expect(kept).toBeLessThanOrEqual(20_000)
  await sql`update edge_job set total = 5000 where id = ${job._id}`.execute(db)
  expect(await write('one of many')).toBeLessThanOrEqual((5 * 1024 * 1024) / 5000)
})
