import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import {
  type EdgeServerMessage,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeJobEndpoints,
  taskDriverEndpoints,
  taskTokenEndpoints,
} from '@pult/contract'
import { createSteppedDatabase, extensionFolder, onFileEnd, openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { outcomeRequest } from './edges/jobs/outcome-request.ts'
import { connectAgent } from './edges/testing/virtual-agent.ts'
import { rollUpEdgeValues } from './edges/values/roll-up.ts'
import { createSampleRepository, type Minute } from './edges/values/sample.repository.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { type Work, workKinds } from './tasks/testing/work-kinds.ts'

/*
 * The clock of the database steps while work is running or waiting. The step may be corrected, so no work ends or begins
 * again because of it.
 */

const mailbox = await openMailbox()
const mail = { isDown: true }
const mailLine = createServer((near) => {
  if (mail.isDown) return void near.destroy()
  const far = connect(Number(new URL(mailbox.url).port), '127.0.0.1')
  near
    .on('error', () => {})
    .pipe(far.on('error', () => {}))
    .pipe(near)
})
mailLine.listen(0, '127.0.0.1')
await once(mailLine, 'listening')
onFileEnd(() => void mailLine.close())

const { database, setClock } = await createSteppedDatabase()
const extensionsFolder = await extensionFolder({
  forge: {
    manifest: {
      id: 'forge',
      products: [{ sku: 'forge', label: 'Forge', roles: [] }],
      tasks: [{ kind: 'render', label: 'Render' }],
    },
  },
})
const server = await testServer({
  database,
  extensionsFolder,
  taskKinds: workKinds,
  // No step of this file is forgotten before the end of its test.
  clockSteadyAfter: 600_000,
  settings: { SMTP_URL: `smtp://127.0.0.1:${(mailLine.address() as AddressInfo).port}` },
})
const { given, db } = server
/** Longer than the checks of each kind of work, and than the correction of the times of pg-boss. */
const patience = { timeout: 60_000, interval: 100 }

afterEach(() => setClock('0'))

const owner = await given.person()
const { projectId } = await given.project(owner, { products: ['forge', 'edges'] })

const stepsFound = () =>
  server.logLines.filter((line) => line.includes('the clock of the database has stepped')).length

/** Steps the clock of the database and waits until the node has noticed it. */
async function step(ahead: string): Promise<void> {
  const before = stepsFound()
  await setClock(ahead)
  await expect.poll(stepsFound, patience).toBeGreaterThan(before)
}

async function startTask(type: string, payload: Work): Promise<string> {
  const { _id } = await server.app.events.transaction((trx, emit) =>
    server.app.tasks.start(trx, emit, { type, projectId, title: 'Work', payload, createdBy: owner.personId }),
  )
  return _id
}

/** Starts a task that a service drives. Returns how the service ends it. */
async function driven() {
  const made = await owner.call(taskTokenEndpoints.create, {
    params: { projectId },
    body: { label: 'Farm', types: ['forge/render'] },
  })
  const { token } = made.body
  server.watchSecret(token)
  const created = await server.call(
    taskDriverEndpoints.create,
    { params: { projectId }, body: { type: 'forge/render', title: 'Render' } },
    token,
  )
  expect(created).toSucceed()
  const { task, fence } = created.body
  const params = { projectId, taskId: task._id }
  return {
    taskId: task._id,
    fulfil: () =>
      server.call(taskDriverEndpoints.fulfil, { params, body: { fence, info: 'rendered' } }, token),
  }
}

const tasks = async (ids: readonly string[]) => {
  const { rows } = await sql<{ state: string; fence: number; losses: number; isLeased: boolean }>`
    select state, fence, losses,
      coalesce(lease_until > clock_timestamp() and lease_until <= clock_timestamp() + lease_for, false) as "isLeased"
    from task join unnest(${ids}::uuid[]) with ordinality as named (id, place) using (id) order by place`.execute(
    db,
  )
  return rows
}

test.each(['20 seconds', '-20 seconds', '30 days', '-30 days'])(
  'hashicorp/nomad#27675 tasks run on, once, after the clock steps by %s and back',
  { timeout: 120_000 },
  async (ahead) => {
    const service = await driven()
    const unique = await startTask('once', { takes: 12_000 })
    const narrow = await startTask('narrow', { takes: 12_000 })
    const running = [service.taskId, unique, narrow]
    await expect
      .poll(async () => (await tasks(running)).map(({ state }) => state))
      .toEqual(Array(3).fill('running'))
    const queued = await startTask('narrow', { takes: 10 })

    for (const clock of [ahead, '0']) {
      await db.transaction().execute(async (trx) => {
        // The check of presence must not be the first one to notice the step.
        await sql`lock table edge_presence in access exclusive mode`.execute(trx)
        await step(clock)
      })
      await expect
        .poll(async () => (await tasks(running)).every(({ isLeased }) => isLeased), patience)
        .toBe(true)
      expect((await tasks([...running, queued])).map(({ state }) => state)).toEqual([
        ...Array(3).fill('running'),
        'queued',
      ])
    }
    expect(await service.fulfil()).toSucceed()
    const all = [...running, queued]
    const ended = { state: 'finished', fence: 1, losses: 0 }
    await expect.poll(() => tasks(all), patience).toMatchObject(all.map(() => ended))
  },
)

test.each(['20 seconds', '-20 seconds', '30 days', '-30 days'])(
  'a mail that waits for its mail server is sent after the clock steps by %s',
  { timeout: 120_000 },
  async (ahead) => {
    mail.isDown = true
    const to = `ada${ahead.replace(' ', '')}@example.org`
    const { link } = await server.app.invitations.invite({ email: to, isRoot: false })
    server.watchSecret(link.split('/bift/')[1] ?? '')
    const waiting = () =>
      db
        .selectFrom('mail')
        .select(['attempts', 'given_up_at'])
        .where('sent_at', 'is', null)
        .executeTakeFirstOrThrow()
    await expect.poll(async () => (await waiting()).attempts, patience).toBeGreaterThan(0)

    await step(ahead)
    const { attempts } = await waiting()
    await expect.poll(async () => (await waiting()).attempts, patience).toBeGreaterThan(attempts + 1)
    expect(await waiting()).toMatchObject({ given_up_at: null })

    mail.isDown = false
    await expect
      .poll(() => mailbox.received.filter((received) => received.to === to).length, patience)
      .toBe(1)
  },
)

test('a background job that waits is not deleted when the clock steps forward by 30 days', {
  timeout: 120_000,
}, async () => {
  const done: object[] = []
  const started = (isWorker: boolean, define: (jobs: Jobs) => void) => {
    const jobs = createJobs({ connection: database.connection, log: createLog('silent'), isWorker })
    define(jobs)
    void jobs.start()
    onTestFinished(() => jobs.stop())
    return jobs
  }
  const define = (jobs: Jobs) =>
    jobs.define(
      'waiting',
      async (data) => {
        done.push(data)
        return 'done'
      },
      { retryDelay: 1, retryLimit: 5, longest: 30, pollInterval: 0.5, parallel: 1 },
    )
  const sender = started(false, define)
  await db.transaction().execute((trx) => sender.send(trx, 'waiting', { place: 'hall' }))

  await step('30 days')
  // pg-boss of the server cleans up all queues.
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pgboss.queue where name = 'waiting' and maintain_on > now() - interval '1 hour'`.execute(
        db,
      )
      return rows.length
    }, patience)
    .toBe(1)
  started(true, define)
  await expect.poll(() => done, patience).toEqual([{ place: 'hall' }])
})

async function enrolled(label: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  return { edgeId: made.body.edge._id, token: body.token }
}

/** Connects an agent that reports until the end of the test. It acknowledges the commands that it receives. */
async function reporting(token: string) {
  const agent = await connectAgent(server.url, { token })
  const report = () => agent.isOpen() && agent.report({ commands: [] })
  report()
  const timer = setInterval(report, 300)
  const end = () => {
    clearInterval(timer)
    agent.ws.terminate()
  }
  onTestFinished(end)
  const received = () => agent.messages.filter(isCommand)
  return {
    end,
    received,
    answer: (id: string, outcome?: { ok: true; info: string }) =>
      agent.send({ type: 'answer', command: id, lines: [], ...(outcome !== undefined && { outcome }) }),
  }
}
const isCommand = (message: EdgeServerMessage) => message.type === 'command'

test.each(['20 seconds', '-20 seconds', '30 days', '-30 days'])(
  'the command of a job continues, and waits for an absent edge, after the clock steps by %s',
  { timeout: 120_000 },
  async (ahead) => {
    const [busy, away] = [await enrolled(`Busy ${ahead}`), await enrolled(`Away ${ahead}`)]
    const first = await reporting(busy.token)
    const leaving = await reporting(away.token)
    const reports = async () => {
      const { rows } = await sql`
        select from edge_presence where edge_id = any(${[busy.edgeId, away.edgeId]}::uuid[]) and is_online and report ? 'commands'`.execute(
        db,
      )
      return rows.length
    }
    await expect.poll(reports, patience).toBe(2)
    leaving.end()
    const started = await owner.call(edgeJobEndpoints.start, {
      params: { projectId },
      body: { command: { name: 'diagnostics' }, target: { edges: [busy.edgeId, away.edgeId] } },
    })
    expect(started).toSucceed()
    const jobId = started.body._id
    const lines = async () => {
      const { rows } = await sql<{ edge: string; state: string }>`
        select edge_id as edge, state from edge_job_line where job_id = ${jobId}`.execute(db)
      return Object.fromEntries(rows.map(({ edge, state }) => [edge, state]))
    }
    await expect.poll(() => first.received().length, patience).toBe(1)
    const command = first.received()[0]?.id ?? ''
    first.answer(command)
    await expect.poll(lines, patience).toEqual({ [busy.edgeId]: 'running', [away.edgeId]: 'waiting' })

    await step(ahead)
    // A check of the job asks an edge that connects again for its outcome.
    first.end()
    const again = await reporting(busy.token)
    await expect
      .poll(again.received, patience)
      .toContainEqual(expect.objectContaining({ id: command, command: outcomeRequest }))
    expect(await lines()).toEqual({ [busy.edgeId]: 'running', [away.edgeId]: 'waiting' })

    const outcome = { ok: true as const, info: 'It is done.' }
    again.answer(command, outcome)
    const back = await reporting(away.token)
    await expect.poll(() => back.received().length, patience).toBe(1)
    back.answer(back.received()[0]?.id ?? '', outcome)
    await expect.poll(lines, patience).toEqual({ [busy.edgeId]: 'done', [away.edgeId]: 'done' })
  },
)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each(['2 hours', '30 days'])(
  'the history of values has no gap after the clock was %s ahead within an hour',
  async (ahead) => {
    const { edgeId } = await enrolled(`Values ${ahead}`)
    const samples = createSampleRepository(db)
    const [series] = await samples.seriesOf([{ edgeId, key: 'load', unit: '%' }])
    const id = series?.id ?? 0
    const write = (from: number, to: number) => {
      const minutes: Minute[] = []
      for (let at = from; at < to; at += minute)
        minutes.push({ edgeId, at, ticks: new Map([[0, new Map([[id, 1]])]]) })
      return samples.write(minutes)
    }
    const midnight = Math.floor(Date.now() / day) * day - day
    const setTime = (at: number) => setClock(`${(at - Date.now()) / 1000} seconds`)
    const rollUp = () => rollUpEdgeValues(db)
    const points = async (ring: 'edge_minute' | 'edge_quarter') => {
      const { rows } = await sql<{ at: Date; points: number }>`
        select at, cardinality(places) as points from ${sql.table(ring)} where series = ${id} order by at`.execute(
        db,
      )
      return rows.map((row) => [row.at.getTime(), row.points])
    }
    await db.deleteFrom('edge_rollup').execute()

    // Twenty minutes after midnight, an agent may still send samples of the last hour.
    await write(midnight - hour, midnight - 5 * minute)
    await write(midnight, midnight + 20 * minute)
    const later = ahead === '2 hours' ? 2 * hour : 30 * day
    await setTime(midnight + 20 * minute + later)
    await rollUp()
    await setTime(midnight + 20 * minute)
    await rollUp()
    await write(midnight - 5 * minute, midnight)
    await write(midnight + 20 * minute, midnight + hour)
    await setTime(midnight + day + 2 * hour)
    await rollUp()

    expect(await points('edge_minute')).toEqual([
      [midnight - hour, 60],
      [midnight, 60],
    ])
    expect(await points('edge_quarter')).toEqual([
      [midnight - day, 4],
      [midnight, 4],
    ])
  },
)
