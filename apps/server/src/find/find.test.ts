import { setTimeout as delay } from 'node:timers/promises'
import { findEndpoints, type Thing } from '@pult/contract'
import { type GivenPerson, sized, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { someReport } from '../edges/testing/virtual-agent.ts'
import { createFindRepository, type Search } from './find.repository.ts'
import { createFindService } from './find.service.ts'

const server = await testServer()
const { given, db } = server

const products = ['project', 'edges', 'media-library']
const find = async (person: GivenPerson, q?: string, project?: string) => {
  const query = { ...(q !== undefined && { q }), ...(project !== undefined && { project }) }
  const { status, body } = await person.call(findEndpoints.find, { query })
  expect([status, body.isPartial]).toEqual([200, false])
  return body.items
}
const shown = (items: readonly Thing[]) => items.map(({ kind, label }) => `${kind} ${label}`)

/** Adds one record of each kind whose text contains the word. */
async function fill(projectId: string, word: string): Promise<void> {
  await sql`
    with e as (
      insert into edge (id, project_id, label) values (gen_random_uuid(), ${projectId}, ${`${word}wagen`}) returning id
    ), i as (
      insert into edge_instance (id, edge_id, label, is_reported)
      select gen_random_uuid(), id, ${`${word}programm`}, true from e
    ), n as (
      insert into note (id, project_id, label, text)
      values (gen_random_uuid(), ${projectId}, 'Umschaltung', ${`Zuerst den ${word}wagen, dann den Schalter.`})
    ), m as (
      insert into media (id, project_id, label, type, state, formats, tags)
      values (gen_random_uuid(), ${projectId}, ${`${word}schrank`}, 'image', 'ready', '[]', '{kai}')
    )
    insert into task (id, project_id, type, kind, title, state, deadline_at, fulfilled_at, lease_for)
    values (gen_random_uuid(), ${projectId}, 'test', 'info', ${`${word}prüfung`}, 'finished', now(), now(),
      interval '1 minute')`.execute(db)
}

const all = (word: string) => [
  `edge ${word}wagen`,
  `program ${word}programm`,
  `medium ${word}schrank`,
  `note Umschaltung`,
  `task ${word}prüfung`,
]

test('RULE-61 a search returns only records that the caller may open, of all kinds and projects', async () => {
  const [owner, viewer, bare, stranger, orgOwner] = (await Promise.all(
    Array.from({ length: 5 }, () => given.person()),
  )) as [GivenPerson, GivenPerson, GivenPerson, GivenPerson, GivenPerson]
  const root = await given.person({ isRoot: true })
  const org = await given.organisation(orgOwner, { members: [owner] })
  const { projectId } = await given.project(owner, {
    org,
    products,
    grants: [
      { person: viewer, productRole: 'edges/viewer' },
      { person: bare, productRole: 'project/viewer' },
    ],
  })
  await fill(projectId, 'Kabel')
  expect(shown(await find(owner, 'kabel'))).toEqual(all('Kabel'))
  expect(shown(await find(root, 'KABEL'))).toEqual(all('Kabel'))
  expect(shown(await find(viewer, 'kabel'))).toEqual([
    'edge Kabelwagen',
    'program Kabelprogramm',
    'task Kabelprüfung',
  ])
  expect(shown(await find(bare, 'kabel'))).toEqual(['task Kabelprüfung'])
  expect(shown(await find(orgOwner, 'kabel'))).toEqual(['task Kabelprüfung'])
  for (const project of [undefined, projectId]) {
    expect(await find(stranger, 'kabel', project)).toEqual([])
    expect(await find(stranger, undefined, project)).toEqual([])
  }
  expect((await server.call(findEndpoints.find)).status).toBe(401)
})

test('RULE-61 a search returns people only to users who may see the people of a project', async () => {
  const owner = await given.person({ firstname: 'Henrik', lastname: 'Zugspitz' })
  const maintainer = await given.person({ firstname: 'Ingrid', lastname: 'Zugspitz' })
  const viewer = await given.person()
  await given.project(owner, {
    grants: [
      { person: maintainer, productRole: 'project/maintainer' },
      { person: viewer, productRole: 'project/viewer' },
    ],
  })
  for (const person of [owner, maintainer])
    expect(shown(await find(person, 'zugsp')).toSorted()).toEqual([
      'person Henrik Zugspitz',
      'person Ingrid Zugspitz',
    ])
  expect(await find(viewer, 'zugsp')).toEqual([])
})

test('records of a product that the project no longer uses are not found', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project'] })
  await fill(projectId, 'Winde')
  expect(shown(await find(owner, 'winde'))).toEqual(['note Umschaltung', 'task Windeprüfung'])
})

test('a search requires all words, excerpts notes, and lists the given project first', async () => {
  const owner = await given.person()
  const first = await given.project(owner, { products, label: 'Kai 7' })
  const second = await given.project(owner, { products, label: 'Kai 8' })
  await fill(first.projectId, 'Poller')
  await fill(second.projectId, 'Poller')
  const edges = (await find(owner, 'poller', second.projectId)).filter(({ kind }) => kind === 'edge')
  expect(edges.map(({ project }) => project.label)).toEqual(['Kai 8', 'Kai 7'])
  const [note] = await find(owner, 'schalter pollerw', first.projectId)
  expect(note).toMatchObject({ kind: 'note', detail: '… den Pollerwagen, dann den Schalter.' })
  expect(await find(owner, 'pollerwagen %')).toEqual([])
})

test('microsoft/PowerToys#42524 the record whose label is the search comes first', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products })
  await sql`insert into edge (id, project_id, label)
    select gen_random_uuid(), ${projectId}::uuid, 'Kran ' || n from generate_series(1, 250) n`.execute(db)
  await sql`insert into note (id, project_id, label, text)
    select gen_random_uuid(), ${projectId}::uuid, 'Notiz zu Kran ' || n, 'Kran' from generate_series(1, 250) n`.execute(
    db,
  )
  const labels = async (text: string, kind: string) =>
    (await find(owner, text, projectId)).filter((one) => one.kind === kind).map(({ label }) => label)
  expect((await labels('kran 1', 'edge'))[0]).toBe('Kran 1')
  expect((await labels('KRAN 12', 'edge'))[0]).toBe('Kran 12')
  expect((await labels('notiz zu kran 1', 'note'))[0]).toBe('Notiz zu Kran 1')
})

test('a search for two letters covers the given project, and one without words returns its newest records', async () => {
  const owner = await given.person()
  const here = await given.project(owner, { products })
  const there = await given.project(owner, { products })
  await fill(here.projectId, 'Öl')
  await fill(there.projectId, 'Öl')
  const found = await find(owner, 'öl', here.projectId)
  expect(shown(found)).toEqual(all('Öl').filter((each) => !each.startsWith('program')))
  expect(new Set(found.map(({ project }) => project._id))).toEqual(new Set([here.projectId]))
  expect(shown(await find(owner, undefined, here.projectId))).toEqual(shown(found))
})

test('a found edge is in trouble as in the lists: with the use of its full disk and its stopped programs', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products })
  const report = { ...someReport(), disk: { total: 1000, free: 74 } }
  const add = async (label: string, state: 'trouble' | 'offline', names: string[]) => {
    const id = await given.edge(projectId, { label: `Trafo ${label}`, state, report })
    const troubles = Object.fromEntries(names.map((name) => [name, '2026-01-31T09:12:04.120Z']))
    await sql`update edge_presence set troubles = ${JSON.stringify(troubles)} where edge_id = ${id}`.execute(
      db,
    )
  }
  await given.edge(projectId, { label: 'Trafo well', report })
  await add('full', 'trouble', ['disk'])
  await add('stopped', 'trouble', ['program:player', 'program:camera'])
  await add('gone', 'offline', ['disk'])
  const found = (await find(owner, 'trafo', projectId)).map(({ label, state, trouble }) => [
    label,
    state,
    trouble,
  ])
  expect(found).toHaveLength(4)
  expect(found).toEqual(
    expect.arrayContaining([
      ['Trafo well', 'online', undefined],
      ['Trafo full', 'trouble', { disk: 93, stopped: 0 }],
      ['Trafo stopped', 'trouble', { disk: null, stopped: 2 }],
      ['Trafo gone', 'offline', undefined],
    ]),
  )
})

describe('a kind of record that', () => {
  const caller = { personId: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11', isRoot: false, scope: [] } as never
  const thing = { kind: 'edge', label: 'Kabelwagen' } as Thing
  const warnings: string[] = []
  const parts = {
    db,
    products: { findApp: () => undefined } as never,
    log: { warn: ({ source }: { source: string }) => warnings.push(source) } as never,
    patience: 20,
  }
  test.each([
    ['never answers', () => delay(60_000, [], { ref: false })],
    ['throws', () => Promise.reject(new Error('No luck today'))],
  ])('%s leaves the results of the others', async (_name, broken) => {
    const sources = [
      { name: 'broken', find: broken },
      { name: 'well', find: async () => [thing] },
    ]
    const service = createFindService({ ...parts, sources })
    expect(await service.find(caller, { q: 'kabel' })).toEqual({ items: [thing], isPartial: true })
  })
})

test('each kind answers a search across 100,000 records within 50 ms', { tags: ['long'] }, async () => {
  const each = sized(1000, 25_000)
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products })
  const rows = (values: string) =>
    sql.raw(`select gen_random_uuid(), '${projectId}'::uuid, ${values} from generate_series(1, ${each}) n`)
  await sql`insert into edge (id, project_id, label) ${rows(`'Edge ' || md5(n::text)`)}`.execute(db)
  await sql`insert into note (id, project_id, label, text)
    ${rows(`'Note ' || md5(n::text), repeat(md5((n + 1)::text) || ' ', 5)`)}`.execute(db)
  await sql`insert into media (id, project_id, label, type, state, formats)
    ${rows(`'Picture ' || md5(n::text), 'image', 'ready', '[]'`)}`.execute(db)
  await sql`insert into task (id, project_id, type, kind, title, state, deadline_at, fulfilled_at, lease_for)
    ${rows(`'test', 'info', 'Task ' || md5(n::text), 'finished', now(), now(), interval '1 minute'`)}`.execute(
    db,
  )
  // Auto-vacuum does this in production; PostgreSQL avoids an index with many pending entries.
  await sql`vacuum analyze edge, note, media, task`.execute(db)
  const repository = createFindRepository(db)
  for (const words of [['c4ca4238'], ['edge'], ['note', '1f'], ['nothing', 'here'], ['ab']]) {
    const search: Search = { words, projectIds: [projectId], sku: null, projectId }
    for (const run of [
      ...(['edge', 'note', 'medium', 'task'] as const).map((kind) => () => repository.records(kind, search)),
      () => repository.programs(search),
      () => repository.people(search),
    ]) {
      const times: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const from = performance.now()
        await run()
        times.push(performance.now() - from)
      }
      // The fastest, because the machine may be busy.
      expect(Math.min(...times), words.join(' ')).toBeLessThan(underLoad(50))
    }
  }
})
