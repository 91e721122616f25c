import {
  projectEndpoints,
  projectTaskEndpoints,
  settingsEndpoints,
  type Task,
  taskEndpoints,
} from '@pult/contract'
import { type GivenPerson, taskEnd, testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server
const { inviteAll } = projectTaskEndpoints

let owner: GivenPerson
let operator: GivenPerson
let projectId: string
beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
  owner = await given.person()
  operator = await given.person()
  const made = await given.project(owner, {
    grants: [{ person: operator, productRole: 'project/maintainer' }],
  })
  projectId = made.projectId
})

const csv = (...lines: string[]) => ['email,productRole', ...lines, ''].join('\n')

async function start(text: string, by = owner): Promise<Task> {
  const file = await upload(server, by, {
    name: 'people.csv',
    contentType: 'text/csv',
    content: Buffer.from(text),
    project: projectId,
  })
  const answer = await by.call(inviteAll, { params: { projectId }, body: { file } })
  expect(answer).toSucceed()
  return answer.body
}
const invite = async (text: string, by = owner) => taskEnd(by, await start(text, by))

const logOf = async ({ _id }: Task) =>
  (await owner.call(taskEndpoints.log, { params: { projectId, taskId: _id } })).body.items.map(
    ({ line }) => line,
  )

const pending = async () =>
  (await owner.call(projectEndpoints.invitations, { params: { projectId } })).body.items
    .map(({ email, productRole }) => `${email} ${productRole ?? ''}`)
    .toSorted()

test('DEC-27 each line of a CSV is invited or refused with a reason, and the report counts both', async () => {
  const task = await invite(
    csv(
      'Ada@example.net,project/viewer',
      `${operator.email},project/maintainer`,
      'not an address,project/viewer',
      'bea@example.net,project/nothing',
      'cem@example.net,',
      '"dan@example.net",project/operator',
      'ada@EXAMPLE.net,project/operator',
    ),
  )
  expect(task).toMatchObject({
    type: 'invite-batch',
    kind: 'info',
    title: 'people.csv',
    isRejected: false,
    state: { progress: [7, 7], info: '3 invited, 1 already a member, 3 rejected' },
  })
  expect(await logOf(task)).toEqual([
    'Line 2: Ada@example.net: invited as project/viewer',
    `Line 3: ${operator.email}: This person is already a member`,
    'Line 4: not an address: This is not a valid e-mail address',
    'Line 5: bea@example.net: This project has no role “project/nothing”',
    'Line 6: cem@example.net: This project has no role “”',
    'Line 7: dan@example.net: invited as project/operator',
    'Line 8: ada@EXAMPLE.net: already invited',
  ])
  expect(await pending()).toEqual(['Ada@example.net project/viewer', 'dan@example.net project/operator'])
  const { rows } = await sql<{ count: number }>`select count(*) from mail`.execute(db)
  expect(rows[0]?.count).toBeGreaterThanOrEqual(2)
})

test('DEC-27 DEC-28 log, report and refusal are codes with values also for a user with another language', async () => {
  expect(await owner.call(settingsEndpoints.update, { body: { language: 'de-DE' } })).toSucceed()
  const task = await invite(
    csv(
      'ada@example.net,project/viewer',
      `${operator.email},project/maintainer`,
      'bea@example.net,no',
      'cem,project/viewer',
    ),
  )
  expect(task.state).toMatchObject({
    info: '1 invited, 1 already a member, 2 rejected',
    message: { code: 'people-invited', values: { invited: 1, present: 1, refused: 2 } },
  })
  const log = await owner.call(taskEndpoints.log, { params: { projectId, taskId: task._id } })
  const code = 'list-line'
  const noAddress = {
    de: 'This is not a valid e-mail address',
    'de-DE': 'Das ist keine gültige E-Mail-Adresse',
  }
  expect(log.body.items.map(({ message }) => message)).toEqual([
    {
      code,
      values: { line: 2, email: 'ada@example.net', reason: 'invited-as', role: 'project/viewer' },
    },
    {
      code,
      values: {
        line: 3,
        email: operator.email,
        reason: 'refusal',
        de: 'This person is already a member',
        'de-DE': 'Diese Person gehört schon dazu',
      },
    },
    { code, values: { line: 4, email: 'bea@example.net', reason: 'role-not-in-project', role: 'no' } },
    { code, values: { line: 5, email: 'cem', reason: 'refusal', ...noAddress } },
  ])
  const { isRejected, error, errorMessage } = await invite('email\n')
  expect({ isRejected, error, errorMessage }).toEqual({
    isRejected: true,
    error: 'The first line must name the columns email and productRole once each',
    errorMessage: { code: 'list-columns', values: {} },
  })
})

test('DEC-25 a batch that restarts after a node failure sends no second mail', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `p${index}@example.net,project/viewer`)
  const mails = async () =>
    (await sql<{ count: number }>`select count(*) from mail`.execute(db)).rows[0]?.count ?? 0
  const before = await mails()
  const task = await start(csv(...lines))
  const invited = async () => (await pending()).length
  await expect.poll(invited).toBeGreaterThan(5)
  // Simulates a dead node: another node claims the task.
  await sql`update task set lease_until = now() - interval '1 minute', fence = fence + 1 where id = ${task._id}`.execute(
    db,
  )
  const end = await taskEnd(owner, task)
  const { losses } = await db
    .selectFrom('task')
    .select('losses')
    .where('id', '=', task._id)
    .executeTakeFirstOrThrow()
  expect(losses).toBe(1)
  expect(end.state.info).toBe('400 invited, 0 already members, 0 rejected')
  expect(await invited()).toBe(400)
  expect((await mails()) - before).toBe(400)
})

test('DEC-14 RULE-52 only the owner and root can invite, and a batch stops inviting when its user loses the project', async () => {
  const text = csv('ada@example.net,project/viewer')
  const file = await upload(server, operator, {
    name: 'people.csv',
    contentType: 'text/csv',
    content: Buffer.from(text),
    project: projectId,
  })
  expect(await operator.call(inviteAll, { params: { projectId }, body: { file } })).toFailWith('FORBIDDEN')
  const stranger = await given.person()
  expect(await stranger.call(inviteAll, { params: { projectId }, body: { file } })).toFailWith('NOT_FOUND')

  const task = await start(
    csv(...Array.from({ length: 2000 }, (_, index) => `q${index}@example.net,project/viewer`)),
  )
  await db.updateTable('project').set({ owner_id: stranger.personId }).where('id', '=', projectId).execute()
  const end = await taskEnd(stranger, task)
  expect(end).toMatchObject({ isRejected: true })
  const { rows } = await sql<{
    count: number
  }>`select count(*) from batch_invitation where task_id = ${task._id}`.execute(db)
  expect(rows[0]?.count).toBeLessThan(2000)
})

test('DEC-27 a file that is not a list of people is refused with a message', async () => {
  const task = await invite('name;role\nAda;viewer\n')
  expect(task).toMatchObject({
    isRejected: true,
    error: 'The first line must name the columns email and productRole once each',
  })
  // The uploaded file expires.
  const files = await db
    .selectFrom('file')
    .select('id')
    .where('project_id', '=', projectId)
    .where('expires_at', 'is', null)
    .execute()
  expect(files).toEqual([])
})

test('RULE-78 a batch counts against its own limit, and its invitations are audited as usual', async () => {
  const lines = Array.from({ length: 55 }, (_, index) => `r${index}@example.net,project/viewer`)
  // More than one user may invite by hand in an hour.
  const task = await invite(csv(...lines))
  expect(task.state.info).toBe('55 invited, 0 already members, 0 rejected')
  const rows = await db
    .selectFrom('audit')
    .select('actor_id')
    .where('project_id', '=', projectId)
    .where('event', '=', 'invitation.created')
    .execute()
  expect(rows.map(({ actor_id }) => actor_id)).toEqual(Array(55).fill(owner.personId))
  const one = await owner.call(projectEndpoints.invite, {
    params: { projectId },
    body: { email: 'one@example.net', productRole: 'project/viewer' },
  })
  expect(one).toSucceed()
})
