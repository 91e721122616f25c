import { apiBase, extensionEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { extensionFolder, type GivenPerson, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const roleOf = (id: string, roles: string[]) => ({ id, label: id, roles })
const app = (id: string, productSku: string, more: object = {}) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku,
  ...more,
})
const hall = {
  manifest: {
    id: 'hall',
    products: [
      {
        sku: 'hall',
        label: 'Hall',
        roles: [roleOf('viewer', ['plan']), roleOf('builder', ['plan', 'build', 'build:gates'])],
      },
    ],
    apps: [
      app('lobby', 'hall'),
      app('plan', 'hall', { role: 'plan' }),
      app('build', 'hall', { role: 'build', container: 'window' }),
    ],
  },
}
const sales = {
  manifest: {
    id: 'sales',
    products: [{ sku: 'sales', label: 'Sales', roles: [roleOf('seller', ['plan'])] }],
    apps: [app('till', 'sales')],
  },
}
const console_ = {
  manifest: { id: 'accounts', apps: [app('people', 'root'), app('log', 'root', { role: 'log' })] },
}
const sdk9 = { manifest: { id: 'old', sdk: '^9.0.0', apps: [app('past', 'hall')] } }

const server = await testServer({
  extensionsFolder: await extensionFolder({ hall, sales, accounts: console_, old: sdk9 }),
})
const { given } = server
const owner = await given.person()
const orgOwner = await given.person()
const people = {
  stranger: await given.person(),
  member: await given.person(),
  'organisation owner': orgOwner,
  'grant without a role': await given.person(),
  viewer: await given.person(),
  builder: await given.person(),
  'holder of a role of a product that the project does not use': await given.person(),
  'project owner': owner,
  root: await given.person({ isRoot: true }),
} satisfies Record<string, GivenPerson>
type Who = keyof typeof people
const org = await given.organisation(orgOwner, { members: [people.member] })
const grant = (who: Who, productRole: string | null) => ({ person: people[who], productRole })
const { projectId } = await given.project(owner, {
  org,
  products: ['hall'],
  grants: [
    grant('grant without a role', null),
    grant('viewer', 'hall/viewer'),
    grant('builder', 'hall/builder'),
    grant('holder of a role of a product that the project does not use', 'sales/seller'),
  ],
})
// Roles in another project give no access here.
await given.project(people.stranger, { products: ['hall', 'sales'] })

const probe = (person: GivenPerson, project?: string) =>
  person.call(extensionEndpoints.probe, project === undefined ? {} : { query: { project } })
const appsOf = async (who: Who, project?: string) =>
  (await probe(people[who], project)).body.flatMap(({ apps }) => apps.map(({ id }) => id))

// Written by hand from the decisions. `past` cannot run, but is listed for the users who could open it.
const inProject: Record<Who, readonly string[] | 404> = {
  stranger: 404,
  member: 404,
  'organisation owner': ['lobby', 'past'],
  'grant without a role': ['lobby', 'past'],
  viewer: ['lobby', 'plan', 'past'],
  builder: ['lobby', 'plan', 'build', 'past'],
  'holder of a role of a product that the project does not use': ['lobby', 'past'],
  'project owner': ['lobby', 'plan', 'build', 'past'],
  root: ['lobby', 'plan', 'build', 'past'],
}

test.each(Object.entries(inProject) as [Who, readonly string[] | 404][])(
  'APP-03 API-19 DEC-22 DEC-14 a %s receives %j in a project',
  async (who, expected) => {
    const { status, body } = await probe(people[who], projectId)
    const offered = status === 200 ? body.flatMap(({ apps }) => apps.map(({ id }) => id)) : status
    expect(offered).toEqual(expected)
  },
)

test.each(Object.keys(people) as Who[])(
  'APP-10 ROLE-02 without a project a %s receives root apps only as root',
  async (who) => {
    expect(await appsOf(who)).toEqual(who === 'root' ? ['people', 'log'] : [])
  },
)

test('API-19 without a session or for an unknown project the probe is rejected', async () => {
  expect(await server.call(extensionEndpoints.probe)).toFailWith('UNAUTHENTICATED')
  const nowhere = '018f0000-0000-7000-8000-000000000000'
  expect(await probe(people.root, nowhere)).toFailWith('NOT_FOUND')
  const odd = await people.root.call(extensionEndpoints.probe, { query: { project: 'x' } })
  expect(odd).toFailWith('VALIDATION_FAILED')
})

test('DEC-22 DEC-23 a fragment contains all data that the console needs before it loads code', async () => {
  const [fragment] = (await probe(people.builder, projectId)).body
  const base = /^\/extensions\/hall\/[0-9a-f]{16}\/entry\.js$/
  expect(fragment).toEqual({
    id: 'hall',
    version: '1.0.0',
    isBundled: true,
    label: 'hall',
    entry: expect.stringMatching(base),
    integrity: { [fragment?.entry ?? '']: expect.stringMatching(/^sha256-/) },
    styles: [],
    sdk: '^1.0.0',
    apps: [
      expect.objectContaining({ id: 'lobby', priority: 1000, container: 'page' }),
      expect.objectContaining({ id: 'plan' }),
      expect.objectContaining({ id: 'build', container: 'window' }),
    ],
  })
})

test('DEC-24 an extension for another SDK is listed with its reason and without code', async () => {
  const fragments = (await probe(people.viewer, projectId)).body
  expect(fragments.find(({ id }) => id === 'old')).toMatchObject({
    entry: '',
    integrity: {},
    problem: 'it needs SDK ^9.0.0, and this console has 1.0.0',
  })
  const answer = await fetch(`${server.url}${apiBase}/probe?project=${projectId}`, {
    headers: { authorization: `Bearer ${people.viewer.token}`, 'accept-language': 'de-DE' },
  })
  const inGerman = (await answer.json()) as { id: string; problem?: string }[]
  expect(inGerman.find(({ id }) => id === 'old')?.problem).toBe(
    'Sie braucht das SDK ^9.0.0, und diese Konsole hat 1.0.0',
  )
})

test('RULE-52 a disabled extension is in no answer from the next call on', async () => {
  const change = (verb: 'enable' | 'disable', name: string) =>
    people.root.call(rootExtensionEndpoints[verb], { params: { name }, body: {} })
  expect(await change('disable', 'hall')).toSucceed()
  expect(await appsOf('builder', projectId)).toEqual(['past'])
  expect(await appsOf('root', projectId)).toEqual(['past'])
  expect(await change('disable', 'old')).toSucceed()
  expect(await appsOf('root', projectId)).toEqual([])
  expect(await change('enable', 'hall')).toSucceed()
  expect(await appsOf('builder', projectId)).toEqual(['lobby', 'plan', 'build'])
})
