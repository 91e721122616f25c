import {
  loginEndpoints,
  meEndpoints,
  type OtpEnrolment,
  otpEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenPerson, inWaves, openMailbox, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { Secret, type TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createEvents } from '#platform/realtime/events.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import { createAttempts } from '../../auth/attempts.ts'
import { createVouchers } from '../../auth/login/vouchers.ts'
import { createPeopleService } from '../../people/people.service.ts'
import { createOtpService } from './otp.service.ts'
import { hashRecoveryCode } from './recovery-codes.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const second = await testServer({ besides: server, settings: { SMTP_URL: mailbox.url } })
const { given, db } = server
const nodeOf = (index: number) => (index % 2 === 0 ? server : second)

/** Creates the authenticator of an enrolment. */
function authenticatorOf({ otpAuthUrl, recoveryCodes }: OtpEnrolment): TOTP {
  const totp = URI.parse(otpAuthUrl) as TOTP
  for (const secret of [totp.secret.base32, ...recoveryCodes]) server.watchSecret(secret)
  return totp
}

async function start(person: GivenPerson) {
  const { body } = await person.call(otpEndpoints.init)
  const totp = authenticatorOf(body)
  return {
    ...body,
    secret: totp.secret.base32,
    code: (stepOffset = 0) => totp.generate({ timestamp: Date.now() + stepOffset * 30_000 }),
  }
}

const activate = (person: { token: string }, otp: unknown, on = server) =>
  on.call(otpEndpoints.activate, { body: { otp } }, person.token)

async function enterPassword(person: GivenPerson) {
  const { email: username, password } = person
  const body = { type: 'credentials', data: { username, password } } as const
  return (await server.call(loginEndpoints.login, { body })).body
}

async function enterCode(person: GivenPerson, otp: string) {
  const { voucher = '' } = await enterPassword(person)
  return server.call(loginEndpoints.login, { body: { type: 'otp', data: { voucher, otp } } })
}

/** Returns six digits that match no step near the current one. */
function wrongCode(code: (stepOffset: number) => string): string {
  const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((offset) => code(offset)))
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
    (candidate) => !near.has(candidate),
  ) as string
}

const stored = (personId: string) =>
  db.selectFrom('otp').selectAll().where('person_id', '=', personId).executeTakeFirst()

const storedCodes = (personId: string) =>
  db.selectFrom('recovery_code').selectAll().where('person_id', '=', personId).execute()

/** Returns the codes that the server would accept. */
async function codesInForce(personId: string, codes: string[]): Promise<string[]> {
  const rows = (await storedCodes(personId)).filter(({ is_pending }) => !is_pending)
  return codes.filter((code) => rows.some(({ salt, hash }) => hashRecoveryCode(salt, code).equals(hash)))
}

const auditOf = async (personId: string, event: string) =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'address'])
    .where('target', '=', personId)
    .where('event', '=', event)
    .orderBy('id')
    .execute()

const endWaits = () => db.deleteFrom('attempt').execute()

describe('init', () => {
  test('API-10 OTP-02 DEC-05 enrolment returns the authenticator URL and ten recovery codes', async () => {
    const ada = await given.person({ email: 'Ada.Lovelace@example.org' })
    const { body } = await ada.call(otpEndpoints.init)
    const { secret } = authenticatorOf(body)
    expect(secret.bytes).toHaveLength(20)
    const url = new URL(body.otpAuthUrl)
    expect(`${url.protocol}//${url.host}${decodeURIComponent(url.pathname)}`).toBe(
      'otpauth://totp/Pult:Ada.Lovelace@example.org',
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Pult',
      secret: secret.base32,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(body.recoveryCodes).toHaveLength(10)
    for (const code of body.recoveryCodes) expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
  })

  test('RULE-14 sign-in requires no code until a code of the new seed activates it', async () => {
    const ada = await given.person()
    await start(ada)
    expect((await ada.call(otpEndpoints.read)).body).toEqual({
      isEnabled: false,
      enabledAt: null,
      recoveryCodesLeft: 0,
    })
    expect((await ada.call(meEndpoints.read)).body.otpEnabled).toBe(false)
    expect((await enterPassword(ada)).next).toBe('redeem')
  })

  test('RULE-14 the active seed and its codes stay valid until a code of the new seed activates it', async () => {
    const ada = await given.person({ otp: true })
    const before = await storedCodes(ada.personId)
    const fresh = await start(ada)
    expect(await enterCode(ada, fresh.code())).toFailWith('INVALID_OTP')
    expect(await enterCode(ada, ada.otp.code())).toSucceed()
    expect((await storedCodes(ada.personId)).filter(({ is_pending }) => !is_pending)).toEqual(before)

    expect(await activate(ada, fresh.code())).toSucceed()
    expect(await enterCode(ada, ada.otp.code(1))).toFailWith('INVALID_OTP')
    expect(await enterCode(ada, fresh.code(1))).toSucceed()
    const after = await storedCodes(ada.personId)
    expect(after.map(({ is_pending }) => is_pending)).toEqual(Array.from({ length: 10 }, () => false))
    const old = new Set(before.map(({ id }) => id))
    expect(after.some(({ id }) => old.has(id))).toBe(false)
  })

  test('RULE-14 DEC-05 a second enrolment replaces the pending seed and codes', async () => {
    const ada = await given.person()
    const first = await start(ada)
    const latest = await start(ada)
    expect(latest.secret).not.toBe(first.secret)
    expect(latest.recoveryCodes.some((code) => first.recoveryCodes.includes(code))).toBe(false)
    expect(await storedCodes(ada.personId)).toHaveLength(10)
    expect(await activate(ada, first.code())).toFailWith('OTP_REFUSED')
    expect(await activate(ada, latest.code())).toSucceed()
  })

  test('RULE-17 after concurrent enrolments, the recovery codes belong to the stored seed', async () => {
    const ada = await given.person()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => nodeOf(index).call(otpEndpoints.init, {}, ada.token)),
    )
    const row = await stored(ada.personId)
    const seed = server.secrets.open('otp', row?.pending_seed ?? Buffer.alloc(0))
    for (const answer of answers) expect(answer).toSucceed()
    expect(await storedCodes(ada.personId)).toHaveLength(10)
    const last = answers.map(({ body }) => body).filter(({ otpAuthUrl }) => otpAuthUrl.includes(seed))
    expect(last).toHaveLength(1)
    for (const { otpAuthUrl, recoveryCodes } of last) {
      expect(await activate(ada, authenticatorOf({ otpAuthUrl, recoveryCodes }).generate())).toSucceed()
      expect(await codesInForce(ada.personId, recoveryCodes)).toEqual(recoveryCodes)
    }
  })
})

describe('activate', () => {
  test('DEC-05 OTP-03 a correct code activates the second factor', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    const answer = await activate(ada, code())
    expect(answer).toSucceed()
    expect(answer.body).toBe(true)
    const { body } = await ada.call(otpEndpoints.read)
    expect(body).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 })
    expect(Math.abs(Date.parse(body.enabledAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect((await ada.call(meEndpoints.read)).body.otpEnabled).toBe(true)
    expect(await enterPassword(ada)).toEqual({ next: 'otp', voucher: expect.any(String) as string })
  })

  test('RULE-11 the code of the activation cannot sign in, but the next one can', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    const [used, next] = [code(), code(1)]
    expect(await activate(ada, used)).toSucceed()
    expect(await enterCode(ada, used)).toFailWith('INVALID_OTP')
    expect(await enterCode(ada, next)).toSucceed()
  })

  test('RULE-11 DEC-05 one of a hundred activations on two nodes, twenty concurrent, succeeds', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    const otp = code()
    const answers = await inWaves(100, (index) => activate(ada, otp, nodeOf(index)))
    const refusals = new Set<string | undefined>(['OTP_NOT_STARTED', 'TOO_MANY_REQUESTS'])
    expect(answers.map((answer) => answer.code).filter((refused) => !refusals.has(refused))).toEqual([
      undefined,
    ])
    expect(await auditOf(ada.personId, 'otp.enabled')).toHaveLength(1)
    await endWaits()
  })

  test('DEC-05 activation without an enrolment is rejected and counts no attempt', async () => {
    const ada = await given.person()
    for (let round = 0; round < 7; round += 1) {
      expect(await activate(ada, '123456')).toFailWith('OTP_NOT_STARTED')
    }
    const enabled = await given.person({ otp: true })
    expect(await activate(enabled, enabled.otp.code())).toFailWith('OTP_NOT_STARTED')
  })

  test('DEC-05 a pending enrolment expires after one hour of database time', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    const age = (interval: string) =>
      db
        .updateTable('otp')
        .set({ pending_at: sql<Date>`now() - ${sql.lit(interval)}::interval` })
        .where('person_id', '=', ada.personId)
        .execute()
    await age('61 minutes')
    expect(await activate(ada, code())).toFailWith('OTP_NOT_STARTED')
    await age('59 minutes')
    expect(await activate(ada, code())).toSucceed()
  })

  test('RULE-07 RULE-06 wrong activation codes count as second-factor failures, and a correct one resets them', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    const wrong = wrongCode(code)
    for (let round = 0; round < 4; round += 1) expect(await activate(ada, wrong)).toFailWith('OTP_REFUSED')
    expect(await activate(ada, code())).toSucceed()
    const again = await start(ada)
    for (let round = 0; round < 5; round += 1) {
      expect(await activate(ada, wrongCode(again.code))).toFailWith('OTP_REFUSED')
    }
    const refused = await activate(ada, again.code(), second)
    expect(refused).toFailWith('TOO_MANY_REQUESTS')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25)
    const results = (await auditOf(ada.personId, 'otp.enabled')).map(({ result }) => result)
    expect(results.filter((result) => result === 'failure')).toHaveLength(9)
    expect(results.filter((result) => result === 'success')).toHaveLength(1)
    const counted = await db
      .selectFrom('attempt')
      .select('failures')
      .where('key', '=', `second-factor:${ada.personId}`)
      .executeTakeFirst()
    expect(counted?.failures).toBe(5)
    await endWaits()
  })

  test('RULE-06 RULE-19 the hundredth consecutive wrong code sends a mail', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    await db
      .insertInto('attempt')
      .values({ key: `second-factor:${ada.personId}`, failures: 99 })
      .execute()
    expect(await activate(ada, wrongCode(code))).toFailWith('OTP_REFUSED')
    await mailbox.take(ada.email, /locked/)
    expect(await activate(ada, code())).toFailWith('SECOND_FACTOR_LOCKED')
    await endWaits()
  })

  test.each([
    ['null', null],
    ['a number', 123_456],
    ['full-width digits', '１２３４５６'],
    ['Arabic digits', '١٢٣٤٥٦'],
    ['spaces', '123 456'],
    ['a space before', ' 123456'],
    ['a line end', '123456\n'],
    ['seven digits', '1234567'],
    ['five digits', '12345'],
    ['letters', '12345a'],
    ['an empty text', ''],
    ['a list', ['123456']],
    ['a NUL', '12345\u0000'],
  ])('RULE-12 %s as a code is rejected as malformed', async (_, otp) => {
    const ada = await given.person()
    await start(ada)
    expect(await activate(ada, otp)).toFailWith('VALIDATION_FAILED')
  })
})

describe('disable and renew', () => {
  test('API-11 OTP-03 disabling returns true and deletes the seed and the codes', async () => {
    const ada = await given.person({ otp: true })
    const answer = await ada.call(otpEndpoints.disable)
    expect(answer).toSucceed()
    expect(answer.body).toBe(true)
    expect((await ada.call(otpEndpoints.read)).body.isEnabled).toBe(false)
    expect(await stored(ada.personId)).toBeUndefined()
    expect(await storedCodes(ada.personId)).toEqual([])
    expect((await enterPassword(ada)).next).toBe('redeem')
  })

  test('API-11 disabling and renewing require an active second factor; a pending one is not enough', async () => {
    const ada = await given.person()
    for (const endpoint of [otpEndpoints.disable, otpEndpoints.renewRecoveryCodes]) {
      expect(await ada.call(endpoint)).toFailWith('OTP_NOT_ENABLED')
    }
    const { code } = await start(ada)
    for (const endpoint of [otpEndpoints.disable, otpEndpoints.renewRecoveryCodes]) {
      expect(await ada.call(endpoint)).toFailWith('OTP_NOT_ENABLED')
    }
    expect(await activate(ada, code())).toSucceed()
  })

  test('API-11 one of twenty concurrent calls to disable on two nodes succeeds', async () => {
    const ada = await given.person({ otp: true })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => nodeOf(index).call(otpEndpoints.disable, {}, ada.token)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.code === 'OTP_NOT_ENABLED')).toHaveLength(19)
    expect(await auditOf(ada.personId, 'otp.disabled')).toHaveLength(1)
  })

  test('RULE-17 API-11 renewing returns ten new recovery codes and invalidates the old ones', async () => {
    const ada = await given.person({ otp: true })
    const { body } = await ada.call(otpEndpoints.renewRecoveryCodes)
    for (const code of body.recoveryCodes) server.watchSecret(code)
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await storedCodes(ada.personId)).toHaveLength(10)
    expect(await recover(ada.personId, ada.otp.recoveryCodes.join('\n'))).toBeNull()
    expect(await recover(ada.personId, body.recoveryCodes[4] ?? '')).not.toBeNull()
  })

  test('RULE-17 ten concurrent renewals leave one complete set of codes', async () => {
    const ada = await given.person({ otp: true })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        nodeOf(index).call(otpEndpoints.renewRecoveryCodes, {}, ada.token),
      ),
    )
    expect(await storedCodes(ada.personId)).toHaveLength(10)
    const sets = answers.map((answer) => answer.body.recoveryCodes ?? [])
    expect(sets).toContainEqual(await codesInForce(ada.personId, sets.flat()))
  })

  test('RULE-14 renewing leaves a pending enrolment unchanged', async () => {
    const ada = await given.person({ otp: true })
    const fresh = await start(ada)
    expect(await ada.call(otpEndpoints.renewRecoveryCodes)).toSucceed()
    expect(await activate(ada, fresh.code())).toSucceed()
    expect(await recover(ada.personId, fresh.recoveryCodes[0] ?? '')).not.toBeNull()
  })

  test('DEC-06 the profile shows the number of unused recovery codes', async () => {
    const ada = await given.person({ otp: true })
    await start(ada)
    const code = (await storedCodes(ada.personId)).find(({ is_pending }) => !is_pending)
    await db
      .updateTable('recovery_code')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', code?.id ?? '')
      .execute()
    expect((await ada.call(otpEndpoints.read)).body.recoveryCodesLeft).toBe(9)
  })
})

describe('all changes', () => {
  test('RULE-15 changes require a sign-in within the last ten minutes, but reading does not', async () => {
    const ada = await given.person({ otp: true })
    const { code } = await start(ada)
    await ada.forgetSignIn()
    const { init, disable, renewRecoveryCodes, read } = otpEndpoints
    for (const endpoint of [init, disable, renewRecoveryCodes]) {
      expect(await ada.call(endpoint)).toFailWith('RECENT_SIGN_IN_NEEDED')
    }
    expect(await activate(ada, code())).toFailWith('RECENT_SIGN_IN_NEEDED')
    expect(await ada.call(read)).toSucceed()
  })

  test('RULE-32 activating and disabling end all other sessions and vouchers; renewing ends none', async () => {
    const ada = await given.person()
    const isOpen = async (token: string) => (await server.call(meEndpoints.read, {}, token)).status === 200
    const vouchers = async () =>
      db.selectFrom('otp_voucher').select('token_hash').where('person_id', '=', ada.personId).execute()

    const before = await ada.openSession()
    const { code } = await start(ada)
    expect(await activate(ada, code())).toSucceed()
    expect([await isOpen(before), await isOpen(ada.token)]).toEqual([false, true])

    const { body } = await server.call(loginEndpoints.login, {
      body: { type: 'otp', data: { voucher: (await enterPassword(ada)).voucher ?? '', otp: code(1) } },
    })
    const between = body.token ?? ''
    await enterPassword(ada)
    expect(await ada.call(otpEndpoints.renewRecoveryCodes)).toSucceed()
    expect(await isOpen(between)).toBe(true)
    expect(await vouchers()).not.toEqual([])

    expect(await ada.call(otpEndpoints.disable)).toSucceed()
    expect([await isOpen(between), await isOpen(ada.token)]).toEqual([false, true])
    expect(await vouchers()).toEqual([])
    expect(await ada.call(sessionEndpoints.reissue)).toSucceed()
  })

  test('RULE-19 a change is mailed to every verified address and no other', async () => {
    const ada = await given.person()
    const extra = `second.${ada.email}`
    await db
      .insertInto('email')
      .values([
        {
          id: '018f0000-0000-7000-8000-0000000000a1',
          person_id: ada.personId,
          email: extra,
          email_key: extra,
          verified_at: sql<Date>`now()`,
        },
        {
          id: '018f0000-0000-7000-8000-0000000000a2',
          person_id: ada.personId,
          email: `claimed.${ada.email}`,
          email_key: `claimed.${ada.email}`,
        },
      ])
      .execute()
    const { code } = await start(ada)
    await activate(ada, code())
    for (const address of [ada.email, extra]) await mailbox.take(address, /authentication enabled/)
    await ada.call(otpEndpoints.renewRecoveryCodes)
    for (const address of [ada.email, extra]) await mailbox.take(address, /New recovery codes/)
    await ada.call(otpEndpoints.disable)
    for (const address of [ada.email, extra]) await mailbox.take(address, /authentication disabled/)
    const others = mailbox.received.filter(({ to }) => to === `claimed.${ada.email}`)
    expect(others).toEqual([])
  })

  test('RULE-78 a change is audited with its actor and origin', async () => {
    const ada = await given.person()
    const { code } = await start(ada)
    await activate(ada, code())
    await ada.call(otpEndpoints.renewRecoveryCodes)
    await ada.call(otpEndpoints.disable)
    for (const event of ['otp.enabled', 'otp.codes-renewed', 'otp.disabled']) {
      expect(await auditOf(ada.personId, event)).toEqual([
        { result: 'success', actor_id: ada.personId, address: expect.any(String) as string },
      ])
    }
  })
})

describe('stored data', () => {
  test('RULE-13 the database contains no readable seed or recovery code, and another secret decrypts no seed', async () => {
    const ada = await given.person()
    const { secret, recoveryCodes, code } = await start(ada)
    const look = async () => {
      const { rows } = await sql<{ text: string }>`
        select o::text || encode(coalesce(o.seed, ''), 'escape') || encode(coalesce(o.pending_seed, ''), 'escape')
          || coalesce(string_agg(c::text || encode(c.hash, 'escape') || encode(c.salt, 'escape'), ''), '') as text
        from otp o left join recovery_code c on c.person_id = o.person_id
        where o.person_id = ${ada.personId} group by o.person_id, o.*`.execute(db)
      return rows[0]?.text ?? ''
    }
    const forms = [
      secret,
      Secret.fromBase32(secret).hex,
      ...recoveryCodes,
      ...recoveryCodes.map((each) => each.replaceAll('-', '')),
    ]
    for (const dump of [await look(), (await activate(ada, code()), await look())]) {
      expect(dump.length).toBeGreaterThan(1000)
      for (const form of forms) expect(dump.toLowerCase()).not.toContain(form.toLowerCase())
    }
    const row = await stored(ada.personId)
    expect(server.secrets.open('otp', row?.seed ?? Buffer.alloc(0))).toBe(secret)
    expect(() => server.secrets.open('mail', row?.seed ?? Buffer.alloc(0))).toThrow()
    const salts = (await storedCodes(ada.personId)).map(({ salt }) => salt.toString('hex'))
    expect(new Set(salts).size).toBe(10)
  })

  test('RULE-13 no call returns a seed after enrolment', async () => {
    const ada = await given.person()
    const { secret, code } = await start(ada)
    await activate(ada, code())
    const answers = [
      await ada.call(otpEndpoints.read),
      await ada.call(meEndpoints.read),
      await ada.call(sessionEndpoints.reissue),
      await ada.call(otpEndpoints.renewRecoveryCodes),
      await ada.call(otpEndpoints.init),
      await ada.call(otpEndpoints.disable),
    ]
    for (const answer of answers) {
      expect(answer).toSucceed()
      expect(JSON.stringify(answer.body)).not.toContain(secret)
    }
  })
})

/** Creates the service of a node as other rooms call it. */
function serviceOf(node: TestServer) {
  const log = createLog('silent')
  return createOtpService({
    db: node.db,
    events: createEvents({ db: node.db, connection: node.testDatabase.connection, log }),
    audit: createAuditService(node.db),
    people: createPeopleService(node.db),
    secrets: node.secrets,
    attempts: createAttempts(node.db),
    notices: { send: async () => {}, sendTo: async () => {} },
    noticeLock: async () => {},
    revoke: async () => {},
  })
}

async function recover(personId: string, pasted: string, node = server): Promise<OtpEnrolment | null> {
  const otp = serviceOf(node)
  const result = await node.db.transaction().execute((trx) => otp.recover(trx, personId, pasted))
  if (result !== null) authenticatorOf(result)
  return result
}

function consume(personId: string, otp: string, node = server): Promise<boolean> {
  return node.db.transaction().execute((trx) => serviceOf(node).consume(trx, personId, otp))
}

describe('recover', () => {
  test('DEC-06 RULE-17 one unused code replaces seed and codes in one step', async () => {
    const ada = await given.person({ otp: true })
    const pending = await start(ada)
    expect(await enterCode(ada, ada.otp.code(1))).toSucceed()
    const pasted = `here you are: ${ada.otp.recoveryCodes[3]?.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')}`
    const fresh = await recover(ada.personId, pasted)
    const totp = authenticatorOf(fresh as OtpEnrolment)
    expect(totp.label).toBe(ada.email)
    expect(totp.secret.base32).not.toBe(ada.otp.secret)
    expect(fresh?.recoveryCodes).toHaveLength(10)

    expect(await enterCode(ada, ada.otp.code(1))).toFailWith('INVALID_OTP')
    // A new secret starts without used time steps.
    expect(await enterCode(ada, totp.generate())).toSucceed()
    expect(await activate(ada, pending.code())).toFailWith('OTP_NOT_STARTED')
    expect(await storedCodes(ada.personId)).toHaveLength(10)
    expect(await recover(ada.personId, ada.otp.recoveryCodes.join('\n'))).toBeNull()
    expect(await recover(ada.personId, fresh?.recoveryCodes.join('\n') ?? '')).not.toBeNull()
  })

  test('RULE-17 used, pending and foreign codes and stored hashes are rejected', async () => {
    const ada = await given.person({ otp: true })
    const grace = await given.person({ otp: true })
    const pending = await start(ada)
    const [row] = await storedCodes(ada.personId)
    expect(await recover(ada.personId, pending.recoveryCodes.join('\n'))).toBeNull()
    expect(await recover(ada.personId, grace.otp.recoveryCodes.join('\n'))).toBeNull()
    expect(await recover(ada.personId, row?.hash.toString('hex') ?? '')).toBeNull()
    expect(await recover(ada.personId, '')).toBeNull()
    await db
      .updateTable('recovery_code')
      .set({ used_at: sql<Date>`now()` })
      .where('person_id', '=', ada.personId)
      .execute()
    expect(await recover(ada.personId, ada.otp.recoveryCodes.join('\n'))).toBeNull()
    expect(await enterCode(ada, ada.otp.code())).toSucceed()
  })

  test('RULE-17 recovery finds the unused code among used ones', async () => {
    const ada = await given.person({ otp: true })
    const rows = await storedCodes(ada.personId)
    await db
      .updateTable('recovery_code')
      .set({ used_at: sql<Date>`now()` })
      .where(
        'id',
        'in',
        rows.slice(0, 9).map(({ id }) => id),
      )
      .execute()
    expect(await recover(ada.personId, ada.otp.recoveryCodes.join('\n'))).not.toBeNull()
  })

  test.each([
    ['one code', (codes: string[]) => () => codes[0] ?? ''],
    ['ten codes', (codes: string[]) => (index: number) => codes[index % 10] ?? ''],
  ])(
    'RULE-17 one of a hundred recoveries with %s on two nodes, twenty concurrent, succeeds',
    async (_, pick) => {
      const ada = await given.person({ otp: true })
      const codeOf = pick(ada.otp.recoveryCodes)
      const results = await inWaves(100, (index) => recover(ada.personId, codeOf(index), nodeOf(index)))
      expect(results.filter((result) => result !== null)).toHaveLength(1)
      expect(await storedCodes(ada.personId)).toHaveLength(10)
    },
  )
})

test('RULE-11 a code is accepted once in a hundred calls of different kinds on two nodes, twenty concurrent', async () => {
  const ada = await given.person({ otp: true })
  const code = ada.otp.code()
  const results = await inWaves(100, (index) => consume(ada.personId, code, nodeOf(index)))
  expect(results.filter((isRight) => isRight)).toHaveLength(1)
  expect(await consume(ada.personId, ada.otp.code(1))).toBe(true)
  expect(await consume(ada.personId, ada.otp.code(0))).toBe(false)
  const stranger = await given.person()
  expect(await consume(stranger.personId, code)).toBe(false)
})

test('RULE-11 a rolled-back transaction does not use up its code', async () => {
  const ada = await given.person({ otp: true })
  const code = ada.otp.code()
  const otp = serviceOf(server)
  await expect(
    db.transaction().execute(async (trx) => {
      expect(await otp.consume(trx, ada.personId, code)).toBe(true)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await consume(ada.personId, code)).toBe(true)
})

test('RULE-14 RULE-17 changes run one after another, so that no change activates a replaced seed', async () => {
  const ada = await given.person({ otp: true })
  const { code } = await start(ada)
  const held = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const change = db.transaction().execute(async (trx) => {
    await sql`select from person where id = ${ada.personId} for update`.execute(trx)
    isLocked.resolve()
    await held.promise
  })
  await isLocked.promise
  const waiting = [
    ada.call(otpEndpoints.init),
    activate(ada, code()),
    ada.call(otpEndpoints.renewRecoveryCodes),
    ada.call(otpEndpoints.disable),
    recover(ada.personId, ada.otp.recoveryCodes[0] ?? ''),
  ]
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.count
  }
  await expect.poll(countWaiting).toBe(waiting.length)
  held.resolve()
  await change
  await Promise.allSettled(waiting)
})

test('concurrent changes and sign-ins of one user finish in order and without a fault', async () => {
  const ada = await given.person({ otp: true })
  const vouchers = createVouchers(db)
  for (let round = 0; round < 5; round += 1) {
    await endWaits()
    await db.updateTable('otp').set({ last_step: null }).where('person_id', '=', ada.personId).execute()
    const { code } = await start(ada)
    const issued = await Promise.all(
      Array.from({ length: 4 }, () => vouchers.issue(db, { id: ada.personId, passwordVersion: 0 })),
    )
    const answers = await Promise.all([
      ...issued.map((voucher, index) =>
        nodeOf(index).call(loginEndpoints.login, {
          body: { type: 'otp', data: { voucher, otp: ada.otp.code() } },
        }),
      ),
      activate(ada, code()),
      second.call(otpEndpoints.renewRecoveryCodes, {}, ada.token),
      server.call(otpEndpoints.init, {}, ada.token),
    ])
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([])
    await db
      .updateTable('otp')
      .set({ seed: server.secrets.seal('otp', ada.otp.secret), enabled_at: sql<Date>`now()` })
      .where('person_id', '=', ada.personId)
      .execute()
  }
  await endWaits()
})
