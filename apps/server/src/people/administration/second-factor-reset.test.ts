import { loginEndpoints, meEndpoints, otpEndpoints, rootPeopleEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db } = server
const { resetSecondFactor } = rootPeopleEndpoints

test('RULE-19 RULE-32 RULE-78 root resets a lost second factor: its owner is notified and signs in with the password alone', async () => {
  const root = await given.person({ firstname: 'Ruth', isRoot: true })
  const otto = await given.person({ firstname: 'Otto', otp: true })
  const params = { personId: otto.personId }

  await root.forgetSignIn()
  expect(await root.call(resetSecondFactor, { params })).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await otto.call(otpEndpoints.read)).toSucceed()

  const recent = await given.person({ firstname: 'Rita', isRoot: true })
  expect(await recent.call(resetSecondFactor, { params })).toSucceed()
  expect(await otto.call(meEndpoints.read)).toFailWith('UNAUTHENTICATED')
  expect(await recent.call(meEndpoints.read)).toSucceed()
  const { body } = await server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: otto.email, password: otto.password } },
  })
  expect(body.token).toBeTypeOf('string')
  server.watchSecret(body.token ?? '')
  expect(await db.selectFrom('recovery_code').select('id').execute()).toEqual([])

  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id'])
    .where('target', '=', otto.personId)
    .where('event', 'like', 'otp.%')
    .execute()
  expect(rows).toEqual([{ event: 'otp.reset', actor_id: recent.personId }])
  await mailbox.take(otto.email, /zurückgesetzt/)

  expect(await recent.call(resetSecondFactor, { params })).toFailWith('OTP_NOT_ENABLED')
  const unknown = { personId: '018f0000-0000-7000-8000-000000000000' }
  expect(await recent.call(resetSecondFactor, { params: unknown })).toFailWith('NOT_FOUND')
})
