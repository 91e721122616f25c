import { meEndpoints, projectEndpoints, sessionEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { sweepSessions } from './session.repository.ts'

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
  await server.call(projectEndpoints.list, {}, ada.token)
  expect(await lastSeen()).toBeLessThan(60)
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

test('sweeps sessions and tokens whose end is long past, and no other', async () => {
  const ada = await given.person()
  const old = await given.person()
  await sql`update session set expires_at = now() - interval '31 days', last_seen_at = now() - interval '31 days'
    where person_id = ${old.personId}`.execute(server.db)
  await sweepSessions(server.db)
  const left = await server.db.selectFrom('session').select('person_id').execute()
  expect(left.map(({ person_id }) => person_id)).toContain(ada.personId)
  expect(left.map(({ person_id }) => person_id)).not.toContain(old.personId)
  expect(await me(ada.token)).toSucceed()
})
