import { noteEndpoints, projectEndpoints, type ServerMessage } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket, type TestSocket } from '#platform/realtime/test-socket.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given } = server

const { create, update, remove, removeAll, exec } = noteEndpoints

let owner: GivenPerson
let operator: GivenPerson
let viewer: GivenPerson
let orgOwner: GivenPerson
let stranger: GivenPerson
let root: GivenPerson
let projectId: string
let grantId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  operator = await given.person({ firstname: 'Otto' })
  viewer = await given.person({ firstname: 'Vera' })
  orgOwner = await given.person({ firstname: 'Orla' })
  stranger = await given.person({ firstname: 'Stan' })
  root = await given.person({ firstname: 'Ruth', isRoot: true })
  const made = await given.project(owner, {
    org: await given.organisation(orgOwner, { members: [owner] }),
    grants: [
      { person: operator, productRole: 'project/operator' },
      { person: viewer, productRole: 'project/viewer' },
      // Roles that no extension defines give no access.
      { person: viewer, productRole: 'project/gone' },
      { person: viewer, productRole: null },
    ],
  })
  projectId = made.projectId
  grantId = made.grantIds[0] ?? ''
})

let sockets: TestSocket[] = []
afterEach(() => {
  for (const socket of sockets) socket.ws.terminate()
  sockets = []
})

async function connect(person: GivenPerson): Promise<TestSocket> {
  const socket = await openTestSocket(second.url, { token: person.token })
  sockets.push(socket)
  return socket
}

const subscribe = async (person: GivenPerson, topic: string) =>
  (await connect(person)).ask({ type: 'subscribe', topic })

/** Subscribes on the node that does not receive the calls. */
async function listen(person: GivenPerson) {
  const socket = await connect(person)
  expect(await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/notes` })).toBe('subscribed')
  const isEvent = (message: ServerMessage) => message.type === 'event'
  return {
    changes: () => socket.messages.filter(isEvent).map(({ data }) => data),
    ended: () => socket.messages.filter(({ type }) => type === 'ended').length,
  }
}

test('RULE-61 DEC-14 DEC-15 the topic of notes requires the notes role, and the topic of tasks requires a visible project', async () => {
  const answers = async (topic: string) => {
    const people = [root, owner, operator, viewer, orgOwner, stranger]
    return Promise.all(people.map((person) => subscribe(person, topic)))
  }
  const yes = 'subscribed'
  const no = 'refused'
  expect(await answers(`/projects/${projectId}/notes`)).toEqual([yes, yes, yes, no, no, no])
  expect(await answers(`/projects/${projectId}/LTT`)).toEqual([yes, yes, yes, yes, yes, no])
  expect(await answers('/projects/018f0000-0000-7000-8000-000000000000/notes')).toEqual(Array(6).fill(no))
})

test('WS-03 API-23 each change of a note reaches its readers on the other node', async () => {
  const listening = { owner: await listen(owner), operator: await listen(operator), root: await listen(root) }
  const made = await operator.call(create, { params: { projectId }, body: { label: 'A' } })
  const params = { projectId, itemId: made.body._id }
  await owner.call(update, { params, body: { label: 'B' } })
  await owner.call(update, { params, body: { label: 'B' } })
  await owner.call(exec, { params: { ...params, command: 'pin' }, body: {} })
  await owner.call(remove, { params })
  await root.call(removeAll, { params: { projectId } })
  await operator.call(create, { params: { projectId }, body: { label: 'C' } })
  await root.call(removeAll, { params: { projectId } })
  const upsert = { collection: 'notes', op: 'upsert', id: params.itemId }
  for (const [name, { changes }] of Object.entries(listening)) {
    await expect.poll(() => changes().length, { message: name }).toBe(6)
    expect(changes(), name).toEqual([
      { ...upsert, revision: 1 },
      { ...upsert, revision: 2 },
      { ...upsert, revision: 3 },
      { ...upsert, op: 'remove' },
      { ...upsert, id: expect.not.stringMatching(params.itemId), revision: 1 },
      { collection: 'notes', op: 'remove' },
    ])
  }
})

test('RULE-61 RULE-62 RULE-52 losing the role ends the subscription without further events and without losing the project', async () => {
  const listening = { operator: await listen(operator), owner: await listen(owner) }
  const write = async () => {
    const before = listening.owner.changes().length
    await owner.call(create, { params: { projectId }, body: { label: 'A' } })
    await expect.poll(() => listening.owner.changes().length).toBe(before + 1)
  }
  await write()
  await expect.poll(() => listening.operator.changes().length).toBe(1)
  const setRole = (productRole: string) =>
    owner.call(projectEndpoints.changeProductRole, { params: { projectId, grantId }, body: { productRole } })
  await setRole('project/viewer')
  await expect.poll(listening.operator.ended).toBe(1)
  expect(listening.owner.ended()).toBe(0)
  await write()
  await write()
  expect(listening.operator.changes()).toHaveLength(1)
  expect(await subscribe(operator, `/projects/${projectId}/notes`)).toBe('refused')

  // A role counts while the project uses its product.
  await setRole('project/maintainer')
  expect(await subscribe(operator, `/projects/${projectId}/notes`)).toBe('subscribed')
  await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: [] } })
  expect(await subscribe(operator, `/projects/${projectId}/notes`)).toBe('refused')
})
