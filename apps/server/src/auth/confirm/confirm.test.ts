import { confirmEndpoints, passkeyLoginEndpoints, passwordEndpoints, sessionEndpoints } from '@pult/contract'
import { type GivenOtp, type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { registerPasskey } from '../passkey-login/testing/register-passkey.ts'
import {
  type AssertionMisbehaviour,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../passkey-login/testing/software-authenticator.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
// Nodes of one installation have one public address.
const second = await testServer({
  settings: { SMTP_URL: mailbox.url },
  besides: server,
  config: { publicUrl: server.url },
})
const { given, db } = server

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const confirm = (token: string, body: object, on = server) =>
  on.call(confirmEndpoints.confirm, { body }, token)
const byPassword = (token: string, password: string, on = server) =>
  confirm(token, { type: 'password', password }, on)
const byOtp = (token: string, otp: unknown, on = server) => confirm(token, { type: 'otp', otp }, on)

/** Whether a session may do what needs a recent sign-in, found out without doing it. */
async function isRecent(token: string): Promise<boolean> {
  const { code } = await server.call(passwordEndpoints.change, { body: { newPass: 'short' } }, token)
  expect(['PASSWORD_TOO_SHORT', 'RECENT_SIGN_IN_NEEDED']).toContain(code)
  return code === 'PASSWORD_TOO_SHORT'
}

async function startPasskey(token: string) {
  const answer = await server.call(confirmEndpoints.passkeyOptions, {}, token)
  expect(answer).toSucceed()
  server.watchSecret(answer.body.userToken)
  return answer.body
}

async function byPasskey(token: string, authenticator: SoftwareAuthenticator, wrong?: AssertionMisbehaviour) {
  const { userToken, options } = await startPasskey(token)
  return confirm(token, { type: 'passkey', userToken, result: authenticator.assert(options, wrong) })
}

async function givenPasskey() {
  const person: GivenPerson = await given.person()
  const authenticator = createSoftwareAuthenticator({ origin: server.url })
  await registerPasskey(person, authenticator)
  await person.forgetSignIn()
  return { person, authenticator }
}

async function givenLongAgo() {
  const person: GivenPerson = await given.person()
  await person.forgetSignIn()
  return person
}

async function givenOtp() {
  const person = await given.person({ otp: true })
  await person.forgetSignIn()
  return person
}

/** None that is right now or a step to either side. */
const wrongCode = ({ code }: GivenOtp) =>
  ['000000', '111111', '222222', '333333'].find((wrong) => ![-1, 0, 1].some((step) => code(step) === wrong))

const failuresOf = async (kind: string, subject: string) =>
  (
    await db
      .selectFrom('attempt')
      .select('failures')
      .where('key', '=', `${kind}:${subject}`)
      .executeTakeFirst()
  )?.failures ?? 0

const rowsOf = (personId: string, event = 'login.confirmed') =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'target', 'address', 'detail'])
    .where('event', '=', event)
    .where('target', '=', personId)
    .orderBy('at')
    .execute()

test('RULE-15 names what the person can confirm with', async () => {
  const methodsOf = async ({ call }: Pick<GivenPerson, 'call'>) => (await call(confirmEndpoints.methods)).body
  const plain = await given.person()
  expect(await methodsOf(plain)).toEqual({ password: true, otp: false, passkey: false })
  expect(await methodsOf(await givenOtp())).toEqual({ password: true, otp: true, passkey: false })
  const { person } = await givenPasskey()
  expect(await methodsOf(person)).toEqual({ password: true, otp: false, passkey: true })

  await db.updateTable('person').set({ password_hash: null }).where('id', '=', plain.personId).execute()
  expect(await methodsOf(plain)).toEqual({ password: false, otp: false, passkey: false })
})

test('RULE-15 DEC-07 the password makes this session count as just begun, and no other', async () => {
  const ada = await given.person()
  const elsewhere = await ada.login()
  await ada.forgetSignIn()
  expect(await isRecent(ada.token)).toBe(false)
  expect(await byPassword(ada.token, ada.password)).toSucceed()
  expect(await isRecent(ada.token)).toBe(true)
  expect(await isRecent(elsewhere)).toBe(false)
})

test('RULE-15 a sign-in is recent for ten minutes by the clock of the database', async () => {
  const ada = await given.person()
  const age = (interval: string) =>
    sql`update session set authenticated_at = now() - ${sql.lit(interval)}::interval
      where person_id = ${ada.personId}`.execute(db)
  await age('9 minutes 50 seconds')
  expect(await isRecent(ada.token)).toBe(true)
  await age('10 minutes 1 second')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-15 reissue copies the time of authentication', async () => {
  const ada = await given.person()
  await sql`update session set authenticated_at = now() - interval '9 minutes'
    where person_id = ${ada.personId}`.execute(db)
  const authenticatedAt = async () =>
    (
      await db
        .selectFrom('session')
        .select('authenticated_at')
        .where('person_id', '=', ada.personId)
        .executeTakeFirstOrThrow()
    ).authenticated_at
  const before = await authenticatedAt()
  const { body } = await ada.call(sessionEndpoints.reissue)
  expect(await isRecent(body.token)).toBe(true)
  expect(await authenticatedAt()).toEqual(before)

  await ada.forgetSignIn()
  const late = await server.call(sessionEndpoints.reissue, {}, body.token)
  expect(await isRecent(late.body.token)).toBe(false)
})

test('RULE-15 a wrong password is refused without ending the session, and counts as a failure', async () => {
  const ada = await givenLongAgo()
  expect(await byPassword(ada.token, 'wrong password')).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
  expect(await failuresOf('password', ada.personId)).toBe(1)
  expect(await byPassword(ada.token, ada.password)).toSucceed()
  expect(await failuresOf('password', ada.personId)).toBe(0)
})

test('RULE-06 RULE-07 five wrong passwords in a row make the right one wait, here and at the login', async () => {
  const ada = await givenLongAgo()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      byPassword(ada.token, 'wrong password', index % 2 === 0 ? server : second),
    ),
  )
  const codes = answers.map(({ code }) => code)
  expect(codes.filter((code) => code === 'NOT_CONFIRMED')).toHaveLength(5)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(15)

  const late = await byPassword(ada.token, ada.password)
  expect(late).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(25)
  await expect(ada.login()).rejects.toThrow('TOO_MANY_REQUESTS')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-06 after 100 failures in a row the password needs a reset, which is written down once', async () => {
  const ada = await givenLongAgo()
  await db
    .insertInto('attempt')
    .values({ key: `password:${ada.personId}`, failures: 99 })
    .execute()
  expect(await byPassword(ada.token, 'wrong password')).toFailWith('NOT_CONFIRMED')
  expect(await byPassword(ada.token, ada.password)).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await rowsOf(ada.personId, 'password.locked')).toMatchObject([{ detail: { by: 'password' } }])
  await mailbox.take(ada.email, /locked/)
})

test('RULE-15 RULE-11 a one-time password confirms once', async () => {
  const ada = await givenOtp()
  const code = ada.otp.code()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => byOtp(ada.token, code, index % 2 === 0 ? server : second)),
  )
  const codes = answers.map((answer) => answer.code ?? 'confirmed')
  expect(codes.toSorted()).toEqual([...Array<string>(4).fill('NOT_CONFIRMED'), 'confirmed'])
  expect(await isRecent(ada.token)).toBe(true)
})

test('RULE-06 RULE-07 wrong one-time passwords count apart from passwords, and a right one forgives them', async () => {
  const ada = await givenOtp()
  expect(await byOtp(ada.token, wrongCode(ada.otp))).toFailWith('NOT_CONFIRMED')
  expect(await failuresOf('second-factor', ada.personId)).toBe(1)
  expect(await failuresOf('password', ada.personId)).toBe(0)
  expect(await byOtp(ada.token, ada.otp.code())).toSucceed()
  expect(await failuresOf('second-factor', ada.personId)).toBe(0)

  for (let round = 0; round < 5; round += 1) await byOtp(ada.token, wrongCode(ada.otp))
  expect(await byOtp(ada.token, ada.otp.code(1))).toFailWith('TOO_MANY_REQUESTS')
  expect(await byPassword(ada.token, ada.password)).toSucceed()
})

test('RULE-06 the 100th wrong one-time password is written down as a lock', async () => {
  const ada = await givenOtp()
  await db
    .insertInto('attempt')
    .values({ key: `second-factor:${ada.personId}`, failures: 99 })
    .execute()
  expect(await byOtp(ada.token, wrongCode(ada.otp))).toFailWith('NOT_CONFIRMED')
  expect(await byOtp(ada.token, ada.otp.code())).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await rowsOf(ada.personId, 'password.locked')).toMatchObject([{ detail: { by: 'second-factor' } }])
  await mailbox.take(ada.email, /locked/)
})

test('RULE-15 no one-time password confirms an account without OTP', async () => {
  const ada = await givenLongAgo()
  expect(await byOtp(ada.token, '123456')).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-15 RULE-20 a passkey confirms once', async () => {
  const { person, authenticator } = await givenPasskey()
  const { userToken, options } = await startPasskey(person.token)
  const body = { type: 'passkey', userToken, result: authenticator.assert(options) }
  expect(await confirm(person.token, body)).toSucceed()
  expect(await isRecent(person.token)).toBe(true)

  await person.forgetSignIn()
  expect(await confirm(person.token, body)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(person.token)).toBe(false)
})

test('RULE-15 RULE-21 RULE-22 a passkey that does not check its user, is forged or in a foreign frame does not', async () => {
  const { person, authenticator } = await givenPasskey()
  for (const wrong of [{ userVerified: false }, { isForged: true }, { crossOrigin: true }]) {
    expect(await byPasskey(person.token, authenticator, wrong)).toFailWith('NOT_CONFIRMED')
  }
  expect(await isRecent(person.token)).toBe(false)
  expect(await byPasskey(person.token, authenticator)).toSucceed()
})

test('RULE-15 RULE-23 somebody else’s passkey confirms nothing', async () => {
  const { person: ada } = await givenPasskey()
  const { authenticator: bobs } = await givenPasskey()
  expect(await byPasskey(ada.token, bobs)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-20 a confirmation belongs to the session that began it', async () => {
  const { person, authenticator } = await givenPasskey()
  const elsewhere = await person.login()
  await person.forgetSignIn()
  const { userToken, options } = await startPasskey(person.token)
  const body = { type: 'passkey', userToken, result: authenticator.assert(options) }
  expect(await confirm(elsewhere, body)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(elsewhere)).toBe(false)
})

test('RULE-20 a login and a confirmation by passkey do not stand for each other', async () => {
  const { person, authenticator } = await givenPasskey()
  const login = (await server.call(passkeyLoginEndpoints.options, { body: {} })).body
  expect(
    await confirm(person.token, {
      type: 'passkey',
      userToken: login.userToken,
      result: authenticator.assert(login.options),
    }),
  ).toFailWith('NOT_CONFIRMED')

  const { userToken, options } = await startPasskey(person.token)
  const { body } = await server.call(passkeyLoginEndpoints.verify, {
    body: { userToken, result: authenticator.assert(options) },
  })
  expect(body).toEqual({ verified: false })
})

test('RULE-07 RULE-15 a wrong passkey counts against the network, a right one does not', async () => {
  const { person, authenticator } = await givenPasskey()
  const counted = async () => {
    const row = await db
      .selectFrom('attempt')
      .select('failures')
      .where('key', 'like', 'passkey:%')
      .executeTakeFirst()
    return row?.failures ?? 0
  }
  await byPasskey(person.token, authenticator)
  expect(await counted()).toBe(0)
  await byPasskey(person.token, authenticator, { isForged: true })
  expect(await counted()).toBe(1)

  await db.updateTable('attempt').set({ failures: 100 }).where('key', 'like', 'passkey:%').execute()
  expect(await byPasskey(person.token, authenticator)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-12 RULE-54 refuses what is no proof at all, and counts nothing', async () => {
  const ada = await givenOtp()
  const { otp } = ada
  const bodies: object[] = [
    {},
    { type: 'password' },
    { type: 'password', password: '' },
    { type: 'password', password: 'x'.repeat(1025) },
    { type: 'password', password: ada.password, isRecent: true },
    { type: 'otp', otp: null },
    { type: 'otp', otp: Number(otp.code()) },
    { type: 'otp', otp: '12345' },
    { type: 'otp', otp: '１２３４５６' },
    { type: 'otp', otp: ` ${otp.code()}` },
    { type: 'passkey', userToken: 'x' },
    { type: 'passkey', userToken: 'x', result: {} },
    { type: 'session', token: ada.token },
    [],
  ]
  for (const body of bodies) expect(await confirm(ada.token, body)).toFailWith('VALIDATION_FAILED')
  for (const kind of ['password', 'second-factor', 'passkey']) {
    expect(await failuresOf(kind, kind === 'passkey' ? '127.0.0.1' : ada.personId)).toBe(0)
  }
  expect(await rowsOf(ada.personId)).toEqual([])
})

test('RULE-31 nothing confirms a session that has ended', async () => {
  const ada = await given.person()
  await ada.call(sessionEndpoints.logout)
  expect(await byPassword(ada.token, ada.password)).toFailWith('UNAUTHENTICATED')
  expect(await ada.call(confirmEndpoints.methods)).toFailWith('UNAUTHENTICATED')
  expect(await ada.call(confirmEndpoints.passkeyOptions)).toFailWith('UNAUTHENTICATED')
  expect(await failuresOf('password', ada.personId)).toBe(0)
})

test('RULE-78 writes down each confirmation, right or wrong', async () => {
  const ada = await given.person({ otp: true })
  const authenticator = createSoftwareAuthenticator({ origin: server.url })
  await registerPasskey(ada, authenticator)
  await byPassword(ada.token, 'wrong password')
  await byPassword(ada.token, ada.password)
  await byOtp(ada.token, wrongCode(ada.otp))
  await byOtp(ada.token, ada.otp.code())
  await byPasskey(ada.token, authenticator, { isForged: true })
  await byPasskey(ada.token, authenticator)
  const rows = await rowsOf(ada.personId)
  expect(rows).toMatchObject(
    ['password', 'otp', 'passkey'].flatMap((by) => [
      { result: 'failure', actor_id: null, detail: { by } },
      { result: 'success', actor_id: ada.personId, detail: { by } },
    ]),
  )
  expect(rows.every(({ address }) => address !== null)).toBe(true)
})

test('DEC-07 a confirmation is no new session: the token stays the one it was', async () => {
  const ada = await givenLongAgo()
  const answer = await byPassword(ada.token, ada.password)
  expect(answer.body).toBe(true)
  const tokens = await db
    .selectFrom('session_token')
    .innerJoin('session', 'session.id', 'session_token.session_id')
    .select('token_hash')
    .where('session.person_id', '=', ada.personId)
    .execute()
  expect(tokens.map(({ token_hash }) => token_hash)).toEqual([hashToken(ada.token)])
})
