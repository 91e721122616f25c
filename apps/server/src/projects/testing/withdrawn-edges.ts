import { randomUUID } from 'node:crypto'
import {
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeKeyEndpoints,
  edgeScheduleEndpoints,
  ownEdgeDeckEndpoints,
} from '@pult/contract'
import type { GivenPerson } from '@pult/testkit'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { hashToken, newToken } from '#platform/secrets.ts'
import { connectAgent, someReport, type VirtualAgent } from '../../edges/testing/virtual-agent.ts'
import { none, on, type Row, type Stage, stop, type World } from './withdrawn-rights.ts'
import { ordered, release, stateOf } from './withdrawn-tasks.ts'

const report = someReport({ commands: [] })
const diagnostics = { name: 'diagnostics' as const }

/** Adds an enrolled edge that is offline. */
async function edgeOf({ server }: Stage, { projectId }: World): Promise<{ edgeId: string; token: string }> {
  const edgeId = await server.given.edge(projectId, { label: 'Hall', offlineFor: 1, report })
  const token = newToken()
  server.watchSecret(token)
  await sql`update edge set token_hash = ${hashToken(token)} where id = ${edgeId}`.execute(server.db)
  return { edgeId, token }
}

type Edge = Awaited<ReturnType<typeof edgeOf>>

/** Connects the agent of an edge, which answers each command unless it is deaf. */
async function connect(
  { server, atEnd }: Stage,
  { token }: Pick<Edge, 'token'>,
  { isDeaf = false, decks = report.decks } = {},
): Promise<VirtualAgent & { received: string[] }> {
  const agent = await connectAgent(server.url, { token })
  atEnd(() => agent.ws.terminate())
  const received: string[] = []
  agent.ws.on('message', () => {
    const message = agent.messages.at(-1)
    if (message?.type !== 'command') return
    received.push(message.id)
    if (!isDeaf)
      agent.send({ type: 'answer', command: message.id, lines: [], outcome: { ok: true, info: 'Done.' } })
  })
  agent.report({ commands: [], decks })
  return Object.assign(agent, { received })
}

const isOnline = async ({ server: { db } }: Stage, { edgeId }: Edge) => {
  const { rows } = await sql<{ isOnline: boolean }>`
    select is_online and report ? 'commands' as "isOnline" from edge_presence where edge_id = ${edgeId}`.execute(
    db,
  )
  return rows[0]?.isOnline === true
}

async function startJob({ person, projectId }: World, { edgeId }: Edge): Promise<string> {
  const job = await person.call(edgeJobEndpoints.start, {
    params: { projectId },
    body: { command: diagnostics, target: { edges: [edgeId] } },
  })
  expect(job).toSucceed()
  return job.body._id
}

const lineOf = async ({ server: { db } }: Stage, jobId: string) => {
  const { rows } = await sql<{ state: string; isSent: boolean }>`
    select state, sent_at is not null as "isSent" from edge_job_line where job_id = ${jobId}`.execute(db)
  return rows[0]
}

/** Waits until the agent has received a command or the work has ended. Returns whether it received one. */
async function receives(agent: { received: string[] }, isOver: () => Promise<boolean>): Promise<boolean> {
  await expect.poll(async () => agent.received.length > 0 || (await isOver())).toBe(true)
  return agent.received.length > 0
}

const jobIsOver = (stage: Stage, jobId: string) => async () =>
  ['cancelled', 'failed', 'expired'].includes((await lineOf(stage, jobId))?.state ?? '')

async function redeem({ server }: Stage, code: string): Promise<boolean> {
  const { status, body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code } })
  if (status === 200) server.watchSecret(body.token)
  return status === 200
}

const serial = 'AL01'
const decks = {
  driver: 'ready' as const,
  reason: null,
  devices: [
    { serial, model: 'MK.2', firmware: '1', columns: 5, rows: 3, width: 20, height: 12, problem: null },
  ],
}

//                        nothing  disabled  role  invisible  deleted  signed out
const byCurrentRights = [on, stop, stop, stop, stop, on] as const
const ofProject = [on, on, on, on, on, on] as const

export const commandInQueue = (task: string): Row => ({
  work: `${task} in the queue`,
  names: { task },
  role: 'edges/operator',
  expected: byCurrentRights,
  async begin(world, stage) {
    const edge = await edgeOf(stage, world)
    const agent = await connect(stage, edge)
    await expect.poll(() => isOnline(stage, edge)).toBe(true)
    const taskId = await ordered(stage, world, task, { edgeId: edge.edgeId, key: 'player' })
    return async () => {
      await release(stage, taskId)
      return receives(agent, async () => (await stateOf(stage, taskId)) === 'rejected')
    }
  },
})

const commands = ['edge-restart', 'edge-start', 'edge-stop', 'edge-diagnostics', 'edge-update']

export const edgeRows: Row[] = [
  ...commands.map(commandInQueue),
  {
    work: 'job for an edge that is offline',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin(world, stage) {
      const edge = await edgeOf(stage, world)
      const jobId = await startJob(world, edge)
      return async () => receives(await connect(stage, edge), jobIsOver(stage, jobId))
    },
  },
  {
    work: 'command of a job that was sent and not received',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin(world, stage) {
      const edge = await edgeOf(stage, world)
      const deaf = await connect(stage, edge, { isDeaf: true })
      await expect.poll(() => isOnline(stage, edge)).toBe(true)
      const jobId = await startJob(world, edge)
      await expect.poll(async () => (await lineOf(stage, jobId))?.isSent).toBe(true)
      deaf.ws.terminate()
      return async () => receives(await connect(stage, edge), jobIsOver(stage, jobId))
    },
  },
  {
    work: 'schedule',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin(world, stage) {
      const { owner, person, projectId } = world
      await edgeOf(stage, world)
      const body = { label: 'All', rule: {} }
      const group = (await owner.call(edgeGroupEndpoints.create, { params: { projectId }, body })).body._id
      // A time that no test reaches by chance.
      const rhythm = { cron: '0 3 1 1 *', timeZone: 'Europe/Berlin' }
      const made = await person.call(edgeScheduleEndpoints.create, {
        params: { projectId },
        body: { label: 'Night', command: diagnostics, group, ...rhythm },
      })
      expect(made).toSucceed()
      const itemId = made.body._id
      const runs = async () =>
        (await owner.call(edgeScheduleEndpoints.runs, { params: { projectId, itemId } })).body.items
      return async () => {
        await sql`update edge_schedule set next_at = now() where id = ${itemId}`.execute(stage.server.db)
        await expect.poll(async () => (await runs()).length).toBe(1)
        return (await runs())[0]?.job !== null
      }
    },
  },
  {
    work: 'key of a deck at an edge',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin(world, stage) {
      const { owner, person, projectId } = world
      const edge = await edgeOf(stage, world)
      const agent = await connect(stage, edge, { decks })
      await expect.poll(() => isOnline(stage, edge)).toBe(true)
      const { edgeId } = edge
      const params = { projectId, edgeId, serial }
      const assigned = () =>
        owner.call(edgeDeckEndpoints.update, { params, body: { account: person.personId } })
      await expect.poll(async () => (await assigned()).status).toBe(200)
      const keys = [
        {
          key: 0,
          label: 'Go',
          press: [{ type: 'job' as const, command: diagnostics, group: null }],
          hold: [],
        },
      ]
      const page = { params: { ...params, page: '0' }, body: { keys, face: null } }
      expect(await owner.call(edgeDeckEndpoints.setPage, page)).toSucceed()
      expect(await person.call(ownEdgeDeckEndpoints.agree, { params: { edgeId, serial } })).toSucceed()
      return async () => {
        const id = randomUUID()
        agent.send({ type: 'press', id, serial, page: 0, key: 0, isHeld: false })
        const answer = () => agent.messages.find((message) => message.type === 'pressed' && message.id === id)
        await expect.poll(answer).toBeDefined()
        return (answer() as { isDone: boolean }).isDone
      }
    },
  },
  {
    work: 'enrolment key',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin({ person, projectId }, stage) {
      const made = await person.call(edgeKeyEndpoints.create, {
        params: { projectId },
        body: { label: 'Halls' },
      })
      expect(made).toSucceed()
      stage.server.watchSecret(made.body.secret)
      return () => redeem(stage, made.body.secret)
    },
  },
  {
    work: 'enrolment code',
    role: 'edges/operator',
    expected: byCurrentRights,
    async begin({ person, projectId }, stage) {
      const made = await person.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
      expect(made).toSucceed()
      stage.server.watchSecret(made.body.code)
      return () => redeem(stage, made.body.code)
    },
  },
  {
    work: 'edge that the person enrolled',
    role: 'edges/operator',
    expected: ofProject,
    because: 'the edge belongs to the project',
    async begin({ person, projectId }, stage) {
      const made = await person.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
      const { code } = made.body
      const { token } = (await stage.server.call(edgeEnrolmentEndpoints.redeem, { body: { code } })).body
      for (const secret of [code, token]) stage.server.watchSecret(secret)
      return async () => {
        const agent = await connect(stage, { token })
        await expect.poll(() => agent.messages.length > 0 || !agent.isOpen()).toBe(true)
        return agent.messages[0]?.type === 'welcome'
      }
    },
  },
  {
    work: 'repetition of a start of a job with its idempotency key',
    role: 'edges/operator',
    expected: [on, stop, stop, stop, stop, stop],
    async begin(world, stage) {
      const { edgeId } = await edgeOf(stage, world)
      const { person, projectId } = world
      const start = (by: GivenPerson) =>
        by.call(edgeJobEndpoints.start, {
          params: { projectId },
          body: { command: diagnostics, target: { edges: [edgeId] } },
          headers: { 'idempotency-key': 'one-press' },
        })
      expect(await start(person)).toSucceed()
      return async () => (await start(person)).status === 200
    },
  },
  {
    work: 'mail about an edge that is offline',
    role: 'owner',
    expected: [on, stop, stop, stop, none, on],
    async begin(world, stage) {
      const { db, given } = stage.server
      return async () => {
        const edgeId = await given.edge(world.projectId, { label: 'Hall', offlineFor: 60 })
        const isAnnounced = async () => {
          const { rows } = await sql<{ isAlerted: boolean }>`
            select alerted_at is not null as "isAlerted" from edge_presence where edge_id = ${edgeId}`.execute(
            db,
          )
          return rows[0]?.isAlerted
        }
        await expect.poll(isAnnounced).toBe(true)
        return isMailed(stage, world.person, /offline/)
      }
    },
  },
]

/** Waits until all mails are sent. Returns whether the person received one with this subject. */
export async function isMailed(
  { server: { db }, mailbox }: Stage,
  { email }: GivenPerson,
  subject: RegExp,
): Promise<boolean> {
  const unsent = async () => (await sql`select from mail where sent_at is null`.execute(db)).rows.length
  await expect.poll(unsent).toBe(0)
  return mailbox.received.some((mail) => mail.to === email && subject.test(mail.subject))
}
