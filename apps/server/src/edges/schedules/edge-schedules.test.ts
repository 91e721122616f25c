import {
  type BodyOf,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeScheduleEndpoints,
  limits,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { someReport } from '../testing/virtual-agent.ts'

const server = await testServer()
/** Another node of the same installation, which also checks for due schedules. */
await testServer({ besides: server })
const { given, db } = server

let owner: GivenPerson
let projectId: string
let groupId: string
beforeEach(async () => {
  owner = await given.person()
  await projectOf([])
})

type Grants = NonNullable<Parameters<typeof given.project>[1]>['grants']
async function projectOf(grants: Grants) {
  projectId = (await given.project(owner, { products: ['project', 'edges'], ...(grants && { grants }) }))
    .projectId
  const made = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'All', rule: {} },
  })
  groupId = made.body._id
}

/** Adds an edge that has been connected once and is now offline. */
const addEdge = () =>
  sql`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      values (gen_random_uuid(), ${projectId}::uuid, 'Hall', decode(md5(random()::text), 'hex'), now()) returning id
    )
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(),
      ${JSON.stringify(someReport({ commands: [] }))}::jsonb from made`.execute(db)

type Input = BodyOf<typeof edgeScheduleEndpoints.create>
const create = (changes: Partial<Input> = {}, by: GivenPerson = owner) =>
  by.call(edgeScheduleEndpoints.create, {
    params: { projectId },
    body: {
      label: 'Night',
      command: { name: 'diagnostics' },
      group: groupId,
      // A time that no test reaches by chance.
      cron: '0 3 1 1 *',
      timeZone: 'Europe/Berlin',
      ...changes,
    },
  })
async function created(changes: Partial<Input> = {}, by: GivenPerson = owner): Promise<string> {
  const answer = await create(changes, by)
  expect(answer).toSucceed()
  return answer.body._id
}
const read = async (itemId: string) =>
  (await owner.call(edgeScheduleEndpoints.read, { params: { projectId, itemId } })).body
const runs = async (itemId: string) =>
  (await owner.call(edgeScheduleEndpoints.runs, { params: { projectId, itemId } })).body.items
const jobs = async () =>
  (await owner.call(edgeJobEndpoints.list, { params: { projectId }, query: {} })).body.items
const makeDue = (itemId: string, ago = '1 second') =>
  sql`update edge_schedule set next_at = now() - ${ago}::interval where id = ${itemId}`.execute(db)
const ran = (itemId: string) => expect.poll(async () => (await runs(itemId)).length)
const missed = async (itemId: string) => (await runs(itemId)).map(({ missed: reason, job }) => [reason, job])

test('a due schedule starts one job for its group, which waits until the next time, and names it in the audit log', async () => {
  await addEdge()
  const itemId = await created({ atOnce: 3, stopPercent: 10, cron: '0 3 1 * *' })
  await makeDue(itemId)
  await ran(itemId).toBe(1)
  const [job] = await jobs()
  const after = await read(itemId)
  expect(job).toMatchObject({
    label: 'Night',
    group: 'All',
    total: 1,
    atOnce: 3,
    stopAfter: 1,
    createdBy: { _id: owner.personId },
  })
  expect(after.lastRun).toMatchObject({ job: job?._id, missed: null, count: 1 })
  const waits = Date.parse(after.nextAt ?? '') - Date.parse(job?.expiresAt ?? '')
  expect(Math.abs(waits)).toBeLessThan(2000)
  const { rows } = await sql<{ detail: unknown }>`
    select detail from audit where event = 'edge-job.started' and target = ${job?._id ?? ''}`.execute(db)
  expect(rows).toMatchObject([{ detail: { label: 'Night', schedule: itemId } }])
})

test('RULE-15 a schedule whose saving was proved starts on several edges, long after the sign-in', async () => {
  await addEdge()
  await addEdge()
  const itemId = await created()
  await owner.forgetSignIn()
  await makeDue(itemId)
  await ran(itemId).toBe(1)
  expect((await jobs()).map(({ total }) => total)).toEqual([2])
})

test('two nodes start one job for each due time', async () => {
  await addEdge()
  const ids: string[] = []
  for (let index = 0; index < 20; index += 1) ids.push(await created({ label: `Night ${index}` }))
  await sql`update edge_schedule set next_at = now() where id = any(${ids}::uuid[])`.execute(db)
  for (const itemId of ids) await ran(itemId).toBe(1)
  expect(await jobs()).toHaveLength(20)
})

test('runs that were due while no node was running are reported, and the last one begins if it is recent', async () => {
  await addEdge()
  const rare = await created({ label: 'Rare' })
  await makeDue(rare, '20 minutes')
  const often = await created({ label: 'Often', cron: '*/5 * * * *' })
  await makeDue(often, '1 hour')
  await ran(rare).toBe(1)
  expect(await missed(rare)).toEqual([['late', null]])
  await ran(often).toBe(2)
  const [begun, late] = await runs(often)
  expect(begun).toMatchObject({ missed: null, count: 1 })
  expect(late).toMatchObject({ missed: 'late', job: null })
  expect(late?.count).toBeGreaterThan(9)
  expect((await jobs()).map(({ label }) => label)).toEqual(['Often'])
  const { rows } = await sql<{ detail: unknown }>`
    select detail from audit where event = 'edge-schedule.missed' and target = ${rare}`.execute(db)
  expect(rows).toMatchObject([{ detail: { label: 'Rare', reason: 'late' } }])
})

test('a run that reaches no edge, has lost its group or exceeds the limit of jobs is reported as missed', async () => {
  const empty = await created()
  await makeDue(empty)
  await ran(empty).toBe(1)
  expect(await missed(empty)).toEqual([['reachesNone', null]])

  await addEdge()
  await sql`
    with made as (
      insert into edge_job (id, project_id, command, at_once, expires_at)
      select gen_random_uuid(), ${projectId}::uuid, '{"name":"diagnostics"}', 1, now() + interval '1 day'
      from generate_series(1, ${limits.openEdgeJobsMax}::int) returning id
    )
    insert into edge_job_line (id, job_id, edge_id, label)
    select gen_random_uuid(), made.id, e.id, 'Hall' from made, edge e where e.project_id = ${projectId}::uuid`.execute(
    db,
  )
  const full = await created({ label: 'Full' })
  await makeDue(full)
  await ran(full).toBe(1)
  expect(await missed(full)).toEqual([['tooMany', null]])

  await owner.call(edgeGroupEndpoints.remove, { params: { projectId, itemId: groupId } })
  expect(await read(empty)).toMatchObject({ group: null, groupLabel: null })
  await makeDue(empty)
  await ran(empty).toBe(2)
  expect((await missed(empty))[0]).toEqual(['groupGone', null])
})

test.each([
  [
    'has lost the permission',
    (personId: string) => db.deleteFrom('project_grant').where('person_id', '=', personId).execute(),
  ],
  [
    'was disabled',
    (personId: string) =>
      db.updateTable('person').set({ disabled_at: new Date() }).where('id', '=', personId).execute(),
  ],
])(
  'a schedule misses its runs after the account that saved it %s, until another account saves it',
  async (_name, lose) => {
    const helper = await given.person()
    await projectOf([{ person: helper, productRole: 'edges/operator' }])
    await addEdge()
    const itemId = await created({}, helper)
    await lose(helper.personId)
    await makeDue(itemId)
    await ran(itemId).toBe(1)
    expect(await missed(itemId)).toEqual([['noRight', null]])

    await owner.call(edgeScheduleEndpoints.update, {
      params: { projectId, itemId },
      body: { label: 'Taken over' },
    })
    await makeDue(itemId)
    await ran(itemId).toBe(2)
    expect(await jobs()).toMatchObject([{ label: 'Taken over', createdBy: { _id: owner.personId } }])
  },
)

test('a paused schedule has no next time, and continues without missed runs', async () => {
  await addEdge()
  const itemId = await created()
  const set = (isPaused: boolean) =>
    owner.call(edgeScheduleEndpoints.update, { params: { projectId, itemId }, body: { isPaused } })
  expect((await set(true)).body).toMatchObject({ isPaused: true, nextAt: null })
  const { body } = await set(false)
  expect(Date.parse(body.nextAt ?? '')).toBeGreaterThan(Date.now())
  expect(body.lastRun).toBeNull()
})

test('an invalid schedule is refused, and the preview names the next three times and the moved one', async () => {
  expect(await create({ cron: '* * * * *' })).toFailWith('EDGE_SCHEDULE_NOT_VALID')
  expect(await create({ timeZone: 'Mars/Base' })).toFailWith('EDGE_SCHEDULE_NOT_VALID')
  expect(await create({ group: projectId })).toFailWith('NOT_FOUND')
  const itemId = await created()
  const change = { params: { projectId, itemId }, body: { cron: 'soon' } }
  expect(await owner.call(edgeScheduleEndpoints.update, change)).toFailWith('EDGE_SCHEDULE_NOT_VALID')
  const query = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }
  const { body } = await owner.call(edgeScheduleEndpoints.times, { params: { projectId }, query })
  expect(body.times).toHaveLength(3)
  expect(body.moved).not.toBeNull()
  expect(
    await owner.call(edgeScheduleEndpoints.times, {
      params: { projectId },
      query: { ...query, cron: '* * * * *' },
    }),
  ).toFailWith('EDGE_SCHEDULE_NOT_VALID')
})

test('RULE-51 a schedule takes no group of another project and no unknown zone, neither at first nor by a change', async () => {
  const foreign = groupId
  await projectOf([])
  const itemId = await created()
  const before = await read(itemId)
  const change = (body: Partial<Input>) =>
    owner.call(edgeScheduleEndpoints.update, { params: { projectId, itemId }, body })
  expect(await create({ group: foreign })).toFailWith('NOT_FOUND')
  expect(await change({ group: foreign })).toFailWith('NOT_FOUND')
  const odd: Partial<Input>[] = [{ timeZone: 'Mars/Base' }, { cron: '* * * * *' }]
  for (const body of odd) {
    expect(await create(body)).toFailWith('EDGE_SCHEDULE_NOT_VALID')
    expect(await change(body)).toFailWith('EDGE_SCHEDULE_NOT_VALID')
  }
  expect(await read(itemId)).toEqual(before)
})
