import { meEndpoints, projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { add, update, remove, setRoles } = rootGrantEndpoints
const { changeProductRole, read } = projectEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'

let owner: GivenPerson
let holder: GivenPerson
let root: GivenPerson
let projectId: string
let grantId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  holder = await given.person({ firstname: 'Greta', lastname: 'Hall' })
  root = await given.person({ firstname: 'Ruth', isRoot: true })
  const given_ = await given.project(owner, { grants: [{ person: holder, productRole: 'project/viewer' }] })
  projectId = given_.projectId
  grantId = given_.grantIds[0] ?? ''
})

const scopeOf = async (person: GivenPerson) => (await person.call(meEndpoints.read)).body.scope
const grantsOf = async (id = projectId) => (await root.call(read, { params: { projectId: id } })).body.grants
const entries = (...roles: string[]) => roles.map((role) => `p-${projectId}/r-${role}`)

test('PROJ-04 PROJ-05 API-18 DEC-41 root adds a grant without a role, sets its role and removes it', async () => {
  const ada = await given.person()
  const added = await root.call(add, { params: { projectId }, body: { user: ada.personId } })
  expect(added.body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    user: ada.personId,
    name: 'Ada Lovelace',
    productRole: null,
  })
  const params = { projectId, grantId: added.body._id }
  const changed = await root.call(update, { params, body: { productRole: 'project/operator' } })
  expect(changed.body).toEqual({ ...added.body, productRole: 'project/operator' })
  expect(await grantsOf()).toEqual([expect.objectContaining({ _id: grantId }), changed.body])
  expect((await root.call(update, { params, body: { productRole: null } })).body.productRole).toBeNull()
  expect((await root.call(remove, { params })).body).toBe(true)
  expect(await grantsOf()).toEqual([expect.objectContaining({ _id: grantId })])
  expect(await root.call(remove, { params })).toFailWith('NOT_FOUND')
})

test('RULE-53 ROLE-02 PROJ-05 only root adds, removes and updates grants', async () => {
  const ada = await given.person()
  const params = { projectId, grantId }
  for (const person of [owner, holder, ada]) {
    expect(await person.call(add, { params, body: { user: person.personId } })).toFailWith('FORBIDDEN')
    expect(await person.call(update, { params, body: { productRole: null } })).toFailWith('FORBIDDEN')
    expect(await person.call(remove, { params })).toFailWith('FORBIDDEN')
  }
  expect(await grantsOf()).toEqual([
    { _id: grantId, user: holder.personId, name: 'Greta Hall', productRole: 'project/viewer' },
  ])
})

test('RULE-53 PROJ-04 API-17 the owner changes product roles in their own project, other users do not', async () => {
  const orgOwner = await given.person()
  const { orgId } = await given.organisation(orgOwner, { members: [owner] })
  await db.updateTable('project').set({ organisation_id: orgId }).where('id', '=', projectId).execute()
  const params = { projectId, grantId }
  const body = { productRole: 'project/maintainer' }
  const stranger = await given.person()
  expect(await stranger.call(changeProductRole, { params, body })).toFailWith('NOT_FOUND')
  for (const person of [orgOwner, holder]) {
    expect(await person.call(changeProductRole, { params, body })).toFailWith('FORBIDDEN')
  }
  expect((await owner.call(changeProductRole, { params, body })).body.productRole).toBe('project/maintainer')
  const back = { productRole: 'project/viewer' }
  expect((await root.call(changeProductRole, { params, body: back })).body.productRole).toBe('project/viewer')
})

test('RULE-53 a role must exist exactly as written in a product that the project uses', async () => {
  const params = { projectId, grantId }
  for (const productRole of [
    'project/no-such-role',
    'other/viewer',
    'project',
    'viewer',
    'PROJECT/viewer',
    'project/viewer ',
    ' project/viewer',
    'project/viewer/',
    'project//viewer',
    'project/viewer/x',
    'project/constructor',
    '__proto__/viewer',
    'root',
  ]) {
    for (const [person, call] of [
      [owner, changeProductRole],
      [root, update],
    ] as const) {
      expect(await person.call(call, { params, body: { productRole } }), productRole).toFailWith(
        'UNKNOWN_PRODUCT_ROLE',
      )
    }
  }
  expect(await owner.call(changeProductRole, { params, body: { productRole: '' } })).toFailWith(
    'VALIDATION_FAILED',
  )
  expect(await owner.call(changeProductRole, { params, body: { productRole: null } })).toFailWith(
    'VALIDATION_FAILED',
  )

  await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: [] } })
  for (const [person, call] of [
    [owner, changeProductRole],
    [root, update],
  ] as const) {
    expect(await person.call(call, { params, body: { productRole: 'project/operator' } })).toFailWith(
      'UNKNOWN_PRODUCT_ROLE',
    )
  }
})

test('PROJ-05 DEC-15 root sets several roles of a person in one step, and an empty list removes the person', async () => {
  const params = { projectId, personId: holder.personId }
  const set = async (...productRoles: string[]) => root.call(setRoles, { params, body: { productRoles } })
  const roles = async () => (await grantsOf()).map(({ productRole }) => productRole)
  const answer = await set('project/operator', 'project/maintainer', 'project/operator')
  expect(answer.body.items).toMatchObject([
    { user: holder.personId, productRole: 'project/operator' },
    { user: holder.personId, productRole: 'project/maintainer' },
  ])
  expect(await roles()).toEqual(['project/operator', 'project/maintainer'])
  const audited = await db
    .selectFrom('audit')
    .select(['event', sql<string>`detail ->> 'productRole'`.as('role')])
    .where('project_id', '=', projectId)
    .where('event', 'like', 'grant.%')
    .orderBy('id')
    .execute()
  expect(audited.map(({ event, role }) => `${event} ${role}`)).toEqual([
    'grant.removed project/viewer',
    'grant.added project/operator',
    'grant.added project/maintainer',
  ])
  expect(await scopeOf(holder)).toEqual(expect.arrayContaining(entries('project-details:people')))

  // All or nothing.
  expect(await set('project/viewer', 'project/no-such-role')).toFailWith('UNKNOWN_PRODUCT_ROLE')
  expect(await roles()).toEqual(['project/operator', 'project/maintainer'])

  // A role of a product that the project no longer uses may stay, but cannot be added again.
  await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: [] } })
  await set('project/operator')
  expect(await roles()).toEqual(['project/operator'])
  expect(await set('project/maintainer')).toFailWith('UNKNOWN_PRODUCT_ROLE')
  await set()
  expect(await roles()).toEqual([])
})

test('RULE-53 only root sets the roles of a person', async () => {
  const params = { projectId, personId: holder.personId }
  for (const person of [owner, holder, await given.person()])
    expect(await person.call(setRoles, { params, body: { productRoles: [] } })).toFailWith('FORBIDDEN')
  const unknown = { projectId, personId: unknownId }
  const body = { productRoles: ['project/viewer'] }
  expect(await root.call(setRoles, { params: unknown, body })).toFailWith('UNKNOWN_PERSON')
  expect(await root.call(setRoles, { params: { ...params, projectId: unknownId }, body })).toFailWith(
    'NOT_FOUND',
  )
})

test('RULE-51 a grant belongs to the project of the path', async () => {
  const other = await given.project(owner)
  for (const params of [
    { projectId: other.projectId, grantId },
    { projectId: unknownId, grantId },
    { projectId, grantId: unknownId },
  ]) {
    const body = { productRole: 'project/operator' }
    expect(await owner.call(changeProductRole, { params, body })).toFailWith('NOT_FOUND')
    expect(await root.call(update, { params, body })).toFailWith('NOT_FOUND')
    expect(await root.call(remove, { params })).toFailWith('NOT_FOUND')
  }
  expect((await grantsOf())[0]).toMatchObject({ _id: grantId, productRole: 'project/viewer' })
  const body = { user: holder.personId }
  expect(await root.call(add, { params: { projectId: unknownId }, body })).toFailWith('NOT_FOUND')
})

test('DEC-15 one person holds several grants, each role once', async () => {
  const give = async () => root.call(add, { params: { projectId }, body: { user: holder.personId } })
  const next = await give()
  expect(next).toSucceed()
  expect(await give()).toFailWith('ALREADY_GRANTED')
  const params = { projectId, grantId: next.body._id }
  const set = (productRole: string) => root.call(update, { params, body: { productRole } })
  expect(await set('project/viewer')).toFailWith('ALREADY_GRANTED')
  expect(await set('project/operator')).toSucceed()
  expect(await give()).toSucceed()
  expect((await grantsOf()).map(({ productRole }) => productRole)).toEqual([
    'project/viewer',
    'project/operator',
    null,
  ])
  const unknown = { user: unknownId }
  expect(await root.call(add, { params: { projectId }, body: unknown })).toFailWith('UNKNOWN_PERSON')
})

test('RULE-54 a grant accepts only declared fields', async () => {
  const user = holder.personId
  for (const body of [
    {},
    { user: 'x' },
    { user, productRole: 'project/viewer' },
    { user, _id: unknownId },
    { user, scope: ['root'] },
  ]) {
    expect(await root.call(add, { params: { projectId }, body }), JSON.stringify(body)).toFailWith(
      'VALIDATION_FAILED',
    )
  }
  for (const body of [{}, { productRole: 7 }, { productRole: 'project/viewer', user }, { isRoot: true }]) {
    const params = { projectId, grantId }
    expect(await root.call(update, { params, body }), JSON.stringify(body)).toFailWith('VALIDATION_FAILED')
  }
})

test('ROLE-01 DEC-15 a product role unfolds to the scope entries of its apps and their tabs', async () => {
  expect(await scopeOf(holder)).toEqual(entries('project-details'))
  await owner.call(changeProductRole, {
    params: { projectId, grantId },
    body: { productRole: 'project/operator' },
  })
  const unfolded = entries('project-details', 'project-details:notes', 'project-details:tasks')
  expect(await scopeOf(holder)).toEqual(unfolded)
  // A role of two grants is listed once; root comes first.
  await db
    .insertInto('project_grant')
    .values({
      id: unknownId,
      project_id: projectId,
      person_id: holder.personId,
      product_role: 'project/viewer',
    })
    .execute()
  expect((await scopeOf(holder)).toSorted()).toEqual(unfolded.toSorted())
  await db.updateTable('person').set({ is_root: true }).where('id', '=', holder.personId).execute()
  expect(await scopeOf(holder)).toContain('root')
  expect(await scopeOf(owner)).toEqual([])
})

test('DEC-15 a role counts while the project uses its product', async () => {
  const use = (products: string[]) =>
    owner.call(projectEndpoints.update, { params: { projectId }, body: { products } })
  await use([])
  expect(await scopeOf(holder)).toEqual([])
  await use(['project'])
  expect(await scopeOf(holder)).toEqual(entries('project-details'))
})

test('RULE-52 a removed grant takes effect on the next call on every node', async () => {
  const params = { projectId, grantId }
  const seenOn = async (node: typeof server) => {
    const project = await node.call(read, { params }, holder.token)
    const me = await node.call(meEndpoints.read, {}, holder.token)
    return [project.status, me.body.scope.length]
  }
  for (const node of [server, second]) expect(await seenOn(node)).toEqual([200, 1])
  await root.call(update, { params, body: { productRole: 'project/maintainer' } })
  for (const node of [second, server]) expect(await seenOn(node)).toEqual([200, 5])
  expect(await second.call(remove, { params }, root.token)).toSucceed()
  for (const node of [server, second]) expect(await seenOn(node)).toEqual([404, 0])
})

test('DEC-14 users who may edit a project or see its people see all grants, and other holders see only their own', async () => {
  const other = await given.person({ firstname: 'Otto' })
  await root.call(add, { params: { projectId }, body: { user: other.personId } })
  const usersSeenBy = async (person: GivenPerson) =>
    (await person.call(read, { params: { projectId } })).body.grants.map(({ user }) => user)
  expect(await usersSeenBy(owner)).toEqual([holder.personId, other.personId])
  expect(await usersSeenBy(root)).toEqual([holder.personId, other.personId])
  expect(await usersSeenBy(holder)).toEqual([holder.personId])
  expect(await usersSeenBy(other)).toEqual([other.personId])
  const [listed] = (await holder.call(projectEndpoints.list)).body.items
  expect(listed?.grants.map(({ user }) => user)).toEqual([holder.personId])

  // A role in a project of another owner shows no additional users.
  await given.project(owner, { grants: [{ person: other, productRole: 'project/maintainer' }] })
  expect(await usersSeenBy(other)).toEqual([other.personId])
  await owner.call(changeProductRole, {
    params: { projectId, grantId },
    body: { productRole: 'project/maintainer' },
  })
  expect(await usersSeenBy(holder)).toEqual([holder.personId, other.personId])
})

test('RULE-78 every change of a grant is audited with actor, user and content', async () => {
  const ada = await given.person()
  const { body } = await root.call(add, { params: { projectId }, body: { user: ada.personId } })
  const params = { projectId, grantId: body._id }
  await owner.call(changeProductRole, { params, body: { productRole: 'project/viewer' } })
  // An unchanged role writes no audit row.
  await owner.call(changeProductRole, { params, body: { productRole: 'project/viewer' } })
  await root.call(remove, { params })
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address', 'detail'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const common = {
    result: 'success',
    target: ada.personId,
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  }
  const detail = (productRole: string | null) => ({ grant: body._id, productRole })
  expect(rows).toEqual([
    { event: 'grant.added', actor_id: root.personId, detail: detail(null), ...common },
    {
      event: 'grant.changed',
      actor_id: owner.personId,
      detail: { ...detail('project/viewer'), from: null },
      ...common,
    },
    { event: 'grant.removed', actor_id: root.personId, detail: detail('project/viewer'), ...common },
  ])
})

test('root lists the grants of a person in all projects', async () => {
  const ada = await given.person()
  const role = 'project/viewer'
  const later = await given.project(owner, { label: 'Zeche', grants: [{ person: ada, productRole: role }] })
  const first = await given.project(owner, { label: 'arena', grants: [{ person: ada, productRole: null }] })
  await given.project(owner, { label: 'Messe', grants: [{ person: owner, productRole: role }] })
  const { body } = await root.call(rootGrantEndpoints.ofPerson, { params: { personId: ada.personId } })
  const products = ['project']
  expect(body).toEqual({
    total: 2,
    items: [
      {
        _id: first.grantIds[0],
        productRole: null,
        project: { _id: first.projectId, label: 'arena', products },
      },
      {
        _id: later.grantIds[0],
        productRole: role,
        project: { _id: later.projectId, label: 'Zeche', products },
      },
    ],
  })
  const unknown = { personId: '018f0000-0000-7000-8000-000000000000' }
  expect(await root.call(rootGrantEndpoints.ofPerson, { params: unknown })).toFailWith('NOT_FOUND')
})
