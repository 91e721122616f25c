import {
  confirmEndpoints,
  meEndpoints,
  ownSessionEndpoints,
  passwordEndpoints,
  rootSessionEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { openTestSocket, type TestSocket } from '../../platform/realtime/test-socket.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const me = (token: string) => server.call(meEndpoints.read, {}, token)
const listOf = async ({ call }: Pick<GivenPerson, 'call'>) =>
  (await call(ownSessionEndpoints.list)).body.items

async function sessionOf(token: string): Promise<string> {
  const row = await db
    .selectFrom('session_token')
    .select('session_id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  return row.session_id
}

const seen = async (token: string, interval: string) =>
  sql`update session set last_seen_at = now() - ${sql.lit(interval)}::interval
    where id = ${await sessionOf(token)}`.execute(db)

const rowsOf = (personId: string, event: string) =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'target', 'address', 'detail'])
    .where('event', '=', event)
    .where('target', '=', personId)
    .orderBy('at')
    .execute()

/** Returns the session ids that were published to all nodes. */
async function announced(): Promise<unknown[]> {
  const rows = await db.selectFrom('event').select('data').where('topic', '=', 'sessions').execute()
  return rows.flatMap(({ data }) => data['sessionIds'])
}

const codesOf = (sockets: TestSocket[]) => Promise.all(sockets.map(async ({ closed }) => (await closed).code))

/** All causes for the end of a session, without an event. */
const ends: [string, (sessionId: string) => RawBuilder<unknown>][] = [
  [
    'has been idle',
    (id) => sql`update session set last_seen_at = now() - interval '12 hours 1 second' where id = ${id}`,
  ],
  ['has reached its absolute end', (id) => sql`update session set expires_at = now() where id = ${id}`],
  ['was ended', (id) => sql`update session set ended_at = now() where id = ${id}`],
  [
    'belongs to a disabled user',
    (id) =>
      sql`update person set disabled_at = now() where id = (select person_id from session where id = ${id})`,
  ],
  [
    'belongs to a deleted user',
    (id) => sql`delete from person where id = (select person_id from session where id = ${id})`,
  ],
]

test('RULE-35 DEC-08 the list shows the current session first, then the most recently used, each with its origin', async () => {
  const ada = await given.person()
  const [left, right] = [await ada.openSession(), await ada.openSession()]
  await given.person({ firstname: 'Bob' })
  await seen(ada.token, '3 hours')
  await seen(left, '1 hour')
  await seen(right, '2 hours')

  const answer = await server.call(
    ownSessionEndpoints.list,
    { headers: { 'x-pult-background': '1' } },
    ada.token,
  )
  expect(answer.body.total).toBe(3)
  expect(answer.body.items.map(({ _id, isCurrent }) => [_id, isCurrent])).toEqual([
    [await sessionOf(ada.token), true],
    [await sessionOf(left), false],
    [await sessionOf(right), false],
  ])
  const [current] = answer.body.items
  expect(current).toEqual({
    _id: expect.any(String),
    userAgent: expect.stringMatching(/\S/),
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    isCurrent: true,
  })
  const age = Date.now() - Date.parse(current?.lastSeenAt ?? '')
  expect(age).toBeGreaterThan(2.9 * 3_600_000)
  expect(age).toBeLessThan(3.1 * 3_600_000)
})

test.each(ends.slice(0, 3))('RULE-35 RULE-29 a session that %s is no longer listed', async (_how, end) => {
  const ada = await given.person()
  const sessionId = await sessionOf(await ada.openSession())
  expect(await listOf(ada)).toHaveLength(2)
  await end(sessionId).execute(db)
  expect((await listOf(ada)).map(({ isCurrent }) => isCurrent)).toEqual([true])
  expect(await ada.call(ownSessionEndpoints.end, { params: { sessionId } })).toFailWith('NOT_FOUND')
})

test('RULE-35 RULE-31 ending one session closes its sockets on every node and leaves the others open', async () => {
  const ada = await given.person()
  const lost = await ada.openSession()
  const kept = await ada.openSession()
  const leaving = [
    await openTestSocket(server.url, { token: lost }),
    await openTestSocket(second.url, { token: lost }),
  ]
  const staying = [
    await openTestSocket(second.url, { token: ada.token }),
    await openTestSocket(server.url, { token: kept }),
  ]
  const sessionId = await sessionOf(lost)
  const answer = await ada.call(ownSessionEndpoints.end, { params: { sessionId } })
  expect(answer).toSucceed()
  expect(answer.body).toBe(true)

  expect(await announced()).toContain(sessionId)
  expect(await codesOf(leaving)).toEqual([4401, 4401])
  expect(await me(lost)).toFailWith('UNAUTHENTICATED')
  expect(await me(kept)).toSucceed()
  for (const socket of staying) expect(await socket.ask({ type: 'ping' })).toBe('pong')
  expect(await ada.call(ownSessionEndpoints.end, { params: { sessionId } })).toFailWith('NOT_FOUND')
})

test('RULE-35 ending the current session works like a logout', async () => {
  const ada = await given.person()
  const sessionId = await sessionOf(ada.token)
  expect(await ada.call(ownSessionEndpoints.end, { params: { sessionId } })).toSucceed()
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
})

test('RULE-35 RULE-51 foreign sessions, unknown ids and invalid ids return 404', async () => {
  const [ada, bob] = [await given.person(), await given.person({ firstname: 'Bob' })]
  for (const sessionId of [await sessionOf(bob.token), uuidv7(), 'x', "' or true --"]) {
    expect(await ada.call(ownSessionEndpoints.end, { params: { sessionId } })).toFailWith('NOT_FOUND')
  }
  expect(await me(bob.token)).toSucceed()
  expect(await rowsOf(ada.personId, 'session.ended')).toEqual([])
})

test('RULE-35 one of ten concurrent calls to end one session succeeds', async () => {
  const ada = await given.person()
  const sessionId = await sessionOf(await ada.openSession())
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? server : second).call(ownSessionEndpoints.end, { params: { sessionId } }, ada.token),
    ),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'NOT_FOUND')).toHaveLength(9)
  expect(await rowsOf(ada.personId, 'session.ended')).toHaveLength(1)
})

test('RULE-35 RULE-31 ending all other sessions closes their sockets on every node and keeps the current one', async () => {
  const ada = await given.person()
  const bob = await given.person({ firstname: 'Bob' })
  const [left, right] = [await ada.openSession(), await ada.openSession()]
  const leaving = [
    await openTestSocket(server.url, { token: left }),
    await openTestSocket(second.url, { token: right }),
  ]
  const staying = await openTestSocket(second.url, { token: ada.token })
  expect(await ada.call(ownSessionEndpoints.endOthers)).toSucceed()
  expect(await announced()).toEqual(expect.arrayContaining([await sessionOf(left), await sessionOf(right)]))
  expect(await announced()).not.toContain(await sessionOf(ada.token))

  expect(await codesOf(leaving)).toEqual([4401, 4401])
  for (const token of [left, right]) expect(await me(token)).toFailWith('UNAUTHENTICATED')
  expect((await listOf(ada)).map(({ isCurrent }) => isCurrent)).toEqual([true])
  expect(await staying.ask({ type: 'ping' })).toBe('pong')
  expect(await me(bob.token)).toSucceed()
})

test('RULE-35 root lists and ends sessions of any user', async () => {
  const root = await given.person({ firstname: 'Grace', isRoot: true })
  const ada = await given.person()
  const { personId } = ada
  const lost = await ada.openSession()
  const { body } = await root.call(rootSessionEndpoints.list, { params: { personId } })
  expect(body.total).toBe(2)
  expect(body.items.map(({ _id }) => _id).toSorted()).toEqual(
    [await sessionOf(ada.token), await sessionOf(lost)].toSorted(),
  )
  expect(body.items.every(({ isCurrent }) => !isCurrent)).toBe(true)

  const sessionId = await sessionOf(lost)
  const socket = await openTestSocket(second.url, { token: lost })
  expect(await root.call(rootSessionEndpoints.end, { params: { personId, sessionId } })).toSucceed()
  expect((await socket.closed).code).toBe(4401)
  expect(await me(lost)).toFailWith('UNAUTHENTICATED')
  expect(await me(ada.token)).toSucceed()

  expect(await root.call(rootSessionEndpoints.endAll, { params: { personId } })).toSucceed()
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(root.token)).toSucceed()
})

test('RULE-35 RULE-51 an unknown user and a session of another user return 404 to root', async () => {
  const root = await given.person({ firstname: 'Grace', isRoot: true })
  const ada = await given.person()
  const unknown = { personId: uuidv7() }
  expect(await root.call(rootSessionEndpoints.list, { params: unknown })).toFailWith('NOT_FOUND')
  expect(await root.call(rootSessionEndpoints.endAll, { params: unknown })).toFailWith('NOT_FOUND')
  const sessionId = await sessionOf(ada.token)
  for (const { personId } of [unknown, root]) {
    expect(await root.call(rootSessionEndpoints.end, { params: { personId, sessionId } })).toFailWith(
      'NOT_FOUND',
    )
  }
  expect(await me(ada.token)).toSucceed()
})

test('RULE-35 only root can list or end sessions of other users', async () => {
  const [ada, bob] = [await given.person(), await given.person({ firstname: 'Bob' })]
  const { personId } = bob
  const sessionId = await sessionOf(bob.token)
  for (const endpoint of [rootSessionEndpoints.list, rootSessionEndpoints.endAll]) {
    expect(await ada.call(endpoint, { params: { personId } })).toFailWith('FORBIDDEN')
  }
  expect(await ada.call(rootSessionEndpoints.end, { params: { personId, sessionId } })).toFailWith(
    'FORBIDDEN',
  )
  expect(await me(bob.token)).toSucceed()
})

test('RULE-78 ended sessions are audited with actor and user', async () => {
  const root = await given.person({ firstname: 'Grace', isRoot: true })
  const ada = await given.person()
  const { personId } = ada
  const [own, others] = [await sessionOf(await ada.openSession()), await sessionOf(await ada.openSession())]
  await ada.call(ownSessionEndpoints.end, { params: { sessionId: own } })
  await root.call(rootSessionEndpoints.end, { params: { personId, sessionId: others } })
  await ada.call(ownSessionEndpoints.endOthers)
  await root.call(rootSessionEndpoints.endAll, { params: { personId } })

  const rows = [...(await rowsOf(personId, 'session.ended')), ...(await rowsOf(personId, 'sessions.ended'))]
  expect(rows).toMatchObject([
    { result: 'success', actor_id: personId, detail: { session: own } },
    { result: 'success', actor_id: root.personId, detail: { session: others } },
    { result: 'success', actor_id: personId },
    { result: 'success', actor_id: root.personId },
  ])
  expect(rows.every(({ address }) => address !== null)).toBe(true)
})

describe('RULE-30 RULE-29 calls and sockets of a tab in the background get 401 when its session', () => {
  test.each(ends)('%s', async (_how, end) => {
    const ada = await given.person()
    expect(await me(ada.token)).toSucceed()
    await end(await sessionOf(ada.token)).execute(db)

    const answers = await Promise.all([
      ada.call(sessionEndpoints.reissue),
      ada.call(ownSessionEndpoints.list),
      ada.call(ownSessionEndpoints.endOthers),
      ada.call(ownSessionEndpoints.activity),
      ada.call(confirmEndpoints.confirm, { body: { type: 'password', password: ada.password } }),
      ada.call(passwordEndpoints.change, { body: { oldPass: ada.password, newPass: 'x' } }),
      second.call(meEndpoints.read, {}, ada.token),
    ])
    for (const answer of answers) expect(answer).toFailWith('UNAUTHENTICATED')
    for (const { url } of [server, second]) {
      const socket = await openTestSocket(url)
      expect(await socket.ask({ type: 'auth', token: ada.token })).toBe(4401)
    }
  })
})

test('RULE-35 RULE-33 no token of thirty concurrent reissues outlives the end of all sessions', async () => {
  const root = await given.person({ isRoot: true })
  for (let round = 0; round < 4; round += 1) {
    const ada = await given.person()
    const { personId } = ada
    const reissues = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? server : second).call(sessionEndpoints.reissue, {}, ada.token),
    )
    expect(await root.call(rootSessionEndpoints.endAll, { params: { personId } })).toSucceed()
    const answers = await Promise.all(reissues)
    const tokens = answers.flatMap(({ code, body }) => (code === undefined ? [body.token] : []))
    for (const token of tokens) server.watchSecret(token)
    for (const token of [ada.token, ...tokens]) expect(await me(token)).toFailWith('UNAUTHENTICATED')
  }
})
