import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  emailEndpoints,
  homeEndpoints,
  loginEndpoints,
  meEndpoints,
  organisationEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  recoveryEndpoints,
  rootPeopleEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, taskEnd, testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { linksIn, shownIn } from '#platform/mail/testing/links-in.ts'
import { hashToken } from '#platform/secrets.ts'
import { linkCalls } from '../token-links/testing/link-calls.ts'
import { createTokenLinkRepository } from '../token-links/token-link.repository.ts'

const mailbox = await openMailbox()
const server = await testServer({
  settings: { SMTP_URL: mailbox.url, PULT_URL: 'https://pult.example.org' },
})
const { given, db } = server
const { disable } = linkCalls(server)

const unknownId = '018f0000-0000-7000-8000-000000000000'
const registration = { firstname: 'Grace', lastname: 'Hopper', password: 'a moth in relay 70' }
const subject = /Einladung zu Pult/

const toOrganisation = {
  list: organisationEndpoints.invitations,
  invite: organisationEndpoints.invite,
  resend: organisationEndpoints.resendInvitation,
  revoke: organisationEndpoints.revokeInvitation,
}
const toProject = {
  list: projectEndpoints.invitations,
  invite: projectEndpoints.invite,
  resend: projectEndpoints.resendInvitation,
  revoke: projectEndpoints.revokeInvitation,
}

let owner: GivenPerson
let member: GivenPerson
let orgId: string
let projectId: string
let count = 0
/** Returns an unused address. */
const newAddress = () => {
  count += 1
  return `invited${count}@example.org`
}

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
  owner = await given.person({ firstname: 'Olga' })
  member = await given.person({ firstname: 'Mia' })
  orgId = (await given.organisation(owner, { label: 'Messe Nord', members: [member] })).orgId
  projectId = (await given.project(owner, { label: 'Hall 7' })).projectId
})

function tokenOf(link: string | undefined): string {
  const token = link?.split('/bift/')[1] ?? ''
  server.watchSecret(token)
  return token
}
const mailedToken = async (address: string) => tokenOf((await mailbox.take(address, subject)).link)

const preflight = (token: string) => server.call(tokenLinkEndpoints.preflight, { params: { token } })
const redeem = (token: string, body: object = registration, session?: string) =>
  server.call(tokenLinkEndpoints.redeem, { params: { token }, body }, session)

const invite = (email: string, by = owner) =>
  by.call(toOrganisation.invite, { params: { orgId }, body: { email } })
const inviteToProject = (email: string, productRole = 'project/operator', by = owner) =>
  by.call(toProject.invite, { params: { projectId }, body: { email, productRole } })
const pending = async () => (await owner.call(toOrganisation.list, { params: { orgId } })).body
const pendingToProject = async () => (await owner.call(toProject.list, { params: { projectId } })).body

const auditOf = async (target: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'project_id', 'detail'])
    .where('target', '=', target)
    .orderBy('id')
    .execute()

test('DEC-11 DEC-14 an invitation to an organisation is mailed and makes a new user a member', async () => {
  const email = newAddress()
  const sent = await invite(email)
  expect(sent).toSucceed()
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
  const { createdAt, expiresAt } = sent.body.invitation
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 3600 * 1000)
  expect(await pending()).toEqual({ items: [sent.body.invitation], total: 1 })

  const mail = await mailbox.take(email, subject)
  expect(mail.text).toContain('Olga Lovelace lädt Sie zu Pult ein. Die Einladung gilt für „Messe Nord“.')
  expect(mail.text).toContain('The invitation is for "Messe Nord".')
  expect(mail.link).toMatch(/^https:\/\/pult\.example\.org\/bift\//)
  const token = tokenOf(mail.link)
  expect((await preflight(token)).body).toEqual({
    action: 'invite:registration',
    data: { email, user: null },
  })

  const arrived = await redeem(token)
  expect(arrived).toSucceed()
  const members = await owner.call(organisationEndpoints.members, { params: { orgId } })
  expect(members.body.items.map((person) => person.email)).toContain(email)
  expect(
    (await server.call(organisationEndpoints.read, { params: { orgId } }, arrived.body.token)).body.access,
  ).toBe('member')
  expect(await pending()).toEqual({ items: [], total: 0 })
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
})

test('DEC-11 an invitation to a project gives an existing user the grant after sign-in', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const sent = await inviteToProject(ada.email)
  expect(sent.body.invitation.productRole).toBe('project/operator')
  const token = await mailedToken(ada.email)
  for (const session of [undefined, eve.token]) {
    expect(await redeem(token, {}, session)).toFailWith('SIGN_IN_TO_ACCEPT')
  }
  expect(await ada.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
  const accepted = await redeem(token, {}, ada.token)
  expect(accepted.body).toEqual({ projectId })
  const { body } = await ada.call(projectEndpoints.read, { params: { projectId } })
  expect(body).toMatchObject({
    access: 'grant',
    grants: [{ user: ada.personId, productRole: 'project/operator' }],
  })
  expect((await ada.call(meEndpoints.read)).body.scope).toContain(`p-${projectId}/r-project-details:notes`)
  expect(await eve.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
})

test('DEC-11 an invitation to a project registers a new user, and one to an organisation adds an existing user', async () => {
  const email = newAddress()
  await inviteToProject(email, 'project/viewer')
  const { token = '' } = (await redeem(await mailedToken(email))).body
  expect((await server.call(meEndpoints.read, {}, token)).body).toMatchObject({
    email,
    isRoot: false,
    scope: [`p-${projectId}/r-project-details`],
  })

  const ada = await given.person()
  await invite(ada.email)
  expect(await redeem(await mailedToken(ada.email), {}, ada.token)).toSucceed()
  expect(await ada.call(organisationEndpoints.read, { params: { orgId } })).toSucceed()
})

test('DEC-11 one address can be invited to two places concurrently and can join both', async () => {
  const email = newAddress()
  await invite(email)
  const toOrg = await mailedToken(email)
  await inviteToProject(email)
  const toThe = await mailedToken(email)
  expect(await preflight(toOrg)).toSucceed()
  expect(await preflight(toThe)).toSucceed()

  const { token = '' } = (await redeem(toOrg)).body
  expect(await redeem(toThe, {}, token)).toSucceed()
  expect(await server.call(organisationEndpoints.read, { params: { orgId } }, token)).toSucceed()
  expect(await server.call(projectEndpoints.read, { params: { projectId } }, token)).toSucceed()
})

test('RULE-39 resending or repeating an invitation voids the previous link', async () => {
  const email = newAddress()
  const first = await invite(email)
  const firstToken = await mailedToken(email)
  const again = await owner.call(toOrganisation.resend, {
    params: { orgId, invitationId: first.body.invitation._id },
  })
  expect(again.body.invitation).toMatchObject({ email, isExpired: false })
  const secondToken = await mailedToken(email)
  expect(await preflight(firstToken)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(firstToken)).toFailWith('LINK_NOT_VALID')

  await invite(email.toUpperCase())
  const thirdToken = await mailedToken(email.toUpperCase().replace('EXAMPLE.ORG', 'example.org'))
  expect(await preflight(secondToken)).toFailWith('LINK_NOT_VALID')
  expect((await pending()).total).toBe(1)
  expect(await redeem(thirdToken)).toSucceed()

  // Resending keeps the role; a new invitation replaces it.
  const other = newAddress()
  const toViewer = await inviteToProject(other, 'project/viewer')
  await mailedToken(other)
  const resent = await owner.call(toProject.resend, {
    params: { projectId, invitationId: toViewer.body.invitation._id },
  })
  expect(resent.body.invitation.productRole).toBe('project/viewer')
  await inviteToProject(other, 'project/maintainer')
  expect((await pendingToProject()).items.map(({ productRole }) => productRole)).toEqual([
    'project/maintainer',
  ])
})

test('DEC-10 a revoked invitation is invalid and not listed', async () => {
  const email = newAddress()
  const { invitation } = (await invite(email)).body
  const token = await mailedToken(email)
  const params = { orgId, invitationId: invitation._id }
  expect((await owner.call(toOrganisation.revoke, { params })).body).toBe(true)
  expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  expect((await pending()).total).toBe(0)
  expect(await owner.call(toOrganisation.revoke, { params })).toFailWith('NOT_FOUND')
  expect(await owner.call(toOrganisation.resend, { params })).toFailWith('NOT_FOUND')
})

test('DEC-10 an expired invitation stays listed and is valid again after it is resent', async () => {
  const email = newAddress()
  const { invitation } = (await invite(email)).body
  const token = await mailedToken(email)
  await db
    .updateTable('token_link')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', invitation._id)
    .execute()
  expect((await pending()).items).toMatchObject([{ _id: invitation._id, email, isExpired: true }])
  expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
  await owner.call(toOrganisation.resend, { params: { orgId, invitationId: invitation._id } })
  expect((await pending()).items).toMatchObject([{ email, isExpired: false }])
  expect(await redeem(await mailedToken(email))).toSucceed()
})

test('RULE-51 an invitation belongs to the place of the path', async () => {
  const otherOrg = await given.organisation(owner)
  const otherProject = await given.project(owner)
  const toOrg = (await invite(newAddress())).body.invitation._id
  const toTheProject = (await inviteToProject(newAddress())).body.invitation._id
  for (const params of [
    { orgId: otherOrg.orgId, invitationId: toOrg },
    { orgId, invitationId: toTheProject },
    { orgId, invitationId: unknownId },
    { orgId: unknownId, invitationId: toOrg },
  ]) {
    expect(await owner.call(toOrganisation.resend, { params })).toFailWith('NOT_FOUND')
    expect(await owner.call(toOrganisation.revoke, { params })).toFailWith('NOT_FOUND')
  }
  for (const params of [
    { projectId: otherProject.projectId, invitationId: toTheProject },
    { projectId, invitationId: toOrg },
    { projectId, invitationId: unknownId },
  ]) {
    expect(await owner.call(toProject.resend, { params })).toFailWith('NOT_FOUND')
    expect(await owner.call(toProject.revoke, { params })).toFailWith('NOT_FOUND')
  }
  expect((await pending()).items.map(({ _id }) => _id)).toEqual([toOrg])
  expect((await pendingToProject()).items.map(({ _id }) => _id)).toEqual([toTheProject])
})

test('DEC-11 members, invalid addresses and unknown roles cannot be invited', async () => {
  expect(await invite(member.email.toUpperCase())).toFailWith('ALREADY_MEMBER')
  expect(await invite(owner.email)).toFailWith('ALREADY_MEMBER')
  const holder = await given.person()
  await inviteToProject(holder.email)
  await redeem(await mailedToken(holder.email), {}, holder.token)
  expect(await inviteToProject(holder.email)).toFailWith('ALREADY_MEMBER')
  expect(await inviteToProject(holder.email, 'project/viewer')).toSucceed()

  for (const email of [
    '',
    'unknown',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
  ]) {
    expect(await invite(email), email).toFailWith('VALIDATION_FAILED')
    expect(await inviteToProject(email), email).toFailWith('VALIDATION_FAILED')
  }
  for (const productRole of ['project/none', 'other/viewer', 'root']) {
    expect(await inviteToProject(newAddress(), productRole)).toFailWith('UNKNOWN_PRODUCT_ROLE')
  }
  const body = { email: newAddress(), productRole: 'project/viewer', isRoot: true }
  expect(await owner.call(toProject.invite, { params: { projectId }, body })).toFailWith('VALIDATION_FAILED')
})

test('RULE-37 of many concurrent acceptances of one link one succeeds and creates one membership', async () => {
  const ada = await given.person()
  await invite(ada.email)
  const token = await mailedToken(ada.email)
  const answers = await Promise.all(Array.from({ length: 12 }, () => redeem(token, {}, ada.token)))
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'LINK_NOT_VALID')).toHaveLength(11)
  const rows = await auditOf(orgId)
  expect(rows.map(({ event }) => event)).toEqual(['membership.added'])
})

test('DEC-11 accepting has no effect if the place was deleted or the user already has the role', async () => {
  const email = newAddress()
  await invite(email)
  const token = await mailedToken(email)
  await owner.call(organisationEndpoints.remove, { params: { orgId } })
  const { body } = await redeem(token)
  expect((await server.call(meEndpoints.read, {}, body.token)).body.email).toBe(email)
  expect((await server.call(organisationEndpoints.list, {}, body.token)).body.total).toBe(0)

  const ada = await given.person()
  await inviteToProject(ada.email, 'project/viewer')
  await db
    .insertInto('project_grant')
    .values({ id: unknownId, project_id: projectId, person_id: ada.personId, product_role: 'project/viewer' })
    .execute()
  expect(await redeem(await mailedToken(ada.email), {}, ada.token)).toSucceed()
  const { grants } = (await owner.call(projectEndpoints.read, { params: { projectId } })).body
  expect(grants).toHaveLength(1)
})

test('DEC-11 the names of an inviter, an organisation and a project make no link in the letter of an invitation', async () => {
  const label = 'https://evil.example/login'
  const mallory = await given.person({
    firstname: 'evil.example',
    lastname: 'www.x.yy a@b.example',
    email: newAddress(),
  })
  const [forOrg, forProject, forBatch] = [newAddress(), newAddress(), newAddress()]
  const org = (await mallory.call(organisationEndpoints.create, { body: { label } })).body
  const project = (await mallory.call(projectEndpoints.create, { body: { label } })).body
  const params = { projectId: project._id }
  await mallory.call(toOrganisation.invite, { params: { orgId: org._id }, body: { email: forOrg } })
  const sent = await mallory.call(toProject.invite, {
    params,
    body: { email: forProject, productRole: 'project/viewer' },
  })
  const { _id: invitationId } = sent.body.invitation
  await mallory.call(toProject.resend, { params: { ...params, invitationId } })
  const file = await upload(server, mallory, {
    name: 'people.csv',
    contentType: 'text/csv',
    content: Buffer.from(`email,productRole\n${forBatch},project/viewer\n`),
    project: project._id,
  })
  const task = (await mallory.call(projectTaskEndpoints.inviteAll, { params, body: { file } })).body
  expect((await taskEnd(mallory, task)).state).toMatchObject({ progress: [1, 1] })

  for (const email of [forOrg, forProject, forProject, forBatch]) {
    const mail = await mailbox.take(email, subject)
    tokenOf(mail.link)
    expect(mail.text).toContain('evil. example www. x. yy a@ b. example has invited you')
    expect(mail.text).toContain('https: //evil. example/login')
    expect(linksIn(mail.subject)).toEqual([])
    for (const text of [mail.text, shownIn(mail.html)])
      expect(new Set(linksIn(text))).toEqual(new Set([mail.link, email]))
    const targets = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    expect(new Set(targets)).toEqual(new Set([mail.link]))
  }
})

describe('the right of the inviter', () => {
  const enable = (personId: string) =>
    db.updateTable('person').set({ disabled_at: null }).where('id', '=', personId).execute()

  async function expectEnded(...tokens: string[]): Promise<void> {
    for (const token of tokens) {
      expect(await preflight(token)).toFailWith('LINK_NOT_VALID')
      expect(await redeem(token)).toFailWith('LINK_NOT_VALID')
    }
  }

  test('DEC-11 an invitation is not valid and not listed while its inviter is disabled', async () => {
    const root = await given.person({ isRoot: true })
    const [forOrg, forProject] = [newAddress(), newAddress()]
    await invite(forOrg)
    await inviteToProject(forProject)
    const [toOrg, toTheProject] = [await mailedToken(forOrg), await mailedToken(forProject)]
    await disable(owner.personId)
    await expectEnded(toOrg, toTheProject)
    expect((await root.call(toOrganisation.list, { params: { orgId } })).body.total).toBe(0)
    expect((await root.call(toProject.list, { params: { projectId } })).body.total).toBe(0)
    await enable(owner.personId)
    expect(await redeem(toOrg)).toSucceed()
    expect(await redeem(toTheProject)).toSucceed()
  })

  test('DEC-11 an invitation ends when its place gets another owner, who can invite again', async () => {
    const [forOrg, forProject] = [newAddress(), newAddress()]
    await invite(forOrg)
    await inviteToProject(forProject)
    const [toOrg, toTheProject] = [await mailedToken(forOrg), await mailedToken(forProject)]
    const handedOver = { params: { orgId }, body: { owner: member.personId } }
    expect(await owner.call(organisationEndpoints.update, handedOver)).toSucceed()
    await expectEnded(toOrg)
    expect((await member.call(toOrganisation.list, { params: { orgId } })).body.total).toBe(0)
    expect(await preflight(toTheProject)).toSucceed()
    await db.updateTable('project').set({ owner_id: member.personId }).where('id', '=', projectId).execute()
    await expectEnded(toTheProject)

    expect(await invite(forOrg, member)).toSucceed()
    expect(await redeem(await mailedToken(forOrg))).toSucceed()
  })

  test('DEC-11 an invitation by root is valid everywhere, and ends when root loses the right', async () => {
    const root = await given.person({ isRoot: true })
    const [forOrg, forProject, other] = [newAddress(), newAddress(), newAddress()]
    await invite(forOrg, root)
    await inviteToProject(forProject, 'project/viewer', root)
    await invite(other, root)
    const tokens = [await mailedToken(forOrg), await mailedToken(forProject)]
    expect(await redeem(await mailedToken(other))).toSucceed()
    await db.updateTable('person').set({ is_root: false }).where('id', '=', root.personId).execute()
    await expectEnded(...tokens)
  })

  test('DEC-11 an existing account cannot accept an invitation that has ended', async () => {
    const ada = await given.person()
    await inviteToProject(ada.email)
    const token = await mailedToken(ada.email)
    await disable(owner.personId)
    expect(await redeem(token, {}, ada.token)).toFailWith('LINK_NOT_VALID')
    expect(await ada.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
  })

  test('RULE-37 the statement that consumes a link checks the right of the inviter again', async () => {
    const email = newAddress()
    await invite(email)
    const links = createTokenLinkRepository(db)
    const link = await links.find(hashToken(await mailedToken(email)))
    if (link === undefined) throw new Error('The link was not found')
    await disable(owner.personId)
    expect(await links.use(link)).toBe(false)
    await enable(owner.personId)
    expect(await links.use(link)).toBe(true)
  })

  test('an invitation that is about to expire is not shown as a problem after its inviter has lost the right', async () => {
    const root = await given.person({ isRoot: true })
    const { invitation } = (await inviteToProject(newAddress(), 'project/viewer', root)).body
    await db
      .updateTable('token_link')
      .set({ expires_at: sql<Date>`now() + interval '1 hour'` })
      .where('id', '=', invitation._id)
      .execute()
    const shown = async () =>
      (await owner.call(homeEndpoints.read, { params: { projectId } })).body.problemsTotal
    expect(await shown()).toBe(1)
    await db.updateTable('person').set({ is_root: false }).where('id', '=', root.personId).execute()
    expect(await shown()).toBe(0)
  })
})

describe('DEC-12 without a mail server', async () => {
  const alone = await testServer()
  const secretOf = (link = '') => {
    const token = link.split('/bift/')[1] ?? ''
    alone.watchSecret(token)
    expect(link).toBe(`${alone.config.publicUrl}/bift/${token}`)
    return token
  }
  const look = async (token: string, session?: string) =>
    (await alone.call(tokenLinkEndpoints.preflight, { params: { token } }, session)).body.data.user
  const redeemHere = (token: string, content: object, session?: string) =>
    alone.call(tokenLinkEndpoints.redeem, { params: { token }, body: content }, session)
  const signIn = (username: string, password: string) =>
    alone.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })
  const accountOf = async (root: GivenPerson, search: string) => {
    const { items } = (await root.call(rootPeopleEndpoints.list, { query: { search } })).body
    return { personId: items[0]?._id ?? '', isEmailVerified: items[0]?.isEmailVerified }
  }
  const arrive = async (root: GivenPerson, email: string) => {
    const sent = await root.call(rootPeopleEndpoints.invite, { body: { email } })
    const { body } = await redeemHere(secretOf(sent.body.link), registration)
    alone.watchSecret(body.token ?? '')
    return body.token ?? ''
  }

  test('only root receives the link, other inviters learn that the mail waits, and the mail is stored in the data folder', async () => {
    const olga = await alone.given.person()
    const root = await alone.given.person({ isRoot: true })
    const organisation = await alone.given.organisation(olga)
    const { projectId: id } = await alone.given.project(olga)
    const email = newAddress()
    const body = { email, productRole: 'project/viewer' }
    const byOwner = await olga.call(toOrganisation.invite, { params: organisation, body: { email } })
    expect(byOwner.body).toEqual({ invitation: expect.anything(), isMailed: false })
    const waiting = await olga.call(toProject.invite, { params: { projectId: id }, body })
    expect(waiting.body).toEqual({ invitation: expect.anything(), isMailed: false })

    const params = { orgId: organisation.orgId, invitationId: byOwner.body.invitation._id }
    const byRoot = await root.call(toOrganisation.resend, { params })
    expect(byRoot.body.isMailed).toBe(false)
    const token = secretOf(byRoot.body.link)
    expect((await redeemHere(token, registration)).body.token).toBeDefined()
    const list = (await root.call(toOrganisation.list, { params: organisation })).body
    expect(JSON.stringify(list)).not.toContain('bift')

    const folder = join(alone.dataFolder, 'mail')
    await expect.poll(async () => (await readdir(folder).catch(() => [])).length).toBe(3)
    const mails = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    for (const mail of mails) expect(mail).toContain(`To: ${email}`)
  })

  test('RULE-15 root and owners invite only after a recent sign-in, also in a batch, whose task continues without one', async () => {
    const olga = await alone.given.person()
    const root = await alone.given.person({ isRoot: true })
    const params = await alone.given.organisation(olga)
    const { projectId: id } = await alone.given.project(olga)
    const email = newAddress()
    const body = { email, productRole: 'project/viewer' }
    const ofProject = { params: { projectId: id }, body }
    const toOrg = await olga.call(toOrganisation.invite, { params, body: { email } })
    const toTheProject = await olga.call(toProject.invite, ofProject)
    const again = { params: { ...params, invitationId: toOrg.body.invitation._id } }
    const againToProject = { params: { projectId: id, invitationId: toTheProject.body.invitation._id } }
    const invitedBy = (person: GivenPerson) =>
      Promise.all([
        person.call(toOrganisation.invite, { params, body: { email: newAddress() } }),
        person.call(toProject.invite, { params: { projectId: id }, body: { ...body, email: newAddress() } }),
        person.call(toOrganisation.resend, again),
        person.call(toProject.resend, againToProject),
      ])
    const inBatch = await upload(alone, root, {
      name: 'people.csv',
      contentType: 'text/csv',
      content: Buffer.from(`email,productRole\n${newAddress()},project/viewer\n`),
      project: id,
    })

    for (const person of [root, olga]) await person.forgetSignIn()
    for (const answer of [...(await invitedBy(root)), ...(await invitedBy(olga))])
      expect(answer).toFailWith('RECENT_SIGN_IN_NEEDED')
    const inviteAll = () =>
      root.call(projectTaskEndpoints.inviteAll, { params: { projectId: id }, body: { file: inBatch } })
    expect(await inviteAll()).toFailWith('RECENT_SIGN_IN_NEEDED')
    await alone.db
      .updateTable('session')
      .set({ authenticated_at: sql<Date>`now()` })
      .where('person_id', '=', root.personId)
      .execute()
    for (const answer of await invitedBy(root)) secretOf(answer.body.link)
    const batch = await inviteAll()
    await root.forgetSignIn()
    expect((await taskEnd(root, batch.body)).state.info).toBe('1 invited, 0 already members, 0 rejected')
  })

  test('RULE-45 a handed-over link does not verify the address; the account can sign in with it but not reset its password', async () => {
    const root = await alone.given.person({ isRoot: true })
    const email = newAddress()
    const session = await arrive(root, email)
    const emails = (await alone.call(emailEndpoints.list, {}, session)).body.items
    expect(emails).toMatchObject([{ email, isDefault: true, verifiedAt: null }])
    expect((await signIn(email, registration.password)).body.next).toBe('redeem')
    expect((await accountOf(root, email)).isEmailVerified).toBe(false)

    expect(await alone.call(recoveryEndpoints.resetPassword, { body: { username: email } })).toSucceed()
    await expect
      .poll(
        async () =>
          (
            await sql<{ n: number }>`
        select count(*)::int as n from pgboss.job where name = 'password-reset' and state <> 'completed'`.execute(
              alone.db,
            )
          ).rows[0]?.n,
      )
      .toBe(0)
    const resets = await alone.db
      .selectFrom('token_link')
      .select('id')
      .where('email', '=', email)
      .where('action', '=', 'user:reset-password')
      .execute()
    expect(resets).toEqual([])
  })

  test('root verifies the address of an account', async () => {
    const root = await alone.given.person({ isRoot: true })
    const email = newAddress()
    await arrive(root, email)
    const { personId } = await accountOf(root, email)
    const call = { params: { personId } }
    const olga = await alone.given.person()
    expect(await olga.call(rootPeopleEndpoints.confirmEmail, call)).toFailWith('FORBIDDEN')
    expect(await root.call(rootPeopleEndpoints.confirmEmail, call)).toSucceed()
    expect(await root.call(rootPeopleEndpoints.confirmEmail, call)).toSucceed()
    expect((await accountOf(root, email)).isEmailVerified).toBe(true)
    const rows = await alone.db
      .selectFrom('audit')
      .select(['actor_id', 'detail'])
      .where('event', '=', 'email.verified')
      .where('target', '=', personId)
      .execute()
    expect(rows).toEqual([{ actor_id: root.personId, detail: { about: email, by: 'root' } }])
  })

  test('RULE-45 an unverified account does not block the real owner of its address', async () => {
    const root = await alone.given.person({ isRoot: true })
    const email = newAddress()
    await arrive(root, email)
    const { personId } = await accountOf(root, email)
    const { link } = await alone.app.invitations.invite({ email, isRoot: false })
    const real = { firstname: 'Real', lastname: 'Owner', password: 'another moth in relay 71' }
    const arrived = await redeemHere(secretOf(link), real)
    alone.watchSecret(arrived.body.token ?? '')
    expect(arrived.body.token).toBeDefined()
    expect(await signIn(email, real.password)).toSucceed()
    expect(await signIn(email, registration.password)).toFailWith('INVALID_CREDENTIALS')
    expect(await root.call(rootPeopleEndpoints.confirmEmail, { params: { personId } })).toFailWith(
      'ADDRESS_TAKEN',
    )
  })

  test('DEC-11 a second link for an unverified address requires a sign-in to its account', async () => {
    const root = await alone.given.person({ isRoot: true })
    const email = newAddress()
    const session = await arrive(root, email)
    const { projectId: id } = await alone.given.project(root)
    const body = { email, productRole: 'project/viewer' }
    const sent = await root.call(toProject.invite, { params: { projectId: id }, body })
    const token = secretOf(sent.body.link)
    expect(await redeemHere(token, registration)).toFailWith('SIGN_IN_TO_ACCEPT')
    expect(await look(token)).toBeNull()
    expect(await look(token, root.token)).toBeNull()
    expect(await look(token, session)).toEqual({ firstname: 'Grace', lastname: 'Hopper' })
    expect(await redeemHere(token, {}, session)).toSucceed()
    expect((await accountOf(root, email)).isEmailVerified).toBe(false)
  })

  test('DEC-11 a mailed link verifies the address of the account that accepts it', async () => {
    const root = await alone.given.person({ isRoot: true })
    const email = newAddress()
    const session = await arrive(root, email)
    const { link } = await alone.app.invitations.invite({ email, isRoot: false })
    expect(await redeemHere(secretOf(link), {}, session)).toSucceed()
    expect((await accountOf(root, email)).isEmailVerified).toBe(true)
  })
})

test('RULE-78 inviting, resending, revoking and accepting are audited', async () => {
  const email = newAddress()
  const { invitation } = (await inviteToProject(email)).body
  const again = await owner.call(toProject.resend, { params: { projectId, invitationId: invitation._id } })
  const invitationId = again.body.invitation._id
  await owner.call(toProject.revoke, { params: { projectId, invitationId } })
  const to = `project:${projectId}`
  const productRole = 'project/operator'
  const common = { actor_id: owner.personId, project_id: projectId }
  expect(await auditOf(email)).toEqual([
    { event: 'invitation.created', ...common, detail: { link: invitation._id, to, productRole } },
    {
      event: 'invitation.created',
      ...common,
      detail: { link: invitationId, to, productRole, replaces: invitation._id },
    },
    { event: 'invitation.revoked', ...common, detail: { link: invitationId, to } },
  ])

  const ada = await given.person()
  await inviteToProject(ada.email)
  await redeem(await mailedToken(ada.email), {}, ada.token)
  const accepted = (await auditOf(ada.personId)).filter(({ event }) => event.startsWith('grant.'))
  expect(accepted).toEqual([
    {
      event: 'grant.added',
      actor_id: ada.personId,
      project_id: projectId,
      detail: { grant: expect.any(String), productRole: 'project/operator' },
    },
  ])
})

test('DEC-11 of two invitations to one address that are redeemed at the same time, one creates the account', async () => {
  const email = newAddress()
  await invite(email)
  const toOrg = await mailedToken(email)
  await inviteToProject(email)
  const toThe = await mailedToken(email)
  const answers = await Promise.all([redeem(toOrg), redeem(toThe)])
  for (const { body } of answers) if (body.token !== undefined) server.watchSecret(body.token)
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  const rows = await db.selectFrom('email').select('id').where('email_key', '=', email).execute()
  expect(rows).toHaveLength(1)
})
