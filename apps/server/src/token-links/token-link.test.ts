import { createHash } from 'node:crypto'
import { loginEndpoints, meEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { hashToken, newToken } from '#platform/secrets.ts'
import { linkPolicy } from './token-link.service.ts'

const server = await testServer({ settings: { PULT_URL: 'https://pult.example.org' } })
const { given, db } = server

const registration = {
  firstname: 'Grace',
  lastname: 'Hopper',
  password: 'a moth in relay 70',
}

let count = 0

async function invitation({ email = `grace${++count}@example.org`, isRoot = false } = {}) {
  const { link } = await server.app.invitations.invite({ email, isRoot })
  const token = link.split('/bift/')[1] ?? ''
  server.watchSecret(token)
  return { email, link, token }
}

const preflight = (token: string, headers = {}) =>
  server.call(tokenLinkEndpoints.preflight, { params: { token }, headers })

const redeem = (token: string, body: object = registration, session?: string, on = server) =>
  on.call(tokenLinkEndpoints.redeem, { params: { token }, body }, session)

const changeLink = (token: string, values: { expires_at: ReturnType<typeof sql<Date>> }) =>
  db.updateTable('token_link').set(values).where('token_hash', '=', hashToken(token)).execute()

const expire = (token: string) => changeLink(token, { expires_at: sql<Date>`now() - interval '1 second'` })

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

test('API-14 DEC-10 RULE-40 a preflight describes a link any number of times and leaves it usable', async () => {
  const { email, token } = await invitation()
  for (let round = 0; round < 100; round += 1) {
    const answer = await preflight(token)
    expect(answer).toSucceed()
    expect(answer.body).toEqual({ action: 'invite:registration', data: { email, user: null } })
  }
  expect(await redeem(token)).toSucceed()
})

test('API-15 REG-01 DEC-11 redeeming an invitation creates an account and signs it in', async () => {
  const { email, token } = await invitation()
  const answer = await redeem(token, { ...registration, firstname: '  Grace ' })
  expect(answer).toSucceed()

  const me = await server.call(meEndpoints.read, {}, answer.body.token)
  expect(me.body).toMatchObject({ firstname: 'Grace', lastname: 'Hopper', email, isRoot: false, scope: [] })
  const login = await server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: email, password: registration.password } },
  })
  expect(login).toSucceed()
})

test('ROLE-03 a link requires no sign-in', async () => {
  const { token } = await invitation()
  expect(await preflight(token)).toSucceed()
  expect(await redeem(token)).toSucceed()
})

test('RULE-36 a token has 256 random bits, and only its SHA-256 is stored', async () => {
  const { token } = await invitation()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const { rows } = await sql<{ row: string }>`
    select t::text as row from token_link t union all select m::text from mail m
    union all select a::text from audit a`.execute(db)
  expect(rows.length).toBeGreaterThan(1)
  // PostgreSQL writes bytes in hexadecimal.
  const forms = [token, Buffer.from(token), Buffer.from(token, 'base64url')].map((form) =>
    typeof form === 'string' ? form : form.toString('hex'),
  )
  for (const { row } of rows) for (const form of forms) expect(row).not.toContain(form)
  const sha256 = createHash('sha256').update(token).digest()
  expect(
    await db.selectFrom('token_link').select('id').where('token_hash', '=', sha256).execute(),
  ).toHaveLength(1)
})

test('RULE-36 a token is valid only for its own action', async () => {
  const ada = await given.person()
  const { token } = await invitation()
  expect(await server.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
  expect(await preflight(ada.token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(ada.token)).toFailWith('LINK_NOT_VALID')
})

test('RULE-37 one of 200 concurrent redemptions over two nodes succeeds', async () => {
  const second = await testServer({ besides: server, settings: { PULT_URL: 'https://pult.example.org' } })
  const ada = await given.person()
  const { token } = await invitation({ email: ada.email, isRoot: true })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      redeem(token, {}, ada.token, index % 2 === 0 ? server : second),
    ),
  )
  const codes = Map.groupBy(answers, ({ code }) => code ?? 'success')
  expect(codes.get('success')).toHaveLength(1)
  expect(codes.get('LINK_NOT_VALID')?.length).toBeGreaterThan(20)
  // More concurrent look-ups than a network may fail.
  expect([...codes.keys()].toSorted()).toEqual(expect.arrayContaining(['LINK_NOT_VALID', 'success']))
  expect(codes.size).toBeLessThanOrEqual(3)
  await second.stop()
})

test('RULE-37 concurrent registrations with one link create one account', async () => {
  const { email, token } = await invitation()
  const answers = await Promise.all(Array.from({ length: 40 }, () => redeem(token)))
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  for (const { status } of answers) expect([200, 409, 410, 429, 503]).toContain(status)
  const people = await db.selectFrom('email').select('id').where('email', '=', email).execute()
  expect(people).toHaveLength(1)
})

test('RULE-38 an invitation expires after 7 days', async () => {
  const { token } = await invitation()
  const { seconds } = await db
    .selectFrom('token_link')
    .select(sql<number>`extract(epoch from expires_at - created_at)::int`.as('seconds'))
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  expect(seconds).toBe(7 * 24 * 3600)
})

test('RULE-38 the statement that consumes a link checks its expiry', async () => {
  const { email, token } = await invitation()
  const { answer } = await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('token_link')
      .select('id')
      .where('token_hash', '=', hashToken(token))
      .forUpdate()
      .execute()
    // The redemption has found the link open and hashed its password. It waits for this transaction to consume the
    // link.
    const pending = redeem(token)
    await expect
      .poll(async () => {
        const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'update "token_link"%'`.execute(
          db,
        )
        return rows.length
      })
      .toBe(1)
    await trx
      .updateTable('token_link')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('token_hash', '=', hashToken(token))
      .execute()
    // In an object, because a returned promise would be awaited before the commit.
    return { answer: pending }
  })
  expect(await answer).toFailWith('LINK_NOT_VALID')
  expect(await db.selectFrom('email').select('id').where('email', '=', email).execute()).toEqual([])
})

test('RULE-39 a newer link for the same address voids the older one', async () => {
  const older = await invitation()
  const newer = await invitation({ email: older.email.toUpperCase() })
  expect(await preflight(older.token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(older.token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(newer.token)).toSucceed()
})

test('RULE-39 concurrent requests leave one open link', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => invitation({ email: 'often@example.org' })))
  const answers = await Promise.all(made.map(({ token }) => preflight(token)))
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
})

test('RULE-41 DEC-10 unknown, expired, used and voided links get the same answer', async () => {
  const expired = await invitation()
  await expire(expired.token)
  const used = await invitation()
  await redeem(used.token)
  const voided = await invitation()
  await invitation({ email: voided.email })

  const tokens = [expired, used, voided].map(({ token }) => token)
  const answers = [
    ...(await Promise.all([newToken(), 'x', ...tokens].map((token) => preflight(token)))),
    ...(await Promise.all([newToken(), 'x', ...tokens].map((token) => redeem(token)))),
  ]
  for (const answer of answers) expect(answer).toFailWith('LINK_NOT_VALID')
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('RULE-41 RULE-07 failed look-ups are limited per network, and successful ones do not count', async () => {
  const { token } = await invitation()
  for (let round = 0; round < linkPolicy.most + 5; round += 1) expect(await preflight(token)).toSucceed()
  for (let round = 0; round < linkPolicy.most; round += 1) {
    const call = round % 2 === 0 ? preflight(newToken()) : redeem(newToken())
    expect(await call).toFailWith('LINK_NOT_VALID')
  }
  const refused = await preflight(newToken())
  expect(refused).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await redeem(newToken())).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-41 a valid link works in a network that used up its look-ups', async () => {
  const { token } = await invitation()
  for (let round = 0; round < linkPolicy.most; round += 1) await preflight(newToken())
  expect(await preflight(newToken())).toFailWith('TOO_MANY_REQUESTS')
  expect(await preflight(token)).toSucceed()
  expect(await redeem(token)).toSucceed()
  expect(await preflight(token)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-42 links use only the configured URL', async () => {
  const { link, token } = await invitation()
  expect(link).toBe(`https://pult.example.org/bift/${token}`)
  const spoofed = await preflight(token, { 'x-forwarded-host': 'evil.example.net' })
  expect(JSON.stringify(spoofed.body)).not.toContain('evil')
})

test.each([
  ['another address', { email: 'evil@example.org' }],
  ['root', { isRoot: true }],
  ['a scope', { scope: ['root'] }],
  ['a verification', { verifiedAt: '2026-01-01T00:00:00.000Z' }],
  ['the codes of another action', { codes: 'abcd-efgh' }],
])('RULE-43 RULE-54 a registration with %s is rejected', async (_, extra) => {
  const { token } = await invitation()
  expect(await redeem(token, { ...registration, ...extra })).toFailWith('VALIDATION_FAILED')
  expect(await preflight(token)).toSucceed()
})

test.each([
  ['an empty body', {}],
  ['a list as the body', []],
  ['no password', { firstname: 'Grace', lastname: 'Hopper' }],
  ['a short name', { ...registration, firstname: 'G' }],
  ['a name of spaces', { ...registration, lastname: '     ' }],
  ['a name over the limit', { ...registration, lastname: 'x'.repeat(201) }],
  ['a name with a line end', { ...registration, lastname: 'Hop\r\nper' }],
  ['a name with a NUL', { ...registration, lastname: 'Hop\u0000per' }],
  ['half a character', { ...registration, lastname: 'Hop\ud800per' }],
  ['a number for a password', { ...registration, password: 12345678 }],
])('REG-02 %s is rejected and leaves the link usable', async (_, body) => {
  const { token } = await invitation()
  expect(await redeem(token, body)).toFailWith('VALIDATION_FAILED')
  expect(await redeem(token)).toSucceed()
})

test('REG-02 the rejection names the invalid field', async () => {
  const { token } = await invitation()
  const short = await redeem(token, { ...registration, firstname: 'G' })
  expect(short.body).toMatchObject({ issues: [{ path: ['firstname'] }] })
  const missing = await redeem(token, {})
  expect(missing.body).toMatchObject({
    issues: [{ path: ['firstname'] }, { path: ['lastname'] }, { path: ['password'] }],
  })
})

const refusedPasswords = [
  ['PASSWORD_TOO_SHORT', 'kx7!mqz'],
  ['PASSWORD_TOO_LONG', 'kx7!'.repeat(65)],
  ['PASSWORD_TOO_LONG', 'x'.repeat(1025)],
  ['PASSWORD_TOO_COMMON', 'Sunshine1'],
  ['PASSWORD_TOO_COMMON', 'hopper1906'],
] as const

test.each(refusedPasswords)(
  'RULE-02 RULE-03 REG-03 a registration fails with %s for %s as the password',
  async (code, password) => {
    const { token } = await invitation()
    expect(await redeem(token, { ...registration, password })).toFailWith(code)
    expect(await redeem(token)).toSucceed()
  },
)

test('RULE-02 a password is accepted unchanged, and NFKC-equal spellings are equivalent', async () => {
  const { email, token } = await invitation()
  const password = `${'kx7!mqzr'.repeat(9)}é` // é is the 73rd byte
  expect(await redeem(token, { ...registration, password })).toSucceed()
  const login = (typed: string) =>
    server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: email, password: typed } },
    })
  expect(await login(password.normalize('NFD'))).toSucceed()
  expect(await login(password.slice(0, 72))).toFailWith('INVALID_CREDENTIALS')
})

test('RULE-78 accepted invitations and attempts with dead links are audited', async () => {
  const { email, token } = await invitation()
  await redeem(token)
  await redeem(token)
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('event', 'in', ['invitation.created', 'invitation.redeemed', 'link.redeemed'])
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  const person = await db
    .selectFrom('email')
    .select('person_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const [refused, redeemed, created] = rows
  expect(created).toMatchObject({ event: 'invitation.created', result: 'success', target: email })
  expect(redeemed).toMatchObject({
    event: 'invitation.redeemed',
    result: 'success',
    actor_id: person.person_id,
    target: person.person_id,
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  })
  expect(refused).toMatchObject({ event: 'link.redeemed', result: 'failure', address: redeemed?.address })
})
