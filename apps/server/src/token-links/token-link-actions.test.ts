import {
  loginEndpoints,
  meEndpoints,
  passkeyLoginEndpoints,
  recoveryEndpoints,
  type TokenLinkAction,
} from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashToken } from '#platform/secrets.ts'
import { linkCalls } from './testing/link-calls.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server
const calls = linkCalls(server)
const { addAddress, expire, issue, preflight, redeem, whileHeld } = calls

const password = 'a moth in relay 70'
server.watchSecret(password)
let count = 0

const tokenLinkActions = [
  'invite:registration',
  'user:reset-password',
  'user:otp-recovery',
  'user:email-confirmation',
] as const

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

/**
 * Creates a user with a second factor and an unverified address, and a link of the action. Links to register have no
 * user.
 */
async function linkFor(action: TokenLinkAction) {
  const ada = await given.person({ otp: true })
  count += 1
  const email = `added${count}@example.org`
  const own: Record<TokenLinkAction, object> = {
    'invite:registration': { firstname: 'Grace', lastname: 'Hopper', password },
    'user:reset-password': { password },
    'user:otp-recovery': { codes: ada.otp.recoveryCodes[0] },
    'user:email-confirmation': {},
  }
  const tokens: Record<TokenLinkAction, () => Promise<string>> = {
    'invite:registration': () =>
      issue(action, { personId: null, email }, { isRoot: false, isFirstRoot: false }),
    'user:reset-password': () => issue(action, ada),
    'user:otp-recovery': () => issue(action, ada),
    'user:email-confirmation': async () => {
      const emailId = await addAddress(ada.personId, email, false)
      return issue(action, { personId: ada.personId, email }, { emailId })
    },
  }
  return { ada, own, token: await tokens[action]() }
}

describe('RULE-36 a link works only for its own action:', () => {
  test.each(tokenLinkActions)('%s', async (action) => {
    const { own, token } = await linkFor(action)
    for (const other of tokenLinkActions) {
      if (other === action) continue
      expect(await redeem(token, own[other])).toFailWith('VALIDATION_FAILED')
    }
    expect((await preflight(token)).body.action).toBe(action)
    expect(await redeem(token, own[action])).toSucceed()
  })

  test.each(tokenLinkActions)('%s cannot be used for another action', async (action) => {
    const { ada, own, token } = await linkFor(action)
    expect(await server.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
    const { code } = ada.otp
    const otpLogin = { type: 'otp', data: { voucher: token, otp: code() } }
    expect(await server.call(loginEndpoints.login, { body: otpLogin })).toFailWith('VOUCHER_NOT_VALID')
    expect(await server.call(recoveryEndpoints.recoverOtp, { body: { voucher: token } })).toFailWith(
      'VOUCHER_NOT_VALID',
    )
    const result = {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
    }
    const verified = await server.call(passkeyLoginEndpoints.verify, { body: { userToken: token, result } })
    expect(verified.body).toEqual({ verified: false })
    expect(await redeem(token, own[action])).toSucceed()
  })
})

test('RULE-36 vouchers and session tokens are not valid links', async () => {
  const ada = await given.person({ otp: true })
  for (const token of [await calls.voucherOf(ada), ada.token]) {
    expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
    expect(await redeem(token, { password })).toFailWith('LINK_NOT_VALID')
  }
})

test.each(tokenLinkActions.filter((action) => action !== 'user:email-confirmation'))(
  'RULE-37 a used link of %s is not repeatable',
  async (action) => {
    const { own, token } = await linkFor(action)
    expect(await redeem(token, own[action])).toSucceed()
    expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
    expect(await redeem(token, own[action])).toFailWith('LINK_NOT_VALID')
  },
)

const confirmed = async () => {
  const { ada, token } = await linkFor('user:email-confirmation')
  expect(await redeem(token, {})).toSucceed()
  return { ada, token }
}

const refusals = (token: string) =>
  db
    .selectFrom('audit')
    .innerJoin('token_link', (join) => join.on(sql`token_link.id::text`, '=', sql`audit.target`))
    .select('audit.id')
    .where('audit.event', '=', 'link.redeemed')
    .where('token_hash', '=', hashToken(token))
    .execute()

describe('RULE-37 a used confirmation', () => {
  test('succeeds again while the address is verified, and does not count against its network', async () => {
    const { token } = await confirmed()
    for (let round = 0; round < 3; round += 1) {
      expect(await preflight(token)).toSucceed()
      const again = await redeem(token, {}, round === 1 ? second : server)
      expect(again).toSucceed()
      expect(again.body).toEqual({})
    }
    const tries = await db.selectFrom('attempt').select('failures').where('key', 'like', 'link:%').execute()
    expect(tries.filter(({ failures }) => failures > 0)).toEqual([])
  })

  test('still succeeds after the link’s lifetime', async () => {
    const { token } = await confirmed()
    await expire(token)
    expect(await preflight(token)).toSucceed()
    expect(await redeem(token, {})).toSucceed()
  })

  test('fails when the address is no longer verified', async () => {
    const { ada, token } = await confirmed()
    await db
      .updateTable('email')
      .set({ verified_at: null })
      .where('person_id', '=', ada.personId)
      .where('is_default', '=', false)
      .execute()
    expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
    expect(await redeem(token, {})).toFailWith('LINK_NOT_VALID')
    expect(await refusals(token)).toHaveLength(1)
  })

  test('succeeds for two concurrent calls with one effect', async () => {
    const { ada, token } = await linkFor('user:email-confirmation')
    // Both found the link open.
    const answers = await whileHeld(ada.personId, () => [redeem(token, {}), redeem(token, {}, second)])
    for (const answer of answers) {
      expect(answer).toSucceed()
      expect(answer.body).toEqual({})
    }
    expect(await refusals(token)).toEqual([])
    const verified = await db
      .selectFrom('audit')
      .select('id')
      .where('event', '=', 'email.verified')
      .where('target', '=', ada.personId)
      .execute()
    expect(verified).toHaveLength(1)
  })
})

test('RULE-37 RULE-39 a replaced confirmation is invalid even if another one has verified the address', async () => {
  const ada = await given.person()
  const email = 'twice@example.org'
  const emailId = await addAddress(ada.personId, email, false)
  const claim = () => issue('user:email-confirmation', { personId: ada.personId, email }, { emailId })
  const older = await claim()
  const newer = await claim()
  expect(await redeem(newer, {})).toSucceed()
  expect(await preflight(older)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(older, {})).toFailWith('LINK_NOT_VALID')
})

test('RULE-37 RULE-38 an unused expired confirmation is invalid even if the address is verified', async () => {
  const ada = await given.person()
  const email = 'late@example.org'
  const emailId = await addAddress(ada.personId, email)
  const token = await issue('user:email-confirmation', { personId: ada.personId, email }, { emailId })
  await expire(token)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token, {})).toFailWith('LINK_NOT_VALID')
})
