import { type ErrorCode, loginEndpoints, meEndpoints, otpEndpoints, tokenLinkEndpoints } from '@pult/contract'
import {
  type GivenOtp,
  type GivenPerson,
  inWaves,
  openMailbox,
  type TestServer,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { createVouchers, sweepVouchers } from './vouchers.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given, db } = server
const nodeOf = (index: number) => (index % 2 === 0 ? server : second)
const vouchers = createVouchers(db)

type Protected = GivenPerson & { otp: GivenOtp }

const enterPassword = (person: { email: string }, password: string, on = server) =>
  on.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: person.email, password } },
  })

const enterCode = (voucher: unknown, otp: unknown, on: TestServer = server) =>
  on.call(loginEndpoints.login, { body: { type: 'otp', data: { voucher, otp } } })

async function voucherOf(person: Protected): Promise<string> {
  const { body } = await enterPassword(person, person.password)
  const { voucher = '' } = body
  server.watchSecret(voucher)
  return voucher
}

/** Creates vouchers without a password hash for each. */
const manyVouchers = (person: Protected, count: number) =>
  inWaves(count, () => vouchers.issue(db, { id: person.personId, passwordVersion: 0 }))

/** Returns six digits that match no step near the current one. */
function wrongCode({ code }: GivenOtp): string {
  const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((offset) => code(offset)))
  return Array.from({ length: 8 }, (_, digit) => String(digit).repeat(6)).find(
    (candidate) => !near.has(candidate),
  ) as string
}

/** Waits for the start of a step, so that codes are checked in the step they were made in. */
async function earlyInStep(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}

/** Returns the codes of all other answers; a success has none. */
const codesBesides = (answers: { code: ErrorCode | undefined }[], ...expected: ErrorCode[]) =>
  answers.map(({ code }) => code).filter((code) => code === undefined || !expected.includes(code))

const rowOf = (voucher: string) =>
  db.selectFrom('otp_voucher').selectAll().where('token_hash', '=', hashToken(voucher)).executeTakeFirst()

const age = (voucher: string, interval: string) =>
  db
    .updateTable('otp_voucher')
    .set({ expires_at: sql<Date>`expires_at - ${sql.lit(interval)}::interval` })
    .where('token_hash', '=', hashToken(voucher))
    .execute()

const failuresOf = async (key: string) =>
  (await db.selectFrom('attempt').select('failures').where('key', 'like', key).executeTakeFirst())?.failures

const auditOf = (personId: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'address', 'detail'])
    .where('target', '=', personId)
    .orderBy('id')
    .execute()

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('signing in', () => {
  test('API-02 LOGIN-07 API-03 LOGIN-09 the correct password returns a voucher without a token, and a code then signs in', async () => {
    const ada = await given.person({ otp: true })
    const first = await enterPassword(ada, ada.password)
    expect(first.body).toEqual({ next: 'otp', voucher: expect.stringMatching(/^[\w-]{43}$/) as string })
    const answer = await enterCode(first.body.voucher, ada.otp.code())
    expect(answer.body).toEqual({ next: 'redeem', token: expect.any(String) as string })
    server.watchSecret(first.body.voucher ?? '')
    const me = await server.call(meEndpoints.read, {}, answer.body.token)
    expect(me.body).toMatchObject({ _id: ada.personId, otpEnabled: true })
    // The session counts as freshly authenticated.
    expect(await server.call(otpEndpoints.init, {}, answer.body.token)).toSucceed()
  })

  test('RULE-14 API-02 LOGIN-06 an account with a pending second factor receives a token for the password', async () => {
    const ada = await given.person()
    await ada.call(otpEndpoints.init)
    expect((await enterPassword(ada, ada.password)).body).toEqual({
      next: 'redeem',
      token: expect.any(String) as string,
    })
  })

  test('RULE-25 a second factor that is activated during the password check is required', async () => {
    const ada = await given.person()
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const change = db.transaction().execute(async (trx) => {
      await sql`select from person where id = ${ada.personId} for update`.execute(trx)
      await trx
        .insertInto('otp')
        .values({
          person_id: ada.personId,
          seed: server.secrets.seal('otp', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
          enabled_at: sql<Date>`now()`,
        })
        .execute()
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const login = enterPassword(ada, ada.password)
    // The login now waits for the row lock, which only the database can observe.
    await expect.poll(() => waitingOnLocks()).toBeGreaterThan(0)
    held.resolve()
    await change
    expect((await login).body).toMatchObject({ next: 'otp' })
  })

  test('RULE-78 password, code and failures are audited with the address', async () => {
    const ada = await given.person({ otp: true })
    await enterPassword(ada, 'wrong password')
    const voucher = await voucherOf(ada)
    await enterCode(voucher, wrongCode(ada.otp))
    await enterCode(voucher, ada.otp.code())
    const rows = await auditOf(ada.personId)
    expect(rows).toMatchObject([
      { event: 'login.password', result: 'failure', actor_id: null },
      { event: 'login.password', result: 'success', actor_id: ada.personId, detail: { next: 'otp' } },
      { event: 'login.otp', result: 'failure', actor_id: null },
      { event: 'login.otp', result: 'success', actor_id: ada.personId },
    ])
    for (const { address } of rows) expect(address).not.toBeNull()
    await enterCode('unknown', '123456')
    const { event, result, target } = await db
      .selectFrom('audit')
      .select(['event', 'result', 'target'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect({ event, result, target }).toEqual({ event: 'login.otp', result: 'failure', target: null })
  })

  test.each([
    ['null', null],
    ['a number', 123_456],
    ['full-width digits', '１２３４５６'],
    ['Arabic digits', '١٢٣٤٥٦'],
    ['spaces', '123 456'],
    ['a line end', '123456\n'],
    ['seven digits', '1234567'],
    ['five digits', '12345'],
    ['an empty text', ''],
    ['a list', ['123456']],
    ['an object', {}],
  ])('RULE-12 %s as a code is rejected as malformed and counts as no attempt', async (_, value) => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    expect(await enterCode(voucher, value)).toFailWith('VALIDATION_FAILED')
    expect((await rowOf(voucher))?.tries).toBe(0)
    expect(await failuresOf('second-factor:%')).toBeUndefined()
  })
})

test.each([
  ['null', null],
  ['a number', 1],
  ['an empty text', ''],
  ['201 characters', 'x'.repeat(201)],
])('RULE-10 %s as a voucher is rejected as malformed', async (_, value) => {
  expect(await enterCode(value, '123456')).toFailWith('VALIDATION_FAILED')
})

describe('a code', () => {
  test('RULE-12 DEC-04 RULE-11 is accepted one step early or late, and never after a later code', async () => {
    const ada = await given.person({ otp: true })
    await earlyInStep()
    const results: (string | undefined)[] = []
    for (const offset of [-2, 2, -1, 0, -1, 1, 0, 1]) {
      await db.deleteFrom('attempt').execute()
      const [voucher = ''] = await manyVouchers(ada, 1)
      results.push((await enterCode(voucher, ada.otp.code(offset))).code)
    }
    const wrong = 'INVALID_OTP'
    expect(results).toEqual([wrong, wrong, undefined, undefined, wrong, undefined, wrong, wrong])
  })

  test('RULE-11 signs in once in a hundred logins with separate vouchers on two nodes, twenty concurrent', async () => {
    const ada = await given.person({ otp: true })
    const otp = ada.otp.code()
    const issued = await manyVouchers(ada, 100)
    const answers = await Promise.all(issued.map((voucher, index) => enterCode(voucher, otp, nodeOf(index))))
    expect(codesBesides(answers, 'INVALID_OTP', 'TOO_MANY_REQUESTS')).toEqual([undefined])
  })

  test('RULE-12 is checked against the database clock, not the clocks of node and authenticator', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    const steps = 240
    const [now, twoHoursOff] = [ada.otp.code(), ada.otp.code(steps)]
    vi.setSystemTime(Date.now() + steps * 30_000)
    expect(await enterCode(voucher, twoHoursOff)).toFailWith('INVALID_OTP')
    expect(await enterCode(voucher, now)).toSucceed()
  })

  test('RULE-11 that was used before the clock stepped back is rejected, NodeLite#46', async () => {
    const ada = await given.person({ otp: true })
    await earlyInStep()
    const enter = async (offset: number) => {
      await db.deleteFrom('attempt').execute()
      const [voucher = ''] = await manyVouchers(ada, 1)
      return (await enterCode(voucher, ada.otp.code(offset))).code
    }
    expect([await enter(-1), await enter(0)]).toEqual([undefined, undefined])
    // The last code was accepted while the clock was two hours ahead, so earlier steps are open again.
    await sql`update otp set last_step = last_step + 240 where person_id = ${ada.personId}`.execute(db)
    expect([await enter(-1), await enter(0), await enter(1)]).toEqual([
      'INVALID_OTP',
      'INVALID_OTP',
      undefined,
    ])
  })

  test('RULE-11 of another user is rejected', async () => {
    const ada = await given.person({ otp: true })
    const grace = await given.person({ otp: true })
    expect(await enterCode(await voucherOf(ada), grace.otp.code())).toFailWith('INVALID_OTP')
    expect(await enterCode(await voucherOf(grace), grace.otp.code())).toSucceed()
  })
})

describe('a voucher', () => {
  test('RULE-10 has 256 bits and is stored as a digest', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    expect(Buffer.from(voucher, 'base64url')).toHaveLength(32)
    const row = await rowOf(voucher)
    expect(row?.token_hash).toEqual(hashToken(voucher))
    const { rows } = await sql<{ text: string }>`select v::text as text from otp_voucher v`.execute(db)
    expect(rows.some(({ text }) => text.includes(voucher))).toBe(false)
    for (const encoding of ['base64url', 'base64', 'hex'] as const) {
      const stolen = row?.token_hash.toString(encoding) ?? ''
      expect(await enterCode(stolen, ada.otp.code())).toFailWith('VOUCHER_NOT_VALID')
    }
  })

  test('RULE-10 expires after five minutes of database time', async () => {
    const ada = await given.person({ otp: true })
    const [young = '', old = ''] = await manyVouchers(ada, 2)
    await age(young, '4 minutes 50 seconds')
    await age(old, '5 minutes')
    vi.setSystemTime(Date.now() + 7_200_000)
    expect(await vouchers.find(old)).toBeUndefined()
    expect(await enterCode(old, ada.otp.code(-240))).toFailWith('VOUCHER_NOT_VALID')
    expect(await vouchers.find(young)).toEqual({ personId: ada.personId })
    expect(await enterCode(young, ada.otp.code(-240))).toSucceed()
  })

  test('RULE-10 is accepted once in a hundred calls on two nodes, twenty concurrent', async () => {
    const ada = await given.person({ otp: true })
    await earlyInStep()
    const voucher = await voucherOf(ada)
    const codes = [ada.otp.code(-1), ada.otp.code(0), ada.otp.code(1)]
    const answers = await inWaves(100, (index) => enterCode(voucher, codes[index % 3], nodeOf(index)))
    expect(codesBesides(answers, 'VOUCHER_NOT_VALID', 'TOO_MANY_REQUESTS')).toEqual([undefined])
    await db.deleteFrom('attempt').execute()
    expect(await enterCode(voucher, ada.otp.code(1))).toFailWith('VOUCHER_NOT_VALID')
    expect(await vouchers.find(voucher)).toBeUndefined()
  })

  test('RULE-10 rejects further codes after its use, even correct ones', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    expect(await enterCode(voucher, ada.otp.code())).toSucceed()
    expect(await enterCode(voucher, ada.otp.code(1))).toFailWith('VOUCHER_NOT_VALID')
    const [next = ''] = await manyVouchers(ada, 1)
    expect(await enterCode(next, ada.otp.code(1))).toSucceed()
  })

  test('RULE-10 DEC-04 allows five attempts, of which the fifth can succeed', async () => {
    const ada = await given.person({ otp: true })
    const wrong = wrongCode(ada.otp)
    const [lucky = '', unlucky = ''] = await manyVouchers(ada, 2)
    const tryAll = async (voucher: string) => {
      for (let round = 0; round < 4; round += 1) {
        expect(await enterCode(voucher, wrong)).toFailWith('INVALID_OTP')
      }
      await db.deleteFrom('attempt').execute()
    }
    await tryAll(lucky)
    expect(await enterCode(lucky, ada.otp.code())).toSucceed()
    await tryAll(unlucky)
    expect(await vouchers.find(unlucky)).toEqual({ personId: ada.personId })
    expect(await enterCode(unlucky, wrong)).toFailWith('INVALID_OTP')
    expect(await vouchers.find(unlucky)).toBeUndefined()
    expect(await enterCode(unlucky, ada.otp.code(1))).toFailWith('VOUCHER_NOT_VALID')
  })

  test('RULE-10 RULE-07 counts five of twenty concurrent attempts, right or wrong', async () => {
    const ada = await given.person({ otp: true })
    const [voucher = ''] = await manyVouchers(ada, 1)
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createVouchers(nodeOf(index).db).countAttempt(voucher)),
    )
    expect(counted.filter((isCounted) => isCounted)).toHaveLength(5)
    expect((await rowOf(voucher))?.tries).toBe(5)
  })

  test('RULE-10 rejects an attempt that finds none left when it runs', async () => {
    const ada = await given.person({ otp: true })
    const [voucher = ''] = await manyVouchers(ada, 1)
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const other = db.transaction().execute(async (trx) => {
      await trx
        .updateTable('otp_voucher')
        .set({ tries: 4 })
        .where('token_hash', '=', hashToken(voucher))
        .execute()
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const answers = Promise.all(Array.from({ length: 3 }, () => enterCode(voucher, wrongCode(ada.otp))))
    await expect.poll(() => waitingOnLocks()).toBe(3)
    held.resolve()
    await other
    const codes = (await answers).map(({ code }) => code)
    expect(codes.toSorted()).toEqual(['INVALID_OTP', 'VOUCHER_NOT_VALID', 'VOUCHER_NOT_VALID'])
  })

  test('RULE-10 becomes invalid when the password changes', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    await db
      .updateTable('person')
      .set((eb) => ({ password_version: eb('password_version', '+', 1) }))
      .where('id', '=', ada.personId)
      .execute()
    expect(await vouchers.find(voucher)).toBeUndefined()
    expect(await enterCode(voucher, ada.otp.code())).toFailWith('VOUCHER_NOT_VALID')
    // A new voucher belongs to the new password.
    expect(await enterCode(await voucherOf(ada), ada.otp.code())).toSucceed()
  })

  test('RULE-30 RULE-10 becomes invalid when its user is disabled or deleted', async () => {
    const ada = await given.person({ otp: true })
    const [first = '', other = ''] = await manyVouchers(ada, 2)
    await db
      .updateTable('person')
      .set({ disabled_at: sql<Date>`now()` })
      .where('id', '=', ada.personId)
      .execute()
    expect(await enterCode(first, ada.otp.code())).toFailWith('VOUCHER_NOT_VALID')
    await db.deleteFrom('person').where('id', '=', ada.personId).execute()
    expect(await enterCode(other, ada.otp.code())).toFailWith('VOUCHER_NOT_VALID')
  })

  test.each([
    ['the password was changed', sql`password_version = password_version + 1`],
    ['the user was disabled', sql`disabled_at = now()`],
  ])('RULE-10 RULE-32 opens no session when %s during the check of the code', async (_, change) => {
    const ada = await given.person({ otp: true })
    const [voucher = ''] = await manyVouchers(ada, 1)
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const changing = db.transaction().execute(async (trx) => {
      await sql`update person set ${change} where id = ${ada.personId}`.execute(trx)
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const login = enterCode(voucher, ada.otp.code())
    await expect.poll(() => waitingOnLocks()).toBeGreaterThan(0)
    held.resolve()
    await changing
    expect(await login).toFailWith('VOUCHER_NOT_VALID')
    // A refused attempt consumes neither the code nor the voucher.
    const row = await db
      .selectFrom('otp')
      .select('last_step')
      .where('person_id', '=', ada.personId)
      .executeTakeFirstOrThrow()
    expect(row.last_step).toBeNull()
    expect((await rowOf(voucher))?.used_at).toBeNull()
    expect((await auditOf(ada.personId)).at(-1)).toMatchObject({ event: 'login.otp', result: 'failure' })
  })

  test('RULE-10 authorises no other call', async () => {
    const ada = await given.person({ otp: true })
    const voucher = await voucherOf(ada)
    expect(await server.call(meEndpoints.read, {}, voucher)).toFailWith('UNAUTHENTICATED')
    expect(await server.call(tokenLinkEndpoints.preflight, { params: { token: voucher } })).toFailWith(
      'LINK_NOT_VALID',
    )
    // A session token is not a voucher either.
    expect(await enterCode(ada.token, ada.otp.code())).toFailWith('VOUCHER_NOT_VALID')
    expect(await vouchers.find(ada.token)).toBeUndefined()
  })

  test('RULE-10 counts no attempt when its user is looked up', async () => {
    const ada = await given.person({ otp: true })
    const [voucher = ''] = await manyVouchers(ada, 1)
    for (let round = 0; round < 10; round += 1) {
      expect(await vouchers.find(voucher)).toEqual({ personId: ada.personId })
    }
    expect((await rowOf(voucher))?.tries).toBe(0)
  })

  test('the clean-up job deletes expired vouchers and no others', async () => {
    const ada = await given.person({ otp: true })
    const [young = '', old = ''] = await manyVouchers(ada, 2)
    await age(old, '6 minutes')
    await sweepVouchers(db)
    expect(await rowOf(young)).toBeDefined()
    expect(await rowOf(old)).toBeUndefined()
  })
})

describe('attempts', () => {
  test('RULE-06 codes and passwords have separate counts and share no attempts', async () => {
    const ada = await given.person({ otp: true })
    const wrong = wrongCode(ada.otp)
    const [voucher = ''] = await manyVouchers(ada, 1)
    for (let round = 0; round < 5; round += 1) {
      expect(await enterCode(voucher, wrong)).toFailWith('INVALID_OTP')
    }
    const next = await voucherOf(ada)
    const refused = await enterCode(next, ada.otp.code())
    expect(refused).toFailWith('TOO_MANY_REQUESTS')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25)
    expect((await rowOf(next))?.tries).toBe(0)

    for (let round = 0; round < 5; round += 1) await enterPassword(ada, 'wrong password')
    expect(await enterPassword(ada, ada.password)).toFailWith('TOO_MANY_REQUESTS')
    await db
      .updateTable('attempt')
      .set({ blocked_until: null })
      .where('key', '=', `second-factor:${ada.personId}`)
      .execute()
    expect(await enterCode(next, ada.otp.code())).toSucceed()
    expect(await failuresOf(`second-factor:${ada.personId}`)).toBeUndefined()
    expect(await failuresOf(`password:${ada.personId}`)).toBe(5)
  })

  test('RULE-05 RULE-07 of a hundred wrong codes on two nodes, twenty concurrent, five are evaluated', async () => {
    const ada = await given.person({ otp: true })
    const wrong = wrongCode(ada.otp)
    const issued = await manyVouchers(ada, 99)
    const answers = await inWaves(99, (index) => enterCode(issued[index], wrong, nodeOf(index)))
    expect(answers.filter(({ code }) => code === 'INVALID_OTP')).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 'TOO_MANY_REQUESTS')).toHaveLength(94)
  })

  test('RULE-05 a network is limited over all accounts; correct codes and refused accounts do not count', async () => {
    const ada = await given.person({ otp: true })
    await db.deleteFrom('attempt').execute()
    const [voucher = '', other = ''] = await manyVouchers(ada, 2)
    expect(await enterCode(voucher, ada.otp.code())).toSucceed()
    expect(await failuresOf('network:%')).toBe(0)
    for (let round = 0; round < 5; round += 1) await enterCode(other, wrongCode(ada.otp))
    expect(await failuresOf('network:%')).toBe(5)
    const [third = ''] = await manyVouchers(ada, 1)
    expect(await enterCode(third, ada.otp.code(1))).toFailWith('TOO_MANY_REQUESTS')
    expect(await failuresOf('network:%')).toBe(5)
    expect(await enterCode('unknown', '123456')).toFailWith('VOUCHER_NOT_VALID')
    expect(await failuresOf('network:%')).toBe(6)

    await db.updateTable('attempt').set({ failures: 100 }).where('key', 'like', 'network:%').execute()
    const [fourth = ''] = await manyVouchers(ada, 1)
    await db.deleteFrom('attempt').where('key', 'like', 'second-factor:%').execute()
    expect(await enterCode(fourth, ada.otp.code(1))).toFailWith('TOO_MANY_REQUESTS')
    expect(await failuresOf('second-factor:%')).toBeUndefined()
  })
})

describe('a hundred consecutive failures', () => {
  const locked = (address: string) =>
    mailbox.received.filter(({ to, subject }) => to === address && subject.includes('locked'))

  const failBefore = async (kind: string, personId: string, failures: number) => {
    await db
      .insertInto('attempt')
      .values({ key: `${kind}:${personId}`, failures })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures, blocked_until: null }))
      .execute()
  }

  test('RULE-06 RULE-19 RULE-78 of passwords lock the password, are audited and mailed once', async () => {
    const ada = await given.person()
    await failBefore('password', ada.personId, 98)
    expect(await enterPassword(ada, 'wrong password')).toFailWith('INVALID_CREDENTIALS')
    expect((await auditOf(ada.personId)).some(({ event }) => event === 'password.locked')).toBe(false)
    await failBefore('password', ada.personId, 99)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => enterPassword(ada, 'wrong password', nodeOf(index))),
    )
    expect(answers.filter(({ code }) => code === 'INVALID_CREDENTIALS')).toHaveLength(1)
    expect(await enterPassword(ada, ada.password)).toFailWith('PASSWORD_RESET_NEEDED')
    const rows = (await auditOf(ada.personId)).filter(({ event }) => event === 'password.locked')
    expect(rows).toEqual([
      {
        event: 'password.locked',
        result: 'success',
        actor_id: null,
        address: expect.any(String) as string,
        detail: { by: 'password' },
      },
    ])
    const { text } = await mailbox.take(ada.email, /locked/)
    expect(text).toContain('Forgot password')
    expect(locked(ada.email)).toHaveLength(1)
  })

  test('RULE-06 do not lock when the hundredth attempt is correct', async () => {
    const ada = await given.person()
    await failBefore('password', ada.personId, 99)
    expect(await enterPassword(ada, ada.password)).toSucceed()
    expect((await auditOf(ada.personId)).some(({ event }) => event === 'password.locked')).toBe(false)
  })

  test('RULE-06 RULE-19 RULE-78 of codes lock the second factor of the account and are mailed once', async () => {
    const ada = await given.person({ otp: true })
    const [voucher = '', other = ''] = await manyVouchers(ada, 2)
    await failBefore('second-factor', ada.personId, 99)
    expect(await enterCode(voucher, wrongCode(ada.otp))).toFailWith('INVALID_OTP')
    await mailbox.take(ada.email, /locked/)
    expect(await enterCode(other, ada.otp.code())).toFailWith('SECOND_FACTOR_LOCKED')
    const rows = (await auditOf(ada.personId)).filter(({ event }) => event === 'password.locked')
    expect(rows).toMatchObject([{ result: 'success', detail: { by: 'second-factor' } }])
    expect(locked(ada.email)).toHaveLength(1)
    // The password step is not locked; only the second factor is.
    expect((await enterPassword(ada, ada.password)).body.next).toBe('otp')
  })

  test('RULE-04 RULE-06 of an unknown name lock it like a known one, and no mail is sent', async () => {
    const name = { email: 'not.known@example.org' }
    const mails = async () => {
      const { count } = await db
        .selectFrom('mail')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    }
    const before = await mails()
    await enterPassword(name, 'wrong password')
    await db.updateTable('attempt').set({ failures: 99 }).where('key', 'like', 'password:%').execute()
    expect(await enterPassword(name, 'wrong password')).toFailWith('INVALID_CREDENTIALS')
    expect(await enterPassword(name, 'wrong password')).toFailWith('PASSWORD_RESET_NEEDED')
    expect(await mails()).toBe(before)
  })
})

describe('RULE-05 the counter of all failed logins', () => {
  const warnings = () =>
    [server, second].flatMap(({ logLines }) => logLines).filter((line) => line.includes('more logins fail'))

  const setAlarm = (failures: number, interval = '5 minutes') =>
    db
      .insertInto('attempt')
      .values({
        key: 'alarm:login',
        failures,
        blocked_until: sql<Date>`now() + ${sql.lit(interval)}::interval`,
      })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => ({
          failures: eb.ref('excluded.failures'),
          blocked_until: eb.ref('excluded.blocked_until'),
        })),
      )
      .execute()

  test('warns once per window on one node and refuses no attempt', async () => {
    const ada = await given.person({ otp: true })
    const before = warnings().length
    await setAlarm(499)
    expect(await enterPassword(ada, 'wrong password')).toFailWith('INVALID_CREDENTIALS')
    expect(warnings()).toHaveLength(before)

    const names = Array.from({ length: 20 }, (_, index) => ({ email: `unknown${index}@example.org` }))
    await Promise.all(names.map((name, index) => enterPassword(name, 'wrong password', nodeOf(index))))
    expect(warnings()).toHaveLength(before + 1)
    expect(JSON.parse(warnings().at(-1) ?? '')).toMatchObject({ level: 'warn', most: 500, seconds: 600 })
    expect(await failuresOf('alarm:login')).toBe(520)

    const voucher = await voucherOf(ada)
    expect(await enterCode(voucher, ada.otp.code())).toSucceed()
    expect(await failuresOf('alarm:login')).toBe(520)

    await setAlarm(520, '-1 second')
    expect(await enterPassword(ada, 'wrong password')).toFailWith('INVALID_CREDENTIALS')
    expect(await failuresOf('alarm:login')).toBe(1)
    expect(warnings()).toHaveLength(before + 1)
  })

  test('includes wrong codes and expired vouchers', async () => {
    const ada = await given.person({ otp: true })
    const before = warnings().length
    await setAlarm(499)
    await enterCode(await voucherOf(ada), wrongCode(ada.otp))
    await enterCode('unknown', '123456')
    expect(warnings()).toHaveLength(before + 1)
  })
})

test('RULE-05 DEC-38 survives a restart', async () => {
  const ada = await given.person({ otp: true })
  const [first = '', other = ''] = await manyVouchers(ada, 2)
  for (let round = 0; round < 4; round += 1) await enterCode(first, wrongCode(ada.otp))
  await second.stop()
  const restarted = await testServer({ besides: server, settings })
  expect(await enterCode(first, wrongCode(ada.otp), restarted)).toFailWith('INVALID_OTP')
  expect(await enterCode(first, ada.otp.code(), restarted)).toFailWith('VOUCHER_NOT_VALID')
  expect(await enterCode(other, ada.otp.code(), restarted)).toFailWith('TOO_MANY_REQUESTS')
})

/** Returns the number of statements that wait for a row lock. */
async function waitingOnLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}
