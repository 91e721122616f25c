import { homeEndpoints, projectTaskEndpoints, type Task, taskEndpoints } from '@pult/contract'
import { type GivenPerson, taskEnd, testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server
const { retry, list } = taskEndpoints

let owner: GivenPerson
let operator: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  operator = await given.person()
  const grants = [{ person: operator, productRole: 'project/maintainer' }]
  projectId = (await given.project(owner, { grants })).projectId
})

const paramsOf = ({ _id: taskId }: Task) => ({ projectId, taskId })
const auditOf = async (event: string) =>
  db.selectFrom('audit').selectAll().where('event', '=', event).where('project_id', '=', projectId).execute()

async function invite(...addresses: string[]): Promise<Task> {
  const lines = ['email,productRole', ...addresses.map((address) => `${address},project/viewer`), '']
  const content = Buffer.from(lines.join('\n'))
  const name = { name: 'people.csv', contentType: 'text/csv' }
  const file = await upload(server, owner, { ...name, content, project: projectId })
  const answer = await owner.call(projectTaskEndpoints.inviteAll, { params: { projectId }, body: { file } })
  return taskEnd(owner, answer.body)
}

/** Turns an ended task into a failed one. */
async function fail({ _id }: Task): Promise<void> {
  await sql`update task set state = 'rejected', revision = revision + 1 where id = ${_id}::uuid`.execute(db)
}

/** Adds a failed export by the given user. */
async function failedExport(by: GivenPerson, set: { until?: string; type?: string } = {}): Promise<Task> {
  const id = uuidv7()
  await sql`
    insert into task (id, project_id, type, kind, title, state, payload, created_by, lease_for, deadline_at, fulfilled_at, retry_until)
    values (${id}::uuid, ${projectId}::uuid, ${set.type ?? 'project-export'}, 'download-generation', 'Messe', 'timed-out',
      '{"without": ["audit"]}', ${by.personId}::uuid, interval '1 minute', now(), now(), now() + ${set.until ?? '1 hour'}::interval)`.execute(
    db,
  )
  return (await by.call(taskEndpoints.read, { params: { projectId, taskId: id } })).body
}

test('DEC-25 a retried list of invitations uses the same file and sends no second mail', async () => {
  const failed = await invite('ada@example.net', 'bea@example.net')
  expect(failed.canRetry).toBe(false)
  await fail(failed)
  const home = async () => (await owner.call(homeEndpoints.read, { params: { projectId } })).body
  expect((await home()).problems).toMatchObject([{ kind: 'taskFailed', mayRetry: true }])
  const mails = async () =>
    (await sql<{ count: number }>`select count(*) from mail`.execute(db)).rows[0]?.count ?? 0
  const before = await mails()

  const answer = await owner.call(retry, { params: paramsOf(failed) })
  expect(answer).toSucceed()
  expect(answer.body).toMatchObject({ type: 'invite-batch', title: 'people.csv', canRetry: false })
  const done = await taskEnd(owner, answer.body)
  expect(done.state.info).toBe('2 invited, 0 already members, 0 rejected')
  expect((await mails()) - before).toBe(0)
  // The retry of a retry uses the notes of the first one.
  await fail(done)
  const again = await taskEnd(owner, (await owner.call(retry, { params: paramsOf(done) })).body)
  expect(again.state.info).toBe('2 invited, 0 already members, 0 rejected')
  expect((await mails()) - before).toBe(0)

  expect(await home()).toMatchObject({ problems: [], tasks: { failedTotal: 0 } })
  const { items } = (await owner.call(list, { params: { projectId } })).body
  expect(items.map(({ _id, canRetry }) => [_id, canRetry])).toEqual(
    [again, done, failed].map(({ _id }) => [_id, false]),
  )
})

test('parallel retries on two nodes start one task, with one entry in the audit log', async () => {
  const failed = await failedExport(owner)
  expect(failed.canRetry).toBe(true)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? server : second).call(retry, { params: paramsOf(failed) }, owner.token),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  const ids = new Set(answers.map(({ body }) => body._id))
  expect(ids.size).toBe(1)
  const [id] = ids
  expect(await auditOf('task.retried')).toMatchObject([
    { actor_id: owner.personId, target: failed._id, detail: { task: id, type: 'project-export' } },
  ])
  expect(await auditOf('project.exported')).toMatchObject([{ detail: { task: id, without: ['audit'] } }])
  expect((await owner.call(list, { params: { projectId } })).body.total).toBe(2)
})

test('DEC-14 a retry needs the right to start the task, and belongs to the user who retries', async () => {
  const failed = await failedExport(operator)
  const [stranger, member] = [await given.person(), operator]
  expect(await stranger.call(retry, { params: paramsOf(failed) })).toFailWith('NOT_FOUND')
  expect(await member.call(retry, { params: paramsOf(failed) })).toFailWith('FORBIDDEN')
  const tired = owner
  await tired.forgetSignIn()
  expect(await tired.call(retry, { params: paramsOf(failed) })).toFailWith('RECENT_SIGN_IN_NEEDED')
  const root = await given.person({ isRoot: true })
  const { body } = await root.call(retry, { params: paramsOf(failed) })
  expect(body.createdBy?._id).toBe(root.personId)
})

test('RULE-15 retrying an import or a list of invitations needs a recent sign-in, as starting it does', async () => {
  const root = await given.person({ isRoot: true })
  const [imported, invited] = [
    await failedExport(operator, { type: 'project-import' }),
    await failedExport(operator, { type: 'invite-batch' }),
  ]
  for (const person of [root, owner]) {
    await person.forgetSignIn()
    for (const failed of [imported, invited])
      expect(await person.call(retry, { params: paramsOf(failed) })).toFailWith('RECENT_SIGN_IN_NEEDED')
  }
})

test('a task that has not failed, has lost its inputs or belongs to a service cannot be retried', async () => {
  const finished = await invite('ada@example.net')
  const old = await failedExport(owner, { until: '-1 second' })
  const foreign = await failedExport(owner, { type: 'forge/render' })
  expect(old.canRetry).toBe(false)
  for (const task of [finished, old, foreign])
    expect(await owner.call(retry, { params: paramsOf(task) })).toFailWith('TASK_CANNOT_RETRY')
  expect(await auditOf('task.retried')).toEqual([])
})
