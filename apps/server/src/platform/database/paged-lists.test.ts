import {
  apiBase,
  type EdgeReport,
  edgeEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeScheduleEndpoints,
  edgeTagEndpoints,
  findEndpoints,
  mediaEndpoints,
  meEndpoints,
  noteEndpoints,
  organisationEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
} from '@pult/contract'
import { createTestDatabase, sized, supportedVersions, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { oneCluster } from './testing/one-cluster.ts'

/*
 * Every list of the contract that has pages, with labels that languages, collations and patterns treat in different
 * ways, on a database as Pult creates it and on one with the locale, date style and time zone of another administrator.
 * In the long run also on one of each former version of PostgreSQL.
 */

const strange = {
  locale: `locale_provider icu icu_locale 'und' lc_collate 'C' lc_ctype 'C'`,
  settings: { datestyle: 'German, DMY', timezone: 'Asia/Kolkata', intervalstyle: 'sql_standard' },
}
/** Edges stay online however long the test takes. */
const edgeGraceTime = 3_600_000
const own = await testServer({
  edgeGraceTime,
  settings: { PROJECTS_PER_PERSON: '1000', ORGANISATIONS_PER_PERSON: '1000' },
})
const servers: Record<string, TestServer> = {
  own,
  foreign: await testServer({ edgeGraceTime, database: await createTestDatabase(strange) }),
}
const [, ...formerVersions] = await supportedVersions()
for (const version of formerVersions) {
  const { folder: host, port } = await oneCluster(version)
  const database = await createTestDatabase({ ...strange, server: { host, port, user: 'postgres' } })
  servers[`${version.name} foreign`] = await testServer({ edgeGraceTime, database })
}

/** The first ones are part of the short form. */
const nasty = [
  'İstanbul 1',
  'ΟΔΟΣ',
  'İstanbul 2',
  'MÜLLER 2',
  'zebra',
  'Ärger',
  'Zebra',
  'İstanbul 3',
  'Kran 10',
  'Kran 2',
  'Müller',
  'kran 2',
  'İstanbul 4',
  '100%',
  'Kran 2',
  'οδός',
  'back\\slash',
  "O'Neil",
  'under_score',
  'שלום',
  'Straße',
  'STRAẞE',
  'strasse',
  'ﬁne',
  'fine',
  'FINE',
  'Mu\u0308ller',
  'a',
  'Arzt',
  'Äpfel',
  '👩‍👩‍👧',
  '🙂',
  'مرحبا',
  '"quoted"',
  '%',
  '_',
  '-',
  '.',
  'A',
  'ı',
  'I',
  'i',
  'Ж',
  'ж',
  '名前',
  'ǅ',
  'ﬀ',
  'a b',
  'ab',
  'a-b',
  'á',
  'Å',
  'zz',
  'ÿ',
  '\u{1d400}',
  'Kran 2',
  'Kran 10',
  'ΟΔΟΣ',
  'zebra',
  'Ärger',
]
const labels = nasty.slice(0, sized(20, nasty.length))

/** Searches with the number of labels that contain them, in every length of the test. */
const searches: [search: string, found: number][] = [
  ['İSTANBUL', 4],
  ['müller', 2],
  ['100%', 1],
  ['r_score', 1],
  ['BACK\\', 1],
  ["o'n", 1],
]

type Row = Record<string, unknown> & { _id: string }
interface Listed {
  items: Row[]
  total: number
  next?: string
}

/** Puts a record of every kind with each of the labels into the database of a server. */
async function filled({ url, given, db }: TestServer) {
  const root = await given.person({
    isRoot: true,
    firstname: 'Root',
    lastname: 'Root',
    email: 'root@example.org',
  })
  const { orgId } = await given.organisation(root, { label: 'Extent' })
  const { projectId } = await given.project(root, {
    label: 'Base',
    products: ['project', 'edges', 'media-library'],
  })
  const ids = labels.map(() => uuidv7())
  const numbers = labels.map((_, index) => index)
  const rows = sql`unnest(${ids}::uuid[], ${labels}::text[], ${numbers}::int[]) as row (id, label, number)`
  for (const label of labels) {
    await given.organisation(root, { label })
    await given.project(root, { label, org: { orgId } })
  }
  const states = ['online', 'offline', 'trouble', 'waiting', 'revoked'] as const
  for (const [index, label] of labels.entries()) {
    const total = index % 3 === 0 ? 0 : 3
    const share = { total, free: (index % 7) / 3 }
    const report: EdgeReport = {
      hostname: 'host',
      platform: 'linux x64',
      load: [index / 7, 0, 0],
      cores: 3,
      memory: share,
      disk: share,
      addresses: [],
      uptime: 1,
      agentUptime: 1,
      decks: { driver: 'missing', reason: null, devices: [] },
      instances: [],
    }
    await given.edge(projectId, { label, tags: [label], state: states[index % 5] ?? 'online', report })
  }
  const jobId = uuidv7()
  await sql`update edge set place = label where project_id = ${projectId} and label <> 'zebra'`.execute(db)
  await sql`update edge_presence p set version = e.label from edge e where e.id = p.edge_id`.execute(db)
  await sql`
    insert into person (id, firstname, lastname) select id, label, 'Name' from ${rows}`.execute(db)
  await sql`
    insert into email (id, person_id, email, email_key, is_default)
    select gen_random_uuid(), id, label || number || '@example.org', number || '@example.org', true from ${rows}`.execute(
    db,
  )
  await sql`
    insert into note (id, project_id, label, is_pinned) select id, ${projectId}, label, number % 2 = 0 from ${rows}`.execute(
    db,
  )
  await sql`
    insert into media (id, project_id, label, type, state, formats, tags)
    select id, ${projectId}, label, 'image', 'ready', '[]', '{}' from ${rows}`.execute(db)
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, started_at, fulfilled_at, created_by)
    select id, ${projectId}, 'forge/render', 'info', label,
      (array['queued', 'running', 'finished', 'rejected'])[number % 4 + 1], interval '1 day', now() + interval '1 day',
      case when number % 4 > 0 then now() - number % 3 * interval '1 hour' end, case when number % 4 > 1 then now() end,
      ${root.personId}
    from ${rows}`.execute(db)
  await sql`
    insert into edge_job (id, project_id, label, command, at_once, expires_at, ended_at)
    select id, ${projectId}, label, '{"name": "diagnostics"}', 1, now() + interval '1 day', now() from ${rows}`.execute(
    db,
  )
  await sql`
    insert into edge_job (id, project_id, command, at_once, expires_at, ended_at)
    values (${jobId}, ${projectId}, '{"name": "diagnostics"}', 1, now() + interval '1 day', now())`.execute(
    db,
  )
  await sql`
    insert into edge_job_line (id, job_id, label, state)
    select id, ${jobId}, label, 'done' from ${rows}`.execute(db)
  await sql`
    insert into edge_group (id, project_id, label, all_tags, any_tags, places, versions, states)
    select id, ${projectId}, label, '{}', '{}', '{}', '{}', '{}' from ${rows}`.execute(db)
  await sql`
    insert into edge_schedule (id, project_id, label, command, cron, time_zone, at_once, is_paused)
    select id, ${projectId}, label, '{"name": "diagnostics"}', '0 3 * * *', 'Europe/Berlin', 1, true from ${rows}`.execute(
    db,
  )
  await sql`
    insert into audit (id, at, event, result, actor_id, target, project_id, address)
    select id, now() - number % 2 * interval '1 hour', 'note.created', 'success', ${root.personId}, label, ${projectId}, '::1'
    from ${rows}`.execute(db)
  return { url, given, root, params: { projectId, orgId, jobId } as Record<string, string> }
}

type Given = Awaited<ReturnType<typeof filled>>
const given = new Map<string, Given>()
for (const [name, server] of Object.entries(servers)) given.set(name, await filled(server))
const names = [...given.keys()]

function givenOn(on: string): Given {
  const found = given.get(on)
  if (found === undefined) throw new Error(`there is no ${on} database`)
  return found
}

/** All lists with pages, in each of their orders. */
const lists = own.app.http.routeTable.flatMap(({ endpoint }) => {
  if (endpoint.query === undefined) return []
  const { properties = {} } = z.toJSONSchema(endpoint.query, { io: 'input', unrepresentable: 'any' })
  if (!('after' in properties && 'limit' in properties)) return []
  const { sort } = properties as { sort?: { enum?: string[] } }
  return (sort?.enum ?? [undefined]).map((order) => ({ path: endpoint.path, sort: order }))
})
type List = (typeof lists)[number]

async function read(on: string, { path, sort }: List, query: Record<string, string>) {
  const { url, root, params } = givenOn(on)
  const place = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? uuidv7())
  const all = new URLSearchParams({ ...query, ...(sort !== undefined && { sort }) })
  const response = await fetch(`${url}${apiBase}${place}?${all.toString()}`, {
    headers: { authorization: `Bearer ${root.token}` },
  })
  return { status: response.status, body: (await response.json()) as Listed }
}

/** Reads a page that must exist. */
async function succeed(on: string, list: List, query: Record<string, string>): Promise<Listed> {
  const { status, body } = await read(on, list, query)
  if (status !== 200) throw new Error(`${nameOf(list)} ${JSON.stringify(query)}: ${status}`)
  return body
}

/** Reads all pages of a size. */
async function pagesOf(on: string, list: List, limit: number, search?: string) {
  const ids: string[] = []
  let after: string | undefined
  do {
    const query = {
      limit: String(limit),
      ...(after !== undefined && { after }),
      ...(search !== undefined && { search }),
    }
    const body = await succeed(on, list, query)
    ids.push(...body.items.map(({ _id }) => _id))
    after = body.next
  } while (after !== undefined && ids.length < 1000)
  return ids
}

const nameOf = ({ path, sort }: List) => `${path}${sort === undefined ? '' : `?sort=${sort}`}`

const labelOf = ({ label, title, target, firstname }: Row) => label ?? title ?? target ?? firstname

test('the order of every list is the same in databases with different collations', {
  tags: ['long'],
}, async () => {
  // These orders depend on the time.
  const steady = lists.filter(({ sort }) => sort !== 'recent' && sort !== 'longest')
  expect(new Set(steady.map(({ path }) => path)).size).toBeGreaterThanOrEqual(15)
  const faults = await Promise.all(
    steady.map(async (list) => {
      const orders = await Promise.all(
        names.map(async (on) =>
          JSON.stringify((await succeed(on, list, { limit: '200' })).items.map(labelOf)),
        ),
      )
      return new Set(orders).size === 1 ? [] : [nameOf(list)]
    }),
  )
  expect(faults.flat()).toEqual([])
})

test.each<[string, string | undefined]>([
  ['/projects/:projectId/edge-groups', undefined],
  ['/projects/:projectId/edge-schedules', undefined],
  ['/projects/:projectId/edge-jobs/:jobId/edges', undefined],
  ['/projects/:projectId/edges', 'label'],
  ['/projects/:projectId/media', 'label'],
  ['/apps/root/people', 'name'],
  ['/apps/root/people', 'email'],
  ['/overview', 'name'],
])('silverbulletmd/silverbullet#614 %s has the order of names that people expect', async (path, sort) => {
  const expected = ['Ärger', 'Kran 2', 'Kran 10', 'Müller', 'zebra']
  const { items } = await succeed('own', { path, sort }, { limit: '200' })
  const shown = items.map((item) => String(labelOf(item)))
  const place = (label: string) => shown.indexOf(label)
  expect(expected.filter((label) => place(label) < 0)).toEqual([])
  expect(expected.toSorted((one, other) => place(one) - place(other))).toEqual(expected)
})

test('RULE-57 a page of every list after a text that is no key is rejected', async () => {
  const keys = ['', 'x', '-'.repeat(36), `${uuidv7().slice(0, 35)}g`]
  const answers = await Promise.all(
    lists.flatMap((list) =>
      keys.map(async (after) => ({ list: nameOf(list), after, ...(await read('own', list, { after })) })),
    ),
  )
  expect(answers.filter(({ status, body }) => status !== 400 || !('code' in body))).toEqual([])
})

test('a key of the previous release, which was an id, continues lists by label after its record', async () => {
  for (const path of ['edge-groups', 'edge-schedules', 'edge-jobs/:jobId/edges']) {
    const list = { path: `/projects/:projectId/${path}`, sort: undefined }
    const { items } = await succeed('own', list, {})
    expect((await succeed('own', list, { after: items[4]?._id ?? '' })).items).toEqual(items.slice(5))
    expect(await read('own', list, { after: uuidv7() })).toMatchObject({ status: 400 })
  }
})

test.each(names)(
  'RULE-54 pages of any size contain each record once and in the order of one large page, %s database',
  { tags: ['long'] },
  async (on) => {
    const faults = await Promise.all(
      lists.map(async (list) => {
        const { items } = await succeed(on, list, { limit: '200' })
        const whole = items.map(({ _id }) => _id)
        const isWhole = whole.length === new Set(whole).size && whole.length >= labels.length
        if (!isWhole) return [`${nameOf(list)}: ${whole.length} records`]
        const paged = await Promise.all(sized([1, 7], [1, 7, 50]).map((limit) => pagesOf(on, list, limit)))
        return paged.some((ids) => ids.join() !== whole.join())
          ? [`${nameOf(list)}: ${paged.map((ids) => ids.length).join()} of ${whole.length}`]
          : []
      }),
    )
    expect(faults.flat()).toEqual([])
  },
)

test.each(names)(
  'searches without case find the same records on all pages, %s database',
  { tags: ['long'] },
  async (on) => {
    const once = lists.filter(({ path }, index) => lists.findIndex((list) => list.path === path) === index)
    const faults = await Promise.all(
      once.map(async (list) => {
        const found = await Promise.all(searches.map(([search]) => pagesOf(on, list, 1, search)))
        const counts = found.map((ids) => new Set(ids).size)
        return counts.join() === searches.map(([, count]) => count).join()
          ? []
          : [`${nameOf(list)}: ${counts.join()}`]
      }),
    )
    expect(faults.flat()).toEqual([])
  },
)

test.each(names.filter((name) => name !== 'own'))(
  'creates, changes and reads have the right times with a German date style and another time zone, %s database',
  { tags: ['long'] },
  async (on) => {
    const { given: make, root } = givenOn(on)
    const from = Date.now() - 60_000
    const ada = await make.person()
    const { call } = ada
    const done = async (answer: ReturnType<typeof call>) => {
      const { code, body } = await answer
      expect(code).toBeUndefined()
      return body as { _id: string } & Record<string, unknown>
    }
    const { _id: orgId } = await done(call(organisationEndpoints.create, { body: { label: 'Órg' } }))
    const project = await done(call(projectEndpoints.create, { body: { label: 'Straße', org: orgId } }))
    const { projectId } = await make.project(ada, { products: ['project', 'edges', 'media-library'] })
    const params = { projectId }
    const note = await done(call(noteEndpoints.create, { params, body: { label: 'Über' } }))
    const changed = await done(
      call(noteEndpoints.update, {
        params: { projectId, itemId: note._id },
        body: { label: 'Über 2' },
        headers: { 'if-match': '"1"' },
      }),
    )
    const { edge } = (await call(edgeEndpoints.enrol, { params, body: { label: 'Kran' } })).body
    const group = await done(call(edgeGroupEndpoints.create, { params, body: { label: 'Kräne', rule: {} } }))
    const schedule = await done(
      call(edgeScheduleEndpoints.create, {
        params,
        body: {
          label: 'Nachts',
          command: { name: 'diagnostics' },
          group: group._id,
          cron: '0 3 * * *',
          timeZone: 'Europe/Berlin',
        },
      }),
    )
    const listed = await Promise.all([
      call(edgeJobEndpoints.list, { params }),
      call(mediaEndpoints.list, { params }),
      call(edgeTagEndpoints.facets, { params }),
      call(edgeEndpoints.list, { params, query: { search: 'kran' } }),
      call(findEndpoints.find, { query: { q: 'ÜBER', project: projectId } }),
      call(meEndpoints.read),
    ])
    for (const answer of listed) expect(answer).toSucceed()
    expect(listed[3].body).toMatchObject({ items: [{ label: 'Kran' }] })
    expect(listed[4].body).toMatchObject({ items: [{ label: 'Über 2' }] })
    const people = await root.call(rootPeopleEndpoints.list, { query: { search: ada.email } })
    const times = [project, note, changed, edge, group, schedule, ...people.body.items].flatMap((record) =>
      Object.entries(record).filter(([key]) => key === 'createdAt' || key === 'updatedAt'),
    )
    expect(times.length).toBeGreaterThan(8)
    const wrong = times.filter(
      ([, at]) => !(Date.parse(String(at)) > from && Date.parse(String(at)) <= Date.now()),
    )
    expect(wrong).toEqual([])
  },
)

test('the page after a record that was deleted or renamed in the meantime continues at its place', async () => {
  const { root, params } = givenOn('own')
  const of = { projectId: params['projectId'] ?? '' }
  const list = { path: '/projects/:projectId/edge-groups', sort: undefined }
  const whole = (await succeed('own', list, {})).items
  const page = await succeed('own', list, { limit: '5' })
  const [renamed, removed] = [page.items[3], page.items[4]]
  const at = (item: Row | undefined) => ({ params: { ...of, itemId: item?._id ?? '' } })
  expect(await root.call(edgeGroupEndpoints.update, { ...at(renamed), body: { label: '~~~' } })).toSucceed()
  expect(await root.call(edgeGroupEndpoints.remove, at(removed))).toSucceed()
  const rest = (await succeed('own', list, { after: page.next ?? '' })).items
  const others = rest.filter(({ _id }) => _id !== renamed?._id)
  expect(others.map(({ _id }) => _id)).toEqual(whole.slice(5).map(({ _id }) => _id))
})
