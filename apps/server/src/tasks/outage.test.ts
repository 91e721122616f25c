import { type Task, taskDriverEndpoints, taskEndpoints, taskTokenEndpoints } from '@pult/contract'
import { extensionFolder, lateCommits, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { workKinds } from './testing/work-kinds.ts'

/* What a task survives while the database does not answer. Calls of this server give up after 1.6 s. */

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

test('RULE-80 a task that cannot start again runs although the COMMIT of its claim answered too late', async () => {
  const end = await lateCommits(db, 'update on task', "new.state = 'running' and new.fence = 1")
  const task = await server.app.events.transaction((trx, emit) =>
    server.app.tasks.start(trx, emit, {
      type: 'once',
      projectId,
      title: 'Once',
      payload: { takes: 1 },
      createdBy: owner.personId,
    }),
  )
  await expect.poll(async () => (await read(task._id)).fulfilledAt).not.toBeNull()
  expect(await read(task._id)).toMatchObject({
    isTimedOut: false,
    isRejected: false,
    state: { info: 'worked' },
  })
  await end()
})

test('RULE-80 a service keeps its task while it cannot report because the database does not answer', async () => {
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
  const warnings = () => server.logLines.filter((line) => line.includes('leases could not be renewed')).length
  const before = warnings()
  await db.transaction().execute(async (trx) => {
    await sql`lock table task in access exclusive mode`.execute(trx)
    await expect.poll(warnings).toBeGreaterThan(before)
    // As long as the lease of a service lasts.
    await sql`update task set lease_until = now() - interval '1 second' where id = ${task._id}::uuid`.execute(
      trx,
    )
  })
  const lease = async () => {
    const row = await db
      .selectFrom('task')
      .select(sql<number>`extract(epoch from lease_until - now())::float8`.as('left'))
      .where('id', '=', task._id)
      .executeTakeFirst()
    return row?.left ?? 0
  }
  await expect.poll(lease).toBeGreaterThan(30)
  const fulfilled = await server.call(
    taskDriverEndpoints.fulfil,
    { params: { projectId, taskId: task._id }, body: { fence, info: 'rendered' } },
    token,
  )
  expect(fulfilled).toSucceed()
})
