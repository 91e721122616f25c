import {
  edgeEndpoints,
  findEndpoints,
  foldCase,
  mediaEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
} from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contains } from './page.ts'

const server = await testServer()
const { given, db } = server

test('the database folds as the contract does', async () => {
  const texts = [
    'ZÜRICH',
    'Zu\u0308rich',
    'Österreich',
    'Crème brûlée',
    'İstanbul',
    'ıstanbul',
    'Straße',
    'ΟΔΟΣ Άρης',
    'οδος',
    'Łódź, Ørsted, Đorđe',
    'Жуй ёлку',
    '한국',
    'ガラス',
  ]
  const { rows } = await sql<{ folded: string }>`
    select fold(text) as folded from unnest(${texts}::text[]) with ordinality given (text, place) order by place`.execute(
    db,
  )
  expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldCase))
  expect(rows.slice(0, 4).map(({ folded }) => folded)).toEqual([
    'zurich',
    'zurich',
    'osterreich',
    'creme brulee',
  ])
})

test('schemalabz/opencouncil#402 searches of lists and of all records ignore accents in both directions', async () => {
  const owner = await given.person({ firstname: 'Zoë', lastname: 'Österreicher' })
  const root = await given.person({ isRoot: true })
  const products = ['project', 'edges', 'media-library']
  const { projectId } = await given.project(owner, { label: 'Zürich', products })
  await given.project(owner, { label: 'Zurich West', products: ['project'] })
  const params = { projectId }
  await given.edge(projectId, { label: 'Gerät Zürich' })
  await sql`
    insert into media (id, project_id, label, type, state, formats, tags)
    values (gen_random_uuid(), ${projectId}, 'Bild', 'image', 'ready', '[]', '{Zürich}')`.execute(db)
  const labels = (items: readonly { label: string }[]) => items.map(({ label }) => label).toSorted()
  const projects = async (search: string) =>
    labels((await owner.call(projectEndpoints.list, { query: { search } })).body.items)
  expect(await projects('zurich')).toEqual(['Zurich West', 'Zürich'])
  expect(await projects('ZÜRICH')).toEqual(['Zurich West', 'Zürich'])
  expect(await projects('label:zur')).toEqual(['Zurich West', 'Zürich'])
  expect(await projects('zuerich')).toEqual([])
  const edges = async (search: string) =>
    labels((await owner.call(edgeEndpoints.list, { params, query: { search } })).body.items)
  expect(await edges('gerat zurich')).toEqual(['Gerät Zürich'])
  const media = async (search: string) =>
    labels((await owner.call(mediaEndpoints.list, { params, query: { search } })).body.items)
  expect([await media('zurich'), await media('tag:zurich')]).toEqual([['Bild'], ['Bild']])
  const people = (await root.call(rootPeopleEndpoints.list, { query: { search: 'zoe osterreicher' } })).body
  expect(people.items).toHaveLength(1)
  const found = (await owner.call(findEndpoints.find, { query: { q: 'zurich' } })).body.items
  expect(found.map(({ kind, label }) => `${kind} ${label}`).toSorted()).toEqual([
    'edge Gerät Zürich',
    'medium Bild',
  ])
  const persons = (await owner.call(findEndpoints.find, { query: { q: 'osterreich' } })).body.items
  expect(persons.map(({ label }) => label)).toEqual(['Zoë Österreicher'])
})

test.each([
  ['note_folded', 'note', `label || E'\\n' || text`],
  ['media_folded', 'media', `label || E'\\n' || tags_text(tags)`],
  ['edge_folded', 'edge', 'label'],
  ['edge_instance_folded', 'edge_instance', 'label'],
  ['person_folded', 'person', `firstname || ' ' || lastname`],
])('the index %s answers a search', async (index, table, text) => {
  const plan = await db.transaction().execute(async (trx) => {
    // The tables of a test are so small that PostgreSQL would rather read them.
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select 1 from ${sql.table(table)} where ${contains(sql.raw(text), 'zürich')}`.execute(trx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain(`Bitmap Index Scan on ${index} `)
  expect(plan).toContain(`~~ '%zurich%'`)
})
