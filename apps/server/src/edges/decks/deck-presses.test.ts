import { randomUUID } from 'node:crypto'
import {
  type EdgeDeckKey,
  type EdgeDeckStep,
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  ownEdgeDeckEndpoints,
} from '@pult/contract'
import { failedWrites, type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import type { Agent } from '../agents/agent-gateway.ts'
import { connectAgent, someReport, type VirtualAgent } from '../testing/virtual-agent.ts'
import { createDeckPresses, type DeckPressesParts } from './deck-presses.ts'

const server = await testServer()
const { given, db } = server

const serial = 'AL01'
const deck = {
  serial,
  model: 'MK.2',
  firmware: '1',
  columns: 5,
  rows: 3,
  width: 20,
  height: 12,
  problem: null,
}
const decks = { driver: 'ready' as const, reason: null, devices: [deck] }
const diagnose: EdgeDeckStep = { type: 'job', command: { name: 'diagnostics' }, group: null }
const abortExport: EdgeDeckStep = { type: 'abort', task: 'project-export' }

let owner: GivenPerson
let operator: GivenPerson
let viewer: GivenPerson
let projectId: string
let params: { projectId: string; edgeId: string; serial: string }
let token: string
const agents: VirtualAgent[] = []
beforeEach(async () => {
  owner = await given.person()
  operator = await given.person()
  viewer = await given.person({ firstname: 'Desk', lastname: 'Three' })
  ;({ projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [
      { person: operator, productRole: 'edges/operator' },
      { person: viewer, productRole: 'edges/viewer' },
    ],
  }))
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  token = redeemed.body.token
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  params = { projectId, edgeId: made.body.edge._id, serial }
  const agent = await connect()
  agent.report({ decks, commands: [] })
  await untilReported()
})
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

const untilReported = () =>
  expect.poll(async () => (await owner.call(edgeEndpoints.read, { params })).body.report).not.toBeNull()

async function connect(): Promise<VirtualAgent> {
  const agent = await connectAgent(server.url, { token })
  agents.push(agent)
  // A display command for the former connection may still arrive.
  await expect.poll(() => agent.messages[0]?.type).toBe('welcome')
  return agent
}

const latest = () => agents.at(-1) as VirtualAgent

const assign = (person: GivenPerson | null, by = owner) =>
  by.call(edgeDeckEndpoints.update, { params, body: { account: person?.personId ?? null } })

const agree = (person: GivenPerson) => person.call(ownEdgeDeckEndpoints.agree, { params })

/** Assigns the deck to a person who agrees. */
async function lend(person: GivenPerson) {
  expect(await assign(person)).toSucceed()
  expect(await agree(person)).toSucceed()
}

const keyOf = (key: number, press: EdgeDeckStep[], hold: EdgeDeckStep[] = []): EdgeDeckKey => ({
  key,
  label: `Key ${key}`,
  press,
  hold,
})
const setPage = (keys: EdgeDeckKey[], { by = owner, page = '0', face = null as string | null } = {}) =>
  by.call(edgeDeckEndpoints.setPage, { params: { ...params, page }, body: { keys, face } })

/** Presses a key. Returns whether its action was done. */
async function pressKey(key: number, { page = 0, isHeld = false, agent = latest() } = {}): Promise<boolean> {
  const id = randomUUID()
  agent.send({ type: 'press', id, serial, page, key, isHeld })
  const answer = () => agent.messages.find((message) => message.type === 'pressed' && message.id === id)
  await expect.poll(answer, { interval: 2 }).toBeDefined()
  return (answer() as { isDone: boolean }).isDone
}

const pressedRows = async () => {
  const rows = await db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'project_id', 'detail'])
    .where('event', '=', 'deck-key.pressed')
    .where('target', '=', params.edgeId)
    .orderBy('id')
    .execute()
  return rows.map(({ result, actor_id, project_id, detail }) => ({
    result,
    actor: actor_id,
    project: project_id,
    code: detail['code'],
    key: detail['key'],
  }))
}
const jobs = async () => (await owner.call(edgeJobEndpoints.list, { params })).body.items

test('a deck with a picture and a page that cannot be read receives its other pages, and a deck without a usable serial number disturbs none', async () => {
  await setPage([keyOf(1, [diagnose])])
  await setPage([keyOf(2, [diagnose])], { page: '1' })
  const { edgeId } = params
  await db
    .updateTable('edge_deck')
    .set({ picture: Buffer.from('odd') })
    .where('edge_id', '=', edgeId)
    .execute()
  await sql`update edge_deck_page set keys = '[{"odd": 1}]' where edge_id = ${edgeId} and page = 0`.execute(
    db,
  )
  const agent = await connect()
  const odd = { ...deck, serial: 'Invalid SN! ' }
  agent.report({ decks: { ...decks, devices: [odd, deck, deck] }, commands: [] })
  const pages = () =>
    agent.messages.flatMap((message) =>
      message.type === 'desk' ? [[message.page, message.picture, message.keys.map(({ key }) => key)]] : [],
    )
  await expect.poll(pages).toEqual([
    [0, null, []],
    [1, null, [2]],
  ])
  const reported = async () => (await owner.call(edgeEndpoints.read, { params })).body.report?.decks
  await expect
    .poll(async () => (await reported())?.faulty)
    .toEqual([
      { path: '#1', model: 'MK.2', fault: 'no-serial', detail: expect.stringContaining('Invalid SN!') },
      { path: '#3', model: 'MK.2', fault: 'same-serial', detail: serial },
    ])
  expect((await reported())?.devices).toEqual([deck])
})

test('a page of an earlier release with hidden characters in its labels is shown, pressed and saved', async () => {
  await lend(operator)
  await setPage([keyOf(0, [diagnose]), keyOf(1, [diagnose])])
  const [first, second] = [keyOf(0, [diagnose]), keyOf(1, [diagnose])]
  const keys = JSON.stringify([
    { ...first, label: 'Light\ue000\u202e' },
    { ...second, label: '\u2800' },
  ])
  await sql`update edge_deck_page set keys = ${keys}::jsonb where edge_id = ${params.edgeId}::uuid`.execute(
    db,
  )
  const [page] = (await owner.call(edgeDeckEndpoints.read, { params })).body.pages
  expect(page?.keys.map(({ label }) => label)).toEqual(['Light', ''])
  expect(await pressKey(0)).toBe(true)
  const saved = await setPage(JSON.parse(keys) as EdgeDeckKey[])
  expect(saved.body.pages[0]?.keys.map(({ label }) => label)).toEqual(['Light', ''])
})

test('EDGE-01 RULE-78 a key of a deck at an edge acts for its account, and each press is audited', async () => {
  await lend(operator)
  expect(await setPage([keyOf(0, [diagnose])])).toSucceed()
  await expect
    .poll(() => latest().messages.filter(({ type }) => type === 'desk'))
    .toContainEqual({
      type: 'desk',
      serial,
      page: 0,
      pages: 1,
      picture: null,
      keys: [{ key: 0, press: 'ask', hold: null }],
    })
  expect(await pressKey(0)).toBe(true)
  expect(await jobs()).toMatchObject([{ createdBy: { _id: operator.personId }, total: 1 }])
  expect(await pressedRows()).toEqual([
    { result: 'success', actor: operator.personId, project: projectId, code: undefined, key: 0 },
  ])
})

test('RULE-78 a press that cannot be recorded is answered, and is recorded when the database answers', async () => {
  await lend(operator)
  await setPage([keyOf(0, [diagnose])])
  const end = await failedWrites(db, 'insert on audit', { when: "new.event = 'deck-key.pressed'" })
  const isDone = await pressKey(0)
  expect(await pressedRows()).toEqual([])
  await end()
  expect(isDone).toBe(true)
  expect(await jobs()).toHaveLength(1)
  await expect.poll(pressedRows).toMatchObject([{ result: 'success', actor: operator.personId, key: 0 }])
})

/** Handles presses of an agent without a socket. Returns the audit entries and the number of answers. */
function handlePresses() {
  const rows: unknown[][] = []
  let answers = 0
  const presses = createDeckPresses({
    db,
    audit: {
      async recordDone(_log, { result, detail }) {
        rows.push([result, detail?.['code'], detail?.['deck'], detail?.['count']])
      },
    },
    gateway: {
      async send() {
        answers += 1
      },
    },
    actingPerson: () => Promise.reject(new AppError('FORBIDDEN')),
  } as Partial<DeckPressesParts> as DeckPressesParts)
  return {
    rows,
    async press(edgeId: string, serials: readonly string[]) {
      const agent = { edgeId, address: '127.0.0.1' } as Agent
      const before = answers
      for (const one of serials)
        presses.press(agent, { type: 'press', id: randomUUID(), serial: one, page: 0, key: 0, isHeld: false })
      await expect.poll(() => answers).toBe(before + serials.length)
    },
    stop: presses.stop,
  }
}

test('RULE-78 of 30 refused presses in a second 8 are examined, and each reason leaves one entry and a number', async () => {
  await setPage([keyOf(0, [diagnose])])
  const { rows, press, stop } = handlePresses()
  await press(params.edgeId, Array<string>(30).fill(serial))
  expect(rows.toSorted()).toEqual([
    ['failure', 'BUSY', serial, undefined],
    ['failure', 'FORBIDDEN', serial, undefined],
  ])
  await stop()
  expect(rows.slice(2).toSorted()).toEqual([
    ['failure', 'BUSY', serial, 21],
    ['failure', 'FORBIDDEN', serial, 7],
  ])
})

test('RULE-78 presses of decks that an agent invents leave one entry and a number', async () => {
  const { rows, press, stop } = handlePresses()
  await press(params.edgeId, ['AL11', 'AL12', 'AL13', 'AL14', 'AL15'])
  await stop()
  expect(rows).toEqual([
    ['failure', 'KEY_WITHOUT_ACTION', expect.stringMatching(/^AL1/), undefined],
    ['failure', 'KEY_WITHOUT_ACTION', expect.stringMatching(/^AL1/), 4],
  ])
})

test('a deck acts for another member only after that member has agreed, and not after the member has withdrawn', async () => {
  const deckOf = async (person: GivenPerson) => {
    const { items } = (await person.call(ownEdgeDeckEndpoints.list)).body
    return items.map(({ project, edge, serial: one, agreedAt }) => ({
      project: project._id,
      edge: edge.label,
      serial: one,
      agreedAt,
    }))
  }
  await setPage([keyOf(0, [diagnose])])
  expect((await assign(operator)).body).toMatchObject({ account: { _id: operator.personId }, agreedAt: null })
  expect(await pressKey(0)).toBe(false)
  const shown = { project: projectId, edge: 'Hall 3', serial }
  expect(await deckOf(operator)).toEqual([{ ...shown, agreedAt: null }])
  expect(await deckOf(viewer)).toEqual([])
  for (const person of [viewer, owner, await given.person()]) {
    expect(await agree(person)).toFailWith('NOT_FOUND')
    expect(await person.call(ownEdgeDeckEndpoints.withdraw, { params })).toFailWith('NOT_FOUND')
  }
  expect(await agree(operator)).toSucceed()
  expect(await pressKey(0)).toBe(true)
  expect(await jobs()).toMatchObject([{ createdBy: { _id: operator.personId } }])
  const [own] = await deckOf(operator)
  expect(own?.agreedAt).toEqual(expect.any(String))
  // The same account, assigned again, has already agreed.
  expect((await assign(operator)).body.agreedAt).toBe(own?.agreedAt)

  expect(await operator.call(ownEdgeDeckEndpoints.withdraw, { params })).toSucceed()
  expect(await pressKey(0)).toBe(false)
  expect(await deckOf(operator)).toEqual([])
  expect((await owner.call(edgeDeckEndpoints.read, { params })).body).toMatchObject({
    account: null,
    agreedAt: null,
  })
  // The owner who assigns the own account agrees with it.
  expect((await assign(owner)).body.agreedAt).toEqual(expect.any(String))
  expect(await pressKey(0)).toBe(true)
  const changes = await db
    .selectFrom('audit')
    .select(['actor_id as actor', 'detail'])
    .where('event', '=', 'edge.changed')
    .where('target', '=', params.edgeId)
    .where('actor_id', '=', operator.personId)
    .orderBy('id')
    .execute()
  const actor = operator.personId
  expect(changes).toEqual([
    { actor, detail: { label: 'Hall 3', deck: serial, agreed: actor } },
    { actor, detail: { label: 'Hall 3', deck: serial, account: null } },
  ])
})

test('the consent to a deck needs a recent sign-in, and its withdrawal does not', async () => {
  await assign(operator)
  await operator.forgetSignIn()
  expect(await agree(operator)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await operator.call(ownEdgeDeckEndpoints.withdraw, { params })).toSucceed()
})

const grant = () =>
  sql`insert into project_grant (id, project_id, person_id, product_role)
    values (gen_random_uuid(), ${projectId}::uuid, ${operator.personId}::uuid, 'edges/operator')`.execute(db)
const setDisabled = (disabled: boolean) =>
  sql`update person set disabled_at = ${disabled ? sql`now()` : sql`null`}, updated_at = clock_timestamp()
    where id = ${operator.personId}::uuid`.execute(db)

test.each([
  ['the member loses the membership and gets it back', () => grant()],
  ['root disables the account and enables it', () => setDisabled(false)],
  ['the owner has assigned another account in the meantime', () => assign(operator)],
] as const)('an agreement ends when %s', async (what, giveBack) => {
  await lend(operator)
  await setPage([keyOf(0, [diagnose])])
  expect(await pressKey(0)).toBe(true)
  if (what.startsWith('the member'))
    await db.deleteFrom('project_grant').where('person_id', '=', operator.personId).execute()
  else if (what.startsWith('root')) await setDisabled(true)
  else await assign(viewer)
  expect(await pressKey(0)).toBe(false)
  await giveBack()
  expect(await pressKey(0)).toBe(false)
  expect(await agree(operator)).toSucceed()
  expect(await pressKey(0)).toBe(true)
})

test('every audit entry of a pressed key names the deck and its edge beside the account', async () => {
  await lend(operator)
  await setPage([keyOf(0, [diagnose])])
  expect(await pressKey(0)).toBe(true)
  const entries = await db
    .selectFrom('audit')
    .select(['event', 'actor_id as actor', sql`detail - 'command' - 'steps' - 'label'`.as('detail')])
    .where('project_id', '=', projectId)
    .where('event', 'in', ['deck-key.pressed', 'edge-job.started'])
    .orderBy('id')
    .execute()
  const by = { deck: serial, edge: 'Hall 3' }
  expect(entries).toEqual([
    { event: 'edge-job.started', actor: operator.personId, detail: { ...by, edges: 1 } },
    {
      event: 'deck-key.pressed',
      actor: operator.personId,
      detail: { ...by, page: 0, key: 0, isHeld: false },
    },
  ])
})

test('RULE-78 grants decide at the time of the press: without account or role, and for root', async () => {
  const root = await given.person({ isRoot: true })
  await setPage([keyOf(0, [diagnose])])
  expect(await pressKey(0)).toBe(false)
  // An account with the root flag has no more rights than its grants.
  expect(await assign(root)).toFailWith('UNKNOWN_PERSON')
  await db.updateTable('edge_deck').set({ account_id: root.personId, agreed_at: new Date() }).execute()
  expect(await pressKey(0)).toBe(false)
  await lend(viewer)
  expect(await pressKey(0)).toBe(false)
  await assign(owner)
  expect(await pressKey(0)).toBe(true)
  expect(await jobs()).toMatchObject([{ createdBy: { _id: owner.personId } }])
  // Repeated refusals of a deck are counted, and recorded later.
  expect((await pressedRows()).map(({ code }) => code)).toEqual(['FORBIDDEN', undefined])
})

test('a locked deck, a key without an action and a deleted action are refused, each reason with an entry', async () => {
  await assign(owner)
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  const ofGroup = { ...diagnose, group: group.body._id }
  const gone: EdgeDeckStep = { type: 'abort', task: 'removed/build' }
  await setPage([keyOf(0, [ofGroup]), keyOf(1, [gone]), keyOf(2, [{ type: 'page', page: 1 }], [diagnose])])
  expect(await pressKey(0)).toBe(true)
  await owner.call(edgeGroupEndpoints.remove, { params: { projectId, itemId: group.body._id } })
  expect(await pressKey(0)).toBe(false)
  expect(await pressKey(1)).toBe(false)
  expect(await pressKey(7)).toBe(false)
  expect(await pressKey(0, { page: 3 })).toBe(false)
  expect(await pressKey(2, { isHeld: true })).toBe(true)
  await owner.call(edgeDeckEndpoints.update, { params, body: { isLocked: true } })
  expect(await pressKey(2, { isHeld: true })).toBe(false)
  expect((await pressedRows()).map(({ code }) => code)).toEqual([
    undefined,
    'NOT_FOUND',
    'NOTHING_TO_ABORT',
    'KEY_WITHOUT_ACTION',
    undefined,
    'DECK_LOCKED',
  ])
})

test('RULE-15 a key whose setting was proved starts a job on several edges, long after the sign-in', async () => {
  await given.edge(projectId, { label: 'Hall 4', state: 'offline', report: someReport({ commands: [] }) })
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  await assign(owner)
  await setPage([keyOf(0, [{ ...diagnose, group: group.body._id }])])
  await owner.forgetSignIn()
  expect(await setPage([])).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await pressKey(0)).toBe(true)
  expect((await jobs()).map(({ total }) => total)).toEqual([2])
})

test('the steps of a key run in sequence until one fails', async () => {
  await lend(operator)
  await setPage([keyOf(0, [diagnose, abortExport, diagnose])])
  expect(await pressKey(0)).toBe(false)
  expect(await jobs()).toHaveLength(1)
  expect(await pressedRows()).toMatchObject([{ result: 'failure', code: 'NOTHING_TO_ABORT' }])
})

test('only the owner of the project assigns an account and sets keys, of a known deck and the current revision', async () => {
  expect(await assign(operator, operator)).toFailWith('FORBIDDEN')
  expect(await setPage([keyOf(0, [diagnose])], { by: operator })).toFailWith('FORBIDDEN')
  expect(await assign(await given.person())).toFailWith('UNKNOWN_PERSON')
  const { body } = await assign(viewer)
  expect(body).toMatchObject({
    account: { _id: viewer.personId, name: 'Desk Three' },
    agreedAt: null,
    isLocked: false,
    pages: [],
  })
  const stale = { 'if-match': `"${body.revision - 1}"` }
  expect(
    await owner.call(edgeDeckEndpoints.update, { params, body: { isLocked: true }, headers: stale }),
  ).toFailWith('REVISION_CONFLICT')
  const read = (as: GivenPerson, of = params) => as.call(edgeDeckEndpoints.read, { params: of })
  expect((await read(viewer)).body).toEqual(body)
  expect(await read(owner, { ...params, serial: 'AL02' })).toFailWith('NOT_FOUND')
  expect(await setPage([keyOf(0, [diagnose])], { page: '4' })).toFailWith('NOT_FOUND')
  for (const wrong of [
    [keyOf(0, [{ type: 'page', page: 1 }, diagnose])],
    [keyOf(0, [{ type: 'page', page: 4 }])],
    [
      keyOf(
        0,
        Array.from({ length: 6 }, () => diagnose),
      ),
    ],
    [keyOf(0, [diagnose]), keyOf(0, [diagnose])],
  ])
    expect(await setPage(wrong)).toFailWith('VALIDATION_FAILED')
  await setPage([keyOf(0, [diagnose])], { page: '2' })
  expect((await read(owner)).body.pages).toEqual([{ page: 2, keys: [keyOf(0, [diagnose])] }])
  expect((await setPage([], { page: '2' })).body.pages).toEqual([])
})

test('a deck shows the labels of a page over its picture', async () => {
  const solid = (background: string, width: number) =>
    sharp({ create: { width, height: 12, channels: 4, background } })
      .png()
      .toBuffer()
  const picture = (await solid('#0000ff', 20)).toString('base64')
  await owner.call(edgeEndpoints.setDeck, { params, body: { picture } })
  // The right half is transparent.
  const face = await sharp(await solid('#ff0000', 10))
    .extend({ right: 10, background: '#0000' })
    .png()
    .toBuffer()
  await setPage([keyOf(0, [diagnose])], { face: face.toString('base64') })
  const pixels = () => {
    const desk = latest().messages.findLast((message) => message.type === 'desk')
    return desk?.type === 'desk' && desk.picture ? Buffer.from(desk.picture.rgb, 'base64') : Buffer.of()
  }
  await expect.poll(() => pixels().length).toBe(20 * 12 * 3)
  expect([...pixels().subarray(0, 3), ...pixels().subarray(57, 60)]).toEqual([255, 0, 0, 0, 0, 255])
  expect(await setPage([], { face: Buffer.from('text').toString('base64') })).toFailWith('CONTENT_MISMATCH')
  expect(await setPage([], { face: 'a' })).toFailWith('CONTENT_MISMATCH')
})
