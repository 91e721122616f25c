import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type AuthenticationOptions,
  type AuthenticationResult,
  deviceHeader,
  loginEndpoints,
  meEndpoints,
  passkeyLoginEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import fc from 'fast-check'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'
import { newToken } from '#platform/secrets.ts'
import { sweepCeremonies } from './ceremonies.ts'
import { userHandleOf } from './relying-party.ts'
import { registerPasskey } from './testing/register-passkey.ts'
import {
  type AssertionMisbehaviour,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
  type SoftwareAuthenticatorOptions,
} from './testing/software-authenticator.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
// Nodes of one installation have one public address.
const second = await testServer({ besides: server, settings, config: { publicUrl: server.url } })
const { given, db } = server

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const refused = { verified: false }

async function start(username?: string, on = server) {
  const answer = await on.call(passkeyLoginEndpoints.options, {
    body: username === undefined ? {} : { username },
  })
  server.watchSecret(answer.body.userToken)
  server.watchSecret(answer.body.options.challenge)
  return answer.body
}

const verify = (userToken: string, result: AuthenticationResult, on = server) =>
  on.call(passkeyLoginEndpoints.verify, { body: { userToken, result } })

/** Runs a complete sign-in and returns the server's last answer. */
async function login(authenticator: SoftwareAuthenticator, wrong?: AssertionMisbehaviour, username?: string) {
  const { userToken, options } = await start(username)
  const answer = await verify(userToken, authenticator.assert(options, wrong))
  expect(answer).toSucceed()
  if (answer.body.token !== undefined) server.watchSecret(answer.body.token)
  return answer.body
}

async function givenPasskey(
  authenticatorOptions: Partial<SoftwareAuthenticatorOptions> = {},
  input?: Parameters<typeof given.person>[0],
) {
  const person: GivenPerson = await given.person(input)
  const authenticator = createSoftwareAuthenticator({ origin: server.url, ...authenticatorOptions })
  const passkey = await registerPasskey(person, authenticator)
  return { person, authenticator, passkeyId: passkey._id }
}

const auditOf = (personId: string, event: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address', 'detail'])
    .where('target', '=', personId)
    .where('event', '=', event)
    .orderBy('at')
    .execute()

const stored = (passkeyId: string) =>
  db.selectFrom('passkey').selectAll().where('id', '=', passkeyId).executeTakeFirstOrThrow()

const sessionsOf = async (personId: string) =>
  (await db.selectFrom('session').select('id').where('person_id', '=', personId).execute()).length

const disable = (personId: string) =>
  db.updateTable('person').set({ disabled_at: sql<Date>`now()` }).where('id', '=', personId).execute()

async function untilOneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.db,
    )
    if (rows.length > 0) return
    await delay(10)
  }
}

test('API-06 DEC-03 a passkey signs in with and without a username', async () => {
  const { person, authenticator, passkeyId } = await givenPasskey()
  expect((await stored(passkeyId)).last_used_at).toBeNull()
  for (const username of [undefined, person.email.toUpperCase()]) {
    const { verified, token } = await login(authenticator, {}, username)
    expect(verified).toBe(true)
    const me = await server.call(meEndpoints.read, {}, token)
    expect(me.body._id).toBe(person.personId)
  }
  expect((await stored(passkeyId)).last_used_at).toBeInstanceOf(Date)
})

test('RULE-25 DEC-03 a sign-in by passkey requires no one-time password', async () => {
  const { authenticator } = await givenPasskey({}, { otp: true })
  const { token } = await login(authenticator)
  expect(await server.call(meEndpoints.read, {}, token)).toSucceed()
})

test('RULE-04 DEC-01 a known and an unknown username get the same answer', async () => {
  const known = await givenPasskey()
  const disabled = await givenPasskey()
  await disable(disabled.person.personId)
  await db
    .insertInto('email')
    .values({
      id: uuidv7(),
      person_id: known.person.personId,
      email: 'unverified@example.org',
      email_key: 'unverified@example.org',
    })
    .execute()

  const names = [known.person.email, 'unknown@example.org', disabled.person.email, 'unverified@example.org']
  const bodies = await Promise.all(names.map((name) => start(name)))
  const masked = bodies.map(({ userToken, options }) => {
    expect(userToken).toMatch(/^[\w-]{43}$/)
    expect(options.challenge).toMatch(/^[\w-]{43}$/)
    return { options: { ...options, challenge: '' } }
  })
  for (const each of masked) {
    expect(each).toEqual({
      options: {
        challenge: '',
        rpId: 'localhost',
        timeout: 300_000,
        allowCredentials: [],
        userVerification: 'required',
      },
    })
  }
  expect(new Set(bodies.map((body) => Object.keys(body).join())).size).toBe(1)
  expect(new Set(bodies.flatMap(({ userToken, options }) => [userToken, options.challenge])).size).toBe(8)
})

test('RULE-23 a ceremony for a username can be finished only by that user', async () => {
  const ada = await givenPasskey()
  const eve = await givenPasskey()
  expect(await login(eve.authenticator, {}, ada.person.email)).toEqual(refused)
  expect(await login(ada.authenticator, {}, 'unknown@example.org')).toEqual(refused)
  expect(await login(ada.authenticator, {}, ada.person.email)).toMatchObject({ verified: true })
})

test('RULE-23 a passkey signs in only its owner, regardless of the user handle', async () => {
  const ada = await givenPasskey()
  const eve = await givenPasskey()
  for (const userHandle of [userHandleOf(ada.person.personId), null, '', 'AAAA']) {
    expect(await login(eve.authenticator, { userHandle })).toEqual(refused)
  }
  const { token } = await login(eve.authenticator)
  const me = await server.call(meEndpoints.read, {}, token)
  expect(me.body._id).toBe(eve.person.personId)
})

test('RULE-20 the database stores only digests of challenge and user token', async () => {
  const { userToken, options } = await start()
  expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
  const sha256 = (text: string) => createHash('sha256').update(text).digest()
  const rows = await db
    .selectFrom('passkey_challenge')
    .selectAll()
    .where('challenge_hash', '=', sha256(options.challenge))
    .execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.user_token_hash).toEqual(sha256(userToken))

  const { rows: dump } = await sql<{ text: string }>`
    select to_jsonb(passkey_challenge)::text as text from passkey_challenge`.execute(db)
  const all = dump.map(({ text }) => text).join('\n')
  for (const secret of [options.challenge, userToken]) {
    expect(all).not.toContain(secret)
    for (const encoding of ['hex', 'base64', 'latin1'] as const) {
      expect(all).not.toContain(Buffer.from(secret, 'base64url').toString(encoding))
      expect(all).not.toContain(Buffer.from(secret).toString(encoding))
    }
  }
})

test('RULE-20 one of 100 concurrent replays over two nodes signs in, regardless of the counter', async () => {
  const { person, authenticator } = await givenPasskey({ isCounting: false })
  const before = await sessionsOf(person.personId)
  const { userToken, options } = await start()
  const result = authenticator.assert(options)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => verify(userToken, result, index % 2 === 0 ? server : second)),
  )
  for (const answer of answers) expect(answer).toSucceed()
  const tokens = answers.flatMap(({ body }) => (body.verified ? [body.token] : []))
  expect(tokens).toHaveLength(1)
  expect(answers.filter(({ body }) => JSON.stringify(body) === JSON.stringify(refused))).toHaveLength(99)
  expect(await sessionsOf(person.personId)).toBe(before + 1)
})

test('RULE-20 a ceremony expires after five minutes of database time', async () => {
  const { authenticator } = await givenPasskey()
  const { userToken, options } = await start()
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float as seconds from passkey_challenge
    order by expires_at desc limit 1`.execute(db)
  expect(rows[0]?.seconds).toBeGreaterThan(290)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(300)

  await db
    .updateTable('passkey_challenge')
    .set({ expires_at: sql<Date>`now() - interval '1 millisecond'` })
    .execute()
  expect((await verify(userToken, authenticator.assert(options))).body).toEqual(refused)
})

test('RULE-20 a failed attempt consumes the ceremony', async () => {
  const { authenticator } = await givenPasskey({ isCounting: false })
  const { userToken, options } = await start()
  expect((await verify(userToken, authenticator.assert(options, { isForged: true }))).body).toEqual(refused)
  expect((await verify(userToken, authenticator.assert(options))).body).toEqual(refused)
})

test('RULE-20 the answer to one ceremony cannot finish another', async () => {
  const { authenticator } = await givenPasskey()
  const [one, other] = [await start(), await start()]
  expect((await verify(one.userToken, authenticator.assert(other.options))).body).toEqual(refused)
  expect((await verify('A'.repeat(43), authenticator.assert(other.options))).body).toEqual(refused)
  expect((await verify(other.userToken, authenticator.assert(other.options))).body.verified).toBe(true)
})

test('RULE-21 a passkey without user verification is rejected', async () => {
  const { authenticator } = await givenPasskey()
  const { userToken, options } = await start()
  expect(options.userVerification).toBe('required')
  const answer = await verify(userToken, authenticator.assert(options, { userVerified: false }))
  expect(answer.body).toEqual(refused)
})

test.each<[string, AssertionMisbehaviour]>([
  ['another origin', { origin: 'https://pult.example.net' }],
  ['another port', { origin: 'http://localhost:1' }],
  ['another relying party', { rpId: 'example.net' }],
  ['a foreign frame', { crossOrigin: true }],
  ['a foreign frame with its top origin', { crossOrigin: true, topOrigin: 'https://evil.example.net' }],
  [
    'a foreign frame without the cross-origin flag',
    { crossOrigin: false, topOrigin: 'https://evil.example.net' },
  ],
])('RULE-22 the answer of %s is rejected', async (_, wrong) => {
  const { authenticator } = await givenPasskey()
  expect(await login(authenticator, wrong)).toEqual(refused)
  expect(await login(authenticator)).toMatchObject({ verified: true })
})

test.each<[string, AssertionMisbehaviour]>([
  ['no user was present', { userPresent: false, userVerified: false }],
  ['another ceremony was run', { type: 'webauthn.create' }],
  ['another key signed', { isForged: true }],
])('DEC-03 an answer is rejected when %s', async (_, wrong) => {
  const { authenticator } = await givenPasskey()
  expect(await login(authenticator, wrong)).toEqual(refused)
})

test('RULE-22 relying party and origin come from PULT_URL regardless of the request', async () => {
  const origin = 'https://pult.example.org'
  const behindProxy = await testServer({
    settings: { PULT_URL: origin, HOST: 'localhost', TRUSTED_PROXIES: '127.0.0.1, ::1' },
  })
  const person = await behindProxy.given.person()
  const authenticator = createSoftwareAuthenticator({ origin, isCounting: false })
  await registerPasskey(person, authenticator)
  const headers = {
    origin: 'https://evil.example.net',
    'x-forwarded-host': 'evil.example.net',
    forwarded: 'host=evil.example.net',
  }
  const tryAs = async (wrong: AssertionMisbehaviour) => {
    const { body } = await behindProxy.call(passkeyLoginEndpoints.options, { body: {}, headers })
    expect(body.options.rpId).toBe('pult.example.org')
    const result = authenticator.assert(body.options, wrong)
    const answer = await behindProxy.call(passkeyLoginEndpoints.verify, {
      body: { userToken: body.userToken, result },
      headers,
    })
    return answer.body.verified
  }
  expect(await tryAs({ origin: behindProxy.url })).toBe(false)
  expect(await tryAs({ origin: headers.origin })).toBe(false)
  expect(await tryAs({})).toBe(true)
})

test.each([
  ['a lower value', 4],
  ['the same value', 7],
  ['0', 0],
])('RULE-24 a counter of %s is refused, audited and mailed', async (_, counter) => {
  const { person, authenticator, passkeyId } = await givenPasskey()
  expect(await login(authenticator, { counter: 7 })).toMatchObject({ verified: true })
  expect(await login(authenticator, { counter })).toEqual(refused)
  expect((await stored(passkeyId)).counter).toBe(7)
  const mail = await mailbox.take(person.email, /Passkey sign-in rejected/)
  expect(mail.text).toContain('"Laptop"')
  expect(await auditOf(person.personId, 'passkey.suspicious')).toMatchObject([
    { result: 'failure', actor_id: null, address: expect.any(String), detail: { about: 'Laptop' } },
  ])
  const warning = server.logLines.find((line) => line.includes(passkeyId))
  expect(warning).toContain('"level":"warn"')
  expect(await login(authenticator, { counter: 8 })).toMatchObject({ verified: true })
  expect((await stored(passkeyId)).counter).toBe(8)
})

test('RULE-24 a passkey that always reports 0 is never suspicious', async () => {
  const { person, authenticator } = await givenPasskey({ isCounting: false })
  for (let round = 0; round < 3; round += 1) {
    expect(await login(authenticator)).toMatchObject({ verified: true })
  }
  expect(await auditOf(person.personId, 'passkey.suspicious')).toEqual([])
})

test('RULE-24 one of 20 concurrent uses with the same counter succeeds', async () => {
  const { person, authenticator } = await givenPasskey()
  const ceremonies = await Promise.all(Array.from({ length: 20 }, () => start()))
  const answers = await Promise.all(
    ceremonies.map(({ userToken, options }, index) =>
      verify(userToken, authenticator.assert(options, { counter: 5 }), index % 2 === 0 ? server : second),
    ),
  )
  expect(answers.filter(({ body }) => body.verified)).toHaveLength(1)
  expect(await auditOf(person.personId, 'passkey.suspicious')).toHaveLength(19)
})

test('RULE-24 an invalid signature raises no alarm', async () => {
  const { person, authenticator } = await givenPasskey()
  await login(authenticator, { counter: 7 })
  expect(await login(authenticator, { counter: 1, isForged: true })).toEqual(refused)
  expect(await auditOf(person.personId, 'passkey.suspicious')).toEqual([])
})

test('RULE-27 a rejection contains no details', async () => {
  const { authenticator } = await givenPasskey()
  const { userToken, options } = await start()
  const result = authenticator.assert(options, { challenge: Buffer.alloc(32, 7).toString('base64url') })
  expect((await verify(userToken, result)).body).toEqual(refused)
  expect((await verify(userToken, result)).body).toEqual(refused)
})

test('RULE-06 a passkey signs in while the password is locked', async () => {
  const { person, authenticator } = await givenPasskey()
  await db
    .insertInto('attempt')
    .values({ key: `password:${person.personId}`, failures: 100 })
    .execute()
  const byPassword = await server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: person.email, password: person.password } },
  })
  expect(byPassword).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await login(authenticator, {}, person.email)).toMatchObject({ verified: true })
})

test('RULE-06 failed passkey attempts lock no passkeys', async () => {
  const { person, authenticator } = await givenPasskey()
  for (let round = 0; round < 20; round += 1) {
    expect(await login(authenticator, { isForged: true }, person.email)).toEqual(refused)
  }
  expect(await login(authenticator, {}, person.email)).toMatchObject({ verified: true })
})

test('RULE-07 RULE-05 a network may fail 100 times over all nodes', async () => {
  const { authenticator } = await givenPasskey()
  const { options, userToken } = await start()
  const result = authenticator.assert(options, { isForged: true })
  const answers = []
  for (let wave = 0; wave < 4; wave += 1) {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          verify(userToken, result, index % 2 === 0 ? server : second),
        ),
      )),
    )
  }
  expect(answers.filter(({ body }) => JSON.stringify(body) === JSON.stringify(refused))).toHaveLength(100)
  const turnedAway = answers.filter(({ code }) => code !== undefined)
  expect(turnedAway).toHaveLength(100)
  for (const answer of turnedAway) expect(answer).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(turnedAway[0]?.headers.get('retry-after'))).toBeGreaterThan(500)

  for (const body of [{}, { username: 'unknown@example.org' }]) {
    expect(await server.call(passkeyLoginEndpoints.options, { body })).toFailWith('TOO_MANY_REQUESTS')
  }
})

test('RULE-07 a success does not change the failures of a network', async () => {
  const { authenticator } = await givenPasskey()
  const failures = async () =>
    (await db.selectFrom('attempt').select('failures').where('key', 'like', 'passkey:%').executeTakeFirst())
      ?.failures
  await login(authenticator)
  await login(authenticator)
  expect(await failures()).toBe(0)
  await login(authenticator, { isForged: true })
  expect(await failures()).toBe(1)
})

test('RULE-04 a disabled user is rejected with the usual answer', async () => {
  const { person, authenticator } = await givenPasskey()
  await disable(person.personId)
  const before = await sessionsOf(person.personId)
  expect(await login(authenticator)).toEqual(refused)
  expect(await login(authenticator, {}, person.email)).toEqual(refused)
  expect(await sessionsOf(person.personId)).toBe(before)
})

test('a passkey that is removed during the check opens no session', async () => {
  const { person, authenticator, passkeyId } = await givenPasskey()
  const before = await sessionsOf(person.personId)
  const answer = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('person').select('id').where('id', '=', person.personId).forUpdate().execute()
    const pending = login(authenticator)
    await untilOneWaits()
    await trx.deleteFrom('passkey').where('id', '=', passkeyId).execute()
    return { pending }
  })
  expect(await answer.pending).toEqual(refused)
  expect(await sessionsOf(person.personId)).toBe(before)
  expect(await auditOf(person.personId, 'login.passkey')).toMatchObject([{ result: 'failure' }])
})

test('a user who is disabled during the check gets no session', async () => {
  const { person, authenticator } = await givenPasskey()
  const before = await sessionsOf(person.personId)
  const answer = await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('person')
      .set({ disabled_at: sql<Date>`now()` })
      .where('id', '=', person.personId)
      .execute()
    const pending = login(authenticator)
    await untilOneWaits()
    return { pending }
  })
  expect(await answer.pending).toEqual(refused)
  expect(await sessionsOf(person.personId)).toBe(before)
})

test('RULE-24 a passkey that is removed concurrently is not reported as suspicious', async () => {
  const { person, authenticator, passkeyId } = await givenPasskey()
  const answer = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('passkey').where('id', '=', passkeyId).execute()
    const pending = login(authenticator)
    await untilOneWaits()
    return { pending }
  })
  expect(await answer.pending).toEqual(refused)
  expect(await auditOf(person.personId, 'passkey.suspicious')).toEqual([])
})

test('RULE-78 each sign-in by passkey is audited with its address, successful or not', async () => {
  const { person, authenticator } = await givenPasskey()
  await login(authenticator, { isForged: true })
  await login(authenticator)
  const rows = await auditOf(person.personId, 'login.passkey')
  expect(rows).toMatchObject([
    { result: 'failure', actor_id: null },
    { result: 'success', actor_id: person.personId },
  ])
  for (const { address } of rows) expect(address).toMatch(/^(127\.0\.0\.1|::1)$/)

  const count = async () =>
    (await db.selectFrom('audit').select('id').where('event', '=', 'login.passkey').execute()).length
  const before = await count()
  const stranger = createSoftwareAuthenticator({ origin: server.url })
  const { options, userToken } = await start()
  stranger.register({
    ...registrationFor(options),
    user: { id: userHandleOf(person.personId), name: '', displayName: '' },
  })
  expect((await verify(userToken, stranger.assert(options))).body).toEqual(refused)
  expect(await count()).toBe(before + 1)
})

/** Returns options with which an authenticator creates a credential that is unknown to the server. */
const registrationFor = ({ challenge, rpId }: AuthenticationOptions) => ({
  challenge,
  rp: { id: rpId, name: '' },
  pubKeyCredParams: [],
  timeout: 0,
  attestation: 'none' as const,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  extensions: { credProps: true },
})

test('RULE-76 a malformed answer is rejected as invalid or not verified, and never causes a fault', async () => {
  const { authenticator } = await givenPasskey()
  const { options } = await start()
  const right = authenticator.assert(options)
  const base64url = (text: string) => Buffer.from(text).toString('base64url')
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.base64String({ maxLength: 80 }).map((each) => each.replace(/[+/=]/g, '')),
    fc.json().map(base64url),
    fc.constantFrom('', 'A', 'null', base64url('null'), base64url('[]'), base64url('{"challenge":1}')),
  )
  const response = fc.record(
    { clientDataJSON: text, authenticatorData: text, signature: text, userHandle: text },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(response, fc.boolean(), async (parts, isWhole) => {
      await db.deleteFrom('attempt').execute()
      const { userToken } = await start()
      const result = { ...right, response: isWhole ? { ...right.response, ...parts } : parts }
      const answer = await server.call(passkeyLoginEndpoints.verify, { body: { userToken, result } })
      expect([JSON.stringify(refused), 'VALIDATION_FAILED']).toContain(
        answer.code ?? JSON.stringify(answer.body),
      )
    }),
    { numRuns: 60 },
  )
})

test('RULE-54 undeclared fields are rejected', async () => {
  const { userToken, options } = await start()
  const { authenticator } = await givenPasskey()
  const result = authenticator.assert(options)
  for (const body of [
    { userToken, result, scope: ['root'] },
    { userToken, result, isRoot: true },
    { userToken: [userToken], result },
  ]) {
    expect(await server.call(passkeyLoginEndpoints.verify, { body })).toFailWith('VALIDATION_FAILED')
  }
})

test('RULE-20 the clean-up job deletes expired ceremonies and no others', async () => {
  const { authenticator } = await givenPasskey()
  const late = await start()
  await db
    .updateTable('passkey_challenge')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .execute()
  const { userToken, options } = await start()
  await sweepCeremonies(db)
  const left = await db.selectFrom('passkey_challenge').select('challenge_hash').execute()
  expect(left).toHaveLength(1)
  expect((await verify(userToken, authenticator.assert(options))).body.verified).toBe(true)
  expect((await verify(late.userToken, authenticator.assert(late.options))).body).toEqual(refused)
})

test('RULE-05 DEC-38 passkey options are counted per network, and a sign-in does not count', async () => {
  const count = async () =>
    (
      await db
        .selectFrom('attempt')
        .select('failures')
        .where('key', 'like', 'passkey-options:%')
        .executeTakeFirst()
    )?.failures ?? 0
  await db.deleteFrom('attempt').execute()
  const requestOptions = () => server.call(passkeyLoginEndpoints.options, { body: {} })
  expect(await requestOptions()).toSucceed()
  expect(await requestOptions()).toSucceed()
  expect(await count()).toBe(2)
  expect(server.config.passkeyOptionsPerNetwork).toBe(300)
  const third = await testServer({ besides: server, settings: { PASSKEY_OPTIONS_PER_NETWORK: '3' } })
  expect(await third.call(passkeyLoginEndpoints.options, { body: {} })).toSucceed()
  const refusal = await third.call(passkeyLoginEndpoints.options, { body: {} })
  expect(refusal).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await requestOptions()).toSucceed()
})

test('RULE-05 RULE-06 a blocked network does not block the passkeys of a known browser', async () => {
  const { authenticator } = await givenPasskey()
  const device = newToken()
  server.watchSecret(device)
  const headers = { [deviceHeader]: device }
  const requestOptions = (sent = {}) =>
    server.call(passkeyLoginEndpoints.options, { body: {}, headers: sent })
  const byPasskey = async () => {
    const { body } = await requestOptions(headers)
    const result = authenticator.assert(body.options)
    return server.call(passkeyLoginEndpoints.verify, { body: { userToken: body.userToken, result }, headers })
  }
  expect((await byPasskey()).body.verified).toBe(true)
  await sql`insert into attempt (key, failures, blocked_until)
    select kind || ':' || network, 300, now() + interval '5 minutes'
    from unnest(array['passkey', 'passkey-options']) kind, unnest(array['127.0.0.1', '::/64']) network
    on conflict (key) do update set failures = 300, blocked_until = excluded.blocked_until`.execute(db)
  expect(await requestOptions()).toFailWith('TOO_MANY_REQUESTS')
  expect(await requestOptions({ [deviceHeader]: newToken() })).toFailWith('TOO_MANY_REQUESTS')
  const { body } = await byPasskey()
  expect(body.verified).toBe(true)
  server.watchSecret(body.token ?? '')

  await db.updateTable('attempt').set({ failures: 300 }).where('key', 'like', 'passkey%:known:%').execute()
  expect(await requestOptions(headers)).toFailWith('TOO_MANY_REQUESTS')
})
