import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, sessionEndpoints, socketPath } from '@pult/contract'
import { callEndpoint, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createEvents } from '#platform/realtime/events.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { createPeopleRepository } from '../../people/people.repository.ts'
import { openTestSocket, type TestSocket } from '../../platform/realtime/test-socket.ts'
import { createSessionRepository } from './session.repository.ts'
import { closeSocketsOfEndedSessions } from './session-sockets.ts'

const a = await testServer()
const b = await testServer({ besides: a })

async function sessionOf(token: string): Promise<string> {
  const row = await a.db
    .selectFrom('session_token')
    .select('session_id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  return row.session_id
}

/** Waits until all sockets are closed, and returns their codes and the milliseconds it took. */
async function closing(sockets: TestSocket[]) {
  const from = performance.now()
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code))
  return { codes, after: performance.now() - from }
}

test('WS-01 RULE-34 the token of a login opens a socket in the first message, not in the URL', async () => {
  const ada = await a.given.person()
  const socket = await openTestSocket(a.url)
  const answer = socket.next()
  socket.send({ type: 'auth', token: ada.token })
  expect(await answer).toMatchObject({ type: 'ready', build: { version: '2.4.0' } })
  expect(await socket.ask({ type: 'ping' })).toBe('pong')

  const inUrl = await openTestSocket(a.url, { path: `${apiBase}${socketPath}?token=${ada.token}` })
  expect(inUrl.status).toBe(404)
})

test('RULE-60 the public origin can open sockets, a foreign one cannot', async () => {
  expect((await openTestSocket(a.url, { origin: a.config.publicUrl })).status).toBe(101)
  expect((await openTestSocket(a.url, { origin: 'https://evil.example.org' })).status).toBe(403)
})

test.each(['', 'unknown', 'Bearer x', '0'.repeat(200)])(
  'RULE-28 the token %j opens no socket',
  async (token) => {
    const socket = await openTestSocket(a.url)
    expect(await socket.ask({ type: 'auth', token })).toBe(4401)
  },
)

test('RULE-31 RULE-62 a logout closes the sockets of its session on both nodes within a second, and no others', async () => {
  const ada = await a.given.person()
  const grace = await a.given.person({ firstname: 'Grace' })
  const elsewhere = await ada.openSession()
  const leaving = [
    await openTestSocket(a.url, { token: ada.token }),
    await openTestSocket(b.url, { token: ada.token }),
    await openTestSocket(b.url, { token: ada.token }),
  ]
  const staying = [
    await openTestSocket(a.url, { token: elsewhere }),
    await openTestSocket(b.url, { token: elsewhere }),
    await openTestSocket(b.url, { token: grace.token }),
  ]

  expect(await ada.call(sessionEndpoints.logout)).toSucceed()
  const { codes, after } = await closing(leaving)
  expect(codes).toEqual([4401, 4401, 4401])
  expect(after).toBeLessThan(underLoad(1000))

  expect(await ada.call(sessionEndpoints.reissue)).toFailWith('UNAUTHENTICATED')
  const replay = await openTestSocket(b.url)
  expect(await replay.ask({ type: 'auth', token: ada.token })).toBe(4401)
  for (const socket of staying) expect(await socket.ask({ type: 'ping' })).toBe('pong')
})

describe('RULE-62 RULE-30 sockets close within a second on both nodes when', () => {
  test.each([
    [
      'the session has been idle',
      (id: string) => sql`
      update session set last_seen_at = now() - interval '12 hours 1 second' where id = ${id}`,
    ],
    [
      'the session has reached its absolute end',
      (id: string) => sql`
      update session set expires_at = now() where id = ${id}`,
    ],
    [
      'the session was ended',
      (id: string) => sql`
      update session set ended_at = now() where id = ${id}`,
    ],
    [
      'the user is disabled',
      (id: string) => sql`
      update person set disabled_at = now() where id = (select person_id from session where id = ${id})`,
    ],
    [
      'the user is deleted',
      (id: string) => sql`
      delete from person where id = (select person_id from session where id = ${id})`,
    ],
  ])('%s', async (_when, statement) => {
    const ada = await a.given.person()
    const sockets = [
      await openTestSocket(a.url, { token: ada.token }),
      await openTestSocket(b.url, { token: ada.token }),
    ]
    await statement(await sessionOf(ada.token)).execute(a.db)
    const { codes, after } = await closing(sockets)
    expect(codes).toEqual([4401, 4401])
    expect(after).toBeLessThan(underLoad(1000))
  })
})

test('WS-01 RULE-33 a socket that sends the reissued token stays open, and the token opens the next socket', async () => {
  const ada = await a.given.person()
  const socket = await openTestSocket(b.url, { token: ada.token })
  const { body } = await ada.call(sessionEndpoints.reissue)
  expect(await socket.ask({ type: 'auth', token: body.token })).toBe('ready')
  // The replaced token expires by the database's clock.
  await sql`
    update session_token set expires_at = now() where token_hash = ${hashToken(ada.token)}`.execute(a.db)
  await sleep(1000)
  expect(await socket.ask({ type: 'ping' })).toBe('pong')
  await openTestSocket(a.url, { token: body.token })
  const late = await openTestSocket(a.url)
  expect(await late.ask({ type: 'auth', token: ada.token })).toBe(4401)
})

test('DEC-02 a socket does not keep its session from going idle', async () => {
  const ada = await a.given.person()
  const sessionId = await sessionOf(ada.token)
  await sql`update session set last_seen_at = now() - interval '2 hours' where id = ${sessionId}`.execute(
    a.db,
  )
  const seen = async () =>
    (
      await a.db
        .selectFrom('session')
        .select('last_seen_at')
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow()
    ).last_seen_at.getTime()
  const before = await seen()
  const socket = await openTestSocket(a.url, { token: ada.token })
  await socket.ask({ type: 'ping' })
  await socket.ask({ type: 'auth', token: ada.token })
  await sleep(800)
  expect(await seen()).toBe(before)
})

test('RULE-62 sockets close on the event of an ended session, before the next check', async () => {
  const ada = await a.given.person()
  const sessionId = await sessionOf(ada.token)
  const events = createEvents({
    db: a.db,
    connection: a.testDatabase.connection,
    log: createLog('silent'),
  })
  const closed: string[] = []
  closeSocketsOfEndedSessions(events, { closeSessions: (ids) => closed.push(...ids) })
  await events.start()
  // Events of other topics and names close no socket, even with the same data.
  await events.transaction(async (_trx, emit) => {
    const data = { sessionIds: ['another'] }
    await emit({ topic: 'projects', name: 'ended', data })
    await emit({ topic: 'sessions', name: 'begun', data })
  })
  expect(await ada.call(sessionEndpoints.logout)).toSucceed()
  await vi.waitFor(() => expect(closed).toContain(sessionId), 30_000)
  expect(closed).toEqual([sessionId])
  await events.stop()
})

test('RULE-62 100 logouts on one node each close their socket on the other within a second', async () => {
  const people = createPeopleRepository(a.db)
  const sessions = createSessionRepository(a.db)
  const open: { token: string; socket: TestSocket; logoutAt: string }[] = []
  for (let person = 0; person < 10; person += 1) {
    const personId = await people.add({
      firstname: 'Ada',
      lastname: 'Lovelace',
      passwordHash: 'none',
      isRoot: false,
      email: `ada-${person}@example.net`,
    })
    for (let session = 0; session < 10; session += 1) {
      const token = newToken()
      await sessions.add({ personId, userAgent: '', address: '127.0.0.1' }, hashToken(token))
      const [near, far] = session % 2 === 0 ? [a.url, b.url] : [b.url, a.url]
      open.push({ token, socket: await openTestSocket(near, { token }), logoutAt: far })
    }
  }
  const delays = await Promise.all(
    open.map(async ({ token, socket, logoutAt }) => {
      expect(await callEndpoint(logoutAt, token, sessionEndpoints.logout)).toSucceed()
      return (await closing([socket])).after
    }),
  )
  expect(Math.max(...delays)).toBeLessThan(underLoad(1000))
})
