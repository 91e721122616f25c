import { type OverviewSort, overviewEndpoints, projectEndpoints, type QueryOf } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'
import { createProjectActivity } from '../audit/project-activity.ts'
import { createFleet } from '../edges/fleet.ts'
import { createReach } from '../edges/reach.ts'
import { createProductRegistry } from '../extensions/manifests/product-registry.ts'
import { createPendingInvitations } from '../invitations/pending-invitations.repository.ts'
import { createProjectOverview } from '../projects/project-overview.ts'
import { createFailedTasks } from '../tasks/failed-tasks.ts'
import { createOverviewService } from './overview.service.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
beforeEach(async () => {
  // A truncate would reach the append-only archive of the audit log.
  await db.deleteFrom('project').execute()
  await db.deleteFrom('organisation').execute()
  owner = await given.person({ firstname: 'Olga' })
})

const overviewOf = async (person: GivenPerson, query: QueryOf<typeof overviewEndpoints.read> = {}) =>
  (await person.call(overviewEndpoints.read, { query })).body

const edge = (projectId: string, label: string, offlineFor?: number) =>
  given.edge(projectId, { label, offlineFor })

const task = (projectId: string, title: string, state: 'rejected' | 'running') =>
  sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    values (${uuidv7()}, ${projectId}, 'project-export', 'info', ${title}, ${state}, interval '1 hour', now() + interval '1 hour',
      ${state === 'running' ? null : sql`now()`})`.execute(db)

const withEdges = ['project', 'edges']

test('the reach of a project counts the outages of seven days since the enrolment of each edge', async () => {
  const { projectId } = await given.project(owner, { label: 'Kai', products: withEdges })
  const hidden = await given.project(owner, { label: 'Without edges' })
  const [old, young] = [await edge(projectId, 'Old'), await edge(projectId, 'Young')]
  await sql`update edge set enrolled_at = now() - interval '30 days' where id = ${old}`.execute(db)
  await sql`update edge set enrolled_at = now() - interval '1 day' where id = ${young}`.execute(db)
  const outage = (id: string, fromHours: number, toHours: number | null) =>
    sql`
      insert into edge_outage (edge_id, begins, ends) values (${id}, now() - make_interval(hours => ${fromHours}),
        ${toHours === null ? null : sql`now() - make_interval(hours => ${toHours})`})`.execute(db)
  // The first outage is outside the week, the second before the enrolment. The others last 12 of 168 hours and 6 of
  // 24.
  await outage(old, 400, 300)
  await outage(young, 48, 24)
  await outage(old, 30, 18)
  await outage(young, 6, null)

  const { items } = await overviewOf(owner)
  const states = new Map(items.map((item) => [item._id, item]))
  expect(states.get(projectId)?.reach).toBeCloseTo(1 - 18 / 192, 3)
  expect(states.get(hidden.projectId)?.reach).toBeNull()
})

test('the worst project comes first, then projects in the order of their creation', async () => {
  const calm = await given.project(owner, { label: 'Calm', products: withEdges })
  const failing = await given.project(owner, { label: 'Failing' })
  const dark = await given.project(owner, { label: 'Dark', products: withEdges })
  const darker = await given.project(owner, { label: 'Darker', products: withEdges })
  const last = await given.project(owner, { label: 'Last' })
  await edge(calm.projectId, 'Fine')
  await edge(dark.projectId, 'Van', 5)
  await edge(dark.projectId, 'Truck', 4)
  const worst = await edge(darker.projectId, 'Crane', 50)
  await task(failing.projectId, 'Import', 'rejected')
  await task(last.projectId, 'Export', 'running')

  const overview = await overviewOf(owner)
  expect(overview.items.map(({ label }) => label)).toEqual(['Darker', 'Dark', 'Failing', 'Calm', 'Last'])
  expect(overview.items).toMatchObject([
    { problems: { count: 1, worst: 'danger', kind: 'edgeOffline' }, fleet: { total: 1, offline: 1 } },
    { problems: { count: 2, kind: 'edgeOffline' }, fleet: { total: 2, offline: 2 } },
    { problems: { count: 1, kind: 'taskFailed' }, fleet: null, tasks: { running: 0, failed: 1 } },
    { problems: { count: 0, worst: null, kind: null }, fleet: { total: 1, online: 1 }, access: 'owner' },
    { fleet: null, tasks: { running: 1, failed: 0 }, people: { total: 1 } },
  ])
  expect(overview.summary).toMatchObject({
    edges: { total: 4, online: 1, offline: 3 },
    problems: 4,
    tasks: { running: 1, failed: 1 },
  })
  expect(overview.summary?.attention.map(({ id, project }) => [id.split(':')[0], project.label])).toEqual([
    ['offline', 'Darker'],
    ['offline', 'Dark'],
    ['offline', 'Dark'],
    ['task', 'Failing'],
  ])
  expect(overview.summary?.attention[0]?.id).toBe(`offline:${worst}`)

  // The pages have the same order.
  const labels: string[] = []
  let after: string | undefined
  do {
    const page = await overviewOf(owner, { limit: '2', ...(after !== undefined && { after }) })
    expect(page.summary === null).toBe(after !== undefined)
    expect(page.total).toBe(5)
    labels.push(...page.items.map(({ label }) => label))
    after = page.next
  } while (after !== undefined)
  expect(labels).toEqual(['Darker', 'Dark', 'Failing', 'Calm', 'Last'])
  expect((await overviewOf(owner, { search: 'dark' })).items.map(({ label }) => label)).toEqual([
    'Darker',
    'Dark',
  ])
  expect(await owner.call(overviewEndpoints.read, { query: { after: 'x' } })).toFailWith('VALIDATION_FAILED')
})

test('attentionExcept omits the problems of a project from the worst ones, but not from the counts', async () => {
  const { orgId } = await given.organisation(owner)
  const dark = await given.project(owner, { label: 'Dark', org: { orgId }, products: withEdges })
  const failing = await given.project(owner, { label: 'Failing', org: { orgId } })
  for (let number = 0; number < 10; number += 1) await edge(dark.projectId, `Edge ${number}`, 60)
  await task(dark.projectId, 'Export', 'rejected')
  await task(failing.projectId, 'Import', 'rejected')
  await owner.call(projectEndpoints.invite, {
    params: { projectId: dark.projectId },
    body: { email: 'nora@example.org', productRole: 'project/viewer' },
  })
  await sql`update token_link set expires_at = now() + interval '2 hours' where target = ${`project:${dark.projectId}`}`.execute(
    db,
  )

  const shown = ({ summary }: Awaited<ReturnType<typeof overviewOf>>) => [
    summary?.problems,
    ...new Set(summary?.attention.map(({ kind, project }) => `${project.label}: ${kind}`)),
  ]
  expect(shown(await overviewOf(owner))).toEqual([13, 'Dark: edgeOffline'])
  const query = { attentionExcept: dark.projectId }
  expect(shown(await overviewOf(owner, query))).toEqual([13, 'Failing: taskFailed'])
  const ofOrg = await owner.call(overviewEndpoints.ofOrganisation, { params: { orgId }, query })
  expect(shown(ofOrg.body)).toEqual([13, 'Failing: taskFailed'])
  const other = { attentionExcept: failing.projectId }
  expect(shown(await overviewOf(owner, other))).toEqual([13, 'Dark: edgeOffline'])
})

test('DEC-14 nothing that the caller may not see is listed, counted or sorted by', async () => {
  const [viewer, holder, orgOwner, member, stranger] = await Promise.all([
    given.person(),
    given.person(),
    given.person(),
    given.person(),
    given.person(),
  ])
  const root = await given.person({ isRoot: true })
  const { orgId } = await given.organisation(orgOwner, { members: [owner, member] })
  await given.project(viewer, { label: 'Own' })
  const { projectId } = await given.project(owner, {
    label: 'Messe',
    org: { orgId },
    products: withEdges,
    grants: [
      { person: viewer, productRole: 'project/viewer' },
      { person: holder, productRole: 'edges/operator' },
    ],
  })
  await given.project(owner, { label: 'Private', products: withEdges })
  const gate = await edge(projectId, 'Gate', 5)
  await sql`update edge set enrolled_at = now() - interval '1 day' where id = ${gate}`.execute(db)
  await db
    .insertInto('audit')
    .values({
      id: uuidv7(),
      event: 'edge.restarted',
      result: 'success',
      actor_id: holder.personId,
      target: uuidv7(),
      project_id: projectId,
      detail: JSON.stringify({ label: 'Gate' }),
    })
    .execute()

  const seen = async (person: GivenPerson) => {
    const { items, total, summary } = await overviewOf(person)
    return {
      total,
      rows: items.map(({ label, problems, fleet, reach, people }) => [
        label,
        problems.count,
        fleet?.total ?? null,
        reach,
        people?.total ?? null,
      ]),
      edges: summary?.edges?.total ?? null,
      problems: summary?.problems,
      activity: summary?.activity.length,
    }
  }
  const all = { edges: 1, problems: 1, activity: 1 }
  expect(await seen(owner)).toEqual({
    ...all,
    total: 2,
    rows: [
      ['Messe', 1, 1, 1, 3],
      ['Private', 0, 0, null, 1],
    ],
  })
  expect(await seen(root)).toMatchObject({ ...all, total: 3 })
  expect(await seen(holder)).toEqual({ ...all, total: 1, rows: [['Messe', 1, 1, 1, null]] })
  const nothing = { edges: null, problems: 0, activity: 0 }
  expect(await seen(viewer)).toEqual({
    ...nothing,
    total: 2,
    rows: [
      ['Own', 0, null, null, 1],
      ['Messe', 0, null, null, null],
    ],
  })
  expect(JSON.stringify(await overviewOf(viewer))).not.toContain('Gate')
  expect(await seen(orgOwner)).toEqual({ ...nothing, total: 1, rows: [['Messe', 0, null, null, 3]] })
  for (const person of [member, stranger])
    expect(await seen(person)).toEqual({ ...nothing, total: 0, rows: [] })

  const ofOrg = async (person: GivenPerson) =>
    person.call(overviewEndpoints.ofOrganisation, { params: { orgId } })
  for (const person of [owner, root, orgOwner])
    expect((await ofOrg(person)).body.items.map(({ label }) => label)).toEqual(['Messe'])
  expect((await ofOrg(owner)).body).toMatchObject({ total: 1, summary: { edges: { total: 1 }, problems: 1 } })
  expect((await ofOrg(member)).body).toMatchObject({ total: 0, items: [], summary: { edges: null } })
  for (const person of [viewer, holder, stranger]) expect(await ofOrg(person)).toFailWith('NOT_FOUND')
})

test('the number of statements does not depend on the number of projects and edges', async () => {
  let count = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const invitations = createPendingInvitations(counted)
  const products = createProductRegistry()
  const overview = createOverviewService({
    projects: { overview: createProjectOverview(counted) },
    edges: { fleet: createFleet(counted), reach: createReach(counted) },
    tasks: { failed: createFailedTasks(counted) },
    audit: { activity: createProjectActivity(counted) },
    invitations,
    products,
  })
  const caller = { personId: owner.personId, isRoot: false, scope: [] }
  const statements = async () => {
    count = 0
    await overview(caller, { query: { limit: '200' }, extent: {}, language: 'de' })
    return count
  }
  const add = async (label: string) => {
    const { projectId } = await given.project(owner, { label, products: withEdges })
    await edge(projectId, 'Van', 5)
    await task(projectId, 'Import', 'rejected')
  }
  await add('First')
  const few = await statements()
  for (let number = 0; number < 20; number += 1) await add(`Project ${number}`)
  expect(await statements()).toBe(few)
  expect(few).toBeLessThanOrEqual(14)
})

test('the overview sorts by name or by the newest activity that the caller may see, page by page', async () => {
  const viewer = await given.person()
  const entry = (projectId: string, minutesAgo: number, event = 'project.changed') =>
    sql`
      insert into audit (id, at, event, result, actor_id, target, project_id)
      values (${uuidv7()}, now() - make_interval(mins => ${minutesAgo}), ${event}, 'success', ${owner.personId}, ${projectId}, ${projectId})`.execute(
      db,
    )
  const add = async (label: string, minutesAgo: number) => {
    const grants = [{ person: viewer, productRole: 'project/viewer' }]
    const { projectId } = await given.project(owner, { label, products: withEdges, grants })
    await entry(projectId, minutesAgo)
    return projectId
  }
  const [beta] = [await add('Beta', 3000), await add('alpha', 4000), await add('Gamma', 2000)]
  await edge(await add('Delta', 5000), 'Crane', 5)
  // An entry of the edges, which the viewer may not see.
  await entry(beta, 1, 'edge.restarted')

  async function labels(person: GivenPerson, sort?: OverviewSort, search?: string) {
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await overviewOf(person, {
        limit: '1',
        ...(sort !== undefined && { sort }),
        ...(search !== undefined && { search }),
        ...(after !== undefined && { after }),
      })
      found.push(...page.items.map(({ label }) => label))
      after = page.next
    } while (after !== undefined)
    return found
  }
  expect(await labels(owner)).toEqual(['Delta', 'Beta', 'alpha', 'Gamma'])
  expect(await labels(owner, 'worst')).toEqual(['Delta', 'Beta', 'alpha', 'Gamma'])
  expect(await labels(owner, 'name')).toEqual(['alpha', 'Beta', 'Delta', 'Gamma'])
  expect(await labels(owner, 'name', 'ta')).toEqual(['Beta', 'Delta'])
  expect(await labels(owner, 'recent')).toEqual(['Beta', 'Gamma', 'alpha', 'Delta'])
  expect(await labels(viewer, 'recent')).toEqual(['Gamma', 'Beta', 'alpha', 'Delta'])

  for (const [sort, after] of [
    ['name', 'x'],
    ['recent', `${beta} yesterday`],
    ['recent', `${beta} +275760-09-13T00:00:00.000Z`],
    ['recent', `${beta} 0000-01-01`],
    ['worst', `${beta} x`],
  ] as const)
    expect(await owner.call(overviewEndpoints.read, { query: { sort, after } })).toFailWith(
      'VALIDATION_FAILED',
    )
})
