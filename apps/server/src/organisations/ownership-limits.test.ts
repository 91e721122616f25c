import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const settings = { PROJECTS_PER_PERSON: '3', ORGANISATIONS_PER_PERSON: '3' }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given } = server

test.each([
  ['projects', projectEndpoints.create, 'TOO_MANY_PROJECTS', 'Projekte'],
  ['organisations', organisationEndpoints.create, 'TOO_MANY_ORGANISATIONS', 'Organisationen'],
] as const)(
  'ORG-01 PROJ-01 concurrent calls on two nodes create as many %s as one person may own',
  async (nouns, endpoint, code, germanNouns) => {
    const owner = await given.person()
    const create = (label: string) => owner.call(endpoint, { body: { label } })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        (place % 2 === 0 ? server : second).call(endpoint, { body: { label: `No ${place}` } }, owner.token),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const refused of answers.filter(({ status }) => status !== 200)) expect(refused).toFailWith(code)

    expect((await create('One more')).body).toMatchObject({
      message: `One person can own 3 ${nouns}. Ask root to raise the limit`,
    })
    const headers = { 'accept-language': 'de' }
    expect((await owner.call(endpoint, { body: { label: 'One more' }, headers })).body).toMatchObject({
      message: `Eine Person kann 3 ${germanNouns} besitzen. Bitten Sie Root, die Grenze anzuheben`,
    })
  },
)

test('ORG-01 PROJ-01 root may own more projects and organisations than the limits allow other users', async () => {
  const root = await given.person({ isRoot: true })
  for (const endpoint of [projectEndpoints.create, organisationEndpoints.create])
    for (const label of ['One', 'Two', 'Three', 'Four'])
      expect(await root.call(endpoint, { body: { label } })).toSucceed()
})

test('ORG-01 only root can transfer an organisation to a member who has reached the limit', async () => {
  const [owner, heir, root] = [
    await given.person(),
    await given.person(),
    await given.person({ isRoot: true }),
  ]
  for (const label of ['One', 'Two', 'Three'])
    await heir.call(organisationEndpoints.create, { body: { label } })
  const { orgId } = await given.organisation(owner, { members: [heir] })
  const handOver = { params: { orgId }, body: { owner: heir.personId } }
  expect(await owner.call(organisationEndpoints.update, handOver)).toFailWith('TOO_MANY_ORGANISATIONS')
  expect((await root.call(organisationEndpoints.update, handOver)).body.owner).toBe(heir.personId)
})

test('ORG-01 a repeated create at the limit returns its first organisation', async () => {
  const owner = await given.person()
  for (const label of ['One', 'Two']) await owner.call(organisationEndpoints.create, { body: { label } })
  const again = { body: { label: 'Three' }, headers: { 'idempotency-key': 'three' } }
  const { body } = await owner.call(organisationEndpoints.create, again)
  expect((await owner.call(organisationEndpoints.create, again)).body._id).toBe(body._id)
})
