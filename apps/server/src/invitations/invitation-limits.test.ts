import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { recipientPolicy, senderPolicy } from './invitation-limits.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

let owner: GivenPerson
let orgId: string
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  orgId = (await given.organisation(owner)).orgId
  projectId = (await given.project(owner)).projectId
})

const productRole = 'project/viewer'
const toOrganisation = (email: string, by = owner, node = server) =>
  node.call(organisationEndpoints.invite, { params: { orgId }, body: { email } }, by.token)
const toProject = (email: string, by = owner, node = server) =>
  node.call(projectEndpoints.invite, { params: { projectId }, body: { email, productRole } }, by.token)

const sentTo = async (email: string) =>
  (await db.selectFrom('token_link').select('id').where('email_key', '=', email).execute()).length

test('an address receives at most five invitations an hour from all senders, for all targets', async () => {
  const email = 'much-wanted@example.org'
  const root = await given.person({ isRoot: true })
  const { invitation } = (await toOrganisation(email)).body
  const resent = await owner.call(organisationEndpoints.resendInvitation, {
    params: { orgId, invitationId: invitation._id },
  })
  const params = { projectId, invitationId: (await toProject(email, owner, second)).body.invitation._id }
  expect(await owner.call(projectEndpoints.resendInvitation, { params })).toSucceed()
  const last = await toProject(email.toUpperCase(), root)
  expect(last).toSucceed()

  const refused = [
    await toOrganisation(email, root),
    await toProject(email, owner, second),
    await owner.call(organisationEndpoints.resendInvitation, {
      params: { orgId, invitationId: resent.body.invitation._id },
    }),
    await owner.call(projectEndpoints.resendInvitation, {
      params: { projectId, invitationId: last.body.invitation._id },
    }),
  ]
  for (const answer of refused) {
    expect(answer).toFailWith('TOO_MANY_REQUESTS')
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(recipientPolicy.seconds - 120)
    expect(wait).toBeLessThanOrEqual(recipientPolicy.seconds)
  }
  expect(await sentTo(email)).toBe(recipientPolicy.most)
  expect(recipientPolicy).toMatchObject({ most: 5, seconds: 3600 })
  // The latest link remains valid, and another address is not affected.
  expect((await owner.call(projectEndpoints.invitations, { params: { projectId } })).body.total).toBe(1)
  expect(await toOrganisation('others@example.org')).toSucceed()

  await sql`update attempt set blocked_until = now() where key like ${`${recipientPolicy.kind}:%`}`.execute(
    db,
  )
  expect(await toOrganisation(email)).toSucceed()
})

test('a user sends at most fifty invitations an hour, even concurrently on two nodes; unsent ones do not count', async () => {
  expect(senderPolicy).toMatchObject({ most: 50, seconds: 3600 })
  expect(await toOrganisation('first@example.org')).toSucceed()
  const key = `${senderPolicy.kind}:${owner.personId}`
  await db.updateTable('attempt').set({ failures: 46 }).where('key', '=', key).execute()
  expect(await toOrganisation('no address')).toFailWith('VALIDATION_FAILED')
  expect(await toOrganisation(owner.email)).toFailWith('ALREADY_MEMBER')

  const answers = await inWaves(8, (index) => {
    const node = index % 2 === 0 ? server : second
    const email = `guest${index}@example.org`
    return index % 3 === 0 ? toProject(email, owner, node) : toOrganisation(email, owner, node)
  })
  const refused = answers.filter(({ code }) => code !== undefined)
  expect(refused).toHaveLength(4)
  for (const answer of refused) {
    expect(answer).toFailWith('TOO_MANY_REQUESTS')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(senderPolicy.seconds - 120)
  }
  const sent = await db
    .selectFrom('token_link')
    .select('id')
    .where('created_by', '=', owner.personId)
    .execute()
  expect(sent).toHaveLength(5)
  // The limit does not apply to another sender.
  const member = await given.person()
  const other = (await given.project(member)).projectId
  const body = { email: 'guest7@example.org', productRole }
  expect(await member.call(projectEndpoints.invite, { params: { projectId: other }, body })).toSucceed()
})
