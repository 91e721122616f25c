import { edgeEndpoints, edgeEnrolmentEndpoints, edgeEventEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server

const minute = 60_000

test('the events of an edge are its outages and the actions of users, newest first, without addresses', async () => {
  const owner = await given.person({ firstname: 'Ada', lastname: 'Lovelace' })
  const viewer = await given.person()
  const { projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: viewer, productRole: 'edges/viewer' }],
  })
  const enrolled = async (label: string) => {
    const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
    server.watchSecret(body.code)
    const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
    server.watchSecret(redeemed.body.token)
    return { projectId, edgeId: body.edge._id }
  }
  const [params, other] = [await enrolled('Hall 3'), await enrolled('Hall 4')]
  await owner.call(edgeEndpoints.addInstance, { params, body: { label: 'Winch' } })
  await owner.call(edgeEndpoints.update, { params: other, body: { label: 'Hall 5' } })
  const now = Date.now()
  const [begins, ends] = [new Date(now - 40 * minute), new Date(now - 30 * minute)]
  await db
    .insertInto('edge_outage')
    .values([
      { edge_id: params.edgeId, begins, ends },
      { edge_id: params.edgeId, begins: new Date(now + minute), ends: null },
      { edge_id: other.edgeId, begins, ends: null },
    ])
    .execute()

  const answer = await viewer.call(edgeEventEndpoints.list, { params })
  expect(answer).toSucceed()
  const actor = { _id: owner.personId, name: 'Ada Lovelace' }
  const action = { kind: 'action', program: null, version: null }
  expect(answer.body.items).toMatchObject([
    { kind: 'offline' },
    { ...action, event: 'edge.changed', actor, program: 'Winch' },
    { ...action, event: 'edge.enrolled', actor: null },
    { ...action, event: 'edge.created', actor },
    { kind: 'online', at: ends.toISOString(), since: begins.toISOString() },
    { kind: 'offline', at: begins.toISOString() },
  ])
  expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|::1/)

  const stranger = await given.person()
  const foreign = (await given.project(stranger, { products: ['edges'] })).projectId
  const elsewhere = { params: { projectId: foreign, edgeId: params.edgeId } }
  expect(await stranger.call(edgeEventEndpoints.list, elsewhere)).toFailWith('NOT_FOUND')
})
