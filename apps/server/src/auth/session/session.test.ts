import { meEndpoints, otpEndpoints, projectEndpoints, sessionEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { openDatabase } from '#platform/database/database.ts'
import { hashToken } from '#platform/secrets.ts'
import { tokenOf } from './bearer.ts'
import { createSessionReader, createSessionRepository, sweepSessions } from './session.repository.ts'

const server = await testServer()
const { given } = server

const me = (token: string, headers = {}) => server.call(meEndpoints.read, { headers }, token)
const reissue = (token: string) => server.call(sessionEndpoints.reissue, {}, token)
const shift = (column: string, interval: string) =>
  sql`update session set ${sql.ref(column)} = now() - ${sql.lit(interval)}::interval`

test('API-07 GET /me gives the credentials and nothing else', async () => {
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

test('DEC-02 takes the token with and without the word Bearer, and from the header alone', async () => {
  const ada = await given.person()
  const { status } = await fetch(`${server.url}/api/me`, { headers: { authorization: ada.token } })
  expect(status).toBe(200)
  for (const path of [`/api/me?token=${ada.token}`, `/api/me?authorization=${ada.token}`]) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(401)
  }
})

test('RULE-34 answers to a signed-in call are not stored', async () => {
  const ada = await given.person()
  const answer = await me(ada.token)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('API-01 GET /auth/reissue gives another token and the credentials', async () => {
  const ada = await given.person()
  const { body } = await reissue(ada.token)
  expect(body.token).not.toBe(ada.token)
  expect(body.credentials.email).toBe(ada.email)
  expect(await me(body.token)).toSucceed()
})

test('RULE-28 a dump of the database holds no token that signs in', async () => {
  const ada = await given.person()
  const rows = await server.db.selectFrom('session_token').select('token_hash').execute()
  expect(rows.some(({ token_hash }) => token_hash.equals(hashToken(ada.token)))).toBe(true)
  for (const { token_hash } of rows) {
    for (const encoding of ['base64url', 'base64', 'hex'] as const) {
      expect(await me(token_hash.toString(encoding))).toFailWith('UNAUTHENTICATED')
    }
  }
})

test('RULE-33 twenty parallel reissues all give tokens that work', async () => {
  const ada = await given.person()
  const answers = await Promise.all(Array.from({ length: 20 }, () => reissue(ada.token)))
  const tokens = answers.map(({ body }) => body.token)
  expect(new Set(tokens).size).toBe(20)
  for (const answer of await Promise.all(tokens.map((token) => me(token)))) expect(answer).toSucceed()
})

test('RULE-33 the replaced token lives until the new one is used, and 60 seconds more', async () => {
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

test('DEC-02 a poll does not keep a session from going idle, a call does', async () => {
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
  // A minute's precision is enough: not each call writes.
  await shift('last_seen_at', '50 seconds').execute(server.db)
  await server.call(projectEndpoints.list, {}, ada.token)
  expect(await lastSeen()).toBeGreaterThan(45)
  await shift('last_seen_at', '70 seconds').execute(server.db)
  await server.call(projectEndpoints.list, {}, ada.token)
  expect(await lastSeen()).toBeLessThan(45)
})

test('RULE-29 reissue never moves the absolute end', async () => {
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

test('RULE-30 a disabled person is refused on the next call', async () => {
  const ada = await given.person()
  await server.db
    .updateTable('person')
    .set({ disabled_at: new Date() })
    .where('id', '=', ada.personId)
    .execute()
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
})

test('RULE-31 DEC-40 logout ends the session on the server, with every token of it', async () => {
  const ada = await given.person()
  const other = await ada.login()
  const { body } = await reissue(ada.token)
  expect(await server.call(sessionEndpoints.logout, {}, body.token)).toSucceed()
  expect(await me(body.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(ada.token)).toFailWith('UNAUTHENTICATED')
  expect(await me(other)).toSucceed()
})

test('a program that reissues in a loop keeps the newest tokens alone', async () => {
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

test('RULE-33 of several that replace one token the first that is used decides when that one ends', async () => {
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

test('RULE-29 a token that nobody used within an hour opens nothing, a used one goes on', async () => {
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
  expect(await change(await ada.login())).toSucceed()
})

test('API-07 the credentials are those of the person, with the default address and no scope but their own', async () => {
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

test('RULE-78 writes a logout down, with who it was and from where', async () => {
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

test('RULE-32 ends the sessions of one person, all or all but one, and tells which were open', async () => {
  const ada = await given.person()
  const other = await ada.login()
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

test('DEC-02 reads the token of the header alone, with Bearer in any case, and none that is too long', () => {
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

test('sweeps sessions whose end is long past, however they ended, and no other', async () => {
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

test('sweeps tokens that work no more, and no other', async () => {
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

test('RULE-30 calls of many people at once are each known as who they are, by few reads', async () => {
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
    expect(await Promise.all(tokens.toSpliced(4, 0, 'nobody').map(personOf))).toEqual(
      callers.map(({ personId }): string | undefined => personId).toSpliced(4, 0, undefined),
    )
    expect(asked).toEqual([8, 4])
    // What is asked while a read is under way may be later than what it sees.
    const first = personOf(tokens[0] ?? '')
    await new Promise(setImmediate)
    expect([await personOf(tokens[0] ?? ''), await first]).toEqual([people[0]?.personId, people[0]?.personId])
    expect(asked).toEqual([8, 4, 1, 1])
  } finally {
    await database.close()
  }
})

test('when the sessions cannot be read none of those who call at once is anybody', async () => {
  const find = createSessionReader(
    { read: () => Promise.reject(new AppError('DATABASE_UNAVAILABLE')) },
    () => [],
  )
  const answers = await Promise.allSettled(['one', 'two'].map((token) => find(hashToken(token))))
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
