import { meEndpoints, organisationEndpoints, rootPeopleEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { linkCalls } from '../../token-links/testing/link-calls.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db } = server
const { tokenOf, preflight, redeem, disable } = linkCalls(server)

const { invite, invitations, resendInvitation, revokeInvitation } = rootPeopleEndpoints
const registration = { firstname: 'Grace', lastname: 'Hopper', password: 'a moth in relay 70' }
const subject = /Einladung zu Pult/
const unknownId = '018f0000-0000-7000-8000-000000000000'

let root: GivenPerson
let count = 0
beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
  await db.deleteFrom('token_link').execute()
  root = await given.person({ firstname: 'Ruth', isRoot: true })
})

const newAddress = () => {
  count += 1
  return `invited${count}@example.org`
}
const mailedToken = async (address: string) => tokenOf((await mailbox.take(address, subject)).link)
const inviteTo = (email: string, isRoot?: boolean) =>
  root.call(invite, { body: { email, ...(isRoot !== undefined && { isRoot }) } })
const pending = async () => (await root.call(invitations)).body

const auditOf = async (target: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'detail'])
    .where('target', '=', target)
    .where('event', 'like', 'invitation.%')
    .orderBy('id')
    .execute()

/** Registers with the link and returns the new account. */
async function register(token: string) {
  const arrived = await redeem(token, registration)
  expect(arrived).toSucceed()
  server.watchSecret(arrived.body.token ?? '')
  return (await server.call(meEndpoints.read, {}, arrived.body.token)).body
}

test.each([
  [undefined, 'Create an account to sign in.'],
  [false, 'Create an account to sign in.'],
  [true, 'Your account can administer the whole installation (root).'],
])(
  'DEC-11 RULE-39 an invitation to an account with isRoot %s grants what its letter states, even when it is resent',
  async (isRoot, promise) => {
    const email = newAddress()
    const sent = await inviteTo(email, isRoot)
    expect(sent.body).toEqual({
      isMailed: true,
      invitation: {
        _id: expect.any(String),
        email,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        isExpired: false,
        productRole: null,
      },
    })
    expect(await pending()).toEqual({ items: [sent.body.invitation], total: 1 })
    const mail = await mailbox.take(email, subject)
    expect(mail.text).toContain(promise)
    const first = tokenOf(mail.link)

    const { _id: invitationId } = sent.body.invitation
    await db
      .updateTable('token_link')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('id', '=', invitationId)
      .execute()
    expect((await pending()).items).toMatchObject([{ _id: invitationId, isExpired: true }])
    const again = await root.call(resendInvitation, { params: { invitationId } })
    expect(again.body.invitation).toMatchObject({ email, isExpired: false })
    const token = await mailedToken(email)
    expect(await preflight(first)).toFailWith('LINK_NOT_VALID')
    expect((await preflight(token)).body).toEqual({
      action: 'invite:registration',
      data: { email, user: null },
    })
    expect(await register(token)).toMatchObject({ email, isRoot: isRoot === true })
    expect(await pending()).toEqual({ items: [], total: 0 })
  },
)

test('RULE-51 RULE-78 a revoked invitation is invalid, and invitations to places are not listed among those to accounts', async () => {
  const email = newAddress()
  const { invitation } = (await inviteTo(email, true)).body
  const { orgId } = await given.organisation(root)
  const toOrganisation = await root.call(organisationEndpoints.invite, { params: { orgId }, body: { email } })
  expect((await pending()).items.map(({ _id }) => _id)).toEqual([invitation._id])
  for (const call of [resendInvitation, revokeInvitation]) {
    for (const invitationId of [toOrganisation.body.invitation._id, unknownId]) {
      expect(await root.call(call, { params: { invitationId } })).toFailWith('NOT_FOUND')
    }
    const params = { orgId, invitationId: invitation._id }
    expect(await root.call(organisationEndpoints.revokeInvitation, { params })).toFailWith('NOT_FOUND')
  }

  const params = { invitationId: invitation._id }
  expect((await root.call(revokeInvitation, { params })).body).toBe(true)
  const tokens = [await mailedToken(email), await mailedToken(email)]
  const found = await Promise.all(tokens.map(async (token) => (await preflight(token)).code ?? 'open'))
  expect(found.toSorted()).toEqual(['LINK_NOT_VALID', 'open'])
  expect(await pending()).toEqual({ items: [], total: 0 })
  const rows = (await auditOf(email)).filter(({ detail }) => detail['link'] === invitation._id)
  expect(rows).toEqual([
    { event: 'invitation.created', actor_id: root.personId, detail: { link: invitation._id, isRoot: true } },
    { event: 'invitation.revoked', actor_id: root.personId, detail: { link: invitation._id } },
  ])
})

test('DEC-11 a user with a verified address is not invited, but an unverified claim does not prevent an invitation', async () => {
  const ada = await given.person()
  expect(await inviteTo(ada.email.toUpperCase())).toFailWith('ALREADY_MEMBER')
  expect(await inviteTo(ada.email, true)).toFailWith('ALREADY_MEMBER')
  expect(await pending()).toEqual({ items: [], total: 0 })
  const email = newAddress()
  await db
    .insertInto('email')
    .values({ id: unknownId, person_id: ada.personId, email, email_key: email })
    .execute()
  expect(await inviteTo(email)).toSucceed()
  for (const wrong of [
    '',
    'unknown',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
  ]) {
    expect(await inviteTo(wrong), wrong).toFailWith('VALIDATION_FAILED')
  }
})

test.each<[string, (personId: string) => Promise<unknown>]>([
  ['is disabled', (personId) => disable(personId)],
  [
    'is no longer root',
    (personId) => db.updateTable('person').set({ is_root: false }).where('id', '=', personId).execute(),
  ],
  ['was deleted', (personId) => root.call(rootPeopleEndpoints.remove, { params: { personId } })],
])('DEC-11 an invitation is neither valid nor listed if the root who created it %s', async (_, lose) => {
  const former = await given.person({ isRoot: true })
  const email = newAddress()
  expect(await former.call(invite, { body: { email, isRoot: true } })).toSucceed()
  const token = await mailedToken(email)
  expect(await preflight(token)).toSucceed()
  await lose(former.personId)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token, registration)).toFailWith('LINK_NOT_VALID')
  expect(await pending()).toEqual({ items: [], total: 0 })

  expect(await inviteTo(email)).toSucceed()
  expect(await register(await mailedToken(email))).toMatchObject({ email, isRoot: false })
})

test('DEC-12 without a mail server only the answer contains the link, and the first-root link is never listed', async () => {
  const alone = await testServer()
  const firstLink = (await alone.app.firstRootLink()) ?? ''
  const first = firstLink.split('/bift/')[1] ?? ''
  alone.watchSecret(first)
  const ruth = await alone.given.person({ isRoot: true })
  expect((await ruth.call(invitations)).body).toEqual({ items: [], total: 0 })

  const email = newAddress()
  const sent = await ruth.call(invite, { body: { email } })
  const { _id: invitationId } = sent.body.invitation
  const again = await ruth.call(resendInvitation, { params: { invitationId } })
  const [old = '', token = ''] = [sent, again].map(({ body }) => body.link?.split('/bift/')[1] ?? '')
  for (const secret of [old, token]) alone.watchSecret(secret)
  expect(again.body.link).toBe(`${alone.config.publicUrl}/bift/${token}`)
  const list = (await ruth.call(invitations)).body
  expect(list.total).toBe(1)
  expect(JSON.stringify(list)).not.toContain('bift')
  const use = (secret: string) =>
    alone.call(tokenLinkEndpoints.redeem, { params: { token: secret }, body: registration })
  expect(await use(old)).toFailWith('LINK_NOT_VALID')
  const arrived = await use(token)
  expect(arrived).toSucceed()
  alone.watchSecret(arrived.body.token ?? '')
  await alone.stop()
})
