import { randomUUID } from 'node:crypto'
import { emailEndpoints, meEndpoints, passwordEndpoints } from '@pult/contract'
import { type GivenPerson, openMailbox, testServer, underLoad } from '@pult/testkit'
import { sql, type Transaction } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { hashToken } from '#platform/secrets.ts'
import { openTestSocket } from '../../platform/realtime/test-socket.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'
import { voidLinks } from '../../token-links/void-links.ts'

const mailbox = await openMailbox()
const settings = { PULT_URL: 'https://pult.example.org', SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const { given, db } = server
const calls = linkCalls(server)
const { addAddress, allMailSent, byOtp, byPassword, disable, expire, preflight, whileHeld } = calls

const newPassword = 'a moth in relay 70'
server.watchSecret(newPassword)

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const redeem = (token: string, body: object = { password: newPassword }, on = server) =>
  calls.redeem(token, body, on)

/** Runs a redemption until it waits for the person row, makes a change, and lets it finish. */
const redeemWhile = async (
  personId: string,
  token: string,
  change: (trx: Transaction<Database>) => Promise<unknown>,
) => {
  const [answer] = await whileHeld(personId, () => [redeem(token)], change)
  return answer
}

const linkFor = (person: { personId: string; email: string }) => calls.issue('user:reset-password', person)

test('RULE-19 every verified address is notified of the reset in both languages', async () => {
  const ada = await given.person()
  await addAddress(ada.personId, 'second.ada@example.org')
  await addAddress(ada.personId, 'claimed.ada@example.org', false)
  expect(await redeem(await linkFor(ada))).toSucceed()
  for (const address of [ada.email, 'second.ada@example.org']) {
    const { subject, text, html } = await mailbox.take(address, /zurückgesetzt/)
    expect(subject).toBe('Ihr Passwort wurde zurückgesetzt / Your password was reset')
    for (const body of [text, html]) {
      expect(body).toContain('über einen Link per E-Mail zurückgesetzt. Alle Sitzungen sind beendet.')
      expect(body).toContain('was reset with a link sent by e-mail. All sessions have ended.')
      expect(body).toContain('https://pult.example.org/me/sessions')
    }
  }
  await allMailSent()
  expect(mailbox.received.filter(({ to }) => to === 'claimed.ada@example.org')).toEqual([])
})

test('RULE-36 RULE-54 fields other than the password are rejected, and the link remains usable', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  for (const body of [
    {},
    [],
    { codes: 'ABCD-EFGH-JKMN-PQRS' },
    { firstname: 'Grace', lastname: 'Hopper', password: newPassword },
    { password: newPassword, codes: 'ABCD-EFGH-JKMN-PQRS' },
    { password: newPassword, isRoot: true },
    { password: newPassword, email: 'evil@example.net' },
    { password: null },
    { password: 12345678 },
    { password: [newPassword] },
  ]) {
    expect(await redeem(token, body)).toFailWith('VALIDATION_FAILED')
  }
  expect(await byPassword(ada.email, ada.password)).toSucceed()
  expect(await redeem(token)).toSucceed()
})

const refusedPasswords = [
  ['PASSWORD_TOO_SHORT', 'seven characters', 'kx7!mqz'],
  ['PASSWORD_TOO_SHORT', 'nothing', ''],
  ['PASSWORD_TOO_LONG', '260 characters', 'kx7!'.repeat(65)],
  ['PASSWORD_TOO_LONG', '1025 bytes', 'x'.repeat(1025)],
  ['PASSWORD_TOO_COMMON', 'a common password', 'Sunshine1'],
  ['PASSWORD_TOO_COMMON', 'the own name', 'lovelace1815'],
  ['PASSWORD_TOO_COMMON', 'another own address', 'enchantress-1843'],
  ['PASSWORD_TOO_COMMON', 'an own address that is not verified', 'numberlady-1843'],
] as const

test.each(refusedPasswords)(
  'RULE-03 RULE-02 a reset fails with %s for %s as the password',
  async (code, _, password) => {
    const ada = await given.person()
    await addAddress(ada.personId, `enchantress@${randomUUID()}.example`)
    await addAddress(ada.personId, `numberlady@${randomUUID()}.example`, false)
    const token = await linkFor(ada)
    expect(await redeem(token, { password })).toFailWith(code)
    expect(await redeem(token)).toSucceed()
  },
)

test('RULE-76 a password of 100 kB is rejected unread, and the link remains usable', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  expect(await redeem(token, { password: 'x'.repeat(100_000) })).toFailWith('BODY_TOO_LARGE')
  expect(await redeem(token)).toSucceed()
})

test('RULE-02 a reset accepts a password of any script without changes', async () => {
  const ada = await given.person()
  const password = `${'密码'.repeat(20)} é`
  expect(await redeem(await linkFor(ada), { password })).toSucceed()
  expect(await byPassword(ada.email, password.normalize('NFD'))).toSucceed()
  expect(await byPassword(ada.email, password.slice(0, -1))).toFailWith('INVALID_CREDENTIALS')
})

test('RULE-43 a reset opens no session', async () => {
  const ada = await given.person()
  const answer = await redeem(await linkFor(ada))
  expect(answer).toSucceed()
  expect(answer.body).toEqual({})
  const open = await db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', ada.personId)
    .where('ended_at', 'is', null)
    .execute()
  expect(open).toEqual([])
})

test('RULE-32 DEC-08 a reset ends sessions, vouchers, ceremonies and links of its user on every node', async () => {
  const second = await testServer({ besides: server, settings })
  const ada = await given.person()
  const grace = await given.person({ firstname: 'Grace' })
  const elsewhere = await ada.openSession()
  const sockets = [
    await openTestSocket(server.url, { token: ada.token }),
    await openTestSocket(second.url, { token: elsewhere }),
  ]
  const foreign = await openTestSocket(second.url, { token: grace.token })
  const claim = (personId: string) =>
    calls.issue('user:email-confirmation', { personId, email: 'new@example.org' })
  const links = [await claim(ada.personId), await claim(grace.personId)].map(hashToken)
  for (const { personId } of [ada, grace]) {
    const expires_at = sql<Date>`now() + interval '5 minutes'`
    await db
      .insertInto('otp_voucher')
      .values({ token_hash: hashToken(personId), person_id: personId, password_version: 0, expires_at })
      .execute()
    await db
      .insertInto('passkey_challenge')
      .values({
        challenge_hash: hashToken(personId),
        ceremony: 'login',
        is_named: true,
        person_id: personId,
        expires_at,
        user_token_hash: hashToken(`of ${personId}`),
        session_id: null,
      })
      .execute()
  }

  const from = performance.now()
  expect(await redeem(await linkFor(ada), { password: newPassword }, second)).toSucceed()
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code))
  expect(codes).toEqual([4401, 4401])
  expect(performance.now() - from).toBeLessThan(underLoad(4000))
  for (const token of [ada.token, elsewhere]) {
    expect(await server.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
  }
  const openLinks = await db
    .selectFrom('token_link')
    .select('person_id')
    .where('voided_at', 'is', null)
    .where('token_hash', 'in', links)
    .execute()
  expect(openLinks).toEqual([{ person_id: grace.personId }])
  const left = async (table: 'otp_voucher' | 'passkey_challenge') =>
    (
      await db
        .selectFrom(table)
        .select('person_id')
        .where('person_id', 'in', [ada.personId, grace.personId])
        .execute()
    ).map(({ person_id }) => person_id)
  expect(await left('otp_voucher')).toEqual([grace.personId])
  expect(await left('passkey_challenge')).toEqual([grace.personId])
  expect(await foreign.ask({ type: 'ping' })).toBe('pong')
  expect(await grace.call(meEndpoints.read)).toSucceed()
  await second.stop()
})

test('RULE-16 a reset leaves the second factor active', async () => {
  const ada = await given.person({ otp: true })
  const second = async () => ({
    otp: await db.selectFrom('otp').selectAll().where('person_id', '=', ada.personId).execute(),
    codes: await db
      .selectFrom('recovery_code')
      .selectAll()
      .where('person_id', '=', ada.personId)
      .orderBy('id')
      .execute(),
  })
  const before = await second()
  expect(await redeem(await linkFor(ada))).toSucceed()
  expect(await second()).toEqual(before)

  const { body } = await byPassword(ada.email, newPassword)
  expect(body).toEqual({ next: 'otp', voucher: expect.any(String) })
  const voucher = body.voucher ?? ''
  server.watchSecret(voucher)
  expect(await byOtp(voucher, ada.otp.code())).toSucceed()
})

test('RULE-06 RULE-16 a reset ends the lock of the password and keeps the failures of the second factor', async () => {
  const ada = await given.person()
  const keys = [`password:${ada.personId}`, `second-factor:${ada.personId}`]
  for (const key of keys) await db.insertInto('attempt').values({ key, failures: 100 }).execute()
  expect(await byPassword(ada.email, ada.password)).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await redeem(await linkFor(ada))).toSucceed()
  expect(await byPassword(ada.email, newPassword)).toSucceed()
  const left = await db.selectFrom('attempt').select(['key', 'failures']).where('key', 'in', keys).execute()
  expect(left).toEqual([{ key: `second-factor:${ada.personId}`, failures: 100 }])
})

test('RULE-06 a refused redemption leaves the lock', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  await db
    .insertInto('attempt')
    .values({ key: `password:${ada.personId}`, failures: 100 })
    .execute()
  await db
    .updateTable('token_link')
    .set({ voided_at: sql<Date>`now()` })
    .where('token_hash', '=', hashToken(token))
    .execute()
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  expect(await byPassword(ada.email, ada.password)).toFailWith('PASSWORD_RESET_NEEDED')
})

test('RULE-37 one of 200 concurrent redemptions over two nodes succeeds', async () => {
  const second = await testServer({ besides: server, settings })
  const ada = await given.person()
  const token = await linkFor(ada)
  const passwords = Array.from({ length: 200 }, (_, index) => `a moth in relay ${index}`)
  const answers = await Promise.all(
    passwords.map((password, index) => redeem(token, { password }, index % 2 === 0 ? server : second)),
  )
  const winners = answers.flatMap(({ code }, index) => (code === undefined ? [index] : []))
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'LINK_NOT_VALID').length).toBeGreaterThan(10)
  for (const { status } of answers) expect([200, 410, 429, 503]).toContain(status)
  await db.deleteFrom('attempt').execute()
  expect(await byPassword(ada.email, passwords[winners[0] ?? 0] ?? '')).toSucceed()
  const { password_version } = await db
    .selectFrom('person')
    .select('password_version')
    .where('id', '=', ada.personId)
    .executeTakeFirstOrThrow()
  expect(password_version).toBe(1)
  await second.stop()
})

test('RULE-38 an expired link is invalid even before the clean-up', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  await expire(token)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  expect(await byPassword(ada.email, ada.password)).toSucceed()
})

test('RULE-38 the statement that consumes a link checks its expiry', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  const answer = await redeemWhile(ada.personId, token, (trx) => expire(token, trx))
  expect(answer).toFailWith('LINK_NOT_VALID')
  expect(await byPassword(ada.email, ada.password)).toSucceed()
})

test('RULE-39 a redemption waits for a concurrent change of the sign-in without a deadlock', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  const answer = await redeemWhile(ada.personId, token, (trx) => voidLinks(trx, ada.personId))
  expect(answer).toFailWith('LINK_NOT_VALID')
  expect(await byPassword(ada.email, ada.password)).toSucceed()
})

describe('RULE-45 a link is invalid', () => {
  const unverify = (personId: string, on: Db = db) =>
    on
      .updateTable('email')
      .set({ verified_at: null })
      .where('person_id', '=', personId)
      .where('is_default', '=', false)
      .execute()

  const remove = (personId: string, on: Db = db) =>
    on.deleteFrom('email').where('person_id', '=', personId).where('is_default', '=', false).execute()

  async function personWithSecond() {
    const ada = await given.person()
    const second = `second-${ada.email}`
    await addAddress(ada.personId, second)
    return { ada, token: await linkFor({ personId: ada.personId, email: second }) }
  }

  test.each([
    ['the user is disabled', disable],
    ['the address is no longer verified', unverify],
    ['the address was removed', remove],
  ])('when %s, before or during its redemption', async (_, change) => {
    const before = await personWithSecond()
    await change(before.ada.personId)
    expect(await preflight(before.token)).toFailWith('LINK_NOT_VALID')
    expect(await redeem(before.token)).toFailWith('LINK_NOT_VALID')

    const { ada, token } = await personWithSecond()
    const answer = await redeemWhile(ada.personId, token, (trx) => change(ada.personId, trx))
    expect(answer).toFailWith('LINK_NOT_VALID')
    const { password_version } = await db
      .selectFrom('person')
      .select('password_version')
      .where('id', '=', ada.personId)
      .executeTakeFirstOrThrow()
    expect(password_version).toBe(0)
  })

  test('when the user is deleted', async () => {
    const { ada, token } = await personWithSecond()
    await db.deleteFrom('person').where('id', '=', ada.personId).execute()
    expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
    expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  })
})

test('RULE-39 a password change voids open links', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  const change = { oldPass: ada.password, newPass: newPassword }
  expect(await ada.call(passwordEndpoints.change, { body: change })).toSucceed()
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token, { password: 'another moth in relay' })).toFailWith('LINK_NOT_VALID')
  expect(await byPassword(ada.email, newPassword)).toSucceed()
})

test('RULE-39 removing an address voids the links sent to it and no others', async () => {
  const ada = await given.person()
  await addAddress(ada.personId, 'leaving.ada@example.org')
  const toLeaving = await linkFor({ personId: ada.personId, email: 'leaving.ada@example.org' })
  const { body } = await ada.call(emailEndpoints.list)
  const leaving = body.items.find(({ email }) => email === 'leaving.ada@example.org')
  expect(await ada.call(emailEndpoints.remove, { params: { emailId: leaving?._id ?? '' } })).toSucceed()
  // Adding the address again does not restore the link.
  await addAddress(ada.personId, 'leaving.ada@example.org')
  expect(await redeem(toLeaving)).toFailWith('LINK_NOT_VALID')

  const toStaying = await linkFor(ada)
  await ada.call(emailEndpoints.remove, {
    params: { emailId: (await ada.call(emailEndpoints.list)).body.items.at(-1)?._id ?? '' },
  })
  expect(await redeem(toStaying)).toSucceed()
})

test('RULE-40 DEC-10 100 preflights leave a link usable', async () => {
  const ada = await given.person()
  const token = await linkFor(ada)
  for (let round = 0; round < 100; round += 1) expect(await preflight(token)).toSucceed()
  expect(await redeem(token)).toSucceed()
})

test('RULE-41 expired, used, replaced, unknown and foreign tokens get the same answer', async () => {
  const [expired, used, replaced] = await Promise.all(
    ['Eva', 'Uta', 'Rita'].map((firstname) => given.person({ firstname })),
  )
  const tokens = await Promise.all([expired, used, replaced].map((person) => linkFor(person as GivenPerson)))
  await expire(tokens[0] ?? '')
  expect(await redeem(tokens[1] ?? '')).toSucceed()
  await linkFor(replaced as GivenPerson)
  const ada = await given.person()
  const answers = []
  for (const token of [...tokens, 'x'.repeat(43), ada.token, '%00', '..%2f..', 'ключ']) {
    answers.push(await preflight(token), await redeem(token))
  }
  for (const answer of answers) expect(answer).toFailWith('LINK_NOT_VALID')
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})
