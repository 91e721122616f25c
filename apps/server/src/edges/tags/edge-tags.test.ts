import { edgeEndpoints, edgeTagEndpoints, limits, type QueryOf } from '@pult/contract'
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

async function edge(label: string, body: { tags?: string[]; place?: string } = {}) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  expect(made).toSucceed()
  server.watchSecret(made.body.code)
  const params = { projectId, edgeId: made.body.edge._id }
  expect(await owner.call(edgeEndpoints.update, { params, body })).toSucceed()
  return params
}

/** Adds an edge whose agent has reported this version. */
async function withVersion(label: string, version: string, tags: string[] = []) {
  const params = await edge(label, { tags })
  await sql`update edge set token_hash = sha256(convert_to(id::text, 'utf8')), code_hash = null where id = ${params.edgeId}`.execute(
    db,
  )
  await sql`insert into edge_presence (edge_id, connection, run, version, is_online, seen_at)
    values (${params.edgeId}, gen_random_uuid(), gen_random_uuid(), ${version}, true, now())`.execute(db)
  return params
}

type Query = QueryOf<typeof edgeEndpoints.list>
const list = async (query: Query) =>
  (await owner.call(edgeEndpoints.list, { params: { projectId }, query })).body
const labels = async (query: Query) => (await list(query)).items.map(({ label }) => label)
const read = async (params: { projectId: string; edgeId: string }) =>
  (await owner.call(edgeEndpoints.read, { params })).body
const change = (body: { edges: string[]; add?: string[]; remove?: string[] }) =>
  owner.call(edgeTagEndpoints.change, { params: { projectId }, body })

test('tags and place are trimmed, stored once and limited, and their change is audited', async () => {
  const params = await edge('Crane 4')
  expect(await read(params)).toMatchObject({ tags: [], place: null })
  const body = { tags: [' Crane ', 'Quay', 'Crane'], place: '  Quay 3 east ' }
  const saved = await owner.call(edgeEndpoints.update, { params, body })
  expect(saved.body).toMatchObject({ tags: ['Crane', 'Quay'], place: 'Quay 3 east', revision: 2 })
  const again = await owner.call(edgeEndpoints.update, { params, body })
  expect(again.body.revision).toBe(2)
  expect((await owner.call(edgeEndpoints.update, { params, body: { place: null } })).body.place).toBeNull()

  const many = Array.from({ length: limits.edgeTagsMax + 1 }, (_, index) => `Tag ${index}`)
  for (const tags of [many, ['a,b'], ['x'.repeat(limits.edgeTagMax + 1)], ['a\nb'], ['  ']])
    expect(await owner.call(edgeEndpoints.update, { params, body: { tags } })).toFailWith('VALIDATION_FAILED')
  expect((await read(params)).tags).toEqual(['Crane', 'Quay'])

  const rows = await db
    .selectFrom('audit')
    .select('detail')
    .where('target', '=', params.edgeId)
    .where('event', '=', 'edge.changed')
    .orderBy('id')
    .execute()
  expect(rows.map(({ detail }) => detail)).toEqual([
    { label: 'Crane 4', changed: { tags: ['Crane', 'Quay'], place: 'Quay 3 east' } },
    { label: 'Crane 4', changed: { place: null } },
  ])
})

test('the list filters by tags, place, version and state on the server and counts the states of the found edges', async () => {
  await edge('Crane 1', { tags: ['Crane', 'North'], place: 'Quay 1' })
  await edge('Crane 2', { tags: ['Crane'], place: 'Quay 2' })
  await withVersion('Gate', '2.4.0', ['Crane', 'Gate'])
  await withVersion('Wall', '2.3.2')
  expect(await labels({ tags: 'Crane' })).toEqual(['Crane 1', 'Crane 2', 'Gate'])
  expect(await labels({ tags: 'North, Crane,' })).toEqual(['Crane 1'])
  expect(await labels({ anyTags: 'North, Gate' })).toEqual(['Crane 1', 'Gate'])
  expect(await labels({ anyTags: 'North,Gate', tags: 'Gate' })).toEqual(['Gate'])
  // A filter is exact; the search matches prefixes.
  expect(await labels({ tags: 'Cran' })).toEqual([])
  expect(await labels({ search: 'tag:cran' })).toEqual(['Crane 1', 'Crane 2', 'Gate'])
  expect(await labels({ place: 'Quay 2' })).toEqual(['Crane 2'])
  expect(await labels({ search: 'place:quay', sort: '-place' })).toEqual(['Crane 2', 'Crane 1'])
  expect(await labels({ search: '"quay 1"' })).toEqual(['Crane 1'])
  expect(await labels({ version: '2.4.0' })).toEqual(['Gate'])
  const found = await list({ tags: 'Crane', state: 'waiting' })
  expect(found.items.map(({ label }) => label)).toEqual(['Crane 1', 'Crane 2'])
  expect(found).toMatchObject({ total: 2, counts: { total: 3, waiting: 2, online: 1 } })
  const { next = '' } = await list({ tags: 'Crane', limit: '2' })
  expect(await labels({ tags: 'Crane', limit: '2', after: next })).toEqual(['Gate'])
})

test('the facets name the tags, places and versions of a project with their edges, most used first', async () => {
  await edge('Crane 1', { tags: ['Crane', 'North'], place: 'Quay 1' })
  await edge('Crane 2', { tags: ['Crane'], place: 'Quay 1' })
  await withVersion('Gate', '2.4.0')
  const other = await given.project(owner, { products: ['project', 'edges'] })
  const foreign = await owner.call(edgeTagEndpoints.facets, { params: { projectId: other.projectId } })
  expect(foreign.body).toEqual({ tags: [], places: [], versions: [] })
  expect((await owner.call(edgeTagEndpoints.facets, { params: { projectId } })).body).toEqual({
    tags: [
      { value: 'Crane', count: 2 },
      { value: 'North', count: 1 },
    ],
    places: [{ value: 'Quay 1', count: 2 }],
    versions: [{ value: '2.4.0', count: 1 }],
  })
})

test('a tag of an earlier release with a hidden character can be removed', async () => {
  const made = await edge('Crane 1')
  await sql`update edge set tags = array['Hall\u200b', 'Quay\u202e'] where id = ${made.edgeId}`.execute(db)
  const removed = await change({ edges: [made.edgeId], remove: ['Hall\u200b', 'Quay\u202e'] })
  expect(removed.body).toEqual({ changed: 1 })
  expect((await read(made)).tags).toEqual([])
})

test('the tags of an edge are replaced, and keep the hidden characters of an earlier release', async () => {
  const made = await edge('Crane 1')
  await sql`update edge set tags = array['Hall\u200b', 'Quay\u202e'] where id = ${made.edgeId}`.execute(db)
  const replaced = (tags: string[]) => owner.call(edgeEndpoints.update, { params: made, body: { tags } })
  expect((await replaced(['Quay\u202e', 'Ha\u200bll', 'Hall'])).body.tags).toEqual(['Quay\u202e', 'Hall'])
  const refused = await replaced(['Quay\u202e', 'Hall', 'Gate\u202e'])
  expect(refused).toFailWith('VALIDATION_FAILED')
  expect(refused.body).toMatchObject({ issues: [{ path: ['tags', '2'] }] })
  expect((await replaced([])).body.tags).toEqual([])
})

test('tags of several edges change together, with an audit entry and an event for each changed one', async () => {
  const first = await edge('Crane 1', { tags: ['Old', 'Crane'] })
  const second = await edge('Crane 2')
  const third = await edge('Crane 3', { tags: ['New'] })
  const edges = [first, second, third, first].map(({ edgeId }) => edgeId)
  const made = await change({ edges, add: ['New', 'New'], remove: ['Old'] })
  expect(made.body).toEqual({ changed: 2 })
  expect((await read(first)).tags).toEqual(['Crane', 'New'])
  expect((await read(second)).tags).toEqual(['New'])
  expect(await read(third)).toMatchObject({ tags: ['New'], revision: 2 })
  const rows = await db
    .selectFrom('audit')
    .select(['target', 'detail'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`detail ? 'tagsAdded'`)
    .orderBy(sql`detail ->> 'label'`)
    .execute()
  expect(rows).toEqual([
    { target: first.edgeId, detail: { label: 'Crane 1', tagsAdded: ['New'], tagsRemoved: ['Old'] } },
    { target: second.edgeId, detail: { label: 'Crane 2', tagsAdded: ['New'] } },
  ])
})

test('a change of tags that exceeds the limit of one edge changes none of them', async () => {
  const full = await edge('Full', {
    tags: Array.from({ length: limits.edgeTagsMax }, (_, index) => `Tag ${index}`),
  })
  const free = await edge('Free')
  const edges = [full.edgeId, free.edgeId]
  expect(await change({ edges, add: ['One more'] })).toFailWith('TOO_MANY_TAGS')
  const other = await given.project(owner, { products: ['project', 'edges'] })
  const foreign = await owner.call(edgeEndpoints.enrol, {
    params: { projectId: other.projectId },
    body: { label: 'Foreign' },
  })
  server.watchSecret(foreign.body.code)
  expect(await change({ edges: [free.edgeId, foreign.body.edge._id], add: ['One'] })).toFailWith('NOT_FOUND')
  expect((await read(free)).tags).toEqual([])
  // Removing a tag frees its place.
  expect(await change({ edges, add: ['One more'], remove: ['Tag 0'] })).toSucceed()
  expect((await read(full)).tags).toHaveLength(limits.edgeTagsMax)
})
