import {
  confirmEndpoints,
  loginEndpoints,
  ownSessionEndpoints,
  rootSessionEndpoints,
  sessionEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { type AuditEvent, type AuditRow, createAuditRepository } from './audit.repository.ts'

const server = await testServer()
const { given, db } = server
const audit = createAuditRepository(db)

const activityOf = async ({ call }: Pick<GivenPerson, 'call'>, after?: string) => {
  const answer = await call(ownSessionEndpoints.activity, after === undefined ? {} : { query: { after } })
  expect(answer).toSucceed()
  return answer.body
}

/** Creates a user without audit records, so that only the records of the test exist. */
async function givenQuietPerson(): Promise<GivenPerson> {
  const person = await given.person()
  await sql`
    alter table audit disable trigger audit_archived_only;
    delete from audit where target = ${sql.lit(person.personId)};
    alter table audit enable trigger audit_archived_only`.execute(db)
  return person
}

async function addRows(personId: string, count: number, row: Partial<AuditRow> = {}): Promise<void> {
  await sql`
    insert into audit (id, at, event, result, target, detail)
    select gen_random_uuid(), now() - interval '1 day' + n * interval '1 microsecond',
      ${row.event ?? 'login.password'}, ${row.result ?? 'failure'}, ${personId},
      jsonb_build_object('about', 'row ' || n)
    from generate_series(1, ${sql.lit(count)}) n`.execute(db)
}

test('RULE-78 DEC-08 the list shows account events newest first, including failures of strangers', async () => {
  const ada = await given.person()
  await ada.login()
  const wrong = { type: 'credentials', data: { username: ada.email, password: 'wrong password' } }
  await server.call(loginEndpoints.login, { body: wrong })
  await ada.call(confirmEndpoints.confirm, { body: { type: 'password', password: ada.password } })
  await ada.call(ownSessionEndpoints.endOthers)
  const other = await ada.login()
  await server.call(sessionEndpoints.logout, {}, other)

  const page = await activityOf(ada)
  expect(page.items.map(({ event, result }) => [event, result])).toEqual([
    ['session.ended', 'success'],
    ['login.password', 'success'],
    ['sessions.ended', 'success'],
    ['login.confirmed', 'success'],
    ['login.password', 'failure'],
    ['login.password', 'success'],
  ])
  expect(page.total).toBe(6)
  expect(page).not.toHaveProperty('next')
  expect(page).not.toHaveProperty('totalIsCapped')
  expect(page.items[0]).toEqual({
    _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    event: 'session.ended',
    result: 'success',
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    about: null,
  })
})

test('RULE-35 the user sees root’s actions on their sessions, and root sees their own', async () => {
  const root = await given.person({ firstname: 'Grace', isRoot: true })
  const ada = await givenQuietPerson()
  await root.call(rootSessionEndpoints.endAll, { params: { personId: ada.personId } })
  const [mine] = (await activityOf(root)).items
  expect(mine?.event).toBe('sessions.ended')
  const { token } = (
    await server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: ada.email, password: ada.password } },
    })
  ).body
  const { body } = await server.call(ownSessionEndpoints.activity, {}, token)
  expect(body.items.map(({ event }) => event)).toEqual(['login.password', 'sessions.ended'])
})

test('the list shows only account events, and none of other accounts', async () => {
  const [ada, bob] = [await givenQuietPerson(), await givenQuietPerson()]
  const shown: AuditEvent[] = [
    'login.password',
    'login.otp',
    'login.passkey',
    'login.confirmed',
    'session.ended',
    'sessions.ended',
    'profile.changed',
    'password.changed',
    'password.reset-requested',
    'password.locked',
    'email.added',
    'email.default-changed',
    'passkey.added',
    'passkey.suspicious',
    'otp.enabled',
    'otp.recovered',
    'invitation.redeemed',
  ]
  const hidden: AuditEvent[] = ['invitation.created', 'link.redeemed']
  const { personId } = ada
  for (const event of [...shown, ...hidden]) {
    await audit.add({ event, result: 'success', target: personId })
    await audit.add({ event, result: 'success', actorId: personId })
    await audit.add({ event, result: 'success', actorId: personId, target: personId })
    await audit.add({ event, result: 'success', actorId: bob.personId, target: bob.personId })
  }
  const events: string[] = []
  let after: string | undefined
  do {
    const page = await activityOf(ada, after)
    expect(page.total).toBe(shown.length * 3)
    events.push(...page.items.map(({ event }) => event))
    after = page.next
  } while (after !== undefined)
  expect(events.toSorted()).toEqual(shown.flatMap((event) => [event, event, event]).toSorted())
})

test('an event shows only the description meant for the user', async () => {
  const ada = await givenQuietPerson()
  const row = { event: 'email.added', result: 'success', target: ada.personId } as const
  await audit.add({ ...row, detail: { about: 'ada@example.net', link: 'a link', invitedBy: 'Eve' } })
  await audit.add({ ...row, detail: { about: { email: 'nested' } } })
  await audit.add({ ...row, detail: { about: 7 } })
  await audit.add({ ...row, detail: { fields: ['firstname'] } })
  const { items } = await activityOf(ada)
  expect(items.map(({ about }) => about)).toEqual([null, null, null, 'ada@example.net'])
  expect(JSON.stringify(items)).not.toMatch(/a link|Eve|nested|firstname/)
})

test('DEC-39 a page has 20 rows and each row appears once, even for rows with equal times', async () => {
  const ada = await givenQuietPerson()
  const ids = Array.from({ length: 45 }, () => uuidv7())
  const at = new Date()
  await db
    .insertInto('audit')
    .values(
      ids.map((id) => ({
        id,
        at,
        event: 'login.password',
        result: 'failure',
        target: ada.personId,
        detail: '{}',
      })),
    )
    .execute()

  const first = await activityOf(ada)
  expect(first.items).toHaveLength(20)
  expect(first.next).toBe(first.items.at(-1)?._id)
  const middle = await activityOf(ada, first.next)
  // A concurrent record moves no row to another page.
  await audit.add({ event: 'login.password', result: 'failure', target: ada.personId })
  const last = await activityOf(ada, middle.next)
  expect([middle, last].map(({ items }) => items.length)).toEqual([20, 5])
  expect(last).not.toHaveProperty('next')
  expect([first, middle, last].map(({ total }) => total)).toEqual([45, 45, 46])
  const given45 = [first, middle, last].flatMap(({ items }) => items.map(({ _id }) => _id))
  expect(given45).toEqual(ids.toSorted().toReversed())
})

test('DEC-39 a page that is exactly full has no next page', async () => {
  const ada = await givenQuietPerson()
  await addRows(ada.personId, 20)
  const page = await activityOf(ada)
  expect(page.items).toHaveLength(20)
  expect(page).not.toHaveProperty('next')
  expect((await activityOf(ada, page.items.at(-1)?._id)).items).toEqual([])
})

test('RULE-51 a page after a foreign row is empty', async () => {
  const [ada, bob] = [await givenQuietPerson(), await givenQuietPerson()]
  await addRows(ada.personId, 30)
  await addRows(bob.personId, 30)
  const foreign = (await activityOf(bob)).next
  expect(foreign).toBeDefined()
  const hidden = uuidv7()
  await db
    .insertInto('audit')
    .values({
      id: hidden,
      event: 'invitation.created',
      result: 'success',
      actor_id: ada.personId,
      detail: '{}',
    })
    .execute()
  for (const after of [foreign, uuidv7(), hidden]) {
    const page = await activityOf(ada, after)
    expect(page.items).toEqual([])
    expect(page).not.toHaveProperty('next')
    expect(page.total).toBe(30)
  }
})

test.each([
  { after: 'x' },
  { after: '' },
  { after: "' or true --" },
  { before: uuidv7() },
  { limit: '1000' },
])('RULE-54 the query %j is rejected', async (query) => {
  const ada = await given.person()
  expect(await ada.call(ownSessionEndpoints.activity, { query })).toFailWith('VALIDATION_FAILED')
})

test('DEC-42 the total is exact up to 10,000 and capped above', async () => {
  const ada = await givenQuietPerson()
  await addRows(ada.personId, 10_000)
  const exact = await activityOf(ada)
  expect(exact.total).toBe(10_000)
  expect(exact).not.toHaveProperty('totalIsCapped')
  await addRows(ada.personId, 1)
  const capped = await activityOf(ada)
  expect(capped).toMatchObject({ total: 10_000, totalIsCapped: true })
  expect(capped.items).toHaveLength(20)
  expect(capped.next).toBeDefined()
})
