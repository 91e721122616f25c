import { loginEndpoints, meEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'

const server = await testServer()
const { given, db } = server

const registration = { firstname: 'Grace', lastname: 'Hopper', password: 'a moth in relay 70' }
const tokenOf = (link: string) => link.split('/bift/')[1] ?? ''

async function invite(email: string, isRoot = false): Promise<string> {
  const { link } = await server.app.invitations.invite({ email, isRoot })
  const token = tokenOf(link)
  server.watchSecret(token)
  return token
}

const preflight = (token: string, session?: string) =>
  server.call(tokenLinkEndpoints.preflight, { params: { token } }, session)

const redeem = (token: string, body: object = registration, session?: string) =>
  server.call(tokenLinkEndpoints.redeem, { params: { token }, body }, session)

const me = (token: string | undefined) => server.call(meEndpoints.read, {}, token)

const isRoot = async (token: string | undefined) => (await me(token)).body.isRoot

async function withoutRoots(): Promise<void> {
  await db.updateTable('person').set({ is_root: false }).execute()
}

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

test('RULE-01 a chosen password is stored as argon2id with the current parameters', async () => {
  const token = await invite('hash@example.org')
  await redeem(token)
  const { password_hash } = await db
    .selectFrom('person')
    .innerJoin('email', 'email.person_id', 'person.id')
    .select('password_hash')
    .where('email', '=', 'hash@example.org')
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('DEC-11 the account gets the address of the invitation as verified default', async () => {
  const token = await invite('Countess@Example.org')
  await redeem(token)
  const stored = await db
    .selectFrom('email')
    .selectAll()
    .where('email_key', '=', 'countess@example.org')
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ email: 'Countess@Example.org', is_default: true })
  expect(stored.verified_at).toBeInstanceOf(Date)
})

test('DEC-11 an invitation can grant root', async () => {
  const plain = await redeem(await invite('plain@example.org'))
  const root = await redeem(await invite('root@example.org', true))
  expect(await isRoot(plain.body.token)).toBe(false)
  expect((await me(root.body.token)).body.scope).toEqual(['root'])
  await withoutRoots()
})

test('DEC-11 DEC-12 only the account itself learns that it exists, and accepting requires its sign-in', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const token = await invite(ada.email.toUpperCase(), true)
  const undisclosed = { action: 'invite:registration', data: { email: ada.email.toUpperCase(), user: null } }
  expect((await preflight(token)).body).toEqual(undisclosed)
  expect((await preflight(token, eve.token)).body).toEqual(undisclosed)
  expect((await preflight(token, ada.token)).body.data.user).toEqual({
    firstname: 'Ada',
    lastname: 'Lovelace',
  })

  for (const [body, session] of [
    [registration, undefined],
    [{}, undefined],
    [{}, eve.token],
    [registration, eve.token],
  ] as const) {
    const answer = await redeem(token, body, session)
    expect(answer).toFailWith('SIGN_IN_TO_ACCEPT')
    expect(answer.body).not.toHaveProperty('token')
  }
  expect(await redeem(token, registration, ada.token)).toFailWith('VALIDATION_FAILED')
  expect(await isRoot(ada.token)).toBe(false)

  const accepted = await redeem(token, {}, ada.token)
  expect(accepted).toSucceed()
  expect(accepted.body).toEqual({})
  expect(await isRoot(ada.token)).toBe(true)
  expect(await isRoot(eve.token)).toBe(false)
  await withoutRoots()
})

test('DEC-11 a disabled user cannot accept', async () => {
  const ada = await given.person()
  const token = await invite(ada.email, true)
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', ada.personId)
    .execute()
  expect(await redeem(token, {}, ada.token)).toFailWith('SIGN_IN_TO_ACCEPT')
})

test('RULE-45 the real owner of an address can register although another user claims it unverified', async () => {
  const eve = await given.person()
  await db
    .insertInto('email')
    .values({
      id: '018f0000-0000-7000-8000-000000000002',
      person_id: eve.personId,
      email: 'claimed@example.org',
      email_key: 'claimed@example.org',
    })
    .execute()
  expect(await redeem(await invite('claimed@example.org'))).toSucceed()
})

test('DEC-11 a registration is rejected with a reason if the address got an account concurrently', async () => {
  const token = await invite('race@example.org')
  const ada = await given.person()
  const { answer } = await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('email')
      .values({
        id: '018f0000-0000-7000-8000-000000000003',
        person_id: ada.personId,
        email: 'race@example.org',
        email_key: 'race@example.org',
        verified_at: sql<Date>`now()`,
      })
      .execute()
    // It finds no account yet, and the unique index blocks its insert until this transaction ends.
    const pending = redeem(token)
    await expect
      .poll(async () => {
        const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "email"%'`.execute(
          db,
        )
        return rows.length
      })
      .toBe(1)
    return { answer: pending }
  })
  expect(await answer).toFailWith('SIGN_IN_TO_ACCEPT')
  expect(await preflight(token)).toSucceed()
})

test('RULE-48 an invitation has exactly one address', async () => {
  for (const email of [
    'ada@example.org, evil@example.net',
    'ada@example.org\r\nBcc: evil@example.net',
    'friends: ada@example.org;',
    'Ada <ada@example.org>',
    '',
  ]) {
    await expect(server.app.invitations.invite({ email, isRoot: false })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  }
})

test('RULE-79 no account exists until the first root’s link is redeemed, and none by default', async () => {
  const fresh = await testServer({ settings: { ROOT_EMAIL: 'chief@example.org' } })
  expect(await fresh.db.selectFrom('person').select('id').execute()).toEqual([])
  const login = await fresh.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: 'chief@example.org', password: 'admin' } },
  })
  expect(login).toFailWith('INVALID_CREDENTIALS')

  const earlier = tokenOf((await fresh.app.firstRootLink()) ?? '')
  const link = (await fresh.app.firstRootLink()) ?? ''
  expect(link).toBe(`${fresh.config.publicUrl}/bift/${tokenOf(link)}`)
  const call = (token: string) =>
    fresh.call(tokenLinkEndpoints.redeem, { params: { token }, body: registration })
  expect(await call(earlier)).toFailWith('LINK_NOT_VALID')
  const answer = await call(tokenOf(link))
  expect(answer).toSucceed()
  const credentials = await fresh.call(meEndpoints.read, {}, answer.body.token)
  expect(credentials.body).toMatchObject({ email: 'chief@example.org', isRoot: true, scope: ['root'] })
  expect(await fresh.app.firstRootLink()).toBeNull()
  expect(await fresh.db.selectFrom('mail').select('id').execute()).toEqual([])
  await fresh.stop()
})

/** Inserts two links directly, because a newer link would void the older one. */
async function twoFirstRootLinks(): Promise<[string, string]> {
  const first = tokenOf((await server.app.firstRootLink()) ?? '')
  await db
    .updateTable('token_link')
    .set({ email: 'other-root@example.org', email_key: 'other-root@example.org' })
    .where('token_hash', '=', hashToken(first))
    .execute()
  const second = tokenOf((await server.app.firstRootLink()) ?? '')
  expect(await preflight(first)).toFailWith('LINK_NOT_VALID')
  await db
    .updateTable('token_link')
    .set({ voided_at: null })
    .where('token_hash', '=', hashToken(first))
    .execute()
  return [first, second]
}

test('two new nodes that start together print one first-root link, and a single node prints a new one', async () => {
  const config = { databaseUrl: 'postgres://shared.example.org/pult', publicUrl: 'http://pult.example.org' }
  const first = await testServer({ config })
  const second = await testServer({ config, besides: first })
  const [link, same] = await Promise.all([first.app.firstRootLink(), second.app.firstRootLink()])
  expect(link).toMatch(/\/bift\/[\w-]{43}$/)
  expect(same).toBe(link)
  await sql`update node set seen_at = now() - interval '31 seconds'`.execute(first.db)
  expect(await first.app.firstRootLink()).not.toBe(link)
})

test('RULE-79 concurrent redemptions of two first-root links create one root', async () => {
  await withoutRoots()
  const tokens = await twoFirstRootLinks()
  const { pending } = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('first root', 0))`.execute(trx)
    const started = tokens.map((token) => redeem(token))
    // Both found no root before.
    await expect
      .poll(async () => {
        const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`.execute(
          db,
        )
        return rows.length
      })
      .toBe(2)
    return { pending: started }
  })
  const answers = await Promise.all(pending)
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'LINK_NOT_VALID')).toHaveLength(1)
  const roots = await db.selectFrom('person').select('id').where('is_root', '=', true).execute()
  expect(roots).toHaveLength(1)
  await withoutRoots()
})

test('RULE-79 a first-root link becomes invalid when a root is created otherwise', async () => {
  await withoutRoots()
  const [token] = await twoFirstRootLinks()
  await given.person({ isRoot: true })
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  await withoutRoots()
})

test('RULE-79 a user with an account can accept the first root’s link when signed in', async () => {
  const fresh = await testServer()
  const ada = await fresh.given.person({ email: fresh.config.rootEmail })
  const token = tokenOf((await fresh.app.firstRootLink()) ?? '')
  const call = (body: object, session?: string) =>
    fresh.call(tokenLinkEndpoints.redeem, { params: { token }, body }, session)
  expect(await call(registration)).toFailWith('SIGN_IN_TO_ACCEPT')
  expect(await call({}, ada.token)).toSucceed()
  expect((await ada.call(meEndpoints.read)).body.isRoot).toBe(true)
  await fresh.stop()
})
