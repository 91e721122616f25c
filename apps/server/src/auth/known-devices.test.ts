import {
  confirmEndpoints,
  deviceHeader,
  loginEndpoints,
  passwordEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { hashToken, newToken } from '#platform/secrets.ts'
import { linkCalls } from '../token-links/testing/link-calls.ts'
import { sweepKnownDevices } from './known-devices.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const behindProxy = await testServer({ besides: server, settings: { TRUSTED_PROXIES: '127.0.0.1, ::1' } })
const { given, db } = server
const { addAddress, issue, redeem } = linkCalls(server)

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const login = (username: string, password: string, device?: string, on = server, headers = {}) =>
  on.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username, password } },
    headers: { ...headers, ...(device !== undefined && { [deviceHeader]: device }) },
  })

const newDevice = () => {
  const device = newToken()
  server.watchSecret(device)
  return device
}

/** Creates a user whose browser has signed in before. */
async function givenDevice(input: { isRoot?: boolean; otp?: true } = {}) {
  const person = await given.person(input)
  const device = newDevice()
  const answer = await login(person.email, person.password, device)
  if (answer.body.voucher !== undefined && person.otp !== undefined) {
    const data = { voucher: answer.body.voucher, otp: person.otp.code() }
    const headers = { [deviceHeader]: device }
    await server.call(loginEndpoints.login, { body: { type: 'otp', data }, headers })
  }
  return { person, device }
}

async function attack({ email }: GivenPerson, device?: string) {
  for (let round = 0; round < 6; round += 1) await login(email, 'wrong password', device)
}

const blockNetwork = () =>
  sql`insert into attempt (key, failures, blocked_until)
    values ('network:127.0.0.1', 100, now() + interval '5 minutes'), ('network:::/64', 100, now() + interval '5 minutes')
    on conflict (key) do update set failures = 100, blocked_until = excluded.blocked_until`.execute(db)

test('RULE-06 failures of strangers lock only unknown devices; root signs in from a known device on every node', async () => {
  const { person: root, device } = await givenDevice({ isRoot: true })
  await attack(root)
  await attack(root, newDevice())
  expect(await login(root.email, root.password)).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(root.email, root.password, newDevice())).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(root.email, root.password, device)).toSucceed()
  expect(await login(root.email, root.password, device, second)).toSucceed()

  const key = `password:${root.personId}`
  await db.updateTable('attempt').set({ failures: 100 }).where('key', '=', key).execute()
  expect(await login(root.email, root.password)).toFailWith('PASSWORD_RESET_NEEDED')
  expect(await login(root.email, root.password, device)).toSucceed()
  // A successful sign-in from a known device does not reset the attempts of unknown devices.
  expect(await login(root.email, root.password)).toFailWith('PASSWORD_RESET_NEEDED')
})

test('RULE-06 a known device has its own five free attempts, and its failures lock no other device', async () => {
  const { person, device } = await givenDevice()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      login(person.email, 'wrong password', device, index % 2 === 0 ? server : second),
    ),
  )
  expect(answers.filter(({ code }) => code === 'INVALID_CREDENTIALS')).toHaveLength(5)
  expect(await login(person.email, person.password, device)).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(person.email, person.password)).toSucceed()
})

test('RULE-05 a device known to one account is unknown to another', async () => {
  const { device } = await givenDevice()
  const bob = await given.person()
  await attack(bob)
  expect(await login(bob.email, bob.password, device)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-05 a device of an account with the same unverified address is unknown to the account that verified it', async () => {
  const { person: bob, device } = await givenDevice()
  await db.updateTable('email').set({ verified_at: null }).where('person_id', '=', bob.personId).execute()
  const ada = await given.person()
  await addAddress(ada.personId, bob.email)
  await blockNetwork()
  expect(await login(bob.email, ada.password, device)).toFailWith('TOO_MANY_REQUESTS')
  await db.deleteFrom('attempt').execute()
  await attack(ada)
  expect(await login(bob.email, ada.password, device)).toFailWith('TOO_MANY_REQUESTS')
})

test.each([
  ['trusted', behindProxy],
  ['untrusted', server],
])(
  'RULE-05 RULE-06 after 100 wrong passwords from 100 addresses behind a %s proxy, the owner’s own browser signs in on the first attempt',
  async (_, on) => {
    const { person: root, device } = await givenDevice({ isRoot: true })
    const from = (place: number) => ({ 'x-forwarded-for': `203.0.113.${place}` })
    for (let place = 1; place <= 100; place += 1)
      await login(root.email, 'wrong password', undefined, on, from(place))
    expect(await login(root.email, root.password, undefined, on, from(101))).toFailWith('TOO_MANY_REQUESTS')
    expect(await login(root.email, root.password, device, on, from(102))).toSucceed()
  },
)

test('RULE-05 a blocked network does not block the correct password and code of a known device', async () => {
  const { person, device } = await givenDevice({ otp: true })
  await db.updateTable('otp').set({ last_step: null }).where('person_id', '=', person.personId).execute()
  await blockNetwork()
  expect(await login(person.email, person.password)).toFailWith('TOO_MANY_REQUESTS')
  const { body } = await login(person.email, person.password, device)
  const data = { voucher: body.voucher ?? '', otp: person.otp?.code() ?? '' }
  const enter = (headers: Record<string, string>) =>
    server.call(loginEndpoints.login, { body: { type: 'otp', data }, headers })
  expect(await enter({})).toFailWith('TOO_MANY_REQUESTS')
  expect(await enter({ [deviceHeader]: device })).toSucceed()
})

test('RULE-05 a sign-in that the blocked network did not count gives the network no new attempt', async () => {
  const { person, device } = await givenDevice()
  await blockNetwork()
  for (let round = 0; round < 3; round += 1) {
    expect(await login(person.email, person.password, device)).toSucceed()
  }
  expect(await login(person.email, 'wrong password')).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-07 RULE-15 a known device can confirm and change the password during failures of strangers', async () => {
  const { person, device } = await givenDevice()
  await attack(person)
  const headers = { [deviceHeader]: device }
  const body = { type: 'password', password: person.password }
  expect(await person.call(confirmEndpoints.confirm, { body })).toFailWith('TOO_MANY_REQUESTS')
  expect(await person.call(confirmEndpoints.confirm, { body, headers })).toSucceed()
  const change = { oldPass: person.password, newPass: 'a moth in relay 70' }
  server.watchSecret(change.newPass)
  expect(await person.call(passwordEndpoints.change, { body: change, headers })).toSucceed()
})

test('RULE-28 the database stores only the hash of a device secret, and a malformed secret is ignored', async () => {
  const { person, device } = await givenDevice()
  const rows = await db
    .selectFrom('known_device')
    .select(sql<string>`secret_hash::text`.as('hash'))
    .where('person_id', '=', person.personId)
    .execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.hash).not.toContain(Buffer.from(device).toString('hex'))
  for (const wrong of ['', 'short', `${device}x`, `${device.slice(1)}!`]) {
    expect(await login(person.email, person.password, wrong)).toSucceed()
  }
  const { n } = await db
    .selectFrom('known_device')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('person_id', '=', person.personId)
    .executeTakeFirstOrThrow()
  expect(n).toBe(1)
})

test('RULE-06 after a password reset or a new password only the browser that made it is known', async () => {
  const { person, device } = await givenDevice()
  const stolen = newDevice()
  expect(await login(person.email, person.password, stolen)).toSucceed()
  const password = 'a moth in relay 70'
  server.watchSecret(password)
  const resetFrom = async (browser: string) =>
    server.call(tokenLinkEndpoints.redeem, {
      params: { token: await issue('user:reset-password', person) },
      body: { password },
      headers: { [deviceHeader]: browser },
    })
  expect(await resetFrom(device)).toSucceed()
  await attack(person)
  expect(await login(person.email, password, stolen)).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(person.email, password, device)).toSucceed()

  const phone = newDevice()
  expect(await resetFrom(phone)).toSucceed()
  await attack(person)
  expect(await login(person.email, password, device)).toFailWith('TOO_MANY_REQUESTS')
  const { body } = await login(person.email, password, phone)
  server.watchSecret(body.token ?? '')

  const newPass = 'a moth in relay 71'
  server.watchSecret(newPass)
  const change = { body: { newPass }, headers: { [deviceHeader]: stolen } }
  expect(await server.call(passwordEndpoints.change, change, body.token)).toSucceed()
  await attack(person)
  expect(await login(person.email, newPass, phone)).toFailWith('TOO_MANY_REQUESTS')
  expect(await login(person.email, newPass, stolen)).toSucceed()
  // A program sends no device, so none is known after its reset.
  expect(await redeem(await issue('user:reset-password', person), { password })).toSucceed()
  await attack(person)
  expect(await login(person.email, password, stolen)).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-06 RULE-15 a confirmation makes its browser known, a failed one does not', async () => {
  const person = await given.person()
  const device = newDevice()
  const confirm = (password: string) =>
    person.call(confirmEndpoints.confirm, {
      body: { type: 'password', password },
      headers: { [deviceHeader]: device },
    })
  const isKnown = async () =>
    (
      await db
        .selectFrom('known_device')
        .select('person_id')
        .where('secret_hash', '=', hashToken(device))
        .execute()
    ).length
  expect(await confirm('wrong password')).toFailWith('NOT_CONFIRMED')
  expect(await isKnown()).toBe(0)
  expect(await confirm(person.password)).toSucceed()
  expect(await confirm(person.password)).toSucceed()
  expect(await isKnown()).toBe(1)
})

test('the clean-up job deletes unused devices and keeps the 20 latest of an account', async () => {
  const ada = await given.person()
  await sql`insert into known_device (person_id, secret_hash, last_used_at)
    select ${ada.personId}::uuid, decode(lpad(to_hex(n), 64, '0'), 'hex'), now() - n * interval '1 day'
    from generate_series(1, 30) n`.execute(db)
  const old = await given.person()
  await sql`insert into known_device values (${old.personId}, '\\x00', now() - interval '181 days')`.execute(
    db,
  )
  await sweepKnownDevices(db)
  const left = async (personId: string) =>
    (await db.selectFrom('known_device').select('person_id').where('person_id', '=', personId).execute())
      .length
  expect(await left(ada.personId)).toBe(20)
  expect(await left(old.personId)).toBe(0)
})
