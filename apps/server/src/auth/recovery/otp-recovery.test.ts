import { loginEndpoints, recoveryEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '#platform/secrets.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'
import { otpRecoveryPolicy, recoveryNetworkPolicy } from './recovery.ts'

const mailbox = await openMailbox()
const settings = { PULT_URL: 'https://pult.example.org', SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const { given, db } = server
const calls = linkCalls(server)
const { addAddress, allMailSent, byOtp, disable, expire, preflight, tokenOf, voucherOf, whileHeld } = calls

const letter = /^Zwei-Faktor-Authentifizierung wiederherstellen/
const wrongCode = 'ZZZZ-ZZZZ-ZZZZ-ZZZZ'

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const personWithOtp = (firstname = 'Ada') => given.person({ firstname, otp: true })
type PersonWithOtp = Awaited<ReturnType<typeof personWithOtp>>

const request = (voucher: string, on = server, headers = {}) =>
  on.call(recoveryEndpoints.recoverOtp, { body: { voucher }, headers })

const redeem = (token: string, codes: unknown) => calls.redeem(token, { codes })

const linkFor = (person: { personId: string; email: string }) => calls.issue('user:otp-recovery', person)

async function mailedToken(person: PersonWithOtp): Promise<string> {
  expect(await request(await voucherOf(person))).toSucceed()
  return tokenOf((await mailbox.take(person.email, letter)).link)
}

test('API-04 a voucher requests a link by mail to the default address and remains valid', async () => {
  const ada = await personWithOtp()
  await addAddress(ada.personId, 'second.ada@example.org')
  const voucher = await voucherOf(ada)
  const answer = await request(voucher)
  expect(answer).toSucceed()
  expect(answer.body).toBe(true)
  const { link } = await mailbox.take(ada.email, letter)
  expect((await preflight(tokenOf(link))).body).toEqual({
    action: 'user:otp-recovery',
    data: { email: ada.email, user: { firstname: 'Ada', lastname: 'Lovelace' } },
  })
  await allMailSent()
  expect(mailbox.received.filter(({ to }) => to === 'second.ada@example.org')).toEqual([])

  const signedIn = await byOtp(voucher, ada.otp.code())
  expect(signedIn).toSucceed()
  server.watchSecret(signedIn.body.token ?? '')
})

test('the recovery mail has German and English text and HTML', async () => {
  const ada = await personWithOtp()
  expect(await request(await voucherOf(ada))).toSucceed()
  const mail = await mailbox.take(ada.email, letter)
  tokenOf(mail.link)
  expect(mail.subject).toBe(
    'Zwei-Faktor-Authentifizierung wiederherstellen / Recover two-factor authentication',
  )
  expect(mail.text.trim()).toBe(
    `Hallo,

jemand hat Ihr Passwort eingegeben und möchte für Ihr Pult-Konto einen neuen Authenticator einrichten. Dafür sind dieser Link und einer Ihrer Wiederherstellungscodes nötig.

Wiederherstellung beginnen:
${mail.link}

Der Link gilt 30 Minuten und nur einmal. Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Legen Sie sofort ein neues fest, und geben Sie keinen Wiederherstellungscode weiter.

– – –

Hello,

Your password was entered, and a new authenticator was requested for your Pult account. Setting it up requires this link and a recovery code.

Start the recovery:
${mail.link}

The link is valid for 30 minutes and works once. If this was not you, another person knows your password. Set a new one immediately and do not share any recovery codes.`,
  )
  const [german = '', english = ''] = mail.html.split('<div lang="en">')
  expect(german).toContain('<div lang="de">')
  expect(german).toContain('jemand hat Ihr Passwort eingegeben')
  expect(german).toContain(`<a href="${mail.link}"`)
  expect(german).toContain('>Wiederherstellung beginnen</a>')
  expect(english).toContain('Your password was entered')
  expect(english).toContain(`<a href="${mail.link}"`)
  expect(english).toContain('>Start the recovery</a>')
})

describe('RULE-10 RULE-18 no link is mailed for', () => {
  const changeVoucher = (voucher: string, values: object) =>
    db.updateTable('otp_voucher').set(values).where('token_hash', '=', hashToken(voucher)).execute()

  test.each<[string, (ada: PersonWithOtp) => Promise<string>]>([
    ['a random voucher', async () => newToken()],
    ['the token of a session', async (ada) => ada.token],
    ['the token of a link', async (ada) => linkFor(ada)],
    ['a password', async (ada) => ada.password],
    [
      'an expired voucher before the clean-up',
      async (ada) => {
        const voucher = await voucherOf(ada)
        await changeVoucher(voucher, { expires_at: sql<Date>`now()` })
        return voucher
      },
    ],
    [
      'a used voucher',
      async (ada) => {
        const voucher = await voucherOf(ada)
        server.watchSecret((await byOtp(voucher, ada.otp.code())).body.token ?? '')
        return voucher
      },
    ],
    [
      'a voucher without attempts left',
      async (ada) => {
        const voucher = await voucherOf(ada)
        await changeVoucher(voucher, { tries: 5 })
        return voucher
      },
    ],
    [
      'a voucher of an older password',
      async (ada) => {
        const voucher = await voucherOf(ada)
        await db
          .updateTable('person')
          .set((eb) => ({ password_version: eb('password_version', '+', 1) }))
          .where('id', '=', ada.personId)
          .execute()
        return voucher
      },
    ],
    [
      'a disabled user',
      async (ada) => {
        const voucher = await voucherOf(ada)
        await disable(ada.personId)
        return voucher
      },
    ],
  ])('%s', async (_, voucherFor) => {
    const ada = await personWithOtp()
    const voucher = await voucherFor(ada)
    const linksOf = () =>
      db.selectFrom('token_link').select('id').where('person_id', '=', ada.personId).execute()
    const before = (await linksOf()).length
    expect(await request(voucher)).toFailWith('VOUCHER_NOT_VALID')
    expect(await linksOf()).toHaveLength(before)
    await allMailSent()
    expect(mailbox.received.filter(({ to }) => to === ada.email)).toEqual([])
  })

  test('a voucher whose password changes during the call', async () => {
    const ada = await personWithOtp()
    const voucher = await voucherOf(ada)
    const [answer] = await whileHeld(
      ada.personId,
      () => [request(voucher)],
      (trx) =>
        trx
          .updateTable('person')
          .set((eb) => ({ password_version: eb('password_version', '+', 1) }))
          .where('id', '=', ada.personId)
          .execute(),
    )
    expect(answer).toFailWith('VOUCHER_NOT_VALID')
    const links = await db
      .selectFrom('token_link')
      .select('id')
      .where('person_id', '=', ada.personId)
      .execute()
    expect(links).toEqual([])
  })

  test.each([
    ['nothing', { voucher: '' }],
    ['201 characters', { voucher: 'x'.repeat(201) }],
    ['a number', { voucher: 1 }],
    ['null', { voucher: null }],
    ['no voucher', {}],
    ['another field', { voucher: 'x', username: 'ada@example.org' }],
  ])('%s', async (_, body) => {
    expect(await server.call(recoveryEndpoints.recoverOtp, { body })).toFailWith('VALIDATION_FAILED')
  })
})

test('DEC-38 mails are limited per user, over all vouchers', async () => {
  const ada = await personWithOtp()
  const grace = await personWithOtp('Grace')
  const vouchers = [await voucherOf(ada), await voucherOf(ada)]
  for (let round = 0; round < otpRecoveryPolicy.most; round += 1) {
    expect(await request(vouchers[round % 2] ?? '')).toSucceed()
  }
  const refused = await request(vouchers[0] ?? '')
  expect(refused).toFailWith('TOO_MANY_REQUESTS')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(otpRecoveryPolicy.seconds - 60)
  expect(await request(await voucherOf(grace))).toSucceed()
})

test('DEC-38 RULE-07 a network that tries vouchers is limited', async () => {
  const ada = await personWithOtp()
  const voucher = await voucherOf(ada)
  for (let round = 0; round < recoveryNetworkPolicy.most; round += 1) {
    expect(await request(newToken())).toFailWith('VOUCHER_NOT_VALID')
  }
  expect(await request(voucher)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-38 a link expires after 30 minutes of database time, even before the clean-up', async () => {
  const ada = await personWithOtp()
  const token = await mailedToken(ada)
  expect(await calls.lifetimeOf(token)).toBe(1800)
  await expire(token)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token, ada.otp.recoveryCodes[0])).toFailWith('LINK_NOT_VALID')

  const other = await linkFor(ada)
  const [answer] = await whileHeld(
    ada.personId,
    () => [redeem(other, ada.otp.recoveryCodes[0])],
    (trx) => expire(other, trx),
  )
  expect(answer).toFailWith('LINK_NOT_VALID')
})

test('RULE-39 a newer link voids an older one of the same user, even for another address', async () => {
  const ada = await personWithOtp()
  const grace = await personWithOtp('Grace')
  await addAddress(ada.personId, 'newer.ada@example.org')
  const foreign = await linkFor(grace)
  const older = await mailedToken(ada)
  const setDefault = (email: string, isDefault: boolean) =>
    db.updateTable('email').set({ is_default: isDefault }).where('email', '=', email).execute()
  await setDefault(ada.email, false)
  await setDefault('newer.ada@example.org', true)
  expect(await request(await voucherOf(ada))).toSucceed()
  const newer = tokenOf((await mailbox.take('newer.ada@example.org', letter)).link)
  expect(await preflight(older)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(older, ada.otp.recoveryCodes[0])).toFailWith('LINK_NOT_VALID')
  expect(await redeem(newer, ada.otp.recoveryCodes[0])).toSucceed()
  expect(await preflight(foreign)).toSucceed()
})

test('RULE-42 the link uses the configured URL regardless of the request', async () => {
  const ada = await personWithOtp()
  const headers = { 'x-forwarded-host': 'evil.example.net', forwarded: 'host=evil.example.net' }
  expect(await request(await voucherOf(ada), server, headers)).toSucceed()
  const mail = await mailbox.take(ada.email, letter)
  expect(mail.link).toBe(`https://pult.example.org/bift/${tokenOf(mail.link)}`)
  expect(`${mail.text}${mail.html}`).not.toContain('evil')
})

test('RULE-49 requests get the same answer while the mail server is down, and the mail is kept', async () => {
  // No server listens on this port.
  const away = await testServer({ settings: { ...settings, SMTP_URL: 'smtp://127.0.0.1:1' } })
  const ada = await away.given.person({ otp: true })
  const { body } = await away.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: ada.email, password: ada.password } },
  })
  expect(await request(body.voucher ?? '', away)).toSucceed()
  await expect.poll(() => away.logLines.join('')).toContain('mail cannot be delivered')
  const kept = await away.db.selectFrom('mail').select('sent_at').where('content', 'is not', null).execute()
  expect(kept).toEqual([{ sent_at: null }])
  await away.stop()
})

test('RULE-78 the request and the failed and successful recovery are audited', async () => {
  const ada = await personWithOtp()
  expect(await request(newToken())).toFailWith('VOUCHER_NOT_VALID')
  const token = await mailedToken(ada)
  expect(await redeem(token, wrongCode)).toFailWith('RECOVERY_CODE_NOT_VALID')
  expect(await redeem(token, ada.otp.recoveryCodes[0])).toSucceed()
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address'])
    .where('event', 'like', 'otp.recover%')
    .orderBy('id', 'desc')
    .limit(4)
    .execute()
  const { personId } = ada
  const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/)
  expect(rows.toReversed()).toEqual([
    { event: 'otp.recovery-requested', result: 'failure', actor_id: null, target: null, address },
    { event: 'otp.recovery-requested', result: 'success', actor_id: null, target: personId, address },
    { event: 'otp.recovered', result: 'failure', actor_id: null, target: personId, address },
    { event: 'otp.recovered', result: 'success', actor_id: personId, target: personId, address },
  ])
})
