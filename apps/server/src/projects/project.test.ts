import { organisationEndpoints, productEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, create, read, update, remove, verify, setDefault } = projectEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'

let owner: GivenPerson
let member: GivenPerson
let stranger: GivenPerson
let root: GivenPerson
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  member = await given.person({ firstname: 'Mia' })
  stranger = await given.person({ firstname: 'Stan' })
  root = await given.person({ firstname: 'Ruth', isRoot: true })
})

const auditOf = async (projectId: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address', 'detail'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()

const labelsOf = async (person: GivenPerson, search?: string) => {
  const query = { limit: '200', ...(search !== undefined && { search }) }
  const { items, total } = (await person.call(list, { query })).body
  expect(total).toBe(items.length)
  return items.map(({ label }) => label)
}

test('PROJ-01 PROJ-03 API-17 a private project is created with all fields of the specification', async () => {
  const created = await owner.call(create, { body: { label: ' Messe 2026 ' } })
  expect(created).toSucceed()
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(created.body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    label: 'Messe 2026',
    org: null,
    orgLabel: null,
    owner: owner.personId,
    ownerName: 'Olga Lovelace',
    products: ['project'],
    grants: [],
    meta: { customer: '', projectId: '' },
    config: { consoleColor: '#444' },
    access: 'owner',
    isDefault: false,
    createdAt: instant,
    revision: 1,
    updatedAt: instant,
    updatedBy: { _id: owner.personId, firstname: 'Olga', lastname: 'Lovelace' },
  })
  expect((await owner.call(read, { params: { projectId: created.body._id } })).body).toEqual(created.body)
  expect((await owner.call(list)).body).toEqual({ items: [created.body], total: 1 })
})

test('PROJ-03 DEC-14 members can create a project in an organisation, which returns 404 to other users', async () => {
  const { orgId } = await given.organisation(owner, { label: 'Messe Nord', members: [member] })
  const made = await member.call(create, { body: { label: 'Hall', org: orgId } })
  expect(made.body).toMatchObject({ org: orgId, orgLabel: 'Messe Nord', owner: member.personId })
  expect(await root.call(create, { body: { label: 'Roof', org: orgId } })).toSucceed()
  for (const org of [orgId, unknownId]) {
    expect(await stranger.call(create, { body: { label: 'Theirs', org } })).toFailWith('NOT_FOUND')
  }
  const { projectId } = await given.project(stranger)
  expect(await stranger.call(update, { params: { projectId }, body: { org: orgId } })).toFailWith('NOT_FOUND')
  expect(await root.call(create, { body: { label: 'Nowhere', org: unknownId } })).toFailWith('NOT_FOUND')
})

test('DEC-14 RULE-51 only a project’s owner, its organisation’s owner, grant holders and root see it', async () => {
  const { orgId } = await given.organisation(owner, { members: [member, stranger] })
  const holder = await given.person({ firstname: 'Greta' })
  const { projectId } = await given.project(member, {
    org: { orgId },
    grants: [{ person: holder, productRole: 'project/viewer' }],
  })
  const params = { projectId }
  for (const [person, access] of [
    [owner, 'organisation-owner'],
    [member, 'owner'],
    [holder, 'grant'],
    [root, 'root'],
  ] as const) {
    expect((await person.call(read, { params })).body.access).toBe(access)
    expect((await person.call(list, { query: { limit: '200' } })).body.items.map(({ _id }) => _id)).toContain(
      projectId,
    )
  }
  // A project that the caller may not see and an unknown id return the same answer.
  const hidden = await stranger.call(read, { params })
  expect(hidden).toFailWith('NOT_FOUND')
  expect((await stranger.call(read, { params: { projectId: unknownId } })).body).toEqual(hidden.body)
  expect((await stranger.call(list)).body).toEqual({ items: [], total: 0 })
})

test('DEC-14 RULE-51 a project’s owner, its organisation’s owner and root can edit and delete it', async () => {
  const { orgId } = await given.organisation(owner, { members: [member] })
  const holder = await given.person()
  const make = async () =>
    (
      await given.project(member, {
        org: { orgId },
        grants: [{ person: holder, productRole: 'project/maintainer' }],
      })
    ).projectId
  const kept = await make()
  for (const [person, code] of [
    [holder, 'FORBIDDEN'],
    [stranger, 'NOT_FOUND'],
  ] as const) {
    const params = { projectId: kept }
    expect(await person.call(update, { params, body: { label: 'Theirs' } })).toFailWith(code)
    expect(await person.call(remove, { params })).toFailWith(code)
  }
  expect((await root.call(read, { params: { projectId: kept } })).body).toMatchObject({ revision: 1 })
  for (const person of [owner, member, root]) {
    const params = { projectId: await make() }
    expect((await person.call(update, { params, body: { label: 'Ours' } })).body.label).toBe('Ours')
    expect((await person.call(remove, { params })).body).toBe(true)
    expect(await person.call(read, { params })).toFailWith('NOT_FOUND')
  }
})

test('PROJ-01 API-17 an update changes only the fields in the body, and entries of meta and config individually', async () => {
  const { projectId } = await given.project(owner)
  const params = { projectId }
  const edit = async (body: object) => (await owner.call(update, { params, body })).body
  expect(await edit({ meta: { customer: ' Messe AG ' } })).toMatchObject({
    meta: { customer: 'Messe AG', projectId: '' },
    revision: 2,
  })
  expect(await edit({ meta: { projectId: 'P-7' }, config: { consoleColor: '#0B6470' } })).toMatchObject({
    label: 'Messe 2026',
    meta: { customer: 'Messe AG', projectId: 'P-7' },
    config: { consoleColor: '#0B6470' },
    revision: 3,
  })
  expect(await edit({ label: 'Later', products: [] })).toMatchObject({
    label: 'Later',
    products: [],
    revision: 4,
  })
  // An update without changes writes nothing.
  expect(await edit({})).toMatchObject({ revision: 4 })
  expect(await edit({ label: 'Later', meta: { customer: 'Messe AG' }, products: [] })).toMatchObject({
    revision: 4,
  })
})

test('PROJ-01 API-24 a project is created with products in one step, in the audit log and in repeats', async () => {
  const body = { label: 'Hafen', products: ['edges', 'edges', 'project'] }
  const made = await owner.call(projectEndpoints.create, { body, headers: { 'idempotency-key': 'hafen' } })
  expect(made.body.products).toEqual(['project', 'edges'])
  expect(
    (await owner.call(projectEndpoints.create, { body, headers: { 'idempotency-key': 'hafen' } })).body._id,
  ).toBe(made.body._id)
  expect(
    await owner.call(projectEndpoints.create, {
      body: { label: 'Hafen', products: [] },
      headers: { 'idempotency-key': 'hafen' },
    }),
  ).toFailWith('IDEMPOTENCY_KEY_REUSED')
  const rows = await server.db
    .selectFrom('audit')
    .select('detail')
    .where('target', '=', made.body._id)
    .where('event', '=', 'project.created')
    .execute()
  expect(rows).toEqual([{ detail: { label: 'Hafen', org: null, products: ['project', 'edges'] } }])
  expect(
    await owner.call(projectEndpoints.create, { body: { label: 'Hafen', products: ['no-such-product'] } }),
  ).toFailWith('UNKNOWN_PRODUCT')
})

test('PROJ-01 a project uses installed products, each once', async () => {
  const { projectId } = await given.project(owner, { products: [] })
  const params = { projectId }
  const sku = 'project'
  const skus = (await owner.call(productEndpoints.list)).body.items.map((product) => product.sku)
  expect(skus.filter((each) => each === sku)).toEqual([sku])
  const edit = (products: string[]) => owner.call(update, { params, body: { products } })
  expect((await edit([sku, sku])).body.products).toEqual([sku])
  expect(await edit([sku, 'no-such-product'])).toFailWith('UNKNOWN_PRODUCT')
  expect((await owner.call(read, { params })).body).toMatchObject({ products: [sku], revision: 2 })

  // A product whose extension was removed does not prevent changes of the others.
  await db
    .updateTable('project')
    .set({ products: ['gone'] })
    .where('id', '=', projectId)
    .execute()
  expect((await edit(['gone', sku])).body.products).toEqual(['gone', sku])
  expect((await edit([sku])).body.products).toEqual([sku])
  expect(await edit(['gone', sku])).toFailWith('UNKNOWN_PRODUCT')
})

test('RULE-54 only declared fields are accepted', async () => {
  const { projectId } = await given.project(owner)
  const params = { projectId }
  for (const body of [
    {},
    { label: ' ' },
    { label: 'x'.repeat(201) },
    { label: 'Mine', owner: stranger.personId },
    { label: 'Mine', grants: [] },
    { label: 'Mine', org: 'x' },
    { label: 'Mine', _id: unknownId },
  ]) {
    expect(await owner.call(create, { body }), JSON.stringify(body)).toFailWith('VALIDATION_FAILED')
  }
  for (const body of [
    { label: '' },
    { owner: stranger.personId },
    { _id: unknownId },
    { access: 'root' },
    { isDefault: true },
    { revision: 7 },
    { grants: [{ user: stranger.personId, productRole: 'project/maintainer' }] },
    { scope: ['root'] },
    { isRoot: true },
    { meta: { customer: 'A', more: 1 } },
    { meta: { customer: 'x'.repeat(201) } },
    { config: { consoleColor: 'red' } },
    { config: { consoleColor: '#44' } },
    { config: { consoleColor: '#444', more: 1 } },
    { products: 'project' },
  ]) {
    expect(await owner.call(update, { params, body }), JSON.stringify(body)).toFailWith('VALIDATION_FAILED')
  }
  expect((await owner.call(read, { params })).body).toMatchObject({ revision: 1, owner: owner.personId })
})

test('RULE-58 of 50 concurrent edits of one revision one succeeds; the others get the record with its last editor and time', async () => {
  const { projectId } = await given.project(owner)
  const params = { projectId }
  const answers = await inWaves(50, (index) =>
    (index % 2 === 0 ? owner : root).call(update, {
      params,
      body: { label: `Edit ${index}` },
      headers: { 'if-match': '"1"' },
    }),
  )
  const won = answers.filter(({ code }) => code === undefined)
  expect(won).toHaveLength(1)
  const current = (await owner.call(read, { params })).body
  expect(current).toMatchObject({ label: won[0]?.body.label, revision: 2 })
  const conflicts = answers.filter(({ code }) => code === 'REVISION_CONFLICT')
  expect(conflicts).toHaveLength(49)
  const { updatedAt, updatedBy } = current
  for (const { status, body } of conflicts) {
    expect(status).toBe(409)
    expect(body).toMatchObject({
      detail: { current: { label: current.label, revision: 2, updatedAt }, updatedAt, updatedBy },
    })
  }
})

test('RULE-58 concurrent edits of different fields without a revision all persist', async () => {
  const { projectId } = await given.project(owner)
  const params = { projectId }
  const bodies = [
    { label: 'Hall 7' },
    { meta: { customer: 'Messe AG' } },
    { meta: { projectId: 'P-7' } },
    { config: { consoleColor: '#123456' } },
  ]
  const answers = await Promise.all(bodies.map((body) => owner.call(update, { params, body })))
  for (const answer of answers) expect(answer).toSucceed()
  expect((await owner.call(read, { params })).body).toMatchObject({
    label: 'Hall 7',
    meta: { customer: 'Messe AG', projectId: 'P-7' },
    config: { consoleColor: '#123456' },
    revision: 5,
  })
})

test('DEC-41 RULE-58 a revision is sent as ETag and If-Match', async () => {
  const { projectId } = await given.project(owner)
  const params = { projectId }
  expect((await owner.call(read, { params })).headers.get('etag')).toBe('"1"')
  const edit = (label: string, match: string) =>
    owner.call(update, { params, body: { label }, headers: { 'if-match': match } })
  expect((await edit('B', '"1"')).headers.get('etag')).toBe('"2"')
  expect(await edit('C', '"1"')).toFailWith('REVISION_CONFLICT')
  expect(await edit('B', '"1"')).toFailWith('REVISION_CONFLICT')
  expect(await edit('C', '"3"')).toFailWith('REVISION_CONFLICT')
  expect(await edit('C', '*')).toSucceed()
})

test('RULE-59 a reused Idempotency-Key with another body answers 422 and creates nothing', async () => {
  const headers = { 'idempotency-key': 'k' }
  const first = await owner.call(create, { body: { label: 'First' }, headers })
  expect(await owner.call(create, { body: { label: 'Second' }, headers })).toFailWith(
    'IDEMPOTENCY_KEY_REUSED',
  )
  expect((await owner.call(create, { body: { label: 'First' }, headers })).body._id).toBe(first.body._id)
  expect((await owner.call(list)).body.total).toBe(1)
  // Keys of an earlier version have no hash.
  await db.updateTable('idempotency').set({ request_hash: null }).execute()
  expect((await owner.call(create, { body: { label: 'Second' }, headers })).body._id).toBe(first.body._id)
})

test('RULE-59 DEC-41 a create that is repeated on two nodes creates one project', async () => {
  const { orgId } = await given.organisation(owner)
  const repeat = (body: object) =>
    Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? server : second).call(
          create,
          { body, headers: { 'idempotency-key': 'k1' } },
          owner.token,
        ),
      ),
    )
  const answers = await repeat({ label: 'Once', org: orgId })
  for (const answer of answers) expect(answer).toSucceed()
  expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1)
  expect((await owner.call(list)).body.total).toBe(1)
  expect(await auditOf(answers[0]?.body._id ?? '')).toHaveLength(1)
  // Refused requests do not use up the idempotency key.
  const headers = { 'idempotency-key': 'k2' }
  expect(await owner.call(create, { body: { label: 'B', org: unknownId }, headers })).toFailWith('NOT_FOUND')
  expect(await owner.call(create, { body: { label: 'B' }, headers })).toSucceed()
})

test('RULE-59 one of many concurrent repeated creates on two nodes creates the project', async () => {
  const repeat = (node: typeof server) =>
    node.call(create, { body: { label: 'Once' }, headers: { 'idempotency-key': 'k' } }, owner.token)
  const { pending } = await db.transaction().execute(async (trx) => {
    // The lock prevents all inserts until this transaction ends.
    await sql`lock table project in exclusive mode`.execute(trx)
    const started = [server, second, server, second].map(repeat)
    await expect
      .poll(
        async () => {
          const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
          return rows.length
        },
        { interval: 10 },
      )
      .toBe(4)
    return { pending: started }
  })
  const answers = await Promise.all(pending)
  for (const answer of answers) expect(answer).toSucceed()
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  expect((await owner.call(list)).body.total).toBe(1)
})

test('DEC-16 API-17 the default project is first in the user’s list, over all its pages', async () => {
  const ids: string[] = []
  for (const label of ['A', 'B', 'C', 'D', 'E']) ids.push((await given.project(owner, { label })).projectId)
  await given.project(owner, { label: 'Shared', grants: [{ person: member, productRole: null }] })
  const [, , third = ''] = ids
  const chosen = await owner.call(setDefault, { params: { projectId: third } })
  expect(chosen.body).toMatchObject({ _id: third, isDefault: true, revision: 1 })
  for (const limit of ['1', '2', '3', '5', '6', '50']) {
    const labels: string[] = []
    const defaults: string[] = []
    let after: string | undefined
    do {
      const { body } = await owner.call(list, { query: { limit, ...(after !== undefined && { after }) } })
      expect(body.total).toBe(6)
      labels.push(...body.items.map(({ label }) => label))
      defaults.push(...body.items.filter(({ isDefault }) => isDefault).map(({ label }) => label))
      after = body.next
    } while (after !== undefined)
    expect([limit, labels]).toEqual([limit, ['C', 'A', 'B', 'D', 'E', 'Shared']])
    expect(defaults).toEqual(['C'])
  }
  // Other projects stay unchanged, and a project that the user may not see cannot be chosen.
  expect((await root.call(read, { params: { projectId: third } })).body.isDefault).toBe(false)
  expect(await member.call(setDefault, { params: { projectId: third } })).toFailWith('NOT_FOUND')
  expect(await owner.call(setDefault, { params: { projectId: unknownId } })).toFailWith('NOT_FOUND')

  // A new default replaces it. A deleted default leaves the order of the others unchanged.
  await owner.call(setDefault, { params: { projectId: ids[4] ?? '' } })
  expect(await labelsOf(owner)).toEqual(['E', 'A', 'B', 'C', 'D', 'Shared'])
  await owner.call(remove, { params: { projectId: ids[4] ?? '' } })
  expect(await labelsOf(owner)).toEqual(['A', 'B', 'C', 'D', 'Shared'])
})

test('DEC-14 DEC-39 a project that is visible for several reasons appears once, in order, and counts once', async () => {
  const ada = await given.person()
  const { orgId } = await given.organisation(ada)
  const { orgId: secondId } = await given.organisation(ada)
  const foreign = await given.organisation(stranger, { members: [ada] })
  const granted = ['project/viewer', 'project/operator'].map((productRole) => ({ person: ada, productRole }))
  const places = [undefined, { orgId }, { orgId: secondId }, foreign]
  const seenIds: string[] = []
  for (const org of places) {
    for (const by of [ada, stranger]) {
      for (const grants of [[], granted]) {
        const { projectId } = await given.project(by, { ...(org !== undefined && { org }), grants })
        const isSeen = by === ada || grants.length > 0 || (org !== undefined && org !== foreign)
        if (isSeen) seenIds.push(projectId)
      }
    }
  }
  expect(seenIds).toHaveLength(14)
  for (const search of [undefined, 'label:']) {
    for (const limit of ['1', '3', '13', '14', '50']) {
      const pages: string[] = []
      let after: string | undefined
      do {
        const query = {
          limit,
          ...(search !== undefined && { search }),
          ...(after !== undefined && { after }),
        }
        const { body } = await ada.call(list, { query })
        expect(body.total).toBe(14)
        pages.push(...body.items.map(({ _id }) => _id))
        after = body.next
      } while (after !== undefined)
      expect([search, limit, pages]).toEqual([search, limit, seenIds])
    }
  }
})

test('DEC-39 an invalid page is refused', async () => {
  for (const after of ['x', 'Default', "' or 1=1 --", '%00', '018f0000-0000-7000-8000-00000000000g']) {
    expect(await owner.call(list, { query: { after } }), after).toFailWith('VALIDATION_FAILED')
  }
  expect((await owner.call(list, { query: { after: unknownId } })).body.items).toEqual([])
})

test('DEC-42 the total is exact up to 10,000 and capped above', async () => {
  const add = (count: number) =>
    sql`insert into project (id, label, owner_id)
      select gen_random_uuid(), 'p', ${owner.personId} from generate_series(1, ${count}::int)`.execute(db)
  await add(10_000)
  const full = (await owner.call(list, { query: { limit: '1' } })).body
  expect(full.total).toBe(10_000)
  expect(full).not.toHaveProperty('totalIsCapped')
  await add(1)
  expect((await owner.call(list, { query: { limit: '1' } })).body).toMatchObject({
    total: 10_000,
    totalIsCapped: true,
    next: expect.any(String),
  })
  await db.deleteFrom('project').where('owner_id', '=', owner.personId).execute()
})

test('DEC-32 terms are joined by AND, quotes group words, an unknown key is plain text', async () => {
  const { orgId } = await given.organisation(owner, { label: 'Messe Nord' })
  const make = async (label: string, customer: string, org: string | null) => {
    const { body } = await owner.call(create, { body: { label, org } })
    await owner.call(update, { params: { projectId: body._id }, body: { meta: { customer } } })
  }
  await make('Hall north side', 'Alpha AG', orgId)
  await make('Hall side north', 'Beta AG', orgId)
  await make('Tower 10:30', 'Alphabet', null)
  for (const [search, found] of [
    ['hall', ['Hall north side', 'Hall side north']],
    ['SIDE hall', ['Hall north side', 'Hall side north']],
    ['"north side"', ['Hall north side']],
    ['hall tower', []],
    ['alpha', ['Hall north side', 'Tower 10:30']],
    ['customer:alpha', ['Hall north side', 'Tower 10:30']],
    ['customer:ag', []],
    ['customer:"Alpha AG" hall', ['Hall north side']],
    ['org:messe', ['Hall north side', 'Hall side north']],
    ['private:true', ['Tower 10:30']],
    ['private:false side', ['Hall north side', 'Hall side north']],
    ['private:maybe', []],
    ['10:30', ['Tower 10:30']],
    ['', ['Hall north side', 'Hall side north', 'Tower 10:30']],
  ] as const) {
    expect([search, await labelsOf(owner, search)]).toEqual([search, found])
  }
})

test('RULE-57 a search treats wildcards, quotes and operators literally, up to 200 characters', async () => {
  const odd = [
    '100% sure',
    'a_b',
    String.raw`back\slash`,
    `it's "quoted"`,
    'x; drop table project; --',
    'or 1=1',
  ]
  for (const label of odd) await owner.call(create, { body: { label } })
  for (const [search, found] of [
    ['%', ['100% sure']],
    ['_', ['a_b']],
    ['\\', [String.raw`back\slash`]],
    ['label:%', []],
    ['label:a_', ['a_b']],
    ['label:1_0', []],
    ["'", [`it's "quoted"`]],
    ["' or '1'='1", []],
    ['; --', ['x; drop table project; --']],
    ['$1', []],
    ['(((', []],
    ['*', []],
    ['a&b|!c', []],
    ['constructor:x', []],
    ['__proto__:x', []],
    ['x'.repeat(200), []],
  ] as const) {
    expect([search, await labelsOf(owner, search)]).toEqual([search, found])
  }
  expect(await owner.call(list, { query: { search: 'x'.repeat(201) } })).toFailWith('VALIDATION_FAILED')
  expect(await owner.call(list, { query: { search: 'a\0b' } })).toFailWith('VALIDATION_FAILED')
  const other = { filter: 'x' } as object
  expect(await owner.call(list, { query: other })).toFailWith('VALIDATION_FAILED')

  // A list is limited by the statement timeout.
  const limited = await testServer({ besides: server, hasCallLimits: true })
  await db.transaction().execute(async (trx) => {
    await sql`lock table organisation in access exclusive mode`.execute(trx)
    expect(await limited.call(list, { query: { search: 'hall' } }, owner.token)).toFailWith('QUERY_TIMEOUT')
  })
})

test('DEC-16 API-17 a check reports faults of owner, organisation, products and grants', async () => {
  const { orgId } = await given.organisation(owner, { members: [member] })
  const { projectId } = await given.project(member, {
    org: { orgId },
    grants: [{ person: stranger, productRole: 'project/viewer' }],
  })
  const params = { projectId }
  const check = async (by = owner) => (await by.call(verify, { params })).body
  const partsOf = async () => (await check()).problems.map(({ part }) => part)
  expect(await check()).toEqual({ verified: true, problems: [] })
  expect(await check(stranger)).toEqual({ verified: true, problems: [] })

  const removeMember = { params: { orgId, personId: member.personId } }
  await owner.call(organisationEndpoints.removeMember, removeMember)
  expect(await check()).toEqual({
    verified: false,
    problems: [{ part: 'organisation', message: 'The owner does not belong to the organisation' }],
  })
  await db.updateTable('person').set({ is_root: true }).where('id', '=', member.personId).execute()
  expect(await partsOf()).toEqual([])
  await db.updateTable('person').set({ is_root: false }).where('id', '=', member.personId).execute()

  await db
    .updateTable('project')
    .set({ products: ['gone'] })
    .where('id', '=', projectId)
    .execute()
  expect(await partsOf()).toEqual(['organisation', 'product', 'grant'])
  await db
    .updateTable('project')
    .set({ products: ['project'] })
    .where('id', '=', projectId)
    .execute()
  await db
    .updateTable('project_grant')
    .set({ product_role: null })
    .where('project_id', '=', projectId)
    .execute()
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', member.personId)
    .execute()
  expect(await partsOf()).toEqual(['owner', 'organisation', 'grant'])
  const another = await given.person()
  expect(await another.call(verify, { params })).toFailWith('NOT_FOUND')
})

test('DEC-14 a user who removes a project from their organisation gets it in the answer and no longer sees it', async () => {
  const { orgId } = await given.organisation(owner, { members: [member] })
  const { projectId } = await given.project(member, { org: { orgId } })
  const params = { projectId }
  const answer = await owner.call(update, { params, body: { org: null } })
  expect(answer.body).toMatchObject({ _id: projectId, org: null, access: 'organisation-owner', revision: 2 })
  expect(await owner.call(read, { params })).toFailWith('NOT_FOUND')
  expect(await member.call(read, { params })).toSucceed()
})

test('RULE-78 every change of a project is audited with actor, origin and content', async () => {
  const { body } = await owner.call(create, { body: { label: 'Watched' } })
  const params = { projectId: body._id }
  await root.call(update, { params, body: { label: 'Seen', config: { consoleColor: '#123' } } })
  await owner.call(remove, { params })
  const by = ({ personId }: GivenPerson) => ({
    actor_id: personId,
    result: 'success',
    target: body._id,
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  })
  expect(await auditOf(body._id)).toEqual([
    { event: 'project.created', ...by(owner), detail: { label: 'Watched', org: null } },
    {
      event: 'project.changed',
      ...by(root),
      detail: {
        label: 'Seen',
        config: { consoleColor: '#123' },
        from: { label: 'Watched', config: { consoleColor: '#444' } },
      },
    },
    { event: 'project.removed', ...by(owner), detail: { label: 'Seen' } },
  ])
})
