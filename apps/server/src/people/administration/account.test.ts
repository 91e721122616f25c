import {
  type CollectionChange,
  meEndpoints,
  organisationEndpoints,
  passkeyLoginEndpoints,
  projectEndpoints,
  recoveryEndpoints,
  rootPeopleEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenPerson, inWaves, openMailbox, type TestServer, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { patiently } from '../../account/emails/testing/email-calls.ts'
import { registerPasskey } from '../../auth/passkey-login/testing/register-passkey.ts'
import { createSoftwareAuthenticator } from '../../auth/passkey-login/testing/software-authenticator.ts'
import { openTestSocket, type TestSocket } from '../../platform/realtime/test-socket.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings, config: { publicUrl: server.url } })
const { given, db } = server
const { issue, voucherOf, preflight, byPassword, byOtp, allMailSent } = linkCalls(server)

const { list, read, update, endSessions, unlock } = rootPeopleEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'

let root: GivenPerson
let sockets: TestSocket[] = []
beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
  root = await given.person({ firstname: 'Ruth', isRoot: true })
})
afterEach(() => {
  for (const { ws } of sockets) ws.terminate()
  sockets = []
})

const change = (personId: string, body: object, headers: Record<string, string> = {}) =>
  root.call(update, { params: { personId }, body, headers })

const auditOf = async (target: string, room: string) =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'address'])
    .where('target', '=', target)
    .where('event', 'like', `${room}.%`)
    .orderBy('id')
    .execute()

async function open(token: string, on = second): Promise<TestSocket> {
  const socket = await openTestSocket(on.url, { token })
  sockets.push(socket)
  return socket
}

async function listen(token: string, topic: string) {
  const socket = await open(token)
  expect(await socket.ask({ type: 'subscribe', topic })).toBe('subscribed')
  return {
    changes: () =>
      socket.messages.flatMap((message) =>
        message.type === 'event' && message.topic === topic ? [message.data as CollectionChange] : [],
      ),
  }
}

const namesOf = async (search: string) => {
  const { body } = await root.call(list, { query: { search: `zz ${search}` } })
  return body.items.map(({ firstname }) => firstname)
}

test('DEC-32 RULE-57 accounts are searched by words in name and address and by keys, with any characters', async () => {
  const email = (name: string) => `${name}@zz.example.org`
  const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper', email: email('moth') })
  await given.person({ firstname: 'Alan', lastname: '100% Tu_ring', email: email('enigma') })
  await given.person({ firstname: 'Edsger', email: email('grace.fan'), isRoot: true })
  await given.person({ firstname: 'Barbara', email: email('clu'), otp: true })
  await change(grace.personId, { isDisabled: true })
  for (const [search, found] of [
    ['', ['Grace', 'Alan', 'Edsger', 'Barbara']],
    ['grace', ['Grace', 'Edsger']],
    ['"grace hop"', ['Grace']],
    ['MOTH hopper', ['Grace']],
    ['email:GRACE', ['Edsger']],
    ['email:example', []],
    ['name:gra', ['Grace']],
    ['name:"alan 100"', ['Alan']],
    ['name:hopper', []],
    ['root:true', ['Edsger']],
    ['root:false otp:false disabled:false', ['Alan']],
    ['disabled:true', ['Grace']],
    ['otp:true', ['Barbara']],
    ['otp:maybe', []],
    ['%', ['Alan']],
    ['_', ['Alan']],
    ['name:%', []],
    ["' or '1'='1", []],
    ['isRoot:true', []],
    ['password_hash:$', []],
    ['x'.repeat(190), []],
  ] as const) {
    expect([search, await namesOf(search)]).toEqual([search, found])
  }
  for (const query of [{ search: 'x'.repeat(201) }, { search: 'a\0b' }, { after: 'x' }, { limit: '201' }]) {
    expect(await root.call(list, { query })).toFailWith('VALIDATION_FAILED')
  }

  // A list is limited by the statement timeout.
  const limited = await testServer({ besides: server, settings, hasCallLimits: true })
  await db.transaction().execute(async (trx) => {
    await sql`lock table passkey in access exclusive mode`.execute(trx)
    expect(await limited.call(list, {}, root.token)).toFailWith('QUERY_TIMEOUT')
  })
})

test('DEC-39 the list is paginated, oldest account first, each once', async () => {
  const all = await db.selectFrom('person').select('id').orderBy('id').execute()
  const seen: string[] = []
  let after: string | undefined
  do {
    const { body } = await root.call(list, { query: { limit: '3', ...(after !== undefined && { after }) } })
    expect(body.total).toBe(all.length)
    expect(body.items.length).toBeLessThanOrEqual(3)
    seen.push(...body.items.map(({ _id }) => _id))
    after = body.next
  } while (after !== undefined)
  expect(seen).toEqual(all.map(({ id }) => id))
})

test('DEC-39 accounts sort by name and address in pages without gaps, filter by state, and count each state', async () => {
  const email = (local: string) => `${local}@sorted.example.org`
  await given.person({ firstname: 'bea', lastname: 'Sorted', email: email('c'), otp: true })
  const ada = await given.person({ firstname: 'Ada', lastname: 'Sorted', email: email('B') })
  await given.person({ firstname: 'Ada', lastname: 'Sorted', email: email('a'), isRoot: true })
  await change(ada.personId, { isDisabled: true })
  const inOrder = async (query: object) => {
    const addresses: string[] = []
    let after: string | undefined
    do {
      const answer = await root.call(list, {
        query: { search: 'sorted.example', limit: '1', ...query, ...(after !== undefined && { after }) },
      })
      expect(answer).toSucceed()
      expect(answer.body.counts).toEqual({ root: 1, disabled: 1, unprotected: 2, isCapped: false })
      addresses.push(...answer.body.items.map((account) => account.email.split('@')[0] ?? ''))
      after = answer.body.next
    } while (after !== undefined)
    return addresses.join(' ')
  }
  expect(await inOrder({})).toBe('c B a')
  expect(await inOrder({ sort: '-created' })).toBe('a B c')
  // Accounts of the same name follow each other as they were created.
  expect(await inOrder({ sort: 'name' })).toBe('B a c')
  expect(await inOrder({ sort: '-name' })).toBe('c a B')
  expect(await inOrder({ sort: 'email' })).toBe('a B c')
  expect(await inOrder({ sort: '-email' })).toBe('c B a')
  expect(await inOrder({ state: 'root' })).toBe('a')
  expect(await inOrder({ state: 'disabled', sort: 'name' })).toBe('B')
  expect(await inOrder({ state: 'unprotected', sort: 'email' })).toBe('a B')
  for (const query of [
    { sort: 'seen' },
    { state: 'locked' },
    { sort: 'name', after: 'x' },
    { after: `${ada.personId}a` },
  ])
    expect(await root.call(list, { query: query as object })).toFailWith('VALIDATION_FAILED')
})

test('RULE-06 RULE-78 root sees the security settings of an account without secrets, and unlocks its password', async () => {
  const ada = await given.person({ lastname: 'King', otp: true })
  await registerPasskey(ada, createSoftwareAuthenticator({ origin: server.url }))
  const params = { personId: ada.personId }
  const lastSeenAt = new Date(Date.now() - 24 * 3600_000).toISOString()
  await db
    .updateTable('session')
    .set({ last_seen_at: lastSeenAt })
    .where('person_id', '=', ada.personId)
    .execute()
  const expected = {
    _id: ada.personId,
    firstname: 'Ada',
    lastname: 'King',
    email: ada.email,
    isRoot: false,
    isDisabled: false,
    otpEnabled: true,
    hasPassword: true,
    passkeys: 1,
    isLocked: false,
    isEmailVerified: true,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastSeenAt,
    revision: 1,
  }
  expect((await root.call(read, { params })).body).toEqual(expected)
  const search = `email:${ada.email}`
  expect((await root.call(list, { query: { search } })).body).toEqual({
    counts: expect.any(Object),
    items: [expected],
    total: 1,
  })

  for (const kind of ['password', 'second-factor']) {
    const key = `${kind}:${ada.personId}`
    await db.insertInto('attempt').values({ key, failures: 100 }).execute()
    expect((await root.call(read, { params })).body.isLocked).toBe(true)
    expect((await root.call(list, { query: { search } })).body.items[0]?.isLocked).toBe(true)
    expect((await root.call(unlock, { params })).body).toBe(true)
    expect((await root.call(read, { params })).body.isLocked).toBe(false)
  }
  expect(await ada.login()).toBeTypeOf('string')
  const row = { event: 'password.unlocked', result: 'success', actor_id: root.personId }
  expect(await auditOf(ada.personId, 'password')).toEqual([
    { ...row, address: expect.any(String) },
    { ...row, address: expect.any(String) },
  ])
  expect(await root.call(unlock, { params: { personId: unknownId } })).toFailWith('NOT_FOUND')
})

test('RULE-54 fields that the call does not declare are not changed', async () => {
  const { personId } = await given.person()
  for (const field of [
    '_id',
    'email',
    'firstname',
    'otpEnabled',
    'scope',
    'revision',
    'verifiedAt',
    'owner',
  ]) {
    expect(await change(personId, { isRoot: true, [field]: 'x' }), field).toFailWith('VALIDATION_FAILED')
    const body = { email: 'new@example.org', [field === 'email' ? 'emails' : field]: 'x' }
    expect(await root.call(rootPeopleEndpoints.invite, { body }), field).toFailWith('VALIDATION_FAILED')
  }
  for (const body of [{ isRoot: 'true' }, { isDisabled: 1 }, { isRoot: null }]) {
    expect(await change(personId, body)).toFailWith('VALIDATION_FAILED')
  }
  expect((await change(personId, {})).body).toMatchObject({ isRoot: false, isDisabled: false, revision: 1 })
})

test('RULE-58 of 50 concurrent edits of one revision one succeeds; the others get the account and its last editor', async () => {
  const { personId } = await given.person()
  const edit = (on: TestServer) =>
    on.call(
      update,
      { params: { personId }, body: { isRoot: true }, headers: { 'if-match': '"1"' } },
      root.token,
    )
  const answers = await inWaves(50, (index) => patiently(() => edit(index % 2 === 0 ? server : second)))
  const [won, ...others] = answers.filter(({ code }) => code === undefined)
  expect(others).toEqual([])
  expect(won?.body).toMatchObject({ isRoot: true, revision: 2 })
  expect(won?.headers.get('etag')).toBe('"2"')
  const conflicts = answers.filter(({ code }) => code === 'REVISION_CONFLICT')
  expect(conflicts).toHaveLength(49)
  for (const { body } of conflicts) {
    expect(body).toMatchObject({
      detail: {
        current: { _id: personId, isRoot: true, revision: 2, isLocked: false },
        updatedAt: expect.stringMatching(/^\d{4}-/),
        updatedBy: { _id: root.personId, firstname: 'Ruth' },
      },
    })
  }
  expect(await auditOf(personId, 'person')).toHaveLength(1)
  // Without a revision, only the fields in the body are written.
  expect((await change(personId, { isDisabled: true })).body).toMatchObject({ isRoot: true, revision: 3 })
})

test('changes to the sign-in of a user require a recent sign-in of root', async () => {
  const { personId } = await given.person()
  const invited = await root.call(rootPeopleEndpoints.invite, { body: { email: 'recent@example.org' } })
  const { _id: invitationId } = invited.body.invitation
  await root.forgetSignIn()
  const params = { personId }
  for (const call of [
    change(personId, { isRoot: true }),
    root.call(rootPeopleEndpoints.remove, { params }),
    root.call(unlock, { params }),
    root.call(rootPeopleEndpoints.invite, { body: { email: 'recent@example.org' } }),
    root.call(rootPeopleEndpoints.resendInvitation, { params: { invitationId } }),
  ]) {
    expect(await call).toFailWith('RECENT_SIGN_IN_NEEDED')
  }
  expect((await root.call(read, { params })).body.revision).toBe(1)
  expect(await root.call(endSessions, { params })).toSucceed()
  expect(await root.call(rootPeopleEndpoints.revokeInvitation, { params: { invitationId } })).toSucceed()
  // A caller who is not root gets 403 and no request for a recent sign-in.
  const ada = await given.person()
  await ada.forgetSignIn()
  expect(await ada.call(update, { params, body: {} })).toFailWith('FORBIDDEN')
})

test('RULE-30 RULE-32 RULE-62 RULE-78 disabling an account ends its access on every node immediately, until it is enabled', async () => {
  const ada = await given.person()
  const otto = await given.person({ firstname: 'Otto', otp: true })
  const authenticator = createSoftwareAuthenticator({ origin: server.url })
  await registerPasskey(ada, authenticator)
  const tokens = [ada.token, await ada.openSession()]
  const theirs = [await open(ada.token, server), await open(tokens[1] ?? '', second)]
  const others = await open(root.token)
  const link = await issue('user:reset-password', ada)
  const voucher = await voucherOf(otto)

  expect((await change(ada.personId, { isDisabled: true })).body).toMatchObject({ isDisabled: true })
  const from = performance.now()
  for (const { closed } of theirs) expect((await closed).code).toBe(4401)
  expect(performance.now() - from).toBeLessThan(underLoad(2000))
  expect(await others.ask({ type: 'ping' })).toBe('pong')
  await change(otto.personId, { isDisabled: true })

  for (const on of [server, second]) {
    for (const token of tokens) {
      expect(await on.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
      expect(await on.call(sessionEndpoints.reissue, {}, token)).toFailWith('UNAUTHENTICATED')
    }
    const { body } = await on.call(passkeyLoginEndpoints.options, { body: { username: ada.email } })
    server.watchSecret(body.userToken)
    const result = authenticator.assert(body.options)
    const verified = await on.call(passkeyLoginEndpoints.verify, {
      body: { userToken: body.userToken, result },
    })
    expect(verified.body).toEqual({ verified: false })
  }
  expect(await byPassword(ada.email, ada.password)).toFailWith('INVALID_CREDENTIALS')
  expect(await byOtp(voucher, otto.otp.code())).toFailWith('VOUCHER_NOT_VALID')
  expect(await preflight(link)).toFailWith('LINK_NOT_VALID')
  expect(await server.call(recoveryEndpoints.resetPassword, { body: { username: ada.email } })).toSucceed()
  await allMailSent()

  await change(ada.personId, { isDisabled: false })
  expect(await second.call(meEndpoints.read, {}, await ada.openSession())).toSucceed()
  // Enabling the account again does not restore ended sessions.
  for (const token of tokens)
    expect(await server.call(meEndpoints.read, {}, token)).toFailWith('UNAUTHENTICATED')
  const row = { result: 'success', actor_id: root.personId, address: expect.any(String) }
  expect(await auditOf(ada.personId, 'person')).toEqual([
    { event: 'person.disabled', ...row },
    { event: 'person.enabled', ...row },
  ])
  for (const subject of [/deaktiviert/, /wieder aktiviert/]) await mailbox.take(ada.email, subject)
  expect(mailbox.received.filter(({ to, subject }) => to === ada.email && /Passwort/.test(subject))).toEqual(
    [],
  )
})

test('RULE-52 RULE-61 RULE-78 granting and revoking root take effect on the next call and event on every node', async () => {
  const ada = await given.person()
  const owner = await given.person({ firstname: 'Olga' })
  const { orgId } = await given.organisation(owner)
  const { projectId } = await given.project(owner)
  const me = await listen(ada.token, 'me')
  const projects = await listen(ada.token, 'projects')
  const organisations = await listen(ada.token, 'organisations')
  const accessChanges = () => me.changes().filter(({ collection }) => collection === 'credentials').length
  const changedIds = () => [...projects.changes(), ...organisations.changes()].map(({ id }) => id)
  /** Makes a change that only root may see, and waits until root receives its event. */
  async function stir(label: string) {
    const rooted = await listen(root.token, 'organisations')
    await owner.call(projectEndpoints.update, { params: { projectId }, body: { label } })
    await owner.call(organisationEndpoints.update, { params: { orgId }, body: { label } })
    await expect.poll(() => rooted.changes().map(({ id }) => id)).toContain(orgId)
  }
  const canAdminister = async () =>
    Promise.all(
      [server, second].map(async (on) => {
        const { body } = await on.call(meEndpoints.read, {}, ada.token)
        return [body.isRoot, body.scope.includes('root'), (await on.call(list, {}, ada.token)).status]
      }),
    )

  await stir('A')
  expect(changedIds()).toEqual([])
  await change(ada.personId, { isRoot: true })
  expect(await canAdminister()).toEqual([
    [true, true, 200],
    [true, true, 200],
  ])
  await expect.poll(accessChanges).toBe(1)
  await stir('B')
  await expect.poll(changedIds).toEqual(expect.arrayContaining([projectId, orgId]))

  const before = changedIds().length
  expect((await change(ada.personId, { isRoot: false })).body).toMatchObject({ isRoot: false, revision: 3 })
  expect(await canAdminister()).toEqual([
    [false, false, 403],
    [false, false, 403],
  ])
  await expect.poll(accessChanges).toBe(2)
  await stir('C')
  expect(changedIds()).toHaveLength(before)
  const below = await open(ada.token)
  expect(await below.ask({ type: 'subscribe', topic: `/projects/${projectId}/notes` })).toBe('refused')

  expect((await auditOf(ada.personId, 'person')).map(({ event }) => event)).toEqual([
    'person.promoted',
    'person.demoted',
  ])
  for (const subject of [/Sie sind jetzt Root/, /nicht mehr Root/]) await mailbox.take(ada.email, subject)
})

test('RULE-35 RULE-62 RULE-78 root ends all sessions of a user', async () => {
  const ada = await given.person()
  const socket = await open(ada.token)
  expect((await root.call(endSessions, { params: { personId: ada.personId } })).body).toBe(true)
  expect((await socket.closed).code).toBe(4401)
  expect(await second.call(meEndpoints.read, {}, ada.token)).toFailWith('UNAUTHENTICATED')
  await ada.login()
  expect(await auditOf(ada.personId, 'sessions')).toEqual([
    { event: 'sessions.ended', result: 'success', actor_id: root.personId, address: expect.any(String) },
  ])
  expect(await root.call(endSessions, { params: { personId: unknownId } })).toFailWith('NOT_FOUND')
})
