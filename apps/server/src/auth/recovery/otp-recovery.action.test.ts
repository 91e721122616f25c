import { randomUUID } from 'node:crypto'
import { meEndpoints, recoveryEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { openMailbox, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#platform/database/database.ts'
import { hashToken } from '#platform/secrets.ts'
import { openTestSocket } from '../../platform/realtime/test-socket.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'
import { voidLinks } from '../../token-links/void-links.ts'
import { secondFactorPolicy } from '../attempts.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const { given, db } = server
const calls = linkCalls(server)
const { addAddress, byOtp, disable, expire, preflight, voucherOf, whileHeld } = calls

const wrongCode = 'ZZZZ-ZZZZ-ZZZZ-ZZZZ'

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const personWithOtp = (firstname = 'Ada') => given.person({ firstname, otp: true })

const redeem = (token: string, codes: unknown, on = server) => calls.redeem(token, { codes }, on)

const linkFor = (person: { personId: string; email: string }) => calls.issue('user:otp-recovery', person)

const requestMail = (voucher: string) => server.call(recoveryEndpoints.recoverOtp, { body: { voucher } })

function codeOf(otpAuthUrl: string | undefined): string {
  const secret = new URL(otpAuthUrl ?? '').searchParams.get('secret') ?? ''
  server.watchSecret(secret)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate()
}

const otpOf = (personId: string) =>
  db.selectFrom('otp').selectAll().where('person_id', '=', personId).executeTakeFirst()

const failuresOf = async (personId: string) => {
  const row = await db
    .selectFrom('attempt')
    .select('failures')
    .where('key', '=', `second-factor:${personId}`)
    .executeTakeFirst()
  return row?.failures
}

const endWait = (personId: string) =>
  db
    .updateTable('attempt')
    .set({ blocked_until: null })
    .where('key', '=', `second-factor:${personId}`)
    .execute()

test('API-14 API-15 RULE-18 one recovery code enrols a new authenticator with new codes and voids the old one', async () => {
  const ada = await personWithOtp()
  const [first = '', second = ''] = ada.otp.recoveryCodes
  const answer = await redeem(await linkFor(ada), first)
  expect(answer).toSucceed()
  expect(Object.keys(answer.body).toSorted()).toEqual(['otpAuthUrl', 'recoveryCodes'])
  const { otpAuthUrl, recoveryCodes = [] } = answer.body
  for (const code of recoveryCodes) server.watchSecret(code)
  expect(otpAuthUrl).toMatch(/^otpauth:\/\/totp\//)
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(recoveryCodes.filter((code) => ada.otp.recoveryCodes.includes(code))).toEqual([])

  expect(await byOtp(await voucherOf(ada), ada.otp.code())).toFailWith('INVALID_OTP')
  expect(await byOtp(await voucherOf(ada), codeOf(otpAuthUrl))).toSucceed()

  const token = await linkFor(ada)
  for (const old of [first, second]) expect(await redeem(token, old)).toFailWith('RECOVERY_CODE_NOT_VALID')
  expect(await redeem(token, recoveryCodes[9])).toSucceed()
})

test('DEC-06 all codes can be entered in one field with any separators', async () => {
  for (const paste of [
    (codes: string[]) => codes.join('\n'),
    (codes: string[]) => codes.join(', ').toLowerCase(),
    (codes: string[]) => `Pult: ${codes.slice(0, 2).join(' / ')}.`,
    (codes: string[]) => `${wrongCode}\r\n${codes[3] ?? ''}`,
    (codes: string[]) => ` ${(codes[7] ?? '').replaceAll('-', ' ')}\t`,
    (codes: string[]) => (codes[9] ?? '').replaceAll('-', ''),
  ]) {
    const ada = await personWithOtp()
    expect(await redeem(await linkFor(ada), paste(ada.otp.recoveryCodes))).toSucceed()
  }
})

test('RULE-19 every verified address is notified of the recovery in both languages', async () => {
  const ada = await personWithOtp()
  await addAddress(ada.personId, 'other.ada@example.org')
  expect(await redeem(await linkFor(ada), ada.otp.recoveryCodes[0])).toSucceed()
  for (const address of [ada.email, 'other.ada@example.org']) {
    const { subject, text, html } = await mailbox.take(address, /wiederhergestellt/)
    expect(subject).toBe(
      'Zwei-Faktor-Authentifizierung wiederhergestellt / Two-factor authentication recovered',
    )
    for (const body of [text, html]) {
      expect(body).toContain('mit einem Wiederherstellungscode wurde für Ihr Pult-Konto')
      expect(body).toContain('A recovery code was used to set up a new authenticator')
    }
  }
})

test('RULE-18 a wrong code leaves the link open and changes nothing', async () => {
  const ada = await personWithOtp()
  const grace = await personWithOtp('Grace')
  const token = await linkFor(ada)
  const before = await otpOf(ada.personId)
  for (const codes of [wrongCode, grace.otp.recoveryCodes[0], 'ключ восстановления', ada.otp.code()]) {
    expect(await redeem(token, codes)).toFailWith('RECOVERY_CODE_NOT_VALID')
  }
  expect(await otpOf(ada.personId)).toEqual(before)
  expect(await ada.call(meEndpoints.read)).toSucceed()
  expect(await preflight(token)).toSucceed()
  expect(await redeem(token, ada.otp.recoveryCodes[0])).toSucceed()
})

test('RULE-07 RULE-06 wrong codes count as failures of the second factor and delay further attempts', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  const right = ada.otp.recoveryCodes[0]
  for (let failure = 1; failure <= secondFactorPolicy.free; failure += 1) {
    expect(await redeem(token, wrongCode)).toFailWith('RECOVERY_CODE_NOT_VALID')
    // The attempt counts although the transaction of the redemption rolled back.
    expect(await failuresOf(ada.personId)).toBe(failure)
  }
  const refused = await redeem(token, right)
  expect(refused).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20)
  expect(await byOtp(await voucherOf(ada), ada.otp.code())).toFailWith('TOO_MANY_REQUESTS')
  expect(await preflight(token)).toSucceed()

  await endWait(ada.personId)
  expect(await redeem(token, right)).toSucceed()
  expect(await failuresOf(ada.personId)).toBeUndefined()
})

test('RULE-07 failures of earlier logins count', async () => {
  const ada = await personWithOtp()
  const voucher = await voucherOf(ada)
  for (let failure = 1; failure <= secondFactorPolicy.free; failure += 1) {
    await byOtp(voucher, '000000')
  }
  expect(await failuresOf(ada.personId)).toBe(secondFactorPolicy.free)
  expect(await redeem(await linkFor(ada), ada.otp.recoveryCodes[0])).toFailWith('TOO_MANY_REQUESTS')
})

test('an invalid link costs its holder no attempt', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  await linkFor(ada)
  for (let round = 0; round < 6; round += 1) {
    expect(await redeem(token, wrongCode)).toFailWith('LINK_NOT_VALID')
  }
  expect(await failuresOf(ada.personId)).toBeUndefined()
})

test('RULE-06 the hundredth wrong code locks the account, sends a mail and requires a reset', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  await db
    .insertInto('attempt')
    .values({ key: `second-factor:${ada.personId}`, failures: 98 })
    .execute()
  const locks = () =>
    db
      .selectFrom('audit')
      .select(['result', 'target', 'detail'])
      .where('event', '=', 'password.locked')
      .where('target', '=', ada.personId)
      .execute()

  expect(await redeem(token, wrongCode)).toFailWith('RECOVERY_CODE_NOT_VALID')
  expect(await locks()).toEqual([])
  await endWait(ada.personId)
  expect(await redeem(token, wrongCode)).toFailWith('RECOVERY_CODE_NOT_VALID')
  expect(await locks()).toEqual([
    { result: 'success', target: ada.personId, detail: { by: 'second-factor' } },
  ])
  const { subject } = await mailbox.take(ada.email, /gesperrt/)
  expect(subject).toBe('Zwei-Faktor-Anmeldung gesperrt / Two-factor sign-in locked')

  await endWait(ada.personId)
  expect(await redeem(token, ada.otp.recoveryCodes[0])).toFailWith('SECOND_FACTOR_LOCKED')
  expect(await locks()).toHaveLength(1)
})

test('RULE-36 RULE-54 fields other than the codes are rejected, and the link remains usable', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  const codes = ada.otp.recoveryCodes[0]
  for (const body of [
    {},
    [],
    { password: 'a moth in relay 70' },
    { codes, password: 'a moth in relay 70' },
    { codes, firstname: 'Grace', lastname: 'Hopper' },
    { codes, otpEnabled: false },
    { codes: '' },
    { codes: null },
    { codes: [codes] },
    { codes: 'x'.repeat(2001) },
  ]) {
    expect(await server.call(tokenLinkEndpoints.redeem, { params: { token }, body })).toFailWith(
      'VALIDATION_FAILED',
    )
  }
  expect(await redeem(token, 'x'.repeat(100_000))).toFailWith('BODY_TOO_LARGE')
  expect(await failuresOf(ada.personId)).toBeUndefined()
  expect(await redeem(token, codes)).toSucceed()
})

test('RULE-32 RULE-18 DEC-08 a recovery ends sessions, vouchers, ceremonies and links of its user on every node', async () => {
  const second = await testServer({ besides: server, settings })
  const ada = await personWithOtp()
  const grace = await personWithOtp('Grace')
  const elsewhere = await ada.openSession()
  const sockets = [
    await openTestSocket(server.url, { token: ada.token }),
    await openTestSocket(second.url, { token: elsewhere }),
  ]
  const foreign = await openTestSocket(second.url, { token: grace.token })
  const voucher = await voucherOf(ada)
  const foreignVoucher = await voucherOf(grace)
  const resetToken = await calls.issue('user:reset-password', ada)
  const foreignReset = await calls.issue('user:reset-password', grace)
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: hashToken(ada.personId),
      ceremony: 'login',
      is_named: true,
      person_id: ada.personId,
      expires_at: sql<Date>`now() + interval '5 minutes'`,
      user_token_hash: hashToken(`of ${ada.personId}`),
      session_id: null,
    })
    .execute()

  const from = performance.now()
  expect(await redeem(await linkFor(ada), ada.otp.recoveryCodes[0], second)).toSucceed()
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code))
  expect(codes).toEqual([4401, 4401])
  expect(performance.now() - from).toBeLessThan(underLoad(4000))
  for (const token of [ada.token, elsewhere]) {
    expect(await server.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
  }
  expect(await requestMail(voucher)).toFailWith('VOUCHER_NOT_VALID')
  expect(await preflight(resetToken)).toFailWith('LINK_NOT_VALID')
  const ceremonies = await db
    .selectFrom('passkey_challenge')
    .select('ceremony')
    .where('person_id', '=', ada.personId)
    .execute()
  expect(ceremonies).toEqual([])

  expect(await foreign.ask({ type: 'ping' })).toBe('pong')
  expect(await grace.call(meEndpoints.read)).toSucceed()
  expect(await preflight(foreignReset)).toSucceed()
  expect(await requestMail(foreignVoucher)).toSucceed()
  await second.stop()
})

test('RULE-37 one of 200 concurrent recoveries over two nodes succeeds', async () => {
  const second = await testServer({ besides: server, settings })
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      redeem(token, ada.otp.recoveryCodes[index % 10], index % 2 === 0 ? server : second),
    ),
  )
  const won = answers.filter(({ code }) => code === undefined)
  expect(won).toHaveLength(1)
  for (const { status } of answers) expect([200, 410, 429, 503]).toContain(status)
  await db.deleteFrom('attempt').execute()
  expect(await byOtp(await voucherOf(ada), codeOf(won[0]?.body.otpAuthUrl))).toSucceed()
  await second.stop()
})

test('one code sent to two links concurrently works for one of them', async () => {
  const ada = await personWithOtp()
  const older = await linkFor(ada)
  const newer = await linkFor(ada)
  // Inserts links directly, because a newer link would void the older one.
  await db
    .updateTable('token_link')
    .set({ voided_at: null, email: 'second@example.org', email_key: 'second@example.org' })
    .where('token_hash', '=', hashToken(older))
    .execute()
  await addAddress(ada.personId, 'second@example.org')
  const answers = await whileHeld(ada.personId, () =>
    [older, newer].map((token) => redeem(token, ada.otp.recoveryCodes[0])),
  )
  const codes = answers.map(({ code }) => code)
  expect(codes.filter((code) => code === undefined)).toHaveLength(1)
  expect(codes).toContain('LINK_NOT_VALID')
})

test('RULE-39 a recovery waits for a concurrent change of the sign-in and then finds its link voided', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  const [answer] = await whileHeld(
    ada.personId,
    () => [redeem(token, ada.otp.recoveryCodes[0])],
    (trx) => voidLinks(trx, ada.personId),
  )
  expect(answer).toFailWith('LINK_NOT_VALID')
})

test('RULE-40 100 preflights leave a link usable', async () => {
  const ada = await personWithOtp()
  const token = await linkFor(ada)
  for (let round = 0; round < 100; round += 1) expect(await preflight(token)).toSucceed()
  expect(await redeem(token, ada.otp.recoveryCodes[0])).toSucceed()
})

test('RULE-41 expired, used and replaced links get the same answer', async () => {
  const [expired, used, replaced] = [
    await personWithOtp('Eva'),
    await personWithOtp('Uta'),
    await personWithOtp('Rita'),
  ]
  const tokens = [await linkFor(expired), await linkFor(used), await linkFor(replaced)]
  await expire(tokens[0] ?? '')
  expect(await redeem(tokens[1] ?? '', used.otp.recoveryCodes[0])).toSucceed()
  await linkFor(replaced)
  const answers = []
  for (const token of tokens) answers.push(await preflight(token), await redeem(token, wrongCode))
  for (const answer of answers) expect(answer).toFailWith('LINK_NOT_VALID')
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

const moveAddress = (personId: string, on: Db) =>
  on
    .updateTable('email')
    .set({ email_key: `${randomUUID()}@example.org`, email: 'moved@example.org' })
    .where('person_id', '=', personId)
    .execute()

test.each([
  ['the user is disabled', disable],
  ['the address belongs to another user', moveAddress],
])('RULE-45 a link is invalid when %s, before or during its redemption', async (_, change) => {
  const before = await personWithOtp()
  const token = await linkFor(before)
  await change(before.personId, db)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token, before.otp.recoveryCodes[0])).toFailWith('LINK_NOT_VALID')
  expect(await failuresOf(before.personId)).toBeUndefined()

  const ada = await personWithOtp()
  const other = await linkFor(ada)
  const [answer] = await whileHeld(
    ada.personId,
    () => [redeem(other, ada.otp.recoveryCodes[0])],
    (trx) => change(ada.personId, trx),
  )
  expect(answer).toFailWith('LINK_NOT_VALID')
})
