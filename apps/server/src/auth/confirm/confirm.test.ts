import {
  auditEndpoints,
  confirmEndpoints,
  organisationEndpoints,
  passkeyEndpoints,
  passkeyLoginEndpoints,
  passwordEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenOtp, type GivenPerson, openMailbox, type TestServer, testServer } from '@pult/testkit'
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

/** Returns whether a session counts as recently authenticated, without side effects. */
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

async function givenStaleSignIn() {
  const person: GivenPerson = await given.person()
  await person.forgetSignIn()
  return person
}

async function givenOtp() {
  const person = await given.person({ otp: true })
  await person.forgetSignIn()
  return person
}

/** Returns a code that is wrong for the current step and its neighbours. */
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

test('RULE-15 the list of methods contains each proof that the account accepts', async () => {
  const methodsOf = async ({ call }: Pick<GivenPerson, 'call'>) => (await call(confirmEndpoints.methods)).body
  const plain = await given.person()
  expect(await methodsOf(plain)).toEqual({ password: true, otp: false, passkey: false })
  expect(await methodsOf(await givenOtp())).toEqual({ password: false, otp: true, passkey: false })
  const { person } = await givenPasskey()
  expect(await methodsOf(person)).toEqual({ password: true, otp: false, passkey: true })

  await db.updateTable('person').set({ password_hash: null }).where('id', '=', plain.personId).execute()
  expect(await methodsOf(plain)).toEqual({ password: false, otp: false, passkey: false })
})

test('RULE-15 DEC-07 the password marks the current session as freshly authenticated, and no other', async () => {
  const ada = await given.person()
  const elsewhere = await ada.openSession()
  await ada.forgetSignIn()
  expect(await isRecent(ada.token)).toBe(false)
  expect(await byPassword(ada.token, ada.password)).toSucceed()
  expect(await isRecent(ada.token)).toBe(true)
  expect(await isRecent(elsewhere)).toBe(false)
})

test('RULE-15 a sign-in is recent for ten minutes of database time', async () => {
  const ada = await given.person()
  const age = (interval: string) =>
    sql`update session set authenticated_at = now() - ${sql.lit(interval)}::interval
      where person_id = ${ada.personId}`.execute(db)
  await age('9 minutes 50 seconds')
  expect(await isRecent(ada.token)).toBe(true)
  await age('10 minutes 1 second')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-15 a reissue copies the time of authentication', async () => {
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
  const ada = await givenStaleSignIn()
  expect(await byPassword(ada.token, 'wrong password')).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
  expect(await failuresOf('password', ada.personId)).toBe(1)
  expect(await byPassword(ada.token, ada.password)).toSucceed()
  expect(await failuresOf('password', ada.personId)).toBe(0)
})

test('RULE-06 RULE-07 after five consecutive wrong passwords the correct one must wait, here and at sign-in', async () => {
  const ada = await givenStaleSignIn()
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

test('RULE-06 after 100 consecutive failures the password needs a reset, which is audited once', async () => {
  const ada = await givenStaleSignIn()
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

test('RULE-06 RULE-07 wrong one-time passwords count separately from passwords, and a correct one resets them', async () => {
  const ada = await givenOtp()
  expect(await byOtp(ada.token, wrongCode(ada.otp))).toFailWith('NOT_CONFIRMED')
  expect(await failuresOf('second-factor', ada.personId)).toBe(1)
  expect(await failuresOf('password', ada.personId)).toBe(0)
  expect(await byOtp(ada.token, ada.otp.code())).toSucceed()
  expect(await failuresOf('second-factor', ada.personId)).toBe(0)

  for (let round = 0; round < 5; round += 1) await byOtp(ada.token, wrongCode(ada.otp))
  expect(await byOtp(ada.token, ada.otp.code(1))).toFailWith('TOO_MANY_REQUESTS')
  expect(await failuresOf('password', ada.personId)).toBe(0)
})

test('RULE-06 RULE-15 a stale session of root cannot unlock root after five wrong one-time passwords', async () => {
  const root = await given.person({ isRoot: true, otp: true })
  await root.forgetSignIn()
  for (let round = 0; round < 5; round += 1)
    expect(await byOtp(root.token, wrongCode(root.otp))).toFailWith('NOT_CONFIRMED')
  const params = { personId: root.personId }
  expect(await root.call(rootPeopleEndpoints.unlock, { params })).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await byOtp(root.token, root.otp.code())).toFailWith('TOO_MANY_REQUESTS')
  expect(await failuresOf('second-factor', root.personId)).toBe(5)
})

test('RULE-06 the 100th wrong one-time password is audited as a lock', async () => {
  const ada = await givenOtp()
  await db
    .insertInto('attempt')
    .values({ key: `second-factor:${ada.personId}`, failures: 99 })
    .execute()
  expect(await byOtp(ada.token, wrongCode(ada.otp))).toFailWith('NOT_CONFIRMED')
  expect(await byOtp(ada.token, ada.otp.code())).toFailWith('SECOND_FACTOR_LOCKED')
  expect(await rowsOf(ada.personId, 'password.locked')).toMatchObject([{ detail: { by: 'second-factor' } }])
  await mailbox.take(ada.email, /locked/)
})

test('RULE-15 an account without a second factor rejects every one-time password', async () => {
  const ada = await givenStaleSignIn()
  expect(await byOtp(ada.token, '123456')).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-15 RULE-20 a passkey assertion confirms once', async () => {
  const { person, authenticator } = await givenPasskey()
  const { userToken, options } = await startPasskey(person.token)
  const body = { type: 'passkey', userToken, result: authenticator.assert(options) }
  expect(await confirm(person.token, body)).toSucceed()
  expect(await isRecent(person.token)).toBe(true)

  await person.forgetSignIn()
  expect(await confirm(person.token, body)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(person.token)).toBe(false)
})

test('RULE-15 RULE-21 RULE-22 a passkey that is unverified, forged or in a foreign frame is rejected', async () => {
  const { person, authenticator } = await givenPasskey()
  for (const wrong of [{ userVerified: false }, { isForged: true }, { crossOrigin: true }]) {
    expect(await byPasskey(person.token, authenticator, wrong)).toFailWith('NOT_CONFIRMED')
  }
  expect(await isRecent(person.token)).toBe(false)
  expect(await byPasskey(person.token, authenticator)).toSucceed()
})

test('RULE-15 RULE-23 a passkey of another user confirms nothing', async () => {
  const { person: ada } = await givenPasskey()
  const { authenticator: bobs } = await givenPasskey()
  expect(await byPasskey(ada.token, bobs)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(ada.token)).toBe(false)
})

test('RULE-20 a confirmation can be finished only in the session that started it', async () => {
  const { person, authenticator } = await givenPasskey()
  const elsewhere = await person.openSession()
  await person.forgetSignIn()
  const { userToken, options } = await startPasskey(person.token)
  const body = { type: 'passkey', userToken, result: authenticator.assert(options) }
  expect(await confirm(elsewhere, body)).toFailWith('NOT_CONFIRMED')
  expect(await isRecent(elsewhere)).toBe(false)
})

test('RULE-20 a login ceremony cannot confirm, and a confirmation ceremony cannot sign in', async () => {
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

test('RULE-07 RULE-15 a wrong passkey counts against the session, a correct one does not', async () => {
  const { person, authenticator } = await givenPasskey()
  const session = await db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', person.personId)
    .executeTakeFirstOrThrow()
  const counted = async () => {
    const row = await db
      .selectFrom('attempt')
      .select('failures')
      .where('key', '=', `passkey:${session.id}`)
      .executeTakeFirst()
    return row?.failures ?? 0
  }
  await byPasskey(person.token, authenticator)
  expect(await counted()).toBe(0)
  await byPasskey(person.token, authenticator, { isForged: true })
  expect(await counted()).toBe(1)

  await db.updateTable('attempt').set({ failures: 100 }).where('key', '=', `passkey:${session.id}`).execute()
  expect(await byPasskey(person.token, authenticator)).toFailWith('TOO_MANY_REQUESTS')
  // A stolen session must not block the proofs of its owner.
  expect(await byPasskey(await person.openSession(), authenticator)).toSucceed()
})

test('RULE-12 RULE-54 a body without a valid proof is rejected and counts nothing', async () => {
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

test('RULE-31 an ended session cannot be confirmed', async () => {
  const ada = await given.person()
  await ada.call(sessionEndpoints.logout)
  expect(await byPassword(ada.token, ada.password)).toFailWith('UNAUTHENTICATED')
  expect(await ada.call(confirmEndpoints.methods)).toFailWith('UNAUTHENTICATED')
  expect(await ada.call(confirmEndpoints.passkeyOptions)).toFailWith('UNAUTHENTICATED')
  expect(await failuresOf('password', ada.personId)).toBe(0)
})

test('RULE-15 with an active second factor the password alone is rejected without evaluation', async () => {
  const ada = await givenOtp()
  for (const password of [ada.password, 'wrong password']) {
    expect(await byPassword(ada.token, password)).toFailWith('SECOND_FACTOR_NEEDED')
  }
  expect(await isRecent(ada.token)).toBe(false)
  expect(await failuresOf('password', ada.personId)).toBe(0)
  const change = { oldPass: ada.password, newPass: 'a moth in relay 70' }
  expect(await ada.call(passwordEndpoints.change, { body: change })).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await byOtp(ada.token, ada.otp.code())).toSucceed()
  expect(await ada.call(passwordEndpoints.change, { body: change })).toSucceed()
})

test('RULE-15 one confirmation satisfies each call of the session for ten minutes', async () => {
  const root = await given.person({ isRoot: true })
  const { orgId } = await given.organisation(root)
  const { projectId } = await given.project(root)
  const params = { projectId }
  await root.forgetSignIn()
  const query = { format: 'csv' as const }
  const calls = {
    'audit export': () => root.call(auditEndpoints.export, { query }),
    'audit export of a project': () => root.call(auditEndpoints.exportOfProject, { params, query }),
    'options of a passkey': () => root.call(passkeyEndpoints.registerOptions),
    'project transfer': () => root.call(projectEndpoints.update, { params, body: { org: orgId } }),
    'project deletion': () => root.call(projectEndpoints.remove, { params }),
    'organisation deletion': () => root.call(organisationEndpoints.remove, { params: { orgId } }),
  }
  for (const [name, call] of Object.entries(calls))
    expect((await call()).code, name).toBe('RECENT_SIGN_IN_NEEDED')
  expect(await byPassword(root.token, root.password)).toSucceed()
  for (const [name, call] of Object.entries(calls)) expect((await call()).code, name).toBeUndefined()
})

test('RULE-15 DEC-12 root needs a recent sign-in to invite, with and without a mail server', async () => {
  const linking = await testServer({ besides: server, config: { publicUrl: server.url } })
  const root = await given.person({ isRoot: true })
  const [{ orgId }, { projectId }] = [await given.organisation(root), await given.project(root)]
  const byRoot = {
    organisation: { params: { orgId }, body: { email: 'linked@example.org' } },
    project: {
      params: { projectId },
      body: { email: 'linked@example.org', productRole: 'project/viewer' },
    },
  }
  const invite = async () => [
    await linking.call(organisationEndpoints.invite, byRoot.organisation, root.token),
    await linking.call(projectEndpoints.invite, byRoot.project, root.token),
  ]
  const sent = await invite()
  for (const { body } of sent) {
    expect(body.link).toContain('/bift/')
    server.watchSecret(body.link?.split('/bift/')[1] ?? '')
  }
  const [inOrganisation = '', inProject = ''] = sent.map(({ body }) => body.invitation._id)
  const resend = async (on: TestServer) => [
    await on.call(
      organisationEndpoints.resendInvitation,
      { params: { orgId, invitationId: inOrganisation } },
      root.token,
    ),
    await on.call(
      projectEndpoints.resendInvitation,
      { params: { projectId, invitationId: inProject } },
      root.token,
    ),
  ]
  await root.forgetSignIn()
  for (const answer of [...(await invite()), ...(await resend(linking)), ...(await resend(server))])
    expect(answer).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await byPassword(root.token, root.password)).toSucceed()
  // With a mail server, only the invited person receives the link.
  for (const answer of await resend(server)) expect(answer.body).not.toHaveProperty('link')
})

test('RULE-78 each confirmation is audited, successful or not', async () => {
  const plain = await given.person()
  await byPassword(plain.token, 'wrong password')
  await byPassword(plain.token, plain.password)
  const ada = await given.person({ otp: true })
  const authenticator = createSoftwareAuthenticator({ origin: server.url })
  await registerPasskey(ada, authenticator)
  await byOtp(ada.token, wrongCode(ada.otp))
  await byOtp(ada.token, ada.otp.code())
  await byPasskey(ada.token, authenticator, { isForged: true })
  await byPasskey(ada.token, authenticator)
  const wrongThenRight = (actor_id: string, by: string) => [
    { result: 'failure', actor_id: null, detail: { by } },
    { result: 'success', actor_id, detail: { by } },
  ]
  const rows = [...(await rowsOf(plain.personId)), ...(await rowsOf(ada.personId))]
  expect(rows).toMatchObject([
    ...wrongThenRight(plain.personId, 'password'),
    ...wrongThenRight(ada.personId, 'otp'),
    ...wrongThenRight(ada.personId, 'passkey'),
  ])
  expect(rows.every(({ address }) => address !== null)).toBe(true)
})

test('DEC-07 a confirmation keeps the session and its token', async () => {
  const ada = await givenStaleSignIn()
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
