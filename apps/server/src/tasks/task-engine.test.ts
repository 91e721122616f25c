import {
  limits,
  type ServerMessage,
  type Task,
  type TaskMessage,
  type TaskUpdate,
  taskEndpoints,
  taskMessageOf,
} from '@pult/contract'
import { type GivenPerson, type TestServer, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createLog } from '#platform/log.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { createReports, type Report } from './reports.ts'
import { createTaskRepository } from './task.repository.ts'
import { announceEnd, announceQueued } from './task-engine.ts'
import type { TaskKind } from './task-kind.ts'
import { type Work, workKinds } from './testing/work-kinds.ts'

/** Releases the run of a task that ignores its signal. */
let release: () => void = () => {}
const deaf: TaskKind = {
  type: 'deaf',
  kind: 'info',
  deadline: 600_000,
  canRestart: true,
  concurrency: 1,
  async check() {},
  async run({ progress, log }) {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    progress(9, 9)
    log('too late')
    return { info: 'too late' }
  },
}

/** Every start with its signal. */
const begun: { taskId: string; signal: AbortSignal }[] = []
const watched: TaskKind = {
  type: 'watched',
  kind: 'info',
  deadline: 600_000,
  canRestart: true,
  concurrency: 10,
  async check() {},
  run: ({ taskId, signal }) => {
    begun.push({ taskId, signal })
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  },
}

/** The task fails with the next of these faults, or finishes. */
const faults: unknown[] = []
const shaky: TaskKind = {
  type: 'shaky',
  kind: 'info',
  deadline: 600_000,
  canRestart: true,
  concurrency: 1,
  async check() {},
  async run({ log }) {
    log('attempt')
    if (faults.length > 0) throw faults.shift()
    return { info: 'made it' }
  },
}

/** The task reports these texts and throws a refusal. */
let texts: (string | TaskMessage | AppError)[] = []
const spoken: TaskKind = {
  type: 'spoken',
  kind: 'info',
  deadline: 600_000,
  canRestart: true,
  concurrency: 1,
  async check() {},
  async run({ info, log }) {
    for (const text of texts) {
      if (text instanceof AppError) throw text
      info(text)
      log(text)
    }
    return {}
  },
}

const server = await testServer({
  taskKinds: [
    ...workKinds,
    deaf,
    spoken,
    watched,
    shaky,
    { ...shaky, type: 'shaky-once', canRestart: false },
  ],
})
// A node without these kinds. Its calls reach the other node through the database.
const second = await testServer({ besides: server })
const { given, db } = server
let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  projectId = (await given.project(owner)).projectId
})

const start = (type: string, payload?: Work, on: TestServer = server) =>
  on.app.events.transaction((trx, emit) =>
    on.app.tasks.start(trx, emit, { type, projectId, title: 'Work', payload, createdBy: owner.personId }),
  )
const read = async ({ _id: taskId }: Task): Promise<Task> => {
  const answer = await owner.call(taskEndpoints.read, { params: { projectId, taskId } })
  expect(answer).toSucceed()
  return answer.body
}
const logOf = async ({ _id: taskId }: Task) =>
  (await owner.call(taskEndpoints.log, { params: { projectId, taskId } })).body.items.map(({ line }) => line)
const ended = async (task: Task): Promise<Task> => {
  await expect.poll(async () => (await read(task)).fulfilledAt).not.toBeNull()
  return read(task)
}
const running = (task: Task) => expect.poll(async () => (await read(task)).startedAt).not.toBeNull()
const change = (task: Task, set: ReturnType<typeof sql>) =>
  sql`update task set ${set} where id = ${task._id}::uuid`.execute(db)

let sockets: { ws: { terminate(): void } }[] = []
afterEach(() => {
  for (const { ws } of sockets) ws.terminate()
  sockets = []
})
async function listen() {
  const socket = await openTestSocket(second.url, { token: owner.token })
  sockets.push(socket)
  expect(await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/LTT` })).toBe('subscribed')
  const isEvent = (message: ServerMessage) => message.type === 'event'
  return () => socket.messages.filter(isEvent) as { name: string; data: Record<string, unknown> }[]
}
const namesOf = (events: { name: string }[]) => events.map(({ name }) => name)

test('TASK-01 WS-02 DEC-25 every node publishes the start, the progress and the end of a task', async () => {
  const received = await listen()
  const task = await start('work', { takes: 900, steps: 90 })
  expect(task).toMatchObject({
    type: 'work',
    kind: 'info',
    title: 'Work',
    project: projectId,
    startedAt: null,
    fulfilledAt: null,
    createdBy: { _id: owner.personId, firstname: 'Olga' },
    state: {},
    revision: 1,
  })
  const done = await ended(task)
  expect(done).toMatchObject({ isRejected: false, isTimedOut: false, isAborted: false, error: null })
  expect(done.state).toEqual({ progress: [90, 90], info: 'worked' })
  expect(await logOf(task)).toEqual(Array.from({ length: 90 }, (_, index) => `did ${index + 1}`))

  await expect.poll(() => namesOf(received()).at(-1)).toBe('task:fulfilled')
  const events = received()
  expect(events[0]).toMatchObject({ name: 'task:created', data: { task: { _id: task._id, revision: 1 } } })
  expect(events.at(-1)?.data).toEqual({ task: done })
  const updates = events.slice(1, -1)
  expect(new Set(namesOf(updates))).toEqual(new Set(['task:state']))
  // Ninety reports in 0.9 s: reports between two writes are coalesced.
  expect(updates.length).toBeGreaterThan(2)
  expect(updates.length).toBeLessThan(30)
  const updated = updates.flatMap(({ data }) => data['tasks'] as TaskUpdate[])
  expect(updated[0]).toEqual({ _id: task._id, state: {}, revision: 2, startedAt: done.startedAt })
  const revisions = updated.map(({ revision }) => revision)
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
  expect(done.revision).toBe((revisions.at(-1) ?? 0) + 1)
})

test('a task shows the message of an AppError, and hides the message of a fault', async () => {
  const refused = await ended(await start('work', { takes: 1, refusal: 'The CSV has no column email' }))
  expect(refused).toMatchObject({ isRejected: true, error: 'The CSV has no column email' })
  const faulty = await ended(await start('work', { takes: 1, fault: 'password of the database: hunter2' }))
  expect(faulty).toMatchObject({ isRejected: true, error: null })
})

test('DEC-28 a message of the server is stored as a code with values beside its default text', async () => {
  const label = 'a\0\ud800'
  texts = ['plain', taskMessageOf('medium-exists', { label })]
  const task = await ended(await start('spoken'))
  const message = { code: 'medium-exists', values: { label: 'a\ufffd' } }
  expect(task.state).toEqual({ info: 'a\ufffd already exists', message })
  const lines = await owner.call(taskEndpoints.log, { params: { projectId, taskId: task._id } })
  expect(lines.body.items.map(({ line, message: of }) => [line, of])).toEqual([
    ['plain', undefined],
    ['a\ufffd already exists', message],
  ])
})

test('DEC-28 a report replaces the message together with the text, and another report keeps both', async () => {
  const task = await start('watched')
  await running(task)
  const { fence } = await row(task)
  const drive = { taskId: task._id, fence }
  const made = taskMessageOf('formats-made')
  const info = 'All formats are there'
  const reports = createReports({ events: server.app.events, log: createLog('silent') })
  const stateAfter = async (report: Report) => {
    reports.add(drive, report)
    await reports.stop()
    return (await read(task)).state
  }
  expect(await stateAfter({ info: made })).toEqual({ info, message: made })
  const progress = [1, 2] as const
  expect(await stateAfter({ progress })).toEqual({ progress, info, message: made })
  expect(await stateAfter({ info: 'plain' })).toEqual({ progress, info: 'plain' })
  await stateAfter({ info: made })
  await createTaskRepository(db).end(drive, { state: 'finished', info: 'plain' })
  expect((await read(task)).state).toEqual({ progress, info: 'plain' })
})

test('DEC-28 a refusal is stored as its own message, or with its sentence in each language', async () => {
  const sentence = { de: 'Ask Ada', 'de-DE': 'Fragen Sie Ada' }
  const own = taskMessageOf('list-too-long', { most: 9 })
  for (const [refusal, error, errorMessage] of [
    [new AppError('VALIDATION_FAILED', { taskMessage: own }), 'The file has more than 9 lines', own],
    [new AppError('FORBIDDEN', { message: sentence }), 'Ask Ada', { code: 'refusal', values: sentence }],
    [
      new AppError('TASK_RUNS'),
      'This task is still running',
      {
        code: 'refusal',
        values: { de: 'This task is still running', 'de-DE': 'Diese Aufgabe läuft noch' },
      },
    ],
  ] as const) {
    texts = [refusal]
    expect(await ended(await start('spoken'))).toMatchObject({ isRejected: true, error, errorMessage })
  }
})

test('TASK-11 the state of a task that made a file carries the file name', async () => {
  const file = { id: '018f0000-0000-7000-8000-000000000001', name: 'Messe.zip' }
  const { state } = await ended(await start('work', { takes: 1, file }))
  expect(state).toMatchObject({ fileName: 'Messe.zip' })
})

test('TASK-04 an abort on another node stops the run within a second', async () => {
  const task = await start('watched', undefined)
  await expect.poll(() => begun.some(({ taskId }) => taskId === task._id)).toBe(true)
  const run = begun.find(({ taskId }) => taskId === task._id)
  const stopped = new Promise<number>((resolve) => {
    run?.signal.addEventListener('abort', () => resolve(performance.now()))
  })
  const at = performance.now()
  const params = { projectId, taskId: task._id }
  const answer = await second.call(taskEndpoints.abort, { params, body: {} }, owner.token)
  expect(answer.body).toMatchObject({ isAborted: true, isRejected: false, fulfilledAt: expect.any(String) })
  expect((await stopped) - at).toBeLessThan(underLoad(1000))
  expect(await read(task)).toEqual(answer.body)
})

test('RULE-65 RULE-66 reports of a run without its lease are rejected, and the task restarts', async () => {
  const task = await start('deaf')
  await running(task)
  const { fence } = await row(task)
  // Simulates a frozen node whose task another node has claimed.
  await change(task, sql`fence = fence + 1, lease_until = now() + lease_for`)
  release()
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(await read(task)).toMatchObject({ fulfilledAt: null, state: {} })
  expect(await logOf(task)).toEqual([])

  await change(task, sql`lease_until = now()`)
  await expect.poll(async () => (await row(task)).fence).toBe(fence + 2)
  expect(await row(task)).toMatchObject({ losses: 1 })
  await expect
    .poll(async () => {
      release()
      return (await read(task)).state.info
    })
    .toBe('too late')
})
const row = ({ _id }: Task) =>
  db.selectFrom('task').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()

test('RULE-66 DEC-25 a lost task times out if it cannot restart or was lost three times', async () => {
  const once = await start('once', { takes: 20_000 })
  await running(once)
  await change(once, sql`fence = fence + 1, lease_until = now()`)
  expect(await ended(once)).toMatchObject({ isTimedOut: true, error: null })

  const often = await start('work', { takes: 20_000 })
  await running(often)
  await change(often, sql`fence = fence + 1, lease_until = now(), losses = 3`)
  expect(await ended(often)).toMatchObject({ isTimedOut: true })
})

test('DEC-25 a task ends at its deadline, whether queued or running', async () => {
  const task = await start('brief', { takes: 20_000 })
  const first = await start('narrow', { takes: 20_000 })
  const waiting = await start('narrow', { takes: 1 })
  await change(waiting, sql`deadline_at = now()`)
  expect(await ended(waiting)).toMatchObject({ isTimedOut: true, startedAt: null })
  await change(first, sql`deadline_at = now()`)
  expect(await ended(first)).toMatchObject({ isTimedOut: true })
  expect(await ended(task)).toMatchObject({ isTimedOut: true, startedAt: expect.any(String) })
})

test('a kind runs up to its concurrency, the oldest task first', async () => {
  const tasks = []
  for (let count = 0; count < 4; count += 1) tasks.push(await start('narrow', { takes: 150 }))
  const done = []
  for (const task of tasks) done.push(await ended(task))
  for (const [index, task] of done.entries())
    expect([index, (task.startedAt ?? '') >= (done[index - 1]?.fulfilledAt ?? '')]).toEqual([index, true])
})

test('a log keeps its last thousand lines, each cut to the limit and without NUL characters', async () => {
  const task = await start('watched')
  await running(task)
  const { fence } = await row(task)
  const reports = createReports({ events: server.app.events, log: createLog('silent') })
  const lines = Array.from({ length: limits.taskLogLines }, (_, index) => `line ${index}`)
  reports.add({ taskId: task._id, fence }, { lines })
  await reports.stop()
  const [short, full] = ['x'.repeat(limits.taskLineMax - 1), 'x'.repeat(limits.taskLineMax)]
  reports.add({ taskId: task._id, fence }, { lines: ['a\0b', `${full}x`, `${short}😀`] })
  await reports.stop()
  const kept = await logOf(task)
  expect(kept).toEqual([...lines.slice(3), 'ab', full, short])
})

test('a project has a limit of open tasks, and deleting it stops their runs', async () => {
  const rows = Array.from({ length: limits.openTasksMax - 1 }, () => ({
    id: crypto.randomUUID(),
    ...({ project_id: projectId, type: 'unknown', kind: 'info', title: 'Waits', state: 'queued' } as const),
    lease_for: '15 seconds',
    deadline_at: '2099-01-01',
  }))
  await db.insertInto('task').values(rows).execute()
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => start('watched')))
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? answer.reason : []))
  expect(made).toHaveLength(1)
  expect(refusals.map(({ code }) => code)).toEqual(Array(4).fill('TOO_MANY_TASKS'))

  const [task] = made
  await expect.poll(() => begun.some(({ taskId }) => taskId === task?._id)).toBe(true)
  await db.deleteFrom('project').where('id', '=', projectId).execute()
  const run = begun.find(({ taskId }) => taskId === task?._id)
  await expect.poll(() => run?.signal.aborted).toBe(true)
})

test('RULE-80 a run survives the loss of all database connections', async () => {
  const task = await start('work', { takes: 1500, steps: 10 })
  await running(task)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  const done = await ended(task)
  expect(done.state).toEqual({ progress: [10, 10], info: 'worked' })
  expect(await logOf(task)).toHaveLength(10)
})

test('RULE-80 a task whose database or file store fails is retried with a growing back-off', async () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  faults.push(new AppError('DATABASE_UNAVAILABLE'), reset, new AppError('BUSY'))
  const task = await start('shaky')
  for (const [retries, pause] of [
    [1, 2],
    [2, 4],
    [3, 8],
  ] as const) {
    await expect.poll(async () => (await row(task)).retries).toBe(retries)
    const { state, lease_until, losses } = await row(task)
    expect({ state, lease_until, losses }).toEqual({ state: 'queued', lease_until: null, losses: 0 })
    const { rows } = await sql<{ pause: number }>`
      select extract(epoch from retry_at - now())::float8 as pause from task where id = ${task._id}`.execute(
      db,
    )
    expect(rows[0]?.pause).toBeGreaterThan(pause - 2)
    expect(rows[0]?.pause).toBeLessThanOrEqual(pause)
    await change(task, sql`retry_at = now()`)
    await server.app.events.transaction((_trx, emit) => announceQueued(emit))
  }
  expect(await ended(task)).toMatchObject({ isRejected: false, state: { info: 'made it' } })
  const [attempt, notice] = ['attempt', expect.stringContaining('did not answer')]
  expect(await logOf(task)).toEqual([attempt, notice, attempt, notice, attempt, notice, attempt])
})

test('RULE-80 a postponed task ends at its deadline', async () => {
  faults.push(new AppError('DATABASE_UNAVAILABLE'))
  const task = await start('shaky')
  await expect.poll(async () => (await row(task)).retries).toBe(1)
  await change(task, sql`deadline_at = now()`)
  expect(await ended(task)).toMatchObject({ isTimedOut: true })
})

test('RULE-80 a task that cannot restart is rejected when the database fails', async () => {
  faults.push(new AppError('DATABASE_UNAVAILABLE'))
  expect(await ended(await start('shaky-once'))).toMatchObject({
    isRejected: true,
    error: expect.stringContaining('The database is not available'),
  })
})

test('a run that ignores its signal loses its slot, and its later writes are rejected', async () => {
  const task = await start('deaf')
  await running(task)
  const next = await start('deaf')
  await owner.call(taskEndpoints.abort, { params: { projectId, taskId: task._id }, body: {} })
  const endless = release
  // It occupies the only slot of its kind.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect((await read(next)).startedAt).toBeNull()
  await running(next)
  await expect.poll(() => release !== endless).toBe(true)
  endless()
  release()
  expect((await ended(next)).state).toMatchObject({ info: 'too late' })
  expect(await read(task)).toMatchObject({ isAborted: true, state: {} })
  expect(await logOf(task)).toEqual([])
})

test('RULE-66 a node that stops releases its tasks, and another node claims them immediately', async () => {
  const taskKinds = [
    { ...watched, type: 'moved' },
    { ...watched, type: 'kept', canRestart: false },
  ]
  const third = await testServer({ besides: server, taskKinds })
  const moved = await start('moved', undefined, third)
  const kept = await start('kept', undefined, third)
  await running(moved)
  await running(kept)
  const fourth = await testServer({ besides: server, taskKinds })
  expect(await row(moved)).toMatchObject({ fence: 1 })
  const stopped = third.stop()
  await expect.poll(async () => (await row(moved)).fence, { timeout: underLoad(1000) }).toBe(2)
  await stopped
  expect(await row(moved)).toMatchObject({ state: 'running', losses: 0 })
  expect(await read(kept)).toMatchObject({ isTimedOut: true })
  await fourth.stop()
})

test('the end of many tasks is read and published in one statement each', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    select gen_random_uuid(), ${projectId}::uuid, 'export', 'info', 'Export', 'finished', '1 s', now(), now()
    from generate_series(1, 3) returning id`.execute(db)
  const taskIds = rows.map(({ id }) => id)
  let reads = 0
  await server.app.events.transaction((trx, emit) => {
    const tasks = createTaskRepository(trx)
    const findAll: typeof tasks.findAll = (ids) => {
      reads += 1
      return tasks.findAll(ids)
    }
    return announceEnd({ ...tasks, findAll }, emit, taskIds)
  })
  expect(reads).toBe(1)
  // Rows of one INSERT have the same transaction id and command id.
  const { rows: published } = await sql`
    select count(*) as ends, count(distinct (xmin::text, cmin::text)) as inserts from event
    where name = 'task:fulfilled' and data -> 'task' ->> '_id' = any(${taskIds})`.execute(db)
  expect(published).toEqual([{ ends: 3, inserts: 1 }])
})
