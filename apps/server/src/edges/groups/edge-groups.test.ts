import {
  type EdgeRule,
  edgeEndpoints,
  edgeGroupEndpoints,
  homeEndpoints,
  limits,
  type QueryOf,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  ;({ projectId } = await given.project(owner, { products: ['project', 'edges'] }))
})

async function edge(label: string, tags: string[], place: string | null = null) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  server.watchSecret(made.body.code)
  const params = { projectId, edgeId: made.body.edge._id }
  expect(await owner.call(edgeEndpoints.update, { params, body: { tags, place } })).toSucceed()
  return params
}

async function group(rule: EdgeRule, label = 'Group') {
  const made = await owner.call(edgeGroupEndpoints.create, { params: { projectId }, body: { label, rule } })
  expect(made).toSucceed()
  return made.body
}
const members = async (groupId: string) =>
  (await owner.call(edgeEndpoints.list, { params: { projectId }, query: { group: groupId } })).body.items.map(
    ({ label }) => label,
  )

test('a group has the edges that match every part of its rule, including edges that are enrolled later', async () => {
  await edge('Crane 1', ['Crane', 'North'], 'Quay 1')
  await edge('Crane 2', ['Crane'], 'Quay 2')
  const gate = await edge('Gate', ['Gate'])
  const found = async (rule: EdgeRule) => members((await group(rule))._id)
  expect(await found({ allTags: ['Crane', 'North'] })).toEqual(['Crane 1'])
  expect(await found({ anyTags: ['North', 'Gate'] })).toEqual(['Crane 1', 'Gate'])
  expect(await found({ allTags: ['Crane'], places: ['Quay 2', 'Quay 3'] })).toEqual(['Crane 2'])
  expect(await found({ states: ['waiting'], anyTags: [] })).toEqual(['Crane 1', 'Crane 2', 'Gate'])
  expect(await found({ states: ['online'] })).toEqual([])
  expect(await found({ versions: ['2.4.0'] })).toEqual([])

  const cranes = await group({ allTags: ['Crane'] })
  expect(cranes).toMatchObject({ rule: { allTags: ['Crane'] }, count: 2, matches: 'some' })
  await edge('Crane 3', ['Crane'])
  expect(await owner.call(edgeEndpoints.update, { params: gate, body: { tags: ['Crane'] } })).toSucceed()
  expect(await members(cranes._id)).toEqual(['Crane 1', 'Crane 2', 'Crane 3', 'Gate'])
  const params = { projectId, itemId: cranes._id }
  expect((await owner.call(edgeGroupEndpoints.read, { params })).body).toMatchObject({
    count: 4,
    matches: 'everything',
  })
})

test('tags and places of earlier releases with hidden characters are filters, and parts of a rule that is changed', async () => {
  await edge('Crane 1', [], 'Quay 1')
  const crane = await edge('Crane 2', ['North'])
  await sql`update edge set tags = array['Crane\u200b', 'Yard\u202e', '\u200b'], place = 'Quay\u202e 2'
    where id = ${crane.edgeId}::uuid`.execute(db)
  const filtered = async (query: QueryOf<typeof edgeEndpoints.list>) =>
    (await owner.call(edgeEndpoints.list, { params: { projectId }, query })).body.items.map(
      ({ label }) => label,
    )
  for (const query of [
    { tags: 'Yard\u202e, Crane\u200b' },
    { anyTags: 'Quay,\u200b' },
    { place: 'Quay\u202e 2' },
    { place: ' Quay\u200b 1' },
  ])
    expect(await filtered(query)).toEqual([query.place?.endsWith('1') ? 'Crane 1' : 'Crane 2'])
  expect(await filtered({ tags: 'Yard\u202e,North' })).toEqual([])

  const rule = { allTags: ['Crane\u200b', 'Yard\u202e'], places: ['Quay\u202e 2', 'Quay\u200b 1'] }
  const old = await group(rule)
  expect(old).toMatchObject({ rule: { ...rule, places: ['Quay\u202e 2', 'Quay 1'] }, count: 1 })
  const params = { projectId, itemId: old._id }
  // The edge has lost the tags that the rule still has.
  expect(await owner.call(edgeEndpoints.update, { params: crane, body: { tags: ['\u200b'] } })).toSucceed()
  const kept = await owner.call(edgeGroupEndpoints.update, {
    params,
    body: { rule: { ...rule, allTags: ['Yard\u202e', 'Cran\u200be'] } },
  })
  expect(kept.body.rule.allTags).toEqual(['Yard\u202e', 'Crane'])
  const refused = await owner.call(edgeGroupEndpoints.update, {
    params,
    body: { rule: { allTags: ['Yard\u202e', 'Gate\u202e'] } },
    headers: { 'accept-language': 'de' },
  })
  expect(refused).toFailWith('VALIDATION_FAILED')
  expect(refused.body).toMatchObject({
    issues: [
      {
        path: ['rule', 'allTags', '1'],
        message: 'Darf keine Steuerzeichen und keine verborgenen Zeichen enthalten',
      },
    ],
  })
})

test('a group shows whether it matches no edge or all edges', async () => {
  expect(await group({})).toMatchObject({ rule: {}, count: 0, matches: 'nothing' })
  await edge('Gate', [])
  await group({ allTags: ['Crane'] }, 'B')
  await group({}, 'A')
  const { body } = await owner.call(edgeGroupEndpoints.list, { params: { projectId } })
  expect(body.items.map(({ label, count, matches }) => ({ label, count, matches }))).toEqual([
    { label: 'A', count: 1, matches: 'everything' },
    { label: 'B', count: 0, matches: 'nothing' },
    { label: 'Group', count: 1, matches: 'everything' },
  ])
})

test('the activity of a project names changes of its groups, for users who see its edges', async () => {
  const [viewer, writer] = [await given.person(), await given.person()]
  ;({ projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [
      { person: viewer, productRole: 'edges/viewer' },
      { person: writer, productRole: 'project/viewer' },
    ],
  }))
  await group({}, 'Cranes')
  const seen = async (who: GivenPerson) =>
    (await who.call(homeEndpoints.read, { params: { projectId } })).body.activity
      .filter(({ event }) => event.startsWith('edge-group.'))
      .map(({ event, target }) => [event, target?.label])
  expect(await seen(viewer)).toEqual([['edge-group.created', 'Cranes']])
  expect(await seen(writer)).toEqual([])
})

test('a group of another project, or a deleted one, has no edges', async () => {
  await edge('Crane 1', ['Crane'])
  const cranes = await group({})
  const other = await given.project(owner, { products: ['project', 'edges'] })
  const foreign = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId: other.projectId },
    body: { label: 'Foreign', rule: {} },
  })
  expect(await members(foreign.body._id)).toEqual([])
  const params = { projectId, itemId: foreign.body._id }
  expect(await owner.call(edgeGroupEndpoints.read, { params })).toFailWith('NOT_FOUND')
  const own = { projectId, itemId: cranes._id }
  expect(await owner.call(edgeGroupEndpoints.remove, { params: own })).toSucceed()
  expect(await members(cranes._id)).toEqual([])
})

test('changes of a group are audited, pages follow by label, and a project has at most 50 groups', async () => {
  const made = await group({ allTags: ['Crane'] }, 'Cranes')
  const params = { projectId, itemId: made._id }
  const body = { rule: { places: ['Quay 1', 'Quay 1'] } }
  const changed = await owner.call(edgeGroupEndpoints.update, {
    params,
    body,
    headers: { 'if-match': '"1"' },
  })
  expect(changed.body).toMatchObject({ label: 'Cranes', rule: { places: ['Quay 1'] }, revision: 2 })
  expect(
    await owner.call(edgeGroupEndpoints.update, { params, body, headers: { 'if-match': '"1"' } }),
  ).toFailWith('REVISION_CONFLICT')
  for (let index = 1; index < limits.edgeGroupsMax; index += 1) await group({}, `Group ${index}`)
  const refused = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'One more', rule: {} },
  })
  expect(refused).toFailWith('TOO_MANY_EDGE_GROUPS')
  const query = { limit: '1' }
  const first = (await owner.call(edgeGroupEndpoints.list, { params: { projectId }, query })).body
  expect(first).toMatchObject({ items: [{ label: 'Cranes' }], total: limits.edgeGroupsMax })
  const next = await owner.call(edgeGroupEndpoints.list, {
    params: { projectId },
    query: { ...query, after: first.next ?? '' },
  })
  expect(next.body.items).toMatchObject([{ label: 'Group 1' }])
  expect(await owner.call(edgeGroupEndpoints.remove, { params })).toSucceed()
  const rows = await db
    .selectFrom('audit')
    .select('event')
    .where('target', '=', made._id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ event }) => event)).toEqual([
    'edge-group.created',
    'edge-group.changed',
    'edge-group.removed',
  ])
})
