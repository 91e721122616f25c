import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Task, taskDriverEndpoints, taskEndpoints, taskTokenEndpoints } from '@pult/contract'
import { extensionFolder, lateCommits, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Work, workKinds } from './testing/work-kinds.ts'

/* Tasks during an outage of the database. Calls of this server time out after 1.6 s. */

const products = [{ sku: 'forge', label: 'Forge', roles: [] }]
const folder = await extensionFolder({
  forge: { manifest: { id: 'forge', products, tasks: [{ kind: 'render', label: 'Render' }] } },
})
const server = await testServer({ extensionsFolder: folder, taskKinds: workKinds, hasCallLimits: true })
const { db, given } = server
const owner = await given.person()
const { projectId } = await given.project(owner, { products: ['forge'] })

const read = async (taskId: string): Promise<Task> => {
  const answer = await owner.call(taskEndpoints.read, { params: { projectId, taskId } })
  expect(answer).toSucceed()
  return answer.body
}

/** Starts a task that cannot restart. */
const startOnce = (payload: Work) =>
  server.app.events.transaction((trx, emit) =>
    server.app.tasks.start(trx, emit, {
      type: 'once',
      projectId,
      title: 'Once',
      payload,
      createdBy: owner.personId,
    }),
  )

const warnings = () => server.logLines.filter((line) => line.includes('leases could not be renewed')).length

/** Seconds until the lease of a task expires. */
async function leaseOf(taskId: string): Promise<number> {
  const row = await db
    .selectFrom('task')
    .select(sql<number>`extract(epoch from lease_until - now())::float8`.as('left'))
    .where('id', '=', taskId)
    .executeTakeFirst()
  return row?.left ?? 0
}

test('RULE-80 a task that cannot restart runs although the COMMIT of its claim answered too late', async () => {
  const end = await lateCommits(db, 'update on task', "new.state = 'running' and new.fence = 1")
  const task = await startOnce({ takes: 1 })
  await expect.poll(async () => (await read(task._id)).fulfilledAt).not.toBeNull()
  expect(await read(task._id)).toMatchObject({
    isTimedOut: false,
    isRejected: false,
    state: { info: 'worked' },
  })
  await end()
})

test('RULE-80 a service keeps its task while an outage of the database prevents its reports', async () => {
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
  const { task, fence } = created.body
  const before = warnings()
  await db.transaction().execute(async (trx) => {
    await sql`lock table task in access exclusive mode`.execute(trx)
    await expect.poll(warnings).toBeGreaterThan(before)
    // Expires the lease of the service.
    await sql`update task set lease_until = now() - interval '1 second' where id = ${task._id}::uuid`.execute(
      trx,
    )
  })
  await expect.poll(() => leaseOf(task._id)).toBeGreaterThan(30)
  const fulfilled = await server.call(
    taskDriverEndpoints.fulfil,
    { params: { projectId, taskId: task._id }, body: { fence, info: 'rendered' } },
    token,
  )
  expect(fulfilled).toSucceed()
})

test('RULE-80 a task of another node survives an outage of the database that is longer than its lease', async () => {
  const taskId = randomUUID()
  const before = warnings()
  await db.transaction().execute(async (trx) => {
    await sql`lock table task in access exclusive mode`.execute(trx)
    await expect.poll(warnings).toBeGreaterThan(before)
    // The other node renews its lease later than this node checks for lost tasks.
    await sql`
      insert into task (id, project_id, type, kind, title, state, fence, lease_for, lease_until, deadline_at)
      values (${taskId}::uuid, ${projectId}::uuid, 'elsewhere', 'info', 'Elsewhere', 'running', 1, '15 seconds',
        now() - interval '1 second', '2099-01-01')`.execute(trx)
  })
  await expect.poll(() => leaseOf(taskId)).toBeGreaterThan(0)
  expect(await read(taskId)).toMatchObject({ isTimedOut: false, fulfilledAt: null })
})

test('RULE-80 a task keeps its file if the COMMIT of its end is late and its state cannot be read', async () => {
  const file = await server.app.files.keep(
    {
      projectId,
      personId: owner.personId,
      readers: 'project',
      name: 'a.txt',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('a')]),
  )
  const end = await lateCommits(db, 'update on task', "new.state = 'finished'")
  const task = await startOnce({ takes: 1, file: { id: file.id, name: file.name } })
  const committing = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
    return rows.length
  }
  await expect.poll(committing).toBe(1)
  const before = warnings()
  await db.transaction().execute(async (trx) => {
    // Waits for the COMMIT.
    await sql`lock table task in access exclusive mode`.execute(trx)
    // Longer than the server waits for the state of the task.
    await expect.poll(warnings).toBeGreaterThan(before + 2)
  })
  await end()
  expect(await read(task._id)).toMatchObject({ isRejected: false, state: { fileName: 'a.txt' } })
  const { released_at } = await db
    .selectFrom('file')
    .select('released_at')
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow()
  expect(released_at).toBeNull()
})
