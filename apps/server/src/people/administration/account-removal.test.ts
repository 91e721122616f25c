import {
  type CollectionChange,
  loginEndpoints,
  meEndpoints,
  organisationEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerPasskey } from '../../auth/passkey-login/testing/register-passkey.ts'
import { createSoftwareAuthenticator } from '../../auth/passkey-login/testing/software-authenticator.ts'
import { openTestSocket, type TestSocket } from '../../platform/realtime/test-socket.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'
import { quickPerson } from './testing/quick-person.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings, config: { publicUrl: server.url } })
const { given, db } = server
const { issue, voucherOf, preflight } = linkCalls(server)

const unknownId = '018f0000-0000-7000-8000-000000000000'

let root: GivenPerson
let owner: GivenPerson
let sockets: TestSocket[] = []
beforeEach(async () => {
  root = await given.person({ firstname: 'Ruth', isRoot: true })
  owner = await given.person({ firstname: 'Olga' })
})
afterEach(() => {
  for (const { ws } of sockets) ws.terminate()
  sockets = []
})

const remove = (personId: string, by = root) => by.call(rootPeopleEndpoints.remove, { params: { personId } })

/** Subscribes on the node that does not receive the calls. */
async function listen(person: GivenPerson, topic: string) {
  const socket = await openTestSocket(second.url, { token: person.token })
  sockets.push(socket)
  expect(await socket.ask({ type: 'subscribe', topic })).toBe('subscribed')
  const opsOf = (id: string) =>
    socket.messages.flatMap((message) => {
      const change = message.type === 'event' ? (message.data as CollectionChange) : undefined
      return change?.id === id ? [change.op] : []
    })
  return { socket, opsOf }
}

/** Returns the tables that still refer to a person, in any column. */
async function tracesOf(personId: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid'`.execute(db)
  const traces = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } =
        await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${personId}`.execute(db)
      return rows.length > 0 ? [`${table}.${column}`] : []
    }),
  )
  return traces.flat().toSorted()
}

test('RULE-30 RULE-62 RULE-78 a deleted account leaves only audit records, and its observers are notified', async () => {
  const ada = await given.person({ lastname: 'King', otp: true })
  const { personId } = ada
  await registerPasskey(ada, createSoftwareAuthenticator({ origin: server.url }))
  const { orgId } = await given.organisation(owner, { members: [ada] })
  const { projectId } = await given.project(owner, {
    org: { orgId },
    grants: [{ person: ada, productRole: 'project/maintainer' }],
  })
  // Records that the person edited remain; only the reference to the editor is cleared.
  for (const table of ['organisation', 'project'] as const) {
    await db.updateTable(table).set({ updated_by: personId }).execute()
  }
  await db
    .insertInto('note')
    .values({ id: uuidv7(), project_id: projectId, label: 'Kept', updated_by: personId })
    .execute()
  await db.updateTable('person').set({ default_project_id: projectId }).where('id', '=', personId).execute()
  await db.updateTable('person').set({ updated_by: personId }).where('id', '=', owner.personId).execute()
  await db.updateTable('token_link').set({ created_by: personId }).execute()
  await voucherOf(ada)
  const link = await issue('user:reset-password', ada)
  await db
    .insertInto('attempt')
    .values({ key: `password:${personId}`, failures: 3 })
    .onConflict((c) => c.doNothing())
    .execute()
  await ada.call(projectEndpoints.create, { body: { label: 'Mine' }, headers: { 'idempotency-key': 'once' } })
  await db.deleteFrom('project').where('owner_id', '=', personId).execute()
  const written = await db
    .selectFrom('audit')
    .selectAll()
    .where('actor_id', '=', personId)
    .orderBy('id')
    .execute()
  expect(written.length).toBeGreaterThan(1)
  expect((await tracesOf(personId)).length).toBeGreaterThan(12)

  const theirs = await listen(ada, 'projects')
  const projects = await listen(owner, 'projects')
  const organisations = await listen(owner, 'organisations')
  expect((await remove(personId)).body).toBe(true)
  const from = performance.now()
  expect((await theirs.socket.closed).code).toBe(4401)
  expect(performance.now() - from).toBeLessThan(underLoad(2000))
  await expect.poll(() => projects.opsOf(projectId)).toEqual(['upsert'])
  await expect.poll(() => organisations.opsOf(orgId)).toEqual(['upsert'])

  expect(await tracesOf(personId)).toEqual(['audit.actor_id'])
  for (const on of [server, second]) {
    expect(await on.call(meEndpoints.read, {}, ada.token)).toFailWith('UNAUTHENTICATED')
  }
  const { email: username, password } = ada
  const login = { body: { type: 'credentials' as const, data: { username, password } } }
  expect(await server.call(loginEndpoints.login, login)).toFailWith('INVALID_CREDENTIALS')
  expect(await preflight(link)).toFailWith('LINK_NOT_VALID')
  const attempts = await db.selectFrom('attempt').select('key').where('key', 'like', `%${personId}`).execute()
  expect(attempts).toEqual([])

  const kept = await db
    .selectFrom('audit')
    .selectAll()
    .where('actor_id', '=', personId)
    .orderBy('id')
    .execute()
  expect(kept).toEqual(written)
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'address', 'detail'])
    .where('target', '=', personId)
    .where('event', 'like', 'person.%')
    .execute()
  expect(rows).toEqual([
    {
      event: 'person.removed',
      result: 'success',
      actor_id: root.personId,
      address: expect.any(String),
      detail: { about: ada.email, name: 'Ada King' },
    },
  ])

  const { body: members } = await owner.call(organisationEndpoints.members, { params: { orgId } })
  expect(members.items.map(({ _id }) => _id)).toEqual([owner.personId])
  const { body: project } = await owner.call(projectEndpoints.read, { params: { projectId } })
  expect(project).toMatchObject({ grants: [], updatedBy: null })
  expect(await db.selectFrom('note').select('label').execute()).toEqual([{ label: 'Kept' }])
  expect((await mailbox.take(ada.email, /gelöscht/)).text).toContain(
    'Your Pult account and its personal data were deleted',
  )
  expect(await remove(personId)).toFailWith('NOT_FOUND')

  // The address is free again.
  expect(await given.person({ email: ada.email })).toMatchObject({ email: ada.email })
})

test('the places of a deleted account are published in one statement for each kind', async () => {
  const ada = await given.person()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    ids.push((await given.organisation(owner, { members: [ada] })).orgId)
    const grants = [{ person: ada, productRole: null }]
    ids.push((await given.project(owner, { grants })).projectId)
  }
  expect(await remove(ada.personId)).toSucceed()
  // Rows of one INSERT have the same transaction id and command id.
  const { rows } = await sql`
    select topic, count(*) as events, count(distinct (xmin::text, cmin::text)) as inserts
    from event where name = 'change' and data ->> 'op' = 'upsert' and data ->> 'id' = any(${ids})
      and xmin = (select xmin from audit where event = 'person.removed' and target = ${ada.personId})
    group by topic order by topic`.execute(db)
  expect(rows).toEqual([
    { topic: 'organisations', events: 3, inserts: 1 },
    { topic: 'projects', events: 3, inserts: 1 },
  ])
})

test('an owner cannot be deleted, and the refusal names the owned records', async () => {
  const ada = await given.person()
  const socket = await listen(ada, 'me')
  const { orgId } = await given.organisation(ada, { label: 'Messe Nord' })
  const { projectId } = await given.project(ada, { label: 'Hall 7' })
  await given.organisation(owner, { members: [ada] })
  await given.project(owner, { grants: [{ person: ada, productRole: null }] })
  const answer = await remove(ada.personId)
  expect(answer).toFailWith('PERSON_OWNS')
  expect(answer.body).toMatchObject({
    detail: {
      organisations: [{ _id: orgId, label: 'Messe Nord' }],
      projects: [{ _id: projectId, label: 'Hall 7' }],
    },
  })
  expect(await socket.socket.ask({ type: 'ping' })).toBe('pong')

  // Either record is enough.
  await ada.call(organisationEndpoints.remove, { params: { orgId } })
  const still = await remove(ada.personId)
  expect(still.body).toMatchObject({ detail: { organisations: [], projects: [{ _id: projectId }] } })
  await ada.call(projectEndpoints.remove, { params: { projectId } })
  expect(await remove(ada.personId)).toSucceed()
  expect(await remove(unknownId)).toFailWith('NOT_FOUND')
})

test('of a concurrent deletion and transfer of ownership on two nodes, no record is left without an owner', async () => {
  for (let round = 0; round < 10; round += 1) {
    const ada = await quickPerson(server)
    const { orgId } = await given.organisation(owner, { members: [ada] })
    const [removed, handed] = await Promise.all([
      remove(ada.personId),
      second.call(
        organisationEndpoints.update,
        { params: { orgId }, body: { owner: ada.personId } },
        owner.token,
      ),
    ])
    expect([removed.code, handed.code]).toSatisfy(
      ([first, other]) =>
        (first === undefined && other === 'VALIDATION_FAILED') ||
        (first === 'PERSON_OWNS' && other === undefined),
    )
  }
})
