import {
  auditEndpoints,
  limits,
  projectEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server

// Some entries here are older than the default retention, after which the server archives them.
await sql`update installation set retention = '{"audit": 36500}'`.execute(db)

const owner = await given.person({ firstname: 'Olga', lastname: 'Hall' })
const ada = await given.person({ firstname: 'Ada' })
const root = await given.person({ firstname: 'Ruth', isRoot: true })

let projectId: string
beforeEach(async () => {
  projectId = (await given.project(owner, { label: 'Messe 2026' })).projectId
})

interface GivenRow {
  event?: string
  result?: string
  actor?: GivenPerson | string
  target?: string
  project?: string
  address?: string
  at?: string | Date
}

/** Adds rows to the test's project and returns their ids in order. */
async function addRows(rows: readonly GivenRow[]): Promise<string[]> {
  const values = rows.map(
    ({ event = 'grant.added', result = 'success', actor, target, project, address, at }) => ({
      id: uuidv7(),
      event,
      result,
      actor_id: typeof actor === 'string' ? actor : (actor?.personId ?? null),
      target: target ?? null,
      project_id: project ?? projectId,
      address: address ?? null,
      detail: '{}',
      ...(at !== undefined && { at }),
    }),
  )
  await db.insertInto('audit').values(values).execute()
  return values.map(({ id }) => id)
}

const read = async (query: Record<string, string> = {}, params = { projectId }) => {
  const answer = await owner.call(auditEndpoints.ofProject, { params, query })
  expect(answer).toSucceed()
  return answer.body
}
const readAll = async (query: Record<string, string> = {}) => {
  const answer = await root.call(auditEndpoints.list, { query })
  expect(answer).toSucceed()
  return answer.body
}

test('RULE-78 a project’s owner reads the events of the project and root all events, newest first', async () => {
  await owner.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Messe 2027' } })
  const body = { user: ada.personId }
  const grant = (await root.call(rootGrantEndpoints.add, { params: { projectId }, body })).body
  const other = await given.project(owner)
  await owner.call(projectEndpoints.remove, { params: other })

  const page = await read()
  expect(page).toEqual({
    items: [
      {
        _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
        event: 'grant.added',
        result: 'success',
        actor: { _id: root.personId, name: 'Ruth Lovelace' },
        target: ada.personId,
        project: projectId,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        detail: { grant: grant._id, productRole: null },
      },
      expect.objectContaining({
        event: 'project.changed',
        actor: { _id: owner.personId, name: 'Olga Hall' },
        detail: { label: 'Messe 2027', from: { label: 'Messe 2026' } },
      }),
    ],
    total: 2,
  })
  // The other project was deleted, but its rows remain.
  const [newest, ...earlier] = (await readAll()).items
  expect(newest).toMatchObject({ event: 'project.removed', project: other.projectId })
  expect(earlier.slice(0, 2)).toEqual(page.items)
  expect((await readAll({ search: `project:${other.projectId}` })).total).toBe(1)
})

test('fleetdm/fleet#12634 root reads and finds the entries of a deleted account by its last name', async () => {
  const gone = await given.person({ firstname: 'Gerda', lastname: 'Gone' })
  await addRows([{ actor: gone }])
  expect(await root.call(rootPeopleEndpoints.remove, { params: { personId: gone.personId } })).toSucceed()
  const named = { _id: gone.personId, name: 'Gerda Gone', isDeleted: true }
  for (const search of ['event:grant.added gerda', 'event:grant.added actor:"gerda g"']) {
    const { items } = await readAll({ search })
    expect(items.map(({ actor }) => actor)).toEqual([named])
  }
  expect((await read()).items.map(({ actor }) => actor)).toContainEqual({ ...named, name: '' })
})

test('RULE-78 a row outlives its actor, and actions of the installation have no actor', async () => {
  const gone = uuidv7()
  await addRows([{ actor: gone }, {}])
  expect((await read()).items.map(({ actor }) => actor)).toEqual([
    null,
    { _id: gone, name: '', isDeleted: true },
  ])
})

test.each([
  ['event:grant', ['added', 'removed']],
  ['event:grant.added', ['added']],
  ['event:GRANT.rem', ['removed']],
  ['event:added', []],
  ['result:failure', ['refused']],
  ['result:F', ['refused']],
  ['result:s', ['added', 'removed', 'wild']],
  ['result:', ['added', 'removed', 'refused', 'wild']],
  ['result:ailure', []],
  ['actor:ada', ['added', 'refused']],
  ['actor:"olga h"', ['removed']],
  ['actor:lovelace', []],
  ['target:GRACE@', ['added']],
  ['target:example.org', []],
  ['address:10.0.0.', ['added', 'removed']],
  ['address:0.0', []],
  ['hall', ['removed']],
  ['EXAMPLE.org', ['added', 'wild']],
  ['0.0.7', ['added']],
  ['password', ['refused']],
  ['event:grant actor:ada', ['added']],
  ['grant 10.0.0 lovelace', ['added']],
  ['grant failure', []],
  ['', ['added', 'removed', 'refused', 'wild']],
  // Within a project, `project:` is plain text that matches no row.
  ['project:messe', []],
  ['unknown:ada', []],
])('RULE-57 the search %j returns the matching rows', async (search, expected) => {
  const names = ['added', 'removed', 'refused', 'wild']
  const ids = await addRows([
    { event: 'grant.added', actor: ada, target: 'Grace@example.org', address: '10.0.0.7' },
    { event: 'grant.removed', actor: owner, target: ada.personId, address: '10.0.0.8' },
    { event: 'login.password', result: 'failure', actor: ada, address: '2001:db8::1' },
    { event: 'email.added', target: '100%_\\@example.org' },
  ])
  const { items, total } = await read({ search })
  expect(items.map(({ _id }) => names[ids.indexOf(_id)]).toSorted()).toEqual(expected.toSorted())
  expect(total).toBe(expected.length)
})

test.each([
  ['%', ['100%_\\@example.org']],
  ['_', ['100%_\\@example.org']],
  ['\\', ['100%_\\@example.org']],
  ['target:%', []],
  ['target:100%', ['100%_\\@example.org']],
  ['target:100_', []],
  ['event:grant_added', []],
  ["' or true --", []],
  ['actor:%', []],
])('RULE-57 characters of patterns and SQL are literal: %j', async (search, expected) => {
  await addRows([
    { actor: ada, target: '100%_\\@example.org' },
    { actor: ada, target: '1000@example.org' },
  ])
  expect((await read({ search })).items.map(({ target }) => target)).toEqual(expected)
})

test('RULE-57 a search for words reads the newest 20,000 rows that match the rest and answers totalIsCapped', async () => {
  await addRows([{ event: 'login.password', target: 'quokka', at: '2020-01-01T00:00:00Z' }])
  await sql`
    insert into audit (id, at, event, result, project_id, detail)
    select gen_random_uuid(), '2020-02-01', 'grant.added', 'success', ${projectId}::uuid, '{}'
    from generate_series(1, 20000)`.execute(db)
  expect(await read({ search: 'quokka' })).toEqual({ items: [], total: 0, totalIsCapped: true })
  expect(await read({ search: 'grant', limit: '1' })).toMatchObject({ total: 10_000, totalIsCapped: true })
  for (const query of [
    { search: 'quokka', until: '2020-01-15T00:00:00Z' },
    { search: 'quokka event:login' },
    { search: 'target:quokka' },
  ]) {
    const found = await read(query)
    expect([query, found.total, found.totalIsCapped]).toEqual([query, 1, undefined])
  }
})

test('RULE-57 root finds rows of projects by the start of a label or by the id', async () => {
  const { projectId: hall } = await given.project(ada, { label: 'Hafen % Nord' })
  await addRows([{ target: 'a' }, { project: hall, target: 'b' }])
  const found = async (search: string) => (await readAll({ search })).items.map(({ target }) => target)
  expect(await found('project:"hafen %"')).toEqual(['b'])
  expect(await found('project:nord')).toEqual([])
  expect(await found(`project:${hall}`)).toEqual(['b'])
  expect(await found(`project:${hall.toUpperCase()} event:grant`)).toEqual(['b'])
})

test('RULE-57 a name finds the rows of all people with that name, even above the limit of resolved ids', async () => {
  await addRows([{ actor: ada }, { actor: owner }, {}])
  const first = crypto.randomUUID()
  const named = async (count: number): Promise<void> => {
    await sql`insert into person (id, firstname, lastname)
      select case n when 1 then ${first}::uuid else gen_random_uuid() end, 'Zoë', 'Zimmer'
      from generate_series(1, ${count}::int) n`.execute(db)
  }
  const found = async (search: string) => (await read({ search })).total
  expect(await found('actor:zoë')).toBe(0)
  await named(1)
  await addRows([{ actor: first }])
  expect([await found('actor:zoë'), await found('zimmer')]).toEqual([1, 1])
  await sql`delete from person where id = ${first}`.execute(db)
  expect([await found('actor:zoë'), await found('zimmer')]).toEqual([0, 0])
  await named(1001)
  expect([await found('actor:zoë'), await found('zimmer')]).toEqual([1, 1])
})

test('from and until limit the time, and from is inclusive', async () => {
  const ids = await addRows([
    { at: '2026-03-01T00:00:00Z' },
    { at: '2026-03-01T12:00:00Z' },
    { at: '2026-03-02T00:00:00Z' },
  ])
  const found = async (query: Record<string, string>) =>
    (await read(query)).items.map(({ _id }) => ids.indexOf(_id))
  expect(await found({ from: '2026-03-01T12:00:00Z' })).toEqual([2, 1])
  expect(await found({ until: '2026-03-02T00:00:00Z' })).toEqual([1, 0])
  expect(await found({ from: '2026-03-01T00:00:00.001Z', until: '2026-03-01T23:59:59Z' })).toEqual([1])
  expect(await found({ from: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).toEqual([2, 1, 0])
})

test('DEC-39 each row appears once, even for rows with equal times', async () => {
  const at = new Date()
  const ids = await addRows(Array.from({ length: 45 }, () => ({ at })))
  const first = await read({ limit: '20' })
  await addRows([{}])
  const second = await read({ limit: '20', after: first.next ?? '' })
  const third = await read({ limit: '20', after: second.next ?? '' })
  const pages = [first, second, third]
  expect(pages.flatMap(({ items }) => items.map(({ _id }) => _id))).toEqual(ids.toSorted().toReversed())
  expect(pages.map(({ total }) => total)).toEqual([45, 46, 46])
  expect(third).not.toHaveProperty('next')
})

test('DEC-39 the oldest rows come first on request, and pages of equal times have no gaps', async () => {
  const at = new Date()
  const ids = await addRows(Array.from({ length: 45 }, () => ({ at, target: 'same' })))
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await read({ sort: 'at', limit: '20', search: 'target:same', ...(after && { after }) })
    expect(page.total).toBe(45)
    seen.push(...page.items.map(({ _id }) => _id))
    after = page.next
  } while (after !== undefined)
  expect(seen).toEqual(ids.toSorted())
})

test('RULE-51 rows of other projects appear on no page, and a page after one of them is empty', async () => {
  const other = (await given.project(ada)).projectId
  const own = await addRows([{}, {}])
  const [foreign = ''] = await addRows([{ project: other }, { project: other }])
  await addRows([{}])
  expect((await read()).items.filter(({ project }) => project !== projectId)).toEqual([])
  expect((await read({ after: foreign })).items).toEqual([])
  expect((await read({ after: own[1] ?? '' })).items.map(({ _id }) => _id)).toEqual([own[0]])

  const { ofProject, exportOfProject } = auditEndpoints
  for (const id of [other, uuidv7(), 'x']) {
    const params = { projectId: id }
    expect(await owner.call(ofProject, { params })).toFailWith('NOT_FOUND')
    expect(await owner.call(exportOfProject, { params, query: { format: 'csv' } })).toFailWith('NOT_FOUND')
  }
})

test.each([
  { search: 'x'.repeat(limits.auditSearchMax + 1) },
  { search: '\0' },
  { from: 'yesterday' },
  { until: '2026-02-30T00:00:00Z' },
  { after: 'x' },
  { limit: '201' },
  { sort: 'event' },
])('RULE-54 RULE-57 the query %j is rejected', async (query: object) => {
  expect(await owner.call(auditEndpoints.ofProject, { params: { projectId }, query })).toFailWith(
    'VALIDATION_FAILED',
  )
})
