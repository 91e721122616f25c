import {
  confirmEndpoints,
  loginEndpoints,
  meEndpoints,
  passwordEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#platform/database/schema.ts'
import { createPeopleService } from '../../people/people.service.ts'
import { openTestSocket } from '../../platform/realtime/test-socket.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given, db } = server

/** Neither common passwords nor words of the user. */
const newPass = 'eisvogel-Qy27-Strandkorb'
const otherPass = 'wanderfalke-Km95-Leuchtturm'
for (const password of [newPass, otherPass]) server.watchSecret(password)

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const change = (token: string, body: object, on = server) =>
  on.call(passwordEndpoints.change, { body }, token)

const login = (username: string, password: string) =>
  server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

const me = (token: string) => server.call(meEndpoints.read, {}, token)

async function givenStaleSignIn() {
  const person: GivenPerson = await given.person()
  await person.forgetSignIn()
  return person
}

const stored = (personId: string) =>
  db
    .selectFrom('person')
    .select(['password_hash', 'password_version'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()

const failuresOf = async (personId: string) =>
  (
    await db
      .selectFrom('attempt')
      .select('failures')
      .where('key', '=', `password:${personId}`)
      .executeTakeFirst()
  )?.failures ?? 0

const rowsOf = (personId: string, event = 'password.changed') =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'address'])
    .where('event', '=', event)
    .where('target', '=', personId)
    .orderBy('at')
    .execute()

/** Polls outside the waiting transaction, whose `pg_stat_activity` snapshot would never change. */
async function untilWaiting(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      expect(rows).toEqual([{ waiting: count }])
    },
    { timeout: 30_000, interval: 20 },
  )
}

/** Holds the person row until all calls wait for it, runs `meanwhile`, and releases it. */
async function concurrently<Answer>(
  { personId }: Pick<GivenPerson, 'personId'>,
  calls: (() => Promise<Answer>)[],
  meanwhile: (trx: Transaction<Database>) => Promise<unknown> = async () => {},
): Promise<Answer[]> {
  const { answers } = await db.transaction().execute(async (trx) => {
    await createPeopleService(db).within(trx).lock(personId)
    const begun = calls.map((call) => call())
    // A call that is refused earlier never waits for the lock.
    await Promise.race([untilWaiting(calls.length), ...begun])
    await meanwhile(trx)
    // In an object: the transaction would await a returned promise, and the calls wait for the transaction.
    return { answers: Promise.all(begun) }
  })
  return answers
}

test('API-09 RULE-15 DEC-07 the current password authorises a change regardless of the age of the sign-in', async () => {
  const ada = await givenStaleSignIn()
  const answer = await change(ada.token, { oldPass: ada.password, newPass })
  expect(answer).toSucceed()
  expect(answer.body).toBe(true)
  expect(await login(ada.email, ada.password)).toFailWith('INVALID_CREDENTIALS')
  expect(await login(ada.email, newPass)).toSucceed()
})

test('PASS-04 RULE-15 a change without the current password requires a recent sign-in', async () => {
  const ada = await given.person()
  expect(await change(ada.token, { newPass })).toSucceed()
  expect(await login(ada.email, newPass)).toSucceed()

  await ada.forgetSignIn()
  const before = await stored(ada.personId)
  expect(await change(ada.token, { newPass: otherPass })).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await stored(ada.personId)).toEqual(before)

  expect(
    await ada.call(confirmEndpoints.confirm, { body: { type: 'password', password: newPass } }),
  ).toSucceed()
  expect(await change(ada.token, { newPass: otherPass })).toSucceed()
})

test('DEC-07 RULE-15 a current password in the call must be correct even after a recent sign-in, and counts as an attempt', async () => {
  const ada = await given.person()
  const before = await stored(ada.personId)
  expect(await change(ada.token, { oldPass: 'wrong password', newPass })).toFailWith('WRONG_PASSWORD')
  expect(await stored(ada.personId)).toEqual(before)
  expect(await failuresOf(ada.personId)).toBe(1)
  expect(await me(ada.token)).toSucceed()
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toSucceed()
  expect(await failuresOf(ada.personId)).toBe(0)
})

test('DEC-07 a correct current password authorises only its own call', async () => {
  const ada = await givenStaleSignIn()
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toSucceed()
  expect(await change(ada.token, { newPass: otherPass })).toFailWith('RECENT_SIGN_IN_NEEDED')
})

test('RULE-06 RULE-07 of 20 concurrent wrong passwords five are evaluated, and sign-in waits as well', async () => {
  const ada = await givenStaleSignIn()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      change(ada.token, { oldPass: 'wrong password', newPass }, index % 2 === 0 ? server : second),
    ),
  )
  const codes = answers.map(({ code }) => code)
  expect(codes.filter((code) => code === 'WRONG_PASSWORD')).toHaveLength(5)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(15)

  expect(await change(ada.token, { oldPass: ada.password, newPass })).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(ada.email, ada.password)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-06 failed sign-ins delay the current password as well', async () => {
  const ada = await givenStaleSignIn()
  for (let round = 0; round < 5; round += 1) await login(ada.email, 'wrong password')
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-06 after 100 failures the current password is rejected, and a new password resets the count', async () => {
  const ada = await given.person()
  await db
    .insertInto('attempt')
    .values({ key: `password:${ada.personId}`, failures: 100 })
    .execute()
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await change(ada.token, { newPass })).toSucceed()
  expect(await login(ada.email, newPass)).toSucceed()
})

test('RULE-06 the 100th wrong current password is audited as a lock', async () => {
  const ada = await given.person()
  await db
    .insertInto('attempt')
    .values({ key: `password:${ada.personId}`, failures: 98 })
    .execute()
  await change(ada.token, { oldPass: 'wrong password', newPass })
  expect(await rowsOf(ada.personId, 'password.locked')).toEqual([])
  await db.updateTable('attempt').set({ blocked_until: null }).execute()
  await change(ada.token, { oldPass: 'wrong password', newPass })
  expect(await rowsOf(ada.personId, 'password.locked')).toHaveLength(1)
})

test('RULE-07 an account without a password rejects every current password and can set its first one', async () => {
  const ada = await given.person()
  await db.updateTable('person').set({ password_hash: null }).where('id', '=', ada.personId).execute()
  for (const oldPass of [ada.password, 'no account has this password']) {
    expect(await change(ada.token, { oldPass, newPass })).toFailWith('WRONG_PASSWORD')
  }
  expect(await failuresOf(ada.personId)).toBe(2)
  expect(await change(ada.token, { newPass })).toSucceed()
  expect(await login(ada.email, newPass)).toSucceed()
})

const refusedPasswords = [
  ['short', 'PASSWORD_TOO_SHORT'],
  ['ö'.repeat(7), 'PASSWORD_TOO_SHORT'],
  ['x'.repeat(257), 'PASSWORD_TOO_LONG'],
  ['ä'.repeat(600), 'PASSWORD_TOO_LONG'],
  ['password1', 'PASSWORD_TOO_COMMON'],
  ['lovelace-1815', 'PASSWORD_TOO_COMMON'],
  ['second.address!', 'PASSWORD_TOO_COMMON'],
] as const

test.each(refusedPasswords)(
  'RULE-02 RULE-03 PASS-02 the new password %s is rejected with %s',
  async (password, code) => {
    const ada = await given.person()
    await db
      .insertInto('email')
      .values({
        id: uuidv7(),
        person_id: ada.personId,
        email: 'second@address.example',
        email_key: 'second@address.example',
      })
      .execute()
    const before = await stored(ada.personId)
    expect(await change(ada.token, { newPass: password })).toFailWith(code)
    expect(await change(ada.token, { oldPass: ada.password, newPass: password })).toFailWith(code)
    expect(await stored(ada.personId)).toEqual(before)
  },
)

test('RULE-54 an invalid body is rejected and counts no attempt', async () => {
  const ada = await given.person()
  const bodies: object[] = [
    {},
    { newPass: 12345678 },
    { newPass: null },
    { oldPass: '', newPass },
    { oldPass: null, newPass },
    { oldPass: 'x'.repeat(1025), newPass },
    { newPass, personId: ada.personId },
    { newPass, confirmation: newPass },
  ]
  for (const body of bodies) expect(await change(ada.token, body)).toFailWith('VALIDATION_FAILED')
  expect(await failuresOf(ada.personId)).toBe(0)
  expect(await login(ada.email, ada.password)).toSucceed()
})

test('RULE-32 DEC-08 a change ends all other sessions and their sockets on every node, but not the current one', async () => {
  const ada = await given.person()
  const bob = await given.person({ firstname: 'Bob' })
  const [left, right] = [await ada.openSession(), await ada.openSession()]
  const leaving = [
    await openTestSocket(server.url, { token: left }),
    await openTestSocket(second.url, { token: right }),
  ]
  const staying = [
    await openTestSocket(second.url, { token: ada.token }),
    await openTestSocket(server.url, { token: bob.token }),
  ]
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toSucceed()

  const codes = await Promise.all(leaving.map(async ({ closed }) => (await closed).code))
  expect(codes).toEqual([4401, 4401])
  for (const token of [left, right]) {
    expect(await me(token)).toFailWith('UNAUTHENTICATED')
    expect(await server.call(sessionEndpoints.reissue, {}, token)).toFailWith('UNAUTHENTICATED')
  }
  for (const socket of staying) expect(await socket.ask({ type: 'ping' })).toBe('pong')
  expect(await me(ada.token)).toSucceed()
  expect(await me(bob.token)).toSucceed()
})

test('RULE-32 RULE-39 a change ends vouchers, links and open ceremonies of the user, and none of other users', async () => {
  const [ada, bob] = [await given.person(), await given.person({ firstname: 'Bob' })]
  for (const { personId, email } of [ada, bob]) {
    const token = Buffer.from(personId)
    const soon = sql<Date>`now() + interval '5 minutes'`
    await db
      .insertInto('otp_voucher')
      .values({ token_hash: token, person_id: personId, password_version: 0, expires_at: soon })
      .execute()
    await db
      .insertInto('passkey_challenge')
      .values({
        challenge_hash: token,
        ceremony: 'login',
        is_named: true,
        person_id: personId,
        expires_at: soon,
      })
      .execute()
    await db
      .insertInto('token_link')
      .values({
        id: uuidv7(),
        token_hash: token,
        action: 'user:reset-password',
        person_id: personId,
        email,
        email_key: email,
        data: '{}',
        expires_at: soon,
      })
      .execute()
  }
  expect(await change(ada.token, { newPass })).toSucceed()

  const owners = (rows: { person_id: string | null }[]) => rows.map(({ person_id }) => person_id)
  expect(owners(await db.selectFrom('otp_voucher').select('person_id').execute())).toEqual([bob.personId])
  expect(owners(await db.selectFrom('passkey_challenge').select('person_id').execute())).toEqual([
    bob.personId,
  ])
  const open = db.selectFrom('token_link').select('person_id').where('voided_at', 'is', null)
  expect(owners(await open.execute())).toEqual([bob.personId])
})

test('RULE-19 a change is reported to all verified addresses and no other', async () => {
  const ada = await given.person()
  await db
    .insertInto('email')
    .values(
      ['verified@example.net', 'claimed@example.net'].map((email) => ({
        id: uuidv7(),
        person_id: ada.personId,
        email,
        email_key: email,
        verified_at: email.startsWith('verified') ? sql<Date>`now()` : null,
      })),
    )
    .execute()
  await change(ada.token, { oldPass: 'wrong password', newPass })
  expect(await change(ada.token, { oldPass: ada.password, newPass })).toSucceed()
  for (const address of [ada.email, 'verified@example.net']) {
    const { text } = await mailbox.take(address, /password was changed/)
    expect(text).toContain(`${server.config.publicUrl}/me/sessions`)
  }
  const mails = mailbox.received.filter(({ subject }) => subject.includes('password was changed'))
  expect(mails.filter(({ to }) => to === ada.email)).toHaveLength(1)
  expect(mails.map(({ to }) => to)).not.toContain('claimed@example.net')
})

test('RULE-32 of two concurrent changes from two sessions the one whose session ended has no effect', async () => {
  const ada = await given.person()
  const elsewhere = await ada.openSession()
  const answers = await concurrently(ada, [
    () => change(ada.token, { oldPass: ada.password, newPass }),
    () => change(elsewhere, { oldPass: ada.password, newPass: otherPass }, second),
  ])
  const codes = answers.map(({ code }) => code ?? 'changed')
  expect(codes.toSorted()).toEqual(['UNAUTHENTICATED', 'changed'])

  const isFirst = codes[0] === 'changed'
  const [winner, loser] = isFirst ? [ada.token, elsewhere] : [elsewhere, ada.token]
  expect(await me(winner)).toSucceed()
  expect(await me(loser)).toFailWith('UNAUTHENTICATED')
  expect(await login(ada.email, isFirst ? newPass : otherPass)).toSucceed()
  expect(await login(ada.email, isFirst ? otherPass : newPass)).toFailWith('INVALID_CREDENTIALS')
  expect((await stored(ada.personId)).password_version).toBe(1)
  expect((await rowsOf(ada.personId)).map(({ result }) => result)).toEqual(['success'])
})

test('DEC-07 of two concurrent changes in one session the second fails because its current password was replaced', async () => {
  const ada = await given.person()
  const answers = await concurrently(ada, [
    () => change(ada.token, { oldPass: ada.password, newPass }),
    () => change(ada.token, { oldPass: ada.password, newPass: otherPass }, second),
  ])
  const codes = answers.map(({ code }) => code ?? 'changed')
  expect(codes.toSorted()).toEqual(['WRONG_PASSWORD', 'changed'])
  expect((await stored(ada.personId)).password_version).toBe(1)
  expect(await me(ada.token)).toSucceed()
})

test('RULE-32 a session that a concurrent logout ended changes nothing', async () => {
  const ada = await given.person()
  const [answer] = await concurrently(ada, [() => change(ada.token, { newPass })], async () =>
    expect(await ada.call(sessionEndpoints.logout)).toSucceed(),
  )
  expect(answer).toFailWith('UNAUTHENTICATED')
  expect((await stored(ada.personId)).password_version).toBe(0)
})

test('RULE-30 a user who is disabled during the call changes nothing', async () => {
  const ada = await given.person()
  const [answer] = await concurrently(ada, [() => change(ada.token, { newPass })], (trx) =>
    trx.updateTable('person').set({ disabled_at: sql<Date>`now()` }).where('id', '=', ada.personId).execute(),
  )
  expect(answer).toFailWith('UNAUTHENTICATED')
  expect((await stored(ada.personId)).password_version).toBe(0)
})

test('RULE-78 each change is audited, including those rejected for a wrong password', async () => {
  const ada = await given.person()
  await change(ada.token, { oldPass: 'wrong password', newPass })
  await change(ada.token, { oldPass: ada.password, newPass })
  const rows = await rowsOf(ada.personId)
  expect(rows).toMatchObject([
    { result: 'failure', actor_id: null },
    { result: 'success', actor_id: ada.personId },
  ])
  expect(rows.every(({ address }) => address !== null)).toBe(true)
})
