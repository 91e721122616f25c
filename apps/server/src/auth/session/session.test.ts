import {
  deviceHeader,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeKeyEndpoints,
  fileEndpoints,
  loginEndpoints,
  meEndpoints,
  otpEndpoints,
  projectEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { testServer } from '@pult/testkit'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { openDatabase } from '#platform/database/database.ts'
import { asWork, signInWork, workKind } from '#platform/database/pool-shares.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { tokenOf } from './bearer.ts'
import { createSessionReader, createSessionRepository, sweepSessions } from './session.repository.ts'

const server = await testServer()
const { given } = server

const me = (token: string, headers = {}) => server.call(meEndpoints.read, { headers }, token)
const reissue = (token: string) => server.call(sessionEndpoints.reissue, {}, token)
const shift = (column: string, interval: string) =>
  sql`update session set ${sql.ref(column)} = now() - ${sql.lit(interval)}::interval`

test('API-07 GET /me returns the credentials and nothing else', async () => {
  const root = await given.person({ firstname: 'Grace', lastname: 'Hopper', isRoot: true })
  const { body } = await me(root.token)
  expect(body).toEqual({
    _id: root.personId,
    scope: ['root'],
    email: root.email,
    firstname: 'Grace',
    lastname: 'Hopper',
    otpEnabled: false,
    isRoot: true,
  })
})

test('DEC-02 the token is accepted with and without the word Bearer, and only in the header', async () => {
  const ada = await given.person()
  const { status } = await fetch(`${server.url}/api/me`, { headers: { authorization: ada.token } })
  expect(status).toBe(200)
  for (const path of [`/api/me?token=${ada.token}`, `/api/me?authorization=${ada.token}`]) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(401)
  }
})

test('RULE-34 answers to signed-in calls are not stored by caches', async () => {
  const ada = await given.person()
  const answer = await me(ada.token)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('API-01 GET /auth/reissue returns another token and the credentials', async () => {
  const ada = await given.person()
  const { body } = await reissue(ada.token)
  expect(body.token).not.toBe(ada.token)
  expect(body.credentials.email).toBe(ada.email)
  expect(await me(body.token)).toSucceed()
})

test('RULE-28 the database contains no token that signs in', async () => {
  const ada = await given.person()
  const rows = await server.db.selectFrom('session_token').select('token_hash').execute()
  expect(rows.some(({ token_hash }) => token_hash.equals(hashToken(ada.token)))).toBe(true)
  for (const { token_hash } of rows) {
    for (const encoding of ['base64url', 'base64', 'hex'] as const) {
      expect(await me(token_hash.toString(encoding))).toFailWith('UNAUTHENTICATED')
    }
  }
})

test('RULE-33 twenty concurrent reissues all return working tokens', async () => {
  const ada = await given.person()
  const answers = await Promise.all(Array.from({ length: 20 }, () => reissue(ada.token)))
  const tokens = answers.map(({ body }) => body.token)
  expect(new Set(tokens).size).toBe(20)
  for (const answer of await Promise.all(tokens.map((token) => me(token)))) expect(answer).toSucceed()
})

test('RULE-33 a replaced token stays valid until its successor is used, and 60 seconds longer', async () => {
  const ada = await given.person()
  const { body } = await reissue(ada.token)
  const endOf = async (token: string) =>
    server.db
      .selectFrom('session_token')
      .select(sql<number | null>`round(extract(epoch from expires_at - now()))::int`.as('seconds'))
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()

  expect(await endOf(ada.token)).toEqual({ seconds: null })
  await me(body.token)
  const { seconds } = await endOf(ada.token)
  expect(seconds).toBeGreaterThan(55)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await me(ada.token)).toSucceed()

  await server.db
    .updateTable('session_token')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('token_hash', '=', hashToken(ada.token))
    .execute()
  expect(await reissue(ada.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(body.token)).toSucceed()
})

test('RULE-29 a session ends 12 hours after its last use', async () => {
  const ada = await given.person()
  await shift('last_seen_at', '11 hours 59 minutes').execute(server.db)
  expect(await me(ada.token)).toSucceed()
  await shift('last_seen_at', '12 hours 1 minute').execute(server.db)
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
})

test('DEC-02 a call keeps a session from going idle, a poll does not', async () => {
  const ada = await given.person()
  const lastSeen = async () => {
    const row = await server.db
      .selectFrom('session')
      .select(sql<number>`extract(epoch from now() - last_seen_at)::int`.as('age'))
      .where('person_id', '=', ada.personId)
      .executeTakeFirstOrThrow()
    return row.age
  }
  await shift('last_seen_at', '2 hours').execute(server.db)
  await server.call(projectEndpoints.list, { headers: { 'x-pult-background': '1' } }, ada.token)
  expect(await lastSeen()).toBeGreaterThan(7000)
  await server.call(projectEndpoints.list, { headers: { 'x-pult-background': '0' } }, ada.token)
  expect(await lastSeen()).toBeLessThan(60)
  // Recorded to the minute, so that not every call writes.
  await shift('last_seen_at', '50 seconds').execute(server.db)
  await server.call(projectEndpoints.list, {}, ada.token)
  expect(await lastSeen()).toBeGreaterThan(45)
  await shift('last_seen_at', '70 seconds').execute(server.db)
  await server.call(projectEndpoints.list, {}, ada.token)
  expect(await lastSeen()).toBeLessThan(45)
})

test('RULE-29 a reissue never extends the absolute lifetime', async () => {
  const ada = await given.person()
  const end = async () =>
    (
      await server.db
        .selectFrom('session')
        .select('expires_at')
        .where('person_id', '=', ada.personId)
        .executeTakeFirstOrThrow()
    ).expires_at
  const before = await end()
  expect(Math.abs(before.getTime() - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000)
  const { body } = await reissue(ada.token)
  await me(body.token)
  expect(await end()).toEqual(before)
  await shift('expires_at', '1 second').execute(server.db)
  expect(await me(body.token)).toFailWith('UNAUTHENTICATED')
})

test('RULE-30 a disabled user is rejected on the next call', async () => {
  const ada = await given.person()
  await server.db
    .updateTable('person')
    .set({ disabled_at: new Date() })
    .where('id', '=', ada.personId)
    .execute()
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
})

test('RULE-31 DEC-40 logout ends the session with all its tokens on the server', async () => {
  const ada = await given.person()
  const other = await ada.openSession()
  const { body } = await reissue(ada.token)
  expect(await server.call(sessionEndpoints.logout, {}, body.token)).toSucceed()
  expect(await me(body.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(other)).toSucceed()
})

test('repeated reissues keep only the newest tokens', async () => {
  const ada = await given.person()
  await me(ada.token)
  let last = ''
  for (let round = 0; round < 60; round += 1) last = (await reissue(ada.token)).body.token
  const { count } = await server.db
    .selectFrom('session_token')
    .innerJoin('session', 'session.id', 'session_token.session_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('session.person_id', '=', ada.personId)
    .executeTakeFirstOrThrow()
  expect(count).toBe(51)
  expect(await me(last)).toSucceed()
})

test('RULE-33 the first use of one of several successors decides when the replaced token expires', async () => {
  const ada = await given.person()
  const [first, other] = [await reissue(ada.token), await reissue(ada.token)]
  await me(first.body.token)
  const parent = () =>
    server.db
      .selectFrom('session_token')
      .select(sql<number>`extract(epoch from expires_at - now())::int`.as('seconds'))
      .where('token_hash', '=', hashToken(ada.token))
      .executeTakeFirstOrThrow()
  await server.db
    .updateTable('session_token')
    .set({ expires_at: sql<Date>`now() + interval '20 seconds'` })
    .where('token_hash', '=', hashToken(ada.token))
    .execute()
  await me(other.body.token)
  expect((await parent()).seconds).toBeLessThanOrEqual(20)
})

test('RULE-33 the first chain of two from one token that is used ends the other, and neither can be revived', async () => {
  const ada = await given.person()
  const successor = async (token: string) => {
    const { body } = await reissue(token)
    server.watchSecret(body.token)
    expect(await me(body.token)).toSucceed()
    return body.token
  }
  const [owners, thiefs] = [await successor(ada.token), await successor(ada.token)]
  const { body: unused } = await reissue(thiefs)
  server.watchSecret(unused.token)
  const third = await successor(owners)
  // The other chain still works within the overlap, and its new tokens end with it, also after a first use of one.
  const revived = [await successor(thiefs)]
  expect(await me(unused.token)).toSucceed()
  revived.push(unused.token, await successor(thiefs))
  const overlapEnds = () =>
    sql`
    update session_token set expires_at = expires_at - interval '61 seconds' where expires_at is not null`.execute(
      server.db,
    )
  await overlapEnds()
  for (const token of [ada.token, owners, thiefs, ...revived]) {
    expect(await me(token)).toFailWith('UNAUTHENTICATED')
  }
  // The refusals end no session.
  expect(await me(third)).toSucceed()
  expect(await me(await successor(third))).toSucceed()
})

test('RULE-33 the next sign-in of a browser ends the session that it replaces, with all its tokens', async () => {
  const ada = await given.person()
  const signIn = async (device: string) => {
    const body = { type: 'credentials', data: { username: ada.email, password: ada.password } }
    const answer = await server.call(loginEndpoints.login, { body, headers: { [deviceHeader]: device } })
    const token = answer.body.token ?? ''
    server.watchSecret(token)
    return token
  }
  const [laptop, phone] = [newToken(), newToken()]
  for (const device of [laptop, phone]) server.watchSecret(device)
  const stolen = await signIn(laptop)
  const onPhone = await signIn(phone)
  const { body } = await reissue(stolen)
  expect(await me(body.token)).toSucceed()
  const again = await signIn(laptop)
  expect(await me(body.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(stolen)).toFailWith('UNAUTHENTICATED')
  for (const token of [again, onPhone, ada.token]) expect(await me(token)).toSucceed()
})

test('RULE-29 a token that is unused for an hour expires, a used one does not', async () => {
  const ada = await given.person()
  const { body } = await reissue(ada.token)
  const age = (interval: string) =>
    server.db
      .updateTable('session_token')
      .set({ created_at: sql<Date>`now() - ${sql.lit(interval)}::interval` })
      .where('token_hash', 'in', [hashToken(ada.token), hashToken(body.token)])
      .execute()
  await age('61 minutes')
  expect(await me(body.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(ada.token)).toSucceed()
  await age('59 minutes')
  expect(await me(body.token)).toSucceed()
})

test('RULE-15 a sign-in is recent for ten minutes, and a reissue copies its time', async () => {
  const ada = await given.person()
  const change = (token: string) => server.call(otpEndpoints.init, {}, token)
  const signedInAgo = (interval: string) =>
    sql`update session set authenticated_at = now() - ${sql.lit(interval)}::interval
      where person_id = ${ada.personId}`.execute(server.db)
  await signedInAgo('9 minutes 50 seconds')
  expect(await change(ada.token)).toSucceed()
  await signedInAgo('10 minutes 1 second')
  expect(await change(ada.token)).toFailWith('RECENT_SIGN_IN_NEEDED')
  const { body } = await reissue(ada.token)
  expect(await change(body.token)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await change(await ada.openSession())).toSucceed()
})

test('RULE-15 a sign-in while the clock of the database was an hour ahead is not recent', async () => {
  const ada = await given.person()
  const change = () => server.call(otpEndpoints.init, {}, ada.token)
  const signedInAt = (offset: string) =>
    sql`update session set authenticated_at = now() + ${sql.lit(offset)}::interval
      where person_id = ${ada.personId}`.execute(server.db)
  await signedInAt('1 hour')
  expect(await change()).toFailWith('RECENT_SIGN_IN_NEEDED')
  await signedInAt('10 seconds')
  expect(await change()).toSucceed()
})

test('API-07 the credentials contain the user’s own data, default address and scope', async () => {
  const ada = await given.person()
  await server.db
    .insertInto('email')
    .values({
      id: '018f0000-0000-7000-8000-0000000000c1',
      person_id: ada.personId,
      email: 'a.second@example.org',
      email_key: 'a.second@example.org',
      verified_at: sql<Date>`now()`,
    })
    .execute()
  for (let round = 0; round < 3; round += 1) {
    expect((await me(ada.token)).body).toMatchObject({ email: ada.email, scope: [], isRoot: false })
  }
  const grace = await given.person({ otp: true })
  expect((await me(grace.token)).body.otpEnabled).toBe(true)
  expect((await reissue(grace.token)).body.credentials).toEqual((await me(grace.token)).body)
  await ada.call(otpEndpoints.init)
  expect((await me(ada.token)).body.otpEnabled).toBe(false)
})

test('RULE-78 a logout is audited with user and origin', async () => {
  const ada = await given.person()
  await server.call(sessionEndpoints.logout, {}, ada.token)
  const rows = await server.db
    .selectFrom('audit')
    .innerJoin('session', (join) => join.on(sql<boolean>`session.id::text = audit.target`))
    .select(['audit.event', 'audit.result', 'audit.actor_id', 'audit.address'])
    .where('session.person_id', '=', ada.personId)
    .execute()
  expect(rows).toEqual([
    {
      event: 'session.ended',
      result: 'success',
      actor_id: ada.personId,
      address: expect.stringMatching(/./) as string,
    },
  ])
})

test('RULE-32 all sessions of a user, or all but one, can be ended, and the open ones are returned', async () => {
  const ada = await given.person()
  const other = await ada.openSession()
  const grace = await given.person({ firstname: 'Grace' })
  const sessions = createSessionRepository(server.db)
  const idOf = async (token: string) =>
    (
      await server.db
        .selectFrom('session_token')
        .select('session_id')
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirstOrThrow()
    ).session_id
  const [own, elsewhere] = [await idOf(ada.token), await idOf(other)]

  expect(await sessions.end({ personId: ada.personId, exceptSessionId: own })).toEqual([elsewhere])
  expect(await me(ada.token)).toSucceed()
  expect(await me(other)).toFailWith('UNAUTHENTICATED')
  expect(await sessions.end({ personId: ada.personId, exceptSessionId: null })).toEqual([own])
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
  expect(await sessions.end({ sessionId: own })).toEqual([])
  expect(await me(grace.token)).toSucceed()
})

test('DEC-02 the token is read only from the header, with Bearer in upper or lower case, up to the maximum length', () => {
  const read = (authorization?: string) => tokenOf({ headers: { authorization } } as FastifyRequest)
  expect([read('Bearer abc'), read('bearer   abc '), read('abc')]).toEqual(['abc', 'abc', 'abc'])
  expect([read(), read(''), read('Bearer '), read('x'.repeat(201))]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(read(`Bearer ${'x'.repeat(200)}`)).toHaveLength(200)
})

test('the clean-up job deletes sessions long after their end, and no others', async () => {
  const shifts = {
    open: sql`last_seen_at = now()`,
    'absolute end': sql`expires_at = now() - interval '31 days', last_seen_at = now() - interval '31 days'`,
    'idle, absolute end to come': sql`last_seen_at = now() - interval '31 days'`,
    ended: sql`last_seen_at = now() - interval '40 days', ended_at = now() - interval '31 days'`,
    'ended late': sql`last_seen_at = now() - interval '40 days', ended_at = now() - interval '29 days'`,
    'idle since 30 days': sql`last_seen_at = now() - interval '30 days'`,
  }
  const names: Record<string, string> = {}
  for (const [name, change] of Object.entries(shifts)) {
    const { personId } = await given.person()
    names[personId] = name
    await sql`update session set ${change} where person_id = ${personId}`.execute(server.db)
  }
  await sweepSessions(server.db)
  const left = await server.db.selectFrom('session').select('person_id').execute()
  expect(left.flatMap(({ person_id }) => names[person_id] ?? []).toSorted()).toEqual([
    'ended late',
    'idle since 30 days',
    'open',
  ])
})

test('the clean-up job deletes expired tokens, and no others', async () => {
  const ada = await given.person()
  await me(ada.token)
  const [replaced, unused, waiting] = [
    (await reissue(ada.token)).body.token,
    (await reissue(ada.token)).body.token,
    (await reissue(ada.token)).body.token,
  ]
  await me(replaced)
  const set = (token: string, values: { created_at?: RawBuilder<Date>; expires_at?: RawBuilder<Date> }) =>
    server.db.updateTable('session_token').set(values).where('token_hash', '=', hashToken(token)).execute()
  const daysAgo = (days: number) => sql<Date>`now() - make_interval(hours => ${days * 24 + 1})`
  await set(replaced, { expires_at: daysAgo(1) })
  await set(unused, { created_at: daysAgo(1) })
  await set(ada.token, { created_at: daysAgo(5), expires_at: daysAgo(0) })
  await sweepSessions(server.db)
  const rows = await server.db.selectFrom('session_token').select('token_hash').execute()
  const isLeft = (token: string) => rows.some(({ token_hash }) => token_hash.equals(hashToken(token)))
  expect([replaced, unused, waiting, ada.token].map(isLeft)).toEqual([false, false, true, true])
})

test('RULE-30 concurrent calls of many users are each authenticated correctly, in few reads', async () => {
  const people = await Promise.all(Array.from({ length: 11 }, () => given.person()))
  const callers = people.flatMap((person) => [person, person])
  const answers = await Promise.all(callers.map(({ token }) => me(token)))
  expect(answers.map(({ body }) => body._id)).toEqual(callers.map(({ personId }) => personId))

  const database = openDatabase({ connection: server.testDatabase.connection, max: 2, onError: () => {} })
  const asked: number[] = []
  const read: typeof database.read = (statement, values) => {
    asked.push(values.filter((value) => value !== null).length)
    return database.read(statement, values)
  }
  const find = createSessionReader({ read }, () => [])
  const personOf = async (token: string) => (await find(hashToken(token)))?.personId
  const tokens = callers.map(({ token }) => token)
  try {
    expect(await Promise.all(tokens.toSpliced(4, 0, 'unknown').map(personOf))).toEqual(
      callers.map(({ personId }): string | undefined => personId).toSpliced(4, 0, undefined),
    )
    expect(asked).toEqual([8, 4])
    // A call during a read needs a newer snapshot than that read sees.
    const first = personOf(tokens[0] ?? '')
    await new Promise(setImmediate)
    expect([await personOf(tokens[0] ?? ''), await first]).toEqual([people[0]?.personId, people[0]?.personId])
    expect(asked).toEqual([8, 4, 1, 1])
  } finally {
    await database.close()
  }
})

test('concurrent calls are all rejected when the sessions cannot be read', async () => {
  const find = createSessionReader(
    { read: () => Promise.reject(new AppError('DATABASE_UNAVAILABLE')) },
    () => [],
  )
  const answers = await Promise.allSettled(['one', 'two'].map((token) => find(hashToken(token))))
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('RULE-34 the address of an upload and the keys, codes and tokens of edges are no session, in any scheme', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { products: ['project', 'edges'] })
  const params = { projectId }
  const file = { filename: 'a.txt', contentType: 'text/plain', size: 4 }
  const ticket = await ada.call(fileEndpoints.create, { body: file })
  const key = await ada.call(edgeKeyEndpoints.create, { params, body: { label: 'Halls' } })
  const hall = await ada.call(edgeEndpoints.enrol, { params, body: { label: 'Hall' } })
  const edge = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: key.body.secret } })
  for (const { status } of [ticket, key, hall, edge]) expect(status).toBe(200)
  const address = ticket.body.url.slice(ticket.body.url.lastIndexOf('/') + 1)
  for (const secret of [address, key.body.secret, hall.body.code, edge.body.token]) {
    server.watchSecret(secret)
    const basic = Buffer.from(`${ada.email}:${secret}`).toString('base64')
    for (const scheme of [
      secret,
      `Bearer ${secret}`,
      `Token ${secret}`,
      `Edge ${secret}`,
      `Basic ${basic}`,
    ]) {
      const { status } = await fetch(`${server.url}/api/me`, { headers: { authorization: scheme } })
      expect(status).toBe(401)
    }
    const socket = await openTestSocket(server.url)
    expect(await socket.ask({ type: 'auth', token: secret })).toBe(4401)
  }
})

test('sign-in and /me read their session apart from other calls, which may wait for a connection', async () => {
  const kinds: string[] = []
  const find = createSessionReader(
    {
      read: async () => {
        kinds.push(workKind())
        return []
      },
    },
    () => [],
  )
  const newHash = () => hashToken(newToken())
  await Promise.all([find(newHash()), asWork(signInWork, () => find(newHash()))])
  expect(kinds.toSorted()).toEqual(['sessions', signInWork])
})
