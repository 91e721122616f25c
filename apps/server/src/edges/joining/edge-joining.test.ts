import {
  type BodyOf,
  type EdgeMachine,
  edgeCloseCodes,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeEventEndpoints,
  edgeKeyEndpoints,
  edgeRequestEndpoints,
  limits,
} from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { hashToken } from '#platform/secrets.ts'
import { up } from '../../../migrations/0069-edge-tokens.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import { connectAgent, type VirtualAgent, type VirtualAgentOptions } from '../testing/virtual-agent.ts'
import { sweepRefused } from './joining.ts'
import { createTwins } from './twins.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

let owner: GivenPerson
let viewer: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  viewer = await given.person({ firstname: 'Vera' })
  ;({ projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: viewer, productRole: 'edges/viewer' }],
  }))
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

async function connect(options: VirtualAgentOptions, node = server): Promise<VirtualAgent> {
  const agent = await connectAgent(node.url, options)
  agents.push(agent)
  return agent
}

const machine = (id: string, hostname = `player-${id}`): EdgeMachine => ({
  ids: [id.padStart(32, '0')],
  hostname,
  platform: 'linux arm64',
  model: 'Raspberry Pi 5 Model B',
  serial: `serial-${id}`,
  addresses: ['10.0.0.7'],
})

async function key(body: Partial<BodyOf<typeof edgeKeyEndpoints.create>> = {}) {
  const made = await owner.call(edgeKeyEndpoints.create, {
    params: { projectId },
    body: { label: 'Halls', ...body },
  })
  expect(made).toSucceed()
  server.watchSecret(made.body.secret)
  return made.body
}

async function redeem(code: string, facts?: EdgeMachine, node = server) {
  const answer = await node.call(edgeEnrolmentEndpoints.redeem, {
    body: { code, ...(facts !== undefined && { machine: facts, version: '1.2.3' }) },
  })
  if (answer.status === 200) server.watchSecret(answer.body.token)
  return answer
}

const keys = async () => (await owner.call(edgeKeyEndpoints.list, { params: { projectId } })).body.items
const waiting = async () =>
  (await owner.call(edgeRequestEndpoints.list, { params: { projectId } })).body.items
const edges = async () => (await owner.call(edgeEndpoints.list, { params: { projectId } })).body.items
const decide = (decision: 'approve' | 'refuse' | 'readmit', requests: string[]) =>
  owner.call(edgeRequestEndpoints.decide, { params: { projectId }, body: { decision, requests } })
const eventsOn = async (target: string) =>
  (await db.selectFrom('audit').select('event').where('target', '=', target).orderBy('id').execute()).map(
    ({ event }) => event,
  )

test('DEC-41 a key that is created again after a lost reply is one key, of which only the last secret works', async () => {
  const create = (label: string) =>
    owner.call(edgeKeyEndpoints.create, {
      params: { projectId },
      body: { label },
      headers: { 'idempotency-key': 'hall' },
    })
  const [lost, repeated] = [await create('Hall'), await create('Hall')]
  for (const answer of [lost, repeated]) {
    expect(answer).toSucceed()
    server.watchSecret(answer.body.secret)
  }
  expect(repeated.body.key._id).toBe(lost.body.key._id)
  expect((await keys()).map(({ label }) => label)).toEqual(['Hall'])
  expect(await redeem(lost.body.secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await redeem(repeated.body.secret)).toSucceed()
  expect(await create('Gate')).toFailWith('IDEMPOTENCY_KEY_REUSED')
})

test('a machine with a key becomes an edge with the tags of the key and the name of the machine', async () => {
  const { key: made, secret } = await key({ tags: ['Hall', 'North', 'Hall'], uses: 2, days: 30 })
  expect(made).toMatchObject({
    label: 'Halls',
    tags: ['Hall', 'North'],
    usesLeft: 2,
    used: 0,
    ended: null,
  })
  const answer = await redeem(` ${secret.toLowerCase()} `, machine('1', 'player-1'))
  expect(answer).toSucceed()
  expect(answer.body.isWaiting).toBeUndefined()
  expect(await edges()).toMatchObject([{ _id: answer.body.edge, label: 'player-1', tags: ['Hall', 'North'] }])
  const agent = await connect({ token: answer.body.token, machine: machine('1', 'player-1') })
  await expect.poll(() => agent.messages.length).toBeGreaterThan(0)
  expect(agent.messages).toMatchObject([{ type: 'welcome', label: 'player-1' }])
  // An agent of an earlier release sends no facts.
  await redeem(secret)
  expect((await edges()).map(({ label }) => label)).toEqual(['Halls 2', 'player-1'])
  expect(await keys()).toMatchObject([
    { usesLeft: 0, used: 2, ended: 'used-up', lastUsedAt: expect.any(String) },
  ])
  expect(await redeem(secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await eventsOn(answer.body.edge)).toEqual(['edge.enrolled'])
  expect(await eventsOn(made._id)).toEqual(['edge-key.created'])
})

test('of many machines that compete at two nodes for the last use of a key exactly one gets it', async () => {
  const { secret } = await key({ uses: 1 })
  const answers = await inWaves(20, (index) => redeem(secret, undefined, index % 2 === 0 ? server : second))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'EDGE_CODE_NOT_VALID')).toHaveLength(19)
  expect(await edges()).toHaveLength(1)
})

test('a key ends by expiry and by revocation, and the database stores only its hash', async () => {
  const { key: made, secret } = await key()
  expect(JSON.stringify(await db.selectFrom('edge_key').selectAll().execute())).not.toContain(secret)
  expect(JSON.stringify(await keys())).not.toContain(secret)
  await db
    .updateTable('edge_key')
    .set({ expires_at: new Date(0) })
    .where('id', '=', made._id)
    .execute()
  expect(await redeem(secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await keys()).toMatchObject([{ usesLeft: null, used: 0, ended: 'expired' }])
  const other = await key({ label: 'Other' })
  const params = { projectId, keyId: other.key._id }
  expect(await owner.call(edgeKeyEndpoints.revoke, { params })).toSucceed()
  expect(await owner.call(edgeKeyEndpoints.revoke, { params })).toFailWith('NOT_FOUND')
  expect(await redeem(other.secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await eventsOn(other.key._id)).toEqual(['edge-key.created', 'edge-key.revoked'])
  const foreign = await given.person()
  expect(await foreign.call(edgeKeyEndpoints.revoke, { params })).toFailWith('NOT_FOUND')
  expect(await viewer.call(edgeKeyEndpoints.list, { params: { projectId } })).toFailWith('FORBIDDEN')
})

test('RULE-52 a key expires after the days that its creator chose, 90 by default', async () => {
  const days = (iso: string | null) => Math.round((Date.parse(iso ?? '') - Date.now()) / 86_400_000)
  expect(days((await key()).key.expiresAt)).toBe(90)
  expect(days((await key({ days: 2 })).key.expiresAt)).toBe(2)
  // Keys of earlier releases have no end.
  const { key: made, secret } = await key()
  await db.updateTable('edge_key').set({ expires_at: null }).where('id', '=', made._id).execute()
  expect(await redeem(secret)).toSucceed()
})

test('RULE-30 RULE-52 a key ends when its creator may no longer manage the edges of the project', async () => {
  const operator = await given.person()
  const grant = { person: operator, productRole: 'edges/operator' }
  ;({ projectId } = await given.project(owner, { products: ['project', 'edges'], grants: [grant] }))
  const made = await operator.call(edgeKeyEndpoints.create, {
    params: { projectId },
    body: { label: 'Halls' },
  })
  expect(made).toSucceed()
  const { secret } = made.body
  server.watchSecret(secret)
  const endedOf = async () => (await keys()).map(({ ended }) => ended)
  const set = (disabled_at: Date | null) =>
    db.updateTable('person').set({ disabled_at }).where('id', '=', operator.personId).execute()
  expect(await redeem(secret)).toSucceed()
  expect(await endedOf()).toEqual([null])

  await set(new Date())
  expect(await redeem(secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await endedOf()).toEqual(['creator'])
  await set(null)
  expect(await redeem(secret)).toSucceed()

  await db
    .updateTable('project_grant')
    .set({ product_role: 'edges/viewer' })
    .where('person_id', '=', operator.personId)
    .execute()
  expect(await redeem(secret)).toFailWith('EDGE_CODE_NOT_VALID')
  expect(await endedOf()).toEqual(['creator'])
  expect(await edges()).toHaveLength(2)
})

test('a project has a limited number of keys', async () => {
  const row = { project_id: projectId, label: 'Key', tags: [], needs_approval: false }
  await db
    .insertInto('edge_key')
    .values(
      Array.from({ length: limits.edgeKeysMax }, (_, index) => ({
        ...row,
        id: `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
        hash: hashToken(`${projectId} ${index}`),
      })),
    )
    .execute()
  const more = { params: { projectId }, body: { label: 'One more' } }
  expect(await owner.call(edgeKeyEndpoints.create, more)).toFailWith('TOO_MANY_EDGE_KEYS')
})

test('a machine that needs approval shows its facts, waits without access, and continues after approval', async () => {
  const { secret } = await key({ needsApproval: true, tags: ['Hall'] })
  const answer = await redeem(secret, machine('2'))
  const { token, edge: id } = answer.body
  expect(answer.body.isWaiting).toBe(true)
  expect(await edges()).toEqual([])
  const [before] = await waiting()
  expect(before).toMatchObject({
    _id: id,
    edge: null,
    label: 'player-2',
    tags: ['Hall'],
    key: 'Halls',
    machine: machine('2'),
    version: '1.2.3',
    address: expect.stringMatching(/^127\.|^::1$/),
  })
  expect(await viewer.call(edgeRequestEndpoints.list, { params: { projectId } })).toFailWith('FORBIDDEN')
  const early = await connect({ token, machine: machine('2', 'renamed') })
  early.report()
  expect(await early.closed).toBe(edgeCloseCodes.waiting)
  expect(early.messages).toEqual([])
  expect((await waiting())[0]?.machine?.hostname).toBe('renamed')
  expect(
    await viewer.call(edgeRequestEndpoints.decide, {
      params: { projectId },
      body: { decision: 'approve', requests: [id] },
    }),
  ).toFailWith('FORBIDDEN')

  expect((await decide('approve', [id])).body).toEqual({ decided: 1 })
  expect(await waiting()).toEqual([])
  const agent = await connect({ token, machine: machine('2') }, second)
  await expect.poll(() => agent.messages).toMatchObject([{ type: 'welcome', label: 'player-2' }])
  expect(await edges()).toMatchObject([{ _id: id, label: 'player-2', tags: ['Hall'] }])
  expect(await eventsOn(id)).toEqual(['edge.requested', 'edge.approved'])
})

test('several machines are decided together, without those that another user has decided', async () => {
  const { secret } = await key({ needsApproval: true })
  const joined = await Promise.all(['3', '4', '5'].map((id) => redeem(secret, machine(id))))
  const [first, ...others] = joined.map(({ body }) => body)
  expect((await decide('refuse', [first?.edge ?? ''])).body).toEqual({ decided: 1 })
  const agent = await connect({ token: first?.token ?? '' })
  expect(await agent.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(
    (
      await decide(
        'approve',
        joined.map(({ body }) => body.edge),
      )
    ).body,
  ).toEqual({ decided: 2 })
  expect((await edges()).map(({ _id }) => _id).toSorted()).toEqual(others.map(({ edge }) => edge).toSorted())
  expect(await eventsOn(first?.edge ?? '')).toEqual(['edge.requested', 'edge.refused'])

  const other = await given.project(owner, { products: ['project', 'edges'] })
  const foreign = await redeem(secret, machine('6'))
  const elsewhere = await owner.call(edgeRequestEndpoints.decide, {
    params: { projectId: other.projectId },
    body: { decision: 'approve', requests: [foreign.body.edge] },
  })
  expect(elsewhere.body).toEqual({ decided: 0 })
})

test('BetterDesk#351 a refused machine is listed, can be readmitted, and is forgotten a month after it last asked', async () => {
  const { secret } = await key({ needsApproval: true })
  const [{ body: first }, { body: other }] = [
    await redeem(secret, machine('9')),
    await redeem(secret, machine('10')),
  ]
  const refused = async () =>
    (await owner.call(edgeRequestEndpoints.list, { params: { projectId }, query: { state: 'refused' } })).body
  expect((await decide('refuse', [first.edge, other.edge])).body).toEqual({ decided: 2 })
  expect(await waiting()).toEqual([])
  expect(await refused()).toMatchObject({ total: 2, items: [{ _id: other.edge }, { _id: first.edge }] })
  expect((await refused()).items[0]?.refusedAt).not.toBeNull()
  const early = await connect({ token: first.token, machine: machine('9') })
  expect(await early.closed).toBe(edgeCloseCodes.unauthenticated)

  // A list that was read before the refusal approves nothing.
  expect((await decide('approve', [first.edge])).body).toEqual({ decided: 0 })
  expect((await decide('readmit', [first.edge])).body).toEqual({ decided: 1 })
  const agent = await connect({ token: first.token, machine: machine('9') })
  await expect.poll(() => agent.messages).toMatchObject([{ type: 'welcome' }])
  expect(await eventsOn(first.edge)).toEqual(['edge.requested', 'edge.refused', 'edge.approved'])

  const age = (days: number) =>
    sql`update edge_request set seen_at = now() - make_interval(days => ${days}::int)`.execute(db)
  await age(29)
  await sweepRefused(db)
  expect((await refused()).total).toBe(1)
  await age(31)
  await sweepRefused(db)
  expect((await refused()).total).toBe(0)
  const late = await connect({ token: other.token, machine: machine('10') })
  expect(await late.closed).toBe(edgeCloseCodes.unauthenticated)
})

test('a copied disk waits while its original continues, and stops trying after a refusal', async () => {
  const { secret } = await key()
  const { token, edge: edgeId } = (await redeem(secret, machine('7'))).body
  const params = { projectId, edgeId }
  const original = await connect({ token, machine: machine('7') })
  await expect.poll(() => original.messages).toMatchObject([{ type: 'welcome' }])
  const copy = await connect({ token, machine: machine('8', 'player-7') }, second)
  expect(await copy.closed).toBe(edgeCloseCodes.waiting)
  expect(copy.messages).toEqual([])
  // Another attempt belongs to the same copy.
  const again = await connect({ token, machine: machine('8', 'player-7') })
  expect(await again.closed).toBe(edgeCloseCodes.waiting)
  expect(original.isOpen()).toBe(true)
  const [found, ...more] = await waiting()
  expect(more).toEqual([])
  expect(found).toMatchObject({
    edge: { _id: edgeId, label: 'player-7' },
    key: null,
    machine: machine('8', 'player-7'),
  })
  const { body } = await owner.call(edgeEventEndpoints.list, { params })
  expect(body.items).toContainEqual(expect.objectContaining({ event: 'edge.copy-found', actor: null }))

  expect((await decide('refuse', [found?._id ?? ''])).body).toEqual({ decided: 1 })
  const refused = await connect({ token, machine: machine('8') })
  expect(await refused.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(await waiting()).toEqual([])
  expect(original.isOpen()).toBe(true)
  expect(await eventsOn(edgeId)).toEqual(['edge.enrolled', 'edge.copy-found', 'edge.copy-refused'])
})

test('an approved copy replaces the machine of its edge, whose former hardware is then the copy', async () => {
  const { secret } = await key()
  const { token, edge: edgeId } = (await redeem(secret, machine('9'))).body
  const copy = await connect({ token, machine: machine('10') })
  expect(await copy.closed).toBe(edgeCloseCodes.waiting)
  expect((await decide('approve', [(await waiting())[0]?._id ?? ''])).body).toEqual({ decided: 1 })
  const moved = await connect({ token, machine: machine('10') })
  await expect.poll(() => moved.messages).toMatchObject([{ type: 'welcome' }])
  const former = await connect({ token, machine: machine('9') })
  expect(await former.closed).toBe(edgeCloseCodes.waiting)
  expect(await waiting()).toMatchObject([{ edge: { _id: edgeId } }])
  // A new code decides it: the machine that redeems the code is the edge.
  const { body } = await owner.call(edgeEndpoints.newCode, { params: { projectId, edgeId } })
  server.watchSecret(body.code)
  const renewed = await redeem(body.code, machine('9'))
  expect(await waiting()).toEqual([])
  const settled = await connect({ token: renewed.body.token, machine: machine('9') })
  await expect.poll(() => settled.messages).toMatchObject([{ type: 'welcome' }])
})

test('partly replaced hardware remains the same edge, and without known hardware each agent does', async () => {
  const { secret } = await key()
  const { token } = (await redeem(secret)).body
  const [own, card, newCard] = ['11', '12', '13'].map((id) => machine(id).ids[0] ?? '') as [
    string,
    string,
    string,
  ]
  const facts = (serials: string[], cards: string[]) => ({
    ...machine('11'),
    ids: [...serials, ...cards],
    cards,
  })
  for (const known of [
    undefined,
    facts([], []),
    undefined,
    facts([own], [card]),
    facts([own], [card, newCard]),
    facts([own], [newCard]),
    facts([], [newCard]),
  ]) {
    const agent = await connect({ token, ...(known !== undefined && { machine: known }) })
    await expect.poll(() => agent.messages).toMatchObject([{ type: 'welcome' }])
  }
  expect(await waiting()).toEqual([])
})

test('fleetdm/fleet#18645 a copied disk in a board with the same serial number waits', async () => {
  const { secret } = await key()
  const [placeholder, card, other] = ['21', '22', '23'].map((id) => machine(id).ids[0] ?? '') as [
    string,
    string,
    string,
  ]
  const board = (address: string) => ({ ...machine('21'), ids: [placeholder, address], cards: [address] })
  const { token } = (await redeem(secret, board(card))).body
  const original = await connect({ token, machine: board(card) })
  await expect.poll(() => original.messages).toMatchObject([{ type: 'welcome' }])
  const copy = await connect({ token, machine: board(other) })
  expect(await copy.closed).toBe(edgeCloseCodes.waiting)
  expect(original.isOpen()).toBe(true)
})

/** A board of a batch that has one serial number. */
const batchBoard = (card: string): EdgeMachine => {
  const [serial, address] = ['24', card].map((id) => id.padStart(32, '0')) as [string, string]
  return { ...machine('24', `player-${card}`), ids: [serial, address], cards: [address] }
}

test('openshift/assisted-installer#189 copies with one serial number are two requests, and an approval accepts the one that was shown', async () => {
  const { token } = (await redeem((await key()).secret, batchBoard('25'))).body
  const shown = batchBoard('26')
  const ask = async (copy: EdgeMachine) => {
    const agent = await connect({ token, machine: copy })
    expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  }
  const hostnames = async () => (await waiting()).map(({ machine: facts }) => facts?.hostname).toSorted()
  await ask(shown)
  const [request] = await waiting()
  // Another copy asks while a user looks at the first one.
  await ask(batchBoard('27'))
  expect(await hostnames()).toEqual(['player-26', 'player-27'])
  await ask({ ...shown, ids: shown.ids.toReversed() })
  expect(await hostnames()).toEqual(['player-26', 'player-27'])
  expect((await decide('approve', [request?._id ?? ''])).body).toEqual({ decided: 1 })
  const accepted = await connect({ token, machine: shown })
  await expect.poll(() => accepted.messages).toMatchObject([{ type: 'welcome' }])
  await ask(batchBoard('27'))
  expect(accepted.isOpen()).toBe(true)
})

test('openshift/assisted-installer#189 after the refusal of a copy, another board with its serial number may ask', async () => {
  const { token } = (await redeem((await key()).secret, batchBoard('28'))).body
  const copy = await connect({ token, machine: batchBoard('29') })
  expect(await copy.closed).toBe(edgeCloseCodes.waiting)
  expect((await decide('refuse', [(await waiting())[0]?._id ?? ''])).body).toEqual({ decided: 1 })
  const refused = await connect({ token, machine: batchBoard('29') })
  expect(await refused.closed).toBe(edgeCloseCodes.unauthenticated)
  // It may also be the edge with a new card.
  const repaired = await connect({ token, machine: batchBoard('30') })
  expect(await repaired.closed).toBe(edgeCloseCodes.waiting)
  expect(await waiting()).toMatchObject([{ machine: { hostname: 'player-30' } }])
})

test('a copy whose new agent shows further ids remains one request, also after its refusal', async () => {
  const { token } = (await redeem((await key()).secret, batchBoard('61'))).body
  const former = batchBoard('62')
  const first = await connect({ token, machine: former })
  expect(await first.closed).toBe(edgeCloseCodes.waiting)
  const shows = (ids: number[]) => ({
    ...former,
    ids: [...former.ids, ...ids.map((id) => String(id).padStart(32, '0'))],
  })
  const waits = await connect({ token, machine: shows([962]) })
  expect(await waits.closed).toBe(edgeCloseCodes.waiting)
  const [request, ...others] = await waiting()
  expect(others).toEqual([])
  expect(request?.machine).toEqual(shows([962]))
  expect(await decide('refuse', [request?._id ?? ''])).toSucceed()
  const refused = await connect({ token, machine: shows([962, 963]) })
  expect(await refused.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(await waiting()).toEqual([])
})

test('two machines that take turns as one edge are recorded once a day, and the last ones are known', async () => {
  const { edge: edgeId } = (await redeem((await key()).secret, machine('71'))).body
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const twins = createTwins({ db, audit: createAuditService(db), log })
  expect(twins.latest()).toBeNull()
  for (const addresses of [
    ['192.0.2.1', '192.0.2.2'],
    ['192.0.2.2', '192.0.2.1'],
  ] as const) {
    twins.note(edgeId, addresses)
    await expect.poll(() => twins.latest()).toMatchObject({ label: 'player-71', addresses })
    await expect.poll(() => eventsOn(edgeId)).toEqual(['edge.enrolled', 'edge.copy-found'])
  }
  expect(lines).toHaveLength(1)
  expect(lines.join()).toContain('take turns as one edge')
})

test('of two agents with one disk image that start at the same time one becomes the edge, and the other waits', async () => {
  const { secret } = await key()
  for (let round = 0; round < 5; round += 1) {
    const { token } = (await redeem(secret)).body
    const both = await Promise.all([
      connect({ token, machine: machine(`3${round}`) }),
      connect({ token, machine: machine(`4${round}`) }, second),
    ])
    await expect
      .poll(() => both.filter(({ messages }) => messages.some(({ type }) => type === 'welcome')).length)
      .toBe(1)
    const copy = both.find(({ messages }) => messages.length === 0)
    expect(await copy?.closed).toBe(edgeCloseCodes.waiting)
  }
})

/** Enrols a machine with a code. Returns its token, and the proof that it shows after its first connection. */
async function provenEdge(id: string) {
  const { secret } = await key()
  const { token, edge: edgeId } = (await redeem(secret, machine(id))).body
  return { edgeId, token, ...(await proofOf(token, id)) }
}

async function proofOf(token: string, id: string) {
  const agent = await connect({ token, machine: machine(id) })
  await expect.poll(() => agent.messages.length).toBe(1)
  const [welcome] = agent.messages
  const enrolment = welcome?.type === 'welcome' ? (welcome.enrolment ?? '') : ''
  expect(enrolment).toMatch(/^[\w.-]+$/)
  agent.ws.terminate()
  return { proof: { enrolment } }
}

/** Returns the database to a state before it issued a token, as a restore or a standby that was behind does. */
const loseToken = (token: string) =>
  db.deleteFrom('edge_token').where('hash', '=', hashToken(token)).execute()

/** Enrols a machine and loses its enrolment. */
async function lostEdge(id: string) {
  const { edgeId, token, proof } = await provenEdge(id)
  await db.deleteFrom('edge').where('id', '=', edgeId).execute()
  await loseToken(token)
  return { token, proof }
}

test('wazuh/wazuh#38572 a machine whose enrolment the database has lost asks to return', async () => {
  const { token, proof } = await lostEdge('51')
  for (const node of [server, second]) {
    const agent = await connect({ token, machine: machine('51'), ...proof }, node)
    expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  }
  const [request, ...more] = await waiting()
  expect(more).toEqual([])
  expect(request).toMatchObject({ edge: null, key: null, label: 'player-51', isReturning: true })
  expect((await decide('approve', [request?._id ?? ''])).body).toEqual({ decided: 1 })
  const back = await connect({ token, machine: machine('51'), ...proof })
  await expect.poll(() => back.messages).toMatchObject([{ type: 'welcome', label: 'player-51' }])
  expect(await eventsOn(request?._id ?? '')).toEqual(['edge.requested', 'edge.approved'])
})

test.each<[string, (edgeId: string) => Promise<unknown>]>([
  ['deleted', (edgeId) => owner.call(edgeEndpoints.remove, { params: { projectId, edgeId } })],
  ['revoked', (edgeId) => owner.call(edgeEndpoints.revoke, { params: { projectId, edgeId } })],
  [
    'enrolled again',
    async (edgeId) => {
      const { body } = await owner.call(edgeEndpoints.newCode, { params: { projectId, edgeId } })
      server.watchSecret(body.code)
      return redeem(body.code, machine('61'))
    },
  ],
])('a machine whose edge was %s does not ask to return, although its proof is valid', async (_how, end) => {
  const { edgeId, token, proof } = await provenEdge('60')
  expect(await end(edgeId)).toSucceed()
  for (const node of [server, second]) {
    const agent = await connect({ token, machine: machine('60'), ...proof }, node)
    expect(await agent.closed).toBe(edgeCloseCodes.unauthenticated)
  }
  expect(await waiting()).toEqual([])
})

test('a machine that returned by a request and was deleted does not ask again', async () => {
  const { token, proof } = await lostEdge('62')
  const agent = await connect({ token, machine: machine('62'), ...proof })
  expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  const edgeId = (await waiting())[0]?._id ?? ''
  expect((await decide('approve', [edgeId])).body).toEqual({ decided: 1 })
  expect(await owner.call(edgeEndpoints.remove, { params: { projectId, edgeId } })).toSucceed()
  const again = await connect({ token, machine: machine('62'), ...proof })
  expect(await again.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(await waiting()).toEqual([])
})

test('wazuh/wazuh#38572 a refused machine that returns does not ask again, and a foreign proof is worth nothing', async () => {
  const { token, proof } = await lostEdge('52')
  for (const enrolment of [
    '',
    'a.b.c',
    proof.enrolment.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  ]) {
    const forged = await connect({ token, machine: machine('52'), enrolment })
    expect(await forged.closed).toBe(edgeCloseCodes.unauthenticated)
  }
  const thief = await connect({ token: 'another-token', machine: machine('52'), ...proof })
  expect(await thief.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(await waiting()).toEqual([])

  const agent = await connect({ token, machine: machine('52'), ...proof })
  expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  expect((await decide('refuse', [(await waiting())[0]?._id ?? ''])).body).toEqual({ decided: 1 })
  const refused = await connect({ token, machine: machine('52'), ...proof })
  expect(await refused.closed).toBe(edgeCloseCodes.unauthenticated)
  expect(await waiting()).toEqual([])
})

test('wazuh/wazuh#38572 an edge that was enrolled again after the backup returns with its newer token', async () => {
  const { secret } = await key()
  const { edge: edgeId } = (await redeem(secret, machine('53'))).body
  const { body } = await owner.call(edgeEndpoints.newCode, { params: { projectId, edgeId } })
  server.watchSecret(body.code)
  const { token } = (await redeem(body.code, machine('54'))).body
  const { proof } = await proofOf(token, '54')
  await sql`
    update edge set token_hash = ${Buffer.alloc(32)}, machine = ${JSON.stringify(machine('53'))}::jsonb
    where id = ${edgeId}`.execute(db)
  await loseToken(token)
  const agent = await connect({ token, machine: machine('54'), ...proof })
  expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  const [request] = await waiting()
  expect(request).toMatchObject({ edge: { _id: edgeId }, isReturning: true })
  expect((await decide('approve', [request?._id ?? ''])).body).toEqual({ decided: 1 })
  const back = await connect({ token, machine: machine('54'), ...proof })
  await expect.poll(() => back.messages).toMatchObject([{ type: 'welcome' }])
})

test('an installation that is a copy makes no requests, and a machine that it does not know waits', async () => {
  const { token, proof } = await lostEdge('55')
  await sql`update installation set is_copy = true`.execute(db)
  onTestFinished(async () => void (await sql`update installation set is_copy = false`.execute(db)))
  const agent = await connect({ token, machine: machine('55'), ...proof })
  expect(await agent.closed).toBe(edgeCloseCodes.waiting)
  expect(await waiting()).toEqual([])
})

test('the database knows each token that it issues, and after the update those of earlier releases', async () => {
  const invited = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
  server.watchSecret(invited.body.code)
  const issued = [
    await redeem((await key()).secret, machine('56')),
    await redeem((await key({ needsApproval: true })).secret, machine('57')),
    await redeem(invited.body.code, machine('58')),
  ]
  const hashes = issued.map(({ body }) => hashToken(body.token))
  const known = async () =>
    (await db.selectFrom('edge_token').select('hash').where('hash', 'in', hashes).execute()).length
  expect(await known()).toBe(3)
  await sql`
    drop table edge_token;
    drop function note_edge_token cascade;
    alter table installation add column era uuid`.execute(db)
  await up(db as unknown as Kysely<unknown>)
  expect(await known()).toBe(3)
})

test.each<[string, EdgeMachine | undefined, VirtualAgentOptions['speaks']]>([
  ['an empty list', { ...machine('16'), ids: [] }, undefined],
  ['no machine', undefined, undefined],
  ['no machine, in protocol 1,', undefined, 1],
])(
  'an agent that shows %s waits as a copy of an edge with known hardware, which stays connected',
  async (_what, shown, speaks) => {
    const { secret } = await key()
    const { token, edge: edgeId } = (await redeem(secret, machine('16'))).body
    const original = await connect({ token, machine: machine('16') })
    await expect.poll(() => original.messages).toMatchObject([{ type: 'welcome' }])
    const options = { token, ...(shown && { machine: shown }), ...(speaks !== undefined && { speaks }) }
    for (const node of [server, second]) {
      const bare = await connect(options, node)
      expect(await bare.closed).toBe(edgeCloseCodes.waiting)
      expect(bare.messages).toEqual([])
    }
    expect(original.isOpen()).toBe(true)
    const [found, ...more] = await waiting()
    expect(more).toEqual([])
    expect(found).toMatchObject({ edge: { _id: edgeId }, machine: shown ?? null })
    expect(await eventsOn(edgeId)).toEqual(['edge.enrolled', 'edge.copy-found'])

    // The owner knows the agent: it no longer shows hardware after an update.
    expect((await decide('approve', [found?._id ?? ''])).body).toEqual({ decided: 1 })
    const accepted = await connect(options)
    await expect.poll(() => accepted.messages).toMatchObject([{ type: 'welcome' }])
  },
)

test('an edge that is revoked while it is away cannot connect again', async () => {
  const { secret } = await key()
  const { token, edge: edgeId } = (await redeem(secret, machine('14'))).body
  const copy = await connect({ token, machine: machine('15') })
  expect(await copy.closed).toBe(edgeCloseCodes.waiting)
  expect(await owner.call(edgeEndpoints.revoke, { params: { projectId, edgeId } })).toSucceed()
  expect(await waiting()).toEqual([])
  for (const facts of [machine('14'), machine('15')]) {
    const agent = await connect({ token, machine: facts }, second)
    expect(await agent.closed).toBe(edgeCloseCodes.unauthenticated)
  }
})

test('at most 20 copies of an edge are stored, also if more connect at the same time, and all of them wait', async () => {
  const { secret } = await key()
  const { token } = (await redeem(secret, machine('1000'))).body
  const original = await connect({ token, machine: machine('1000') })
  await expect.poll(() => original.messages).toMatchObject([{ type: 'welcome' }])
  for (let wave = 0; wave < 5; wave += 1) {
    const copies = Array.from({ length: 5 }, async (_, index) => {
      const copy = await connect({ token, machine: machine(`${1001 + 5 * wave + index}`) }, second)
      return copy.closed
    })
    expect(new Set(await Promise.all(copies))).toEqual(new Set([edgeCloseCodes.waiting]))
  }
  expect(await waiting()).toHaveLength(20)
  expect(original.isOpen()).toBe(true)
})
