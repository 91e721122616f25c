import {
  emailEndpoints,
  limits,
  loginEndpoints,
  otpEndpoints,
  passkeyEndpoints,
  passkeyLoginEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { type Answer, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { patiently } from '../account/emails/testing/email-calls.ts'
import { linkCalls } from '../token-links/testing/link-calls.ts'
import { registerPasskey } from './passkey-login/testing/register-passkey.ts'
import { createSoftwareAuthenticator } from './passkey-login/testing/software-authenticator.ts'

const settings = { TRUSTED_PROXIES: '127.0.0.1, ::1' }
const server = await testServer({ settings })
// Both nodes have one public URL, to which passkeys are bound.
const nodes = [server, await testServer({ besides: server, settings, config: { publicUrl: server.url } })]
const { given, db } = server
const { addAddress, issue, voucherOf } = linkCalls(server)

const calls = 100

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

/** Sends concurrent calls. Each comes from its own network, because the limit per network is not the subject here. */
async function concurrently<Reply>(
  call: (on: TestServer, index: number, headers: Record<string, string>) => Promise<Answer<Reply>>,
) {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, index) => {
      const on = nodes[index % nodes.length] ?? server
      return patiently(() => call(on, index, { 'x-forwarded-for': `203.0.113.${index + 1}` }))
    }),
  )
  const faults = answers.filter(({ status }) => status >= 500)
  expect(faults.map(({ body }) => body)).toEqual([])
  return { answers, won: answers.filter(({ code }) => code === undefined) }
}

const redeem = (token: string, bodyOf: (index: number) => object) =>
  concurrently((on, index, headers) =>
    on.call(tokenLinkEndpoints.redeem, { params: { token }, body: bodyOf(index), headers }),
  )

const byOtp = (voucherFor: (index: number) => string, otpFor: (index: number) => string) =>
  concurrently((on, index, headers) =>
    on.call(loginEndpoints.login, {
      body: { type: 'otp', data: { voucher: voucherFor(index), otp: otpFor(index) } },
      headers,
    }),
  )

const rowsOf = async (table: 'session' | 'passkey' | 'recovery_code', personId: string) =>
  (await db.selectFrom(table).select('id').where('person_id', '=', personId).execute()).length

const emailsOf = (personId: string) =>
  db
    .selectFrom('email')
    .select(['id', 'email', 'is_default', 'verified_at'])
    .where('person_id', '=', personId)
    .execute()

const recordsOf = async (event: string, personId: string) => {
  const rows = await db
    .selectFrom('audit')
    .select('id')
    .where('event', '=', event)
    .where('target', '=', personId)
    .where('result', '=', 'success')
    .execute()
  return rows.length
}

const ofThree = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

describe(`of ${calls} concurrent calls over two nodes,`, () => {
  test('RULE-37 one accepts an invitation', async () => {
    const email = 'invited@example.org'
    const token = await issue(
      'invite:registration',
      { personId: null, email },
      { isRoot: false, isFirstRoot: false },
    )
    const { won } = await redeem(token, (index) => ({
      firstname: 'Grace',
      lastname: 'Hopper',
      password: `a moth in relay ${index}`,
    }))
    expect(won).toHaveLength(1)
    server.watchSecret(won[0]?.body.token ?? '')
    expect(await db.selectFrom('email').select('id').where('email_key', '=', email).execute()).toHaveLength(1)
  })

  test('RULE-37 one resets a password', async () => {
    const ada = await given.person()
    const token = await issue('user:reset-password', ada)
    const { won } = await redeem(token, (index) => ({ password: `a moth in relay ${index}` }))
    expect(won).toHaveLength(1)
    expect(await recordsOf('password.reset', ada.personId)).toBe(1)
  })

  test('RULE-37 one recovers the second factor with a link, with different codes', async () => {
    const ada = await given.person({ otp: true })
    const token = await issue('user:otp-recovery', ada)
    const { won } = await redeem(token, (index) => ({ codes: ofThree(ada.otp.recoveryCodes, index) }))
    expect(won).toHaveLength(1)
    expect(await recordsOf('otp.recovered', ada.personId)).toBe(1)
    expect(await rowsOf('recovery_code', ada.personId)).toBe(limits.recoveryCodes)
  })

  test('one recovers with a recovery code, with different links', async () => {
    const ada = await given.person({ otp: true })
    const tokens: string[] = []
    for (const name of ['first', 'second', 'third']) {
      const email = `${name}.${ada.email}`
      await addAddress(ada.personId, email)
      tokens.push(await issue('user:otp-recovery', { ...ada, email }))
    }
    // Inserts links directly, because a newer link would void the older one.
    await db
      .updateTable('token_link')
      .set({ voided_at: null })
      .where('token_hash', 'in', tokens.map(hashToken))
      .execute()
    const [codes] = ada.otp.recoveryCodes
    const { won } = await concurrently((on, index, headers) =>
      on.call(tokenLinkEndpoints.redeem, {
        params: { token: ofThree(tokens, index) },
        body: { codes },
        headers,
      }),
    )
    expect(won).toHaveLength(1)
    expect(await recordsOf('otp.recovered', ada.personId)).toBe(1)
  })

  test('RULE-11 one signs in with a one-time password, with different vouchers', async () => {
    const ada = await given.person({ otp: true })
    const vouchers: string[] = []
    for (let round = 0; round < 3; round += 1) vouchers.push(await voucherOf(ada))
    const before = await rowsOf('session', ada.personId)
    const code = ada.otp.code()
    const { won } = await byOtp(
      (index) => ofThree(vouchers, index),
      () => code,
    )
    expect(won).toHaveLength(1)
    server.watchSecret(won[0]?.body.token ?? '')
    expect(await rowsOf('session', ada.personId)).toBe(before + 1)
  })

  test('RULE-10 one signs in with a voucher, with different one-time passwords', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    const before = await rowsOf('session', ada.personId)
    const codes = [ada.otp.code(-1), ada.otp.code(), ada.otp.code(1)]
    const { won } = await byOtp(
      () => voucher,
      (index) => ofThree(codes, index),
    )
    expect(won).toHaveLength(1)
    server.watchSecret(won[0]?.body.token ?? '')
    expect(await rowsOf('session', ada.personId)).toBe(before + 1)
  })

  test('RULE-14 one activates a new authenticator', async () => {
    const ada = await given.person()
    const { body } = await ada.call(otpEndpoints.init)
    const secret = new URL(body.otpAuthUrl).searchParams.get('secret') ?? ''
    for (const value of [secret, ...body.recoveryCodes]) server.watchSecret(value)
    const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { won } = await concurrently((on, _, headers) =>
      on.call(otpEndpoints.activate, { body: { otp }, headers }, ada.token),
    )
    expect(won).toHaveLength(1)
    expect(await recordsOf('otp.enabled', ada.personId)).toBe(1)
    expect((await ada.call(otpEndpoints.read)).body).toMatchObject({
      isEnabled: true,
      recoveryCodesLeft: limits.recoveryCodes,
    })
  })

  test('one disables the second factor', async () => {
    const ada = await given.person({ otp: true })
    const { won } = await concurrently((on, _, headers) =>
      on.call(otpEndpoints.disable, { headers }, ada.token),
    )
    expect(won).toHaveLength(1)
    expect(await recordsOf('otp.disabled', ada.personId)).toBe(1)
    expect((await ada.call(otpEndpoints.read)).body.isEnabled).toBe(false)
  })

  test('RULE-46 all set a default address, and one address is the default', async () => {
    const ada = await given.person()
    for (const name of ['second', 'third']) await addAddress(ada.personId, `${name}.${ada.email}`)
    const ids = (await emailsOf(ada.personId)).map(({ id }) => id)
    const { won } = await concurrently((on, index, headers) =>
      on.call(emailEndpoints.setDefault, { params: { emailId: ofThree(ids, index) }, headers }, ada.token),
    )
    expect(won).toHaveLength(calls)
    expect((await emailsOf(ada.personId)).filter(({ is_default }) => is_default)).toHaveLength(1)
  })

  test('RULE-45 one verifies an address that two users claim', async () => {
    const email = 'contested@example.org'
    const people = [await given.person(), await given.person()]
    const tokens: string[] = []
    for (const { personId } of people) {
      const emailId = await addAddress(personId, email, false)
      tokens.push(await issue('user:email-confirmation', { personId, email }, { emailId }))
    }
    const { answers } = await concurrently((on, index, headers) =>
      on.call(tokenLinkEndpoints.redeem, {
        params: { token: tokens[index % 4 < 2 ? 0 : 1] ?? '' },
        body: {},
        headers,
      }),
    )
    // The winner's link succeeds on every call, and the other link fails on every call.
    const outcomes = [0, 1].map((person) =>
      answers.filter((_, index) => (index % 4 < 2 ? 0 : 1) === person).map(({ code }) => code ?? 'success'),
    )
    expect(outcomes.map((codes) => [...new Set(codes)]).toSorted()).toEqual([['LINK_NOT_VALID'], ['success']])
    const verified = await db
      .selectFrom('email')
      .select('person_id')
      .where('email_key', '=', email)
      .where('verified_at', 'is not', null)
      .execute()
    expect(verified).toHaveLength(1)
    expect(
      (await Promise.all(people.map(({ personId }) => recordsOf('email.verified', personId)))).toSorted(),
    ).toEqual([0, 1])
  })

  test('RULE-20 one signs in with an assertion of a passkey', async () => {
    const ada = await given.person()
    // This authenticator always reports 0, so the counter does not reveal the replay.
    const authenticator = createSoftwareAuthenticator({ origin: server.config.publicUrl, isCounting: false })
    await registerPasskey(ada, authenticator)
    const before = await rowsOf('session', ada.personId)
    const { body } = await server.call(passkeyLoginEndpoints.options, { body: { username: ada.email } })
    const result = authenticator.assert(body.options)
    const { answers } = await concurrently((on, _, headers) =>
      on.call(passkeyLoginEndpoints.verify, { body: { userToken: body.userToken, result }, headers }),
    )
    const verified = answers.filter((answer) => answer.body.verified)
    expect(verified).toHaveLength(1)
    server.watchSecret(verified[0]?.body.token ?? '')
    expect(await rowsOf('session', ada.personId)).toBe(before + 1)
  })

  test('RULE-26 one deletes one of the last two means of sign-in', async () => {
    const ada = await given.person()
    const authenticator = createSoftwareAuthenticator({ origin: server.config.publicUrl })
    await registerPasskey(ada, authenticator)
    await registerPasskey(ada, authenticator)
    await db.updateTable('person').set({ password_hash: null }).where('id', '=', ada.personId).execute()
    const ids = (await ada.call(passkeyEndpoints.list)).body.items.map(({ _id }) => _id)
    const { won } = await concurrently((on, index, headers) =>
      on.call(
        passkeyEndpoints.remove,
        { params: { passkeyId: ids[index % 4 < 2 ? 0 : 1] ?? '' }, headers },
        ada.token,
      ),
    )
    expect(won).toHaveLength(1)
    expect(await rowsOf('passkey', ada.personId)).toBe(1)
  })

  test('one adds an address in different cases', async () => {
    const ada = await given.person()
    const { won } = await concurrently((on, index, headers) =>
      on.call(
        emailEndpoints.create,
        { body: { email: index % 3 === 0 ? 'NEW@example.org' : 'new@Example.org' }, headers },
        ada.token,
      ),
    )
    expect(won).toHaveLength(1)
    expect(await emailsOf(ada.personId)).toHaveLength(2)
    const { rows } = await sql`
      select 1 from pgboss.job where name = 'email-verification'
      and data->>'emailId' = ${won[0]?.body._id}`.execute(db)
    expect(rows).toHaveLength(1)
  })
})
