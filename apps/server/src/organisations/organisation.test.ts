import { apiBase, organisationEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, create, read, update, remove, members, removeMember } = organisationEndpoints
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

const auditOf = async (target: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'address', 'detail'])
    .where('target', '=', target)
    .orderBy('id')
    .execute()

const labelsOf = async (person: GivenPerson) =>
  (await person.call(list, { query: { limit: '200' } })).body.items.map(({ label }) => label)

test('ORG-01 API-16 DEC-13 the owner can create, read, list, rename and delete an organisation', async () => {
  const created = await owner.call(create, { body: { label: '  Messe Nord ' } })
  expect(created).toSucceed()
  const changer = { _id: owner.personId, firstname: 'Olga', lastname: 'Lovelace' }
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(created.body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    label: 'Messe Nord',
    owner: owner.personId,
    ownerName: 'Olga Lovelace',
    access: 'owner',
    createdAt: instant,
    revision: 1,
    updatedAt: instant,
    updatedBy: changer,
  })
  const params = { orgId: created.body._id }
  expect((await owner.call(read, { params })).body).toEqual(created.body)
  expect((await owner.call(list)).body).toEqual({ items: [created.body], total: 1 })

  const renamed = await owner.call(update, { params, body: { label: 'Messe Süd' } })
  expect(renamed.body).toMatchObject({ label: 'Messe Süd', revision: 2, owner: owner.personId })
  expect(renamed.body.updatedAt > created.body.updatedAt).toBe(true)

  expect((await owner.call(remove, { params })).body).toBe(true)
  expect(await owner.call(read, { params })).toFailWith('NOT_FOUND')
  expect((await owner.call(list)).body).toEqual({ items: [], total: 0 })
})

test('DEC-13 DEC-14 RULE-51 members see an organisation, its owner and root edit it, and it returns 404 to all others', async () => {
  const { orgId } = await given.organisation(owner, { members: [member] })
  const params = { orgId }
  expect((await member.call(read, { params })).body.access).toBe('member')
  expect((await root.call(read, { params })).body.access).toBe('root')
  expect(await stranger.call(read, { params })).toFailWith('NOT_FOUND')
  expect(await stranger.call(read, { params: { orgId: unknownId } })).toFailWith('NOT_FOUND')
  expect((await member.call(list)).body.total).toBe(1)
  expect((await stranger.call(list)).body.total).toBe(0)

  for (const [person, code] of [
    [member, 'FORBIDDEN'],
    [stranger, 'NOT_FOUND'],
  ] as const) {
    expect(await person.call(update, { params, body: { label: 'Theirs' } })).toFailWith(code)
    expect(await person.call(remove, { params })).toFailWith(code)
  }
  expect((await owner.call(read, { params })).body).toMatchObject({ label: 'Messe Nord', revision: 1 })
  expect((await root.call(update, { params, body: { label: 'Roots' } })).body).toMatchObject({
    label: 'Roots',
    owner: owner.personId,
    updatedBy: { firstname: 'Ruth' },
  })
})

test('DEC-13 an organisation with projects cannot be deleted, and the refusal names them', async () => {
  const { orgId } = await given.organisation(owner)
  const hall = await given.project(member, { label: 'Hall', org: { orgId } })
  const tower = await given.project(owner, { label: 'Tower', org: { orgId } })
  const answer = await owner.call(remove, { params: { orgId } })
  expect(answer).toFailWith('ORGANISATION_HAS_PROJECTS')
  expect(answer.body).toMatchObject({
    detail: {
      projects: [
        { _id: hall.projectId, label: 'Hall' },
        { _id: tower.projectId, label: 'Tower' },
      ],
    },
  })
  expect(await owner.call(read, { params: { orgId } })).toSucceed()

  // The owner of the project deletes one, and the owner of the organisation removes the other.
  await owner.call(projectEndpoints.remove, { params: { projectId: hall.projectId } })
  await owner.call(projectEndpoints.update, { params: { projectId: tower.projectId }, body: { org: null } })
  expect(await owner.call(remove, { params: { orgId } })).toSucceed()
})

test('DEC-13 of a concurrent deletion and a new project one is refused, and no project loses its organisation', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { orgId } = await given.organisation(owner)
    const [removed, made] = await Promise.all([
      owner.call(remove, { params: { orgId } }),
      owner.call(projectEndpoints.create, { body: { label: 'Late', org: orgId } }),
    ])
    expect([removed.code, made.code]).toSatisfy(
      ([first, other]) =>
        (first === undefined && other === 'NOT_FOUND') ||
        (first === 'ORGANISATION_HAS_PROJECTS' && other === undefined),
    )
  }
})

test('RULE-54 undeclared fields, a label that is not text and an owner who is not a member are rejected', async () => {
  const { orgId } = await given.organisation(owner, { members: [member] })
  const params = { orgId }
  for (const body of [
    {},
    { label: '' },
    { label: '   ' },
    { label: 7 },
    { label: 'x'.repeat(201) },
    { label: 'a\nb' },
    { label: 'Mine', owner: stranger.personId },
    { label: 'Mine', _id: unknownId },
    { label: 'Mine', isRoot: true },
  ]) {
    expect(await stranger.call(create, { body }), JSON.stringify(body)).toFailWith('VALIDATION_FAILED')
  }
  for (const body of [
    { label: '' },
    { label: null },
    { _id: unknownId },
    { access: 'root' },
    { revision: 9 },
    { updatedBy: null },
    { owner: null },
    { owner: stranger.personId },
    { owner: unknownId },
  ]) {
    expect(await owner.call(update, { params, body }), JSON.stringify(body)).toFailWith('VALIDATION_FAILED')
  }
  expect((await owner.call(read, { params })).body).toMatchObject({ revision: 1, owner: owner.personId })

  const handedOver = await owner.call(update, { params, body: { owner: member.personId } })
  expect(handedOver.body).toMatchObject({
    owner: member.personId,
    ownerName: 'Mia Lovelace',
    access: 'member',
  })
  expect(await owner.call(update, { params, body: { label: 'Again mine' } })).toFailWith('FORBIDDEN')
})

test('RULE-58 of 50 concurrent edits of one revision one succeeds; the others get the record with its last editor and time', async () => {
  const { orgId } = await given.organisation(owner)
  const params = { orgId }
  const answers = await inWaves(50, (index) =>
    owner.call(update, { params, body: { label: `Edit ${index}` }, headers: { 'if-match': '"1"' } }),
  )
  const [won, ...others] = answers.filter(({ code }) => code === undefined)
  expect(others).toEqual([])
  const current = (await owner.call(read, { params })).body
  expect(won?.body).toEqual(current)
  expect(current.revision).toBe(2)
  const conflicts = answers.filter(({ code }) => code === 'REVISION_CONFLICT')
  expect(conflicts).toHaveLength(49)
  const { updatedAt, updatedBy } = current
  for (const { body, status } of conflicts) {
    expect(status).toBe(409)
    expect(body).toMatchObject({ detail: { current, updatedAt, updatedBy } })
  }
})

test('DEC-41 RULE-58 revisions are sent as ETag and If-Match; without one the last edit wins', async () => {
  const { orgId } = await given.organisation(owner)
  const params = { orgId }
  const first = await owner.call(read, { params })
  expect(first.headers.get('etag')).toBe('"1"')
  const edit = (label: string, headers?: Record<string, string>) =>
    owner.call(update, { params, body: { label }, ...(headers && { headers }) })
  expect((await edit('B', { 'if-match': '"1"' })).headers.get('etag')).toBe('"2"')
  expect(await edit('C', { 'if-match': '"1"' })).toFailWith('REVISION_CONFLICT')
  // A stale revision conflicts even if the update would change nothing.
  expect(await edit('B', { 'if-match': '"1"' })).toFailWith('REVISION_CONFLICT')
  expect(await edit('C', { 'if-match': 'W/"2"' })).toFailWith('VALIDATION_FAILED')
  expect((await edit('D')).body).toMatchObject({ label: 'D', revision: 3 })
})

test('an update that changes nothing writes nothing', async () => {
  const { orgId } = await given.organisation(owner, { label: 'Same' })
  const answer = await owner.call(update, { params: { orgId }, body: { label: 'Same' } })
  expect(answer.body).toMatchObject({ label: 'Same', revision: 1 })
  expect(await auditOf(orgId)).toEqual([])
})

test('RULE-59 DEC-41 a create that is repeated on two nodes creates one organisation', async () => {
  const headers = { 'idempotency-key': 'a-lost-answer' }
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? server : second).call(create, { body: { label: 'Once' }, headers }, owner.token),
    ),
  )
  expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1)
  for (const answer of answers) expect(answer).toSucceed()
  expect((await owner.call(list)).body.total).toBe(1)
  expect(await auditOf(answers[0]?.body._id ?? '')).toHaveLength(1)

  // Another key, user or collection makes a separate request.
  await owner.call(create, { body: { label: 'Twice' }, headers: { 'idempotency-key': 'another' } })
  expect((await owner.call(list)).body.total).toBe(2)
  expect((await member.call(create, { body: { label: 'Once' }, headers })).body.owner).toBe(member.personId)
  expect(await owner.call(projectEndpoints.create, { body: { label: 'Once' }, headers })).toSucceed()
  const bad = { 'idempotency-key': 'has a space' }
  expect(await owner.call(create, { body: { label: 'Once' }, headers: bad })).toFailWith('VALIDATION_FAILED')
})

test('DEC-14 the list of members starts with the owner; owner and root remove others, members remove themselves', async () => {
  const other = await given.person({ firstname: 'Otto', lastname: 'Ampère' })
  const { orgId } = await given.organisation(owner, { members: [member, other] })
  const params = { orgId }
  const { body } = await member.call(members, { params })
  expect(body.total).toBe(3)
  expect(body.items.map(({ firstname, isOwner }) => [firstname, isOwner])).toEqual([
    ['Olga', true],
    ['Otto', false],
    ['Mia', false],
  ])
  expect(body.items[1]).toEqual({
    _id: other.personId,
    firstname: 'Otto',
    lastname: 'Ampère',
    email: other.email,
    isEmailVerified: true,
    isOwner: false,
    since: expect.any(String),
  })
  expect(await stranger.call(members, { params })).toFailWith('NOT_FOUND')

  const takeOut = (by: GivenPerson, whom: { personId: string }) =>
    by.call(removeMember, { params: { orgId, personId: whom.personId } })
  expect(await takeOut(member, other)).toFailWith('FORBIDDEN')
  expect(await takeOut(member, owner)).toFailWith('FORBIDDEN')
  expect(await takeOut(stranger, stranger)).toFailWith('NOT_FOUND')
  expect(await takeOut(owner, owner)).toFailWith('OWNER_STAYS')
  expect(await takeOut(root, owner)).toFailWith('OWNER_STAYS')
  expect(await takeOut(owner, stranger)).toFailWith('NOT_FOUND')
  expect((await takeOut(member, member)).body).toBe(true)
  expect((await takeOut(root, other)).body).toBe(true)
  expect(await member.call(read, { params })).toFailWith('NOT_FOUND')
  expect((await owner.call(members, { params })).body.total).toBe(1)
})

test('DEC-13 an organisation keeps an owner who is a member, despite a concurrent transfer and removal', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { orgId } = await given.organisation(owner, { members: [member] })
    await Promise.all([
      owner.call(update, { params: { orgId }, body: { owner: member.personId } }),
      root.call(removeMember, { params: { orgId, personId: member.personId } }),
    ])
    const { items } = (await root.call(members, { params: { orgId } })).body
    expect(items.filter(({ isOwner }) => isOwner)).toHaveLength(1)
  }
})

test('RULE-78 every change of an organisation is audited with actor, origin and content', async () => {
  const { body } = await owner.call(create, { body: { label: 'Watched' } })
  const params = { orgId: body._id }
  await owner.call(update, { params, body: { label: 'Seen' } })
  await db
    .insertInto('membership')
    .values({ organisation_id: body._id, person_id: member.personId, created_at: new Date() })
    .execute()
  await root.call(removeMember, { params: { ...params, personId: member.personId } })
  await root.call(remove, { params })
  const by = ({ personId }: GivenPerson) => ({
    actor_id: personId,
    result: 'success',
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  })
  expect(await auditOf(body._id)).toEqual([
    { event: 'organisation.created', ...by(owner), detail: { label: 'Watched' } },
    { event: 'organisation.changed', ...by(owner), detail: { label: 'Seen', from: { label: 'Watched' } } },
    { event: 'membership.removed', ...by(root), detail: { person: member.personId } },
    { event: 'organisation.removed', ...by(root), detail: { label: 'Seen' } },
  ])
})

test('DEC-39 DEC-42 a list is paginated, with the total and a link to the next page', async () => {
  for (const label of ['A', 'B', 'C', 'D', 'E']) await owner.call(create, { body: { label } })
  const pages: string[][] = []
  let after: string | undefined
  do {
    const { body } = await owner.call(list, { query: { limit: '2', ...(after !== undefined && { after }) } })
    expect(body.total).toBe(5)
    expect(body).not.toHaveProperty('totalIsCapped')
    pages.push(body.items.map(({ label }) => label))
    after = body.next
  } while (after !== undefined)
  expect(pages).toEqual([['A', 'B'], ['C', 'D'], ['E']])
  expect((await owner.call(list, { query: { limit: '5' } })).body).not.toHaveProperty('next')

  for (const query of [
    { after: 'x' },
    { after: "'; drop table organisation; --" },
    { limit: '0' },
    { limit: '201' },
  ]) {
    expect(await owner.call(list, { query }), JSON.stringify(query)).toFailWith('VALIDATION_FAILED')
  }
})

test('DEC-32 organisations are searched by words and by the owner’s name', async () => {
  await owner.call(create, { body: { label: 'Messe Nord' } })
  await owner.call(create, { body: { label: 'Messe Süd' } })
  await member.call(create, { body: { label: 'Hafen Nord' } })
  const found = async (search: string) => {
    const { items, total } = (await root.call(list, { query: { search, limit: '200' } })).body
    expect(items).toHaveLength(total)
    return items
      .filter(({ owner: id }) => [owner.personId, member.personId].includes(id))
      .map(({ label }) => label)
  }
  expect(await found('nord')).toEqual(['Messe Nord', 'Hafen Nord'])
  expect(await found('nord messe')).toEqual(['Messe Nord'])
  expect(await found('owner:mia')).toEqual(['Hafen Nord'])
  expect(await found('label:messe nord')).toEqual(['Messe Nord'])
  expect(await found('label:nord')).toEqual([])
  expect(await labelsOf(member)).toEqual(['Hafen Nord'])
})

test('DEC-20 no call deletes all organisations or projects, not even for root', async () => {
  await given.organisation(owner)
  for (const path of ['/orgs', '/projects']) {
    for (const { token } of [root, owner]) {
      const answer = await fetch(server.url + apiBase + path, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(404)
    }
  }
  expect((await owner.call(list)).body.total).toBe(1)
})
