import {
  accessRequestEndpoints,
  type ErrorReply,
  edgeEndpoints,
  homeEndpoints,
  noteEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'
import { linksIn, shownIn } from '#platform/mail/testing/links-in.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db } = server

let owner: GivenPerson
let viewer: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  viewer = await given.person({ firstname: 'Vera' })
  ;({ projectId } = await given.project(owner, {
    label: 'Messe',
    products: ['project', 'edges'],
    grants: [{ person: viewer, productRole: 'project/viewer' }],
  }))
})

const ask = (person: GivenPerson, productRole: string, message?: string) =>
  person.call(accessRequestEndpoints.create, {
    params: { projectId },
    body: { productRole, ...(message !== undefined && { message }) },
  })
const pendingFor = async (person: GivenPerson) =>
  (await person.call(accessRequestEndpoints.list, { params: { projectId } })).body.items
const offerTo = async (person: GivenPerson, query: { app?: string; role?: string } = {}) =>
  (await person.call(accessRequestEndpoints.offer, { params: { projectId }, query })).body
const mailsTo = (person: GivenPerson) => mailbox.received.filter(({ to }) => to === person.email)

test('a refusal names the roles that give the right, and the owner, to callers who see the project', async () => {
  const owned = { _id: owner.personId, name: 'Olga Lovelace' }
  const messageOf = (answer: { body: unknown }) => (answer.body as ErrorReply).message
  const notes = await viewer.call(noteEndpoints.list, { params: { projectId } })
  expect(notes).toFailWith('FORBIDDEN')
  expect(messageOf(notes)).toBe('Access denied. This needs the role Operator. Ask Olga Lovelace')
  expect((notes.body as unknown as ErrorReply).detail).toEqual({
    project: projectId,
    roles: [
      { id: 'project/operator', label: 'Operator' },
      { id: 'project/maintainer', label: 'Maintainer' },
    ],
    owner: owned,
  })
  const enrolled = await viewer.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Van' } })
  expect((enrolled.body as unknown as ErrorReply).detail).toMatchObject({ roles: [{ id: 'edges/operator' }] })
  const renamed = await viewer.call(projectEndpoints.update, { params: { projectId }, body: { label: 'X' } })
  expect(messageOf(renamed)).toBe(
    'Access denied. Only Olga Lovelace, who owns the project, and root may do this',
  )
  expect((renamed.body as unknown as ErrorReply).detail).toEqual({
    project: projectId,
    roles: [],
    owner: owned,
  })

  const stranger = await given.person()
  const hidden = await stranger.call(noteEndpoints.list, { params: { projectId } })
  expect(hidden).toFailWith('NOT_FOUND')
  expect(hidden.body).not.toHaveProperty('detail')
})

test('RULE-78 a request for access mails the owner once a day and is audited', async () => {
  expect((await ask(viewer, 'edges/operator')).body).toBe(true)
  await expect.poll(() => mailbox.received.filter(({ to }) => to === owner.email).length).toBe(1)
  const mail = mailbox.received.find(({ to }) => to === owner.email)
  expect(mail?.text).toContain(`Vera Lovelace (${viewer.email})`)
  expect(mail?.text).toContain('Operator')
  expect(mail?.text).toContain(`/app/project-details/people?project=${projectId}`)
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'detail'])
    .where('project_id', '=', projectId)
    .execute()
  expect(rows).toEqual([
    {
      event: 'access.requested',
      actor_id: viewer.personId,
      detail: { productRole: 'edges/operator', label: 'Messe' },
    },
  ])

  expect(await ask(viewer, 'edges/operator')).toFailWith('TOO_MANY_REQUESTS')
  expect(await ask(viewer, 'edges/viewer')).toSucceed()
  expect(await ask(viewer, 'project/viewer')).toFailWith('ALREADY_GRANTED')
  expect(await ask(owner, 'edges/viewer')).toFailWith('ALREADY_GRANTED')
  expect(await ask(viewer, 'media-library/viewer')).toFailWith('UNKNOWN_PRODUCT_ROLE')
  expect(await ask(await given.person(), 'edges/viewer')).toFailWith('NOT_FOUND')
})

test('the names, the project and the message of a request make no link in its letters', async () => {
  const evil = 'https://evil.example/login'
  const mallory = await given.person({
    firstname: 'evil.example',
    lastname: 'www.x.yy',
    email: 'mallory@example.org',
  })
  const answerer = await given.person({
    firstname: 'b.example',
    lastname: 'x@y.zz',
    email: 'answerer@example.org',
  })
  ;({ projectId } = await given.project(answerer, {
    label: evil,
    products: ['project', 'edges'],
    grants: [{ person: mallory, productRole: 'project/viewer' }],
  }))
  expect(await ask(mallory, 'edges/operator', `Look at www.evil.example or ${evil}`)).toSucceed()
  const [request] = await pendingFor(answerer)
  const params = { projectId, requestId: request?._id ?? '' }
  expect(await answerer.call(accessRequestEndpoints.decline, { params })).toSucceed()

  for (const [to, addresses, subject] of [
    [
      answerer.email,
      [mallory.email],
      'evil. example www. x. yy requests access to https: //evil. example/login',
    ],
    [mallory.email, [], 'Access to https: //evil. example/login declined'],
  ] as const) {
    const mail = await mailbox.take(to)
    expect(mail.subject).toContain(subject)
    expect(linksIn(mail.subject)).toEqual([])
    for (const text of [mail.text, shownIn(mail.html)])
      expect(new Set(linksIn(text))).toEqual(new Set([mail.link, ...addresses]))
  }
})

test('a request marks an unconfirmed address for the people who answer it', async () => {
  const eve = await given.person()
  await db.updateTable('email').set({ verified_at: null }).where('person_id', '=', eve.personId).execute()
  ;({ projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: eve, productRole: 'project/viewer' }],
  }))
  expect(await ask(eve, 'edges/operator')).toSucceed()
  expect(await pendingFor(owner)).toMatchObject([{ person: { email: eve.email, isEmailVerified: false } }])
  const { text } = await mailbox.take(owner.email, /requests access/)
  expect(text).toContain(`(${eve.email}, nicht bestätigt)`)
  expect(text).toContain(`(${eve.email}, not verified)`)
})

test('a person can send at most ten requests in an hour', async () => {
  await db
    .insertInto('attempt')
    .values({
      key: `access-requester:${viewer.personId}`,
      failures: 10,
      blocked_until: new Date(Date.now() + 60_000),
    })
    .execute()
  expect(await ask(viewer, 'edges/operator')).toFailWith('TOO_MANY_REQUESTS')
})

test('the owner and root see a request with its message in the list and on home', async () => {
  const root = await given.person({ isRoot: true })
  expect(await ask(viewer, 'edges/operator', '  I watch the crane at night  ')).toSucceed()
  const pending = {
    _id: expect.any(String),
    person: { _id: viewer.personId, name: 'Vera Lovelace', email: viewer.email, isEmailVerified: true },
    productRole: 'edges/operator',
    message: 'I watch the crane at night',
    createdAt: expect.any(String),
  }
  expect(await pendingFor(owner)).toEqual([pending])
  expect(await pendingFor(root)).toEqual([pending])
  const homeOf = async (person: GivenPerson) =>
    (await person.call(homeEndpoints.read, { params: { projectId } })).body.accessRequests
  expect(await homeOf(owner)).toEqual({
    total: 1,
    items: [{ ...pending, role: 'Operator' }],
  })
  expect(await homeOf(viewer)).toBeNull()
  const refused = await viewer.call(accessRequestEndpoints.list, { params: { projectId } })
  expect(refused).toFailWith('FORBIDDEN')
  expect((await offerTo(viewer)).requests).toMatchObject([
    { role: { id: 'edges/operator', label: 'Operator' }, state: 'pending', endedAt: null },
  ])
})

test('an offer names the roles that open an app or contain a role, without those that the caller holds', async () => {
  const ids = (offer: { roles: { id: string }[] }) => offer.roles.map(({ id }) => id)
  expect(ids(await offerTo(viewer, { app: 'edges' }))).toEqual(['edges/viewer', 'edges/operator'])
  expect(ids(await offerTo(viewer, { role: 'project-details:people' }))).toEqual(['project/maintainer'])
  // The project does not use the product, and no extension has the app.
  expect(ids(await offerTo(viewer, { app: 'media-library' }))).toEqual([])
  expect(ids(await offerTo(viewer, { app: 'nowhere' }))).toEqual([])
  expect(ids(await offerTo(viewer))).not.toContain('project/viewer')
  const stranger = await given.person()
  const hidden = await stranger.call(accessRequestEndpoints.offer, { params: { projectId }, query: {} })
  expect(hidden).toFailWith('NOT_FOUND')
})

test('RULE-53 a role given by root or changed by the owner ends the request and mails the person', async () => {
  const root = await given.person({ isRoot: true, firstname: 'Rosa' })
  await ask(viewer, 'edges/operator')
  await ask(viewer, 'project/operator')
  // An owner cannot add a grant.
  const params = { projectId, personId: viewer.personId }
  const body = { productRoles: ['project/viewer', 'edges/operator'] }
  expect(await owner.call(rootGrantEndpoints.setRoles, { params, body })).toFailWith('FORBIDDEN')
  expect(await root.call(rootGrantEndpoints.setRoles, { params, body })).toSucceed()
  expect((await pendingFor(owner)).map(({ productRole }) => productRole)).toEqual(['project/operator'])

  const { grants } = (await owner.call(projectEndpoints.read, { params: { projectId } })).body
  const grantId = grants.find(({ productRole }) => productRole === 'project/viewer')?._id ?? ''
  const changed = await owner.call(projectEndpoints.changeProductRole, {
    params: { projectId, grantId },
    body: { productRole: 'project/operator' },
  })
  expect(changed).toSucceed()
  expect(await pendingFor(owner)).toEqual([])
  expect((await offerTo(viewer)).requests).toMatchObject([
    { role: { id: 'project/operator' }, state: 'granted', endedBy: 'Olga Lovelace' },
    { role: { id: 'edges/operator' }, state: 'granted', endedBy: 'Rosa Lovelace' },
  ])
  await expect.poll(() => mailsTo(viewer).length).toBe(2)
  expect(mailsTo(viewer)[0]?.text).toContain('gave you the role Operator')
})

test('a pending invitation with the role hides the request', async () => {
  await ask(viewer, 'edges/operator')
  const invited = await owner.call(projectEndpoints.invite, {
    params: { projectId },
    body: { email: viewer.email, productRole: 'edges/operator' },
  })
  expect(await pendingFor(owner)).toEqual([])
  expect((await offerTo(viewer)).requests).toMatchObject([{ state: 'invited', endedAt: null }])
  // After the invitation is revoked, the request is pending again.
  const params = { projectId, invitationId: invited.body.invitation._id }
  await owner.call(projectEndpoints.revokeInvitation, { params })
  expect(await pendingFor(owner)).toHaveLength(1)
})

test('RULE-78 the owner declines a request once, which is audited and mailed', async () => {
  await ask(viewer, 'edges/operator')
  const [request] = await pendingFor(owner)
  const params = { projectId, requestId: request?._id ?? '' }
  expect(await viewer.call(accessRequestEndpoints.decline, { params })).toFailWith('FORBIDDEN')
  const stranger = await given.person()
  expect(await stranger.call(accessRequestEndpoints.decline, { params })).toFailWith('NOT_FOUND')
  // A request in one project cannot be declined through another project.
  const { projectId: otherId } = await given.project(owner, {})
  const elsewhere = { ...params, projectId: otherId }
  expect(await owner.call(accessRequestEndpoints.decline, { params: elsewhere })).toFailWith('NOT_FOUND')

  expect(await owner.call(accessRequestEndpoints.decline, { params })).toSucceed()
  expect(await owner.call(accessRequestEndpoints.decline, { params })).toFailWith('NOT_FOUND')
  expect(await pendingFor(owner)).toEqual([])
  expect((await offerTo(viewer)).requests).toMatchObject([
    { state: 'declined', endedBy: 'Olga Lovelace', endedAt: expect.any(String) },
  ])
  await expect.poll(() => mailsTo(viewer).length).toBe(1)
  expect(mailsTo(viewer)[0]?.text).toContain('declined your request for the role Operator')
  const audited = await db
    .selectFrom('audit')
    .select(['actor_id', 'target'])
    .where('event', '=', 'access.declined')
    .where('project_id', '=', projectId)
    .execute()
  expect(audited).toEqual([{ actor_id: owner.personId, target: viewer.personId }])
  // The limit of one request a day still applies after the answer.
  expect(await ask(viewer, 'edges/operator')).toFailWith('TOO_MANY_REQUESTS')
})

test('RULE-45 the mails about a request go to verified addresses only', async () => {
  const unverifyDefault = ({ personId }: GivenPerson) =>
    db.updateTable('email').set({ verified_at: null }).where('person_id', '=', personId).execute()
  const addVerified = async ({ personId }: GivenPerson) => {
    const email = `${personId}@example.org`
    const row = { id: crypto.randomUUID(), person_id: personId, email, email_key: email }
    await db
      .insertInto('email')
      .values({ ...row, verified_at: new Date() })
      .execute()
    return email
  }
  for (const person of [owner, viewer]) await unverifyDefault(person)
  expect(await ask(viewer, 'edges/operator')).toSucceed()
  const ownersOther = await addVerified(owner)
  expect(await ask(viewer, 'edges/viewer')).toSucceed()
  expect((await mailbox.take(ownersOther)).text).toContain('Viewer')

  const [one, two] = await pendingFor(owner)
  const decline = (requestId = '') =>
    owner.call(accessRequestEndpoints.decline, { params: { projectId, requestId } })
  expect(await decline(one?._id)).toSucceed()
  const viewersOther = await addVerified(viewer)
  expect(await decline(two?._id)).toSucceed()
  expect((await mailbox.take(viewersOther)).text).toContain('declined')
  expect(mailbox.received.filter(({ to }) => to === owner.email || to === viewer.email)).toEqual([])
})

test('requests are deleted with their project, and a later request returns 404', async () => {
  await ask(viewer, 'edges/operator')
  await owner.call(projectEndpoints.remove, { params: { projectId } })
  const left = await db
    .selectFrom('access_request')
    .select('id')
    .where('project_id', '=', projectId)
    .execute()
  expect(left).toEqual([])
  expect(await ask(viewer, 'edges/viewer')).toFailWith('NOT_FOUND')
})
