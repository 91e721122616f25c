import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { taskDriverEndpoints } from '@pult/contract'
import { callEndpoint, freePort, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { type Work, workKinds } from './testing/work-kinds.ts'

/*
 * Tests with server processes that are killed and frozen while they run tasks. A long run kills more often and waits
 * for leases to expire instead of shortening them: PULT_TASK_KILLS=100.
 */

const kills = Number(process.env['PULT_TASK_KILLS'] ?? 2)
const isLong = kills > 2
const tasksAtOnce = 50
/** Time within which all tasks of a killed node must have ended. */
const takeover = 60_000

// This server creates tasks, but runs none.
const server = await testServer({ taskKinds: workKinds.map((kind) => ({ ...kind, concurrency: 0 })) })
const { given, db } = server
const owner = await given.person()
const { projectId } = await given.project(owner)
const token = 'pult-task-of-the-crash-test'
server.watchSecret(token)

const program = fileURLToPath(new URL('testing/task-node.ts', import.meta.url))
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})
beforeAll(async () => {
  const row = {
    id: uuidv7(),
    project_id: projectId,
    label: 'Crash',
    types: ['forge/*'],
    created_by: owner.personId,
  }
  await db
    .insertInto('task_token')
    .values({ ...row, token_hash: hashToken(token) })
    .execute()
})

/** A server process on the same database. */
async function startNode() {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'pult-node-'))
  const { host, port: databasePort, user, database } = server.testDatabase.connection
  const address = new URLSearchParams({ host, port: String(databasePort) }).toString()
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      PULT_DATA: folder,
      FILES_FOLDER: join(server.dataFolder, 'files'),
      DATABASE_URL: `postgresql://${user}@localhost/${database}?${address}`,
      PULT_SECRET: server.secret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  ends.push(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (/is ready/.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`A node did not start:\n${output}`)))
  })
  return { url: `http://localhost:${port}`, exited, kill: (name: NodeJS.Signals) => child.kill(name) }
}

const start = (type: string, payload: Work) =>
  server.app.events.transaction((trx, emit) =>
    server.app.tasks.start(trx, emit, { type, projectId, title: 'Work', payload, createdBy: owner.personId }),
  )
const openTasks = () =>
  db.selectFrom('task').select(['id', 'state', 'token_id']).where('fulfilled_at', 'is', null).execute()

/** Expires the leases of tasks without a driver. */
const cutLeases = () =>
  db.updateTable('task').set({ lease_until: sql<Date>`now()` }).where('state', '=', 'running').execute()

/** Returns the published end events, by task. */
async function publishedEnds() {
  const { rows } = await sql<{ id: string; revision: number }>`
    select data -> 'task' ->> '_id' as id, (data -> 'task' ->> 'revision')::int as revision
    from event where name = 'task:fulfilled'`.execute(db)
  return Map.groupBy(rows, ({ id }) => id)
}

interface Driven {
  taskId: string
  info: string
  answer: 'sent' | 'fulfilled' | 'refused'
}

async function addDriven(): Promise<Driven> {
  const id = uuidv7()
  await db
    .insertInto('task')
    .values({
      id,
      project_id: projectId,
      type: 'forge/render',
      kind: 'info',
      title: 'Driven',
      state: 'running',
      token_id: uuidv7(),
      fence: 1,
      lease_for: '45 seconds',
      lease_until: sql<Date>`now() + interval '45 seconds'`,
      deadline_at: sql<Date>`now() + interval '1 hour'`,
    })
    .execute()
  return { taskId: id, info: `result ${id}`, answer: 'sent' }
}

async function fulfil(url: string, driven: Driven): Promise<void> {
  const { taskId, info } = driven
  const params = { projectId, taskId }
  const body = { fence: 1, info }
  try {
    const { status } = await callEndpoint(url, token, taskDriverEndpoints.fulfil, { params, body })
    driven.answer = status === 200 ? 'fulfilled' : 'refused'
  } catch {
    // Without an answer, the call may have succeeded.
  }
}

test('RULE-65 RULE-66 DEC-25 after kill -9 each running task is rerun or ended once, and no acknowledged result is lost', {
  timeout: 30_000 + kills * 40_000,
}, async () => {
  const driven: Driven[] = []
  let node = await startNode()
  for (let kill = 0; kill < kills; kill += 1) {
    const missing = tasksAtOnce - (await openTasks()).length
    for (let count = 0; count < missing; count += 1) {
      await start(count % 3 === 0 ? 'once' : 'work', { takes: randomInt(100, 1500), steps: 10 })
    }
    const added = await Promise.all(Array.from({ length: 10 }, addDriven))
    driven.push(...added)
    await sleep(randomInt(0, 600))
    // Some fulfilments are acknowledged, and some race with the kill.
    for (const one of added.slice(0, 3)) await fulfil(node.url, one)
    const sending = added.slice(3).map(async (one) => {
      await sleep(randomInt(0, 60))
      await fulfil(node.url, one)
    })
    await sleep(randomInt(0, 60))
    node.kill('SIGKILL')
    await node.exited
    await Promise.all(sending)
    if (!isLong) await cutLeases()
    node = await startNode()
  }
  await expect.poll(openTasks, { timeout: takeover, interval: 250 }).toEqual([])

  const tasks = await db.selectFrom('task').selectAll().execute()
  const published = await publishedEnds()
  // Exactly one end per task, and no later event.
  const ended = new Map(tasks.map(({ id, revision }) => [id, [{ id, revision }]]))
  expect(published).toEqual(ended)
  const wrong = tasks.filter(({ type, state, info, losses }) =>
    type === 'work' && losses < 3
      ? state !== 'finished' || info !== 'worked'
      : !['finished', 'timed-out'].includes(state),
  )
  expect(wrong).toEqual([])
  const results = new Map(tasks.map(({ id, state, info }) => [id, { state, info }]))
  const answered = driven.filter(({ answer }) => answer === 'fulfilled')
  expect(answered.map(({ taskId }) => results.get(taskId))).toEqual(
    answered.map(({ info }) => ({ state: 'finished', info })),
  )
  expect(answered.length).toBeGreaterThanOrEqual(3 * kills)
  node.kill('SIGKILL')
  await node.exited
})

test('RULE-66 the writes of a node that was frozen past its lease are rejected', async () => {
  const frozen = await startNode()
  const { _id } = await start('work', { takes: 3000, steps: 2 })
  const row = () => db.selectFrom('task').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()
  const log = async () => {
    const { rows } = await sql<{ line: string }>`
      select line from task_log where task_id = ${_id}::uuid order by id`.execute(db)
    return rows.map(({ line }) => line)
  }
  // The run is in its last step, so that the node ends the task first when it wakes up.
  await expect.poll(async () => (await row()).progress_done, { interval: 10 }).toBe(1)
  frozen.kill('SIGSTOP')
  await sleep(700)
  expect(await log()).toEqual(['did 1'])
  expect(await row()).toMatchObject({ state: 'running', fence: 1 })

  const other = await startNode()
  if (!isLong) await cutLeases()
  await expect.poll(async () => (await row()).fence, { timeout: 30_000, interval: 10 }).toBe(2)
  const begun = performance.now()
  frozen.kill('SIGCONT')
  await expect.poll(async () => (await row()).state, { interval: 10 }).toBe('finished')
  expect(performance.now() - begun).toBeGreaterThan(800)
  await sleep(500)
  expect(await log()).toEqual(['did 1', 'did 1', 'did 2'])
  expect(await row()).toMatchObject({ fence: 2, losses: 1, progress_done: 2 })
  expect((await publishedEnds()).get(_id)).toHaveLength(1)
  for (const node of [frozen, other]) {
    node.kill('SIGKILL')
    await node.exited
  }
})
