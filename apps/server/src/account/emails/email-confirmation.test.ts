import { loginEndpoints, type TokenLink } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { emailCalls, patiently } from './testing/email-calls.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url, TRUSTED_PROXIES: '127.0.0.1, ::1' }
const server = await testServer({ settings })
const second = await testServer({ settings, besides: server })
const { given, db } = server
const { list, add, remove, setDefault, preflight, confirm, givenEmail, disable, auditOf } = emailCalls(server)

/** Adds an address and returns it with the link that its mail contains. */
async function claim(person: { personId: string; token: string }, email: string) {
  const { body } = await add(person, email)
  const { link } = await mailbox.take(email, /bestätigen/)
  return { emailId: body._id, link }
}

const login = (username: string, password: string) =>
  server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

const isVerified = async (person: { personId: string; token: string }, email: string) => {
  const found = (await list(person)).find((item) => item.email === email)
  return found === undefined ? undefined : found.verifiedAt !== null
}

const confirmations = async (person: { personId: string; token: string }) =>
  (await auditOf(person)).filter(({ event }) => event === 'email.verified')

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

test('API-14 MAIL-09 a confirmation link shows the address and its user, and redeeming it verifies the address', async () => {
  const ada = await given.person({ firstname: 'Augusta', lastname: 'King' })
  const { link } = await claim(ada, 'countess@example.org')
  for (let round = 0; round < 20; round += 1) {
    const { body } = await preflight(link)
    expect(body).toEqual({
      action: 'user:email-confirmation',
      data: {
        email: 'countess@example.org',
        user: { firstname: 'Augusta', lastname: 'King', email: ada.email },
        isOwnAccount: false,
      },
    } satisfies TokenLink)
  }
  expect(await isVerified(ada, 'countess@example.org')).toBe(false)
  const answer = await confirm(link)
  expect(answer).toSucceed()
  expect(answer.body).toEqual({})
  expect(await isVerified(ada, 'countess@example.org')).toBe(true)
})

test('DEC-52 the preflight marks only the requesting account as the owner', async () => {
  const ada = await given.person()
  const grace = await given.person({ isRoot: true })
  const { link } = await claim(ada, 'own@example.org')
  const expired = { token: await ada.openSession() }
  await db
    .updateTable('session')
    .set({ expires_at: sql<Date>`now()` })
    .where('person_id', '=', ada.personId)
    .execute()
  const again = { token: await ada.openSession() }
  for (const [caller, isOwnAccount] of [
    [undefined, false],
    [{ token: 'unknown' }, false],
    [expired, false],
    [grace, false],
    [again, true],
  ] as const) {
    expect((await preflight(link, caller)).body.data.isOwnAccount).toBe(isOwnAccount)
  }
})

test('RULE-37 a repeated confirmation succeeds without a change while the address is verified', async () => {
  const ada = await given.person()
  const { link, emailId } = await claim(ada, 'opened.twice@example.org')
  await confirm(link)
  const first = await list(ada)
  expect(await preflight(link)).toSucceed()
  expect(await confirm(link, { on: second })).toSucceed()
  expect(await list(ada)).toEqual(first)
  expect(await confirmations(ada)).toHaveLength(1)

  await remove(ada, emailId)
  expect(await preflight(link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(link)).toFailWith('LINK_NOT_VALID')
})

test('RULE-37 200 concurrent confirmations over two nodes all succeed and verify the address once', async () => {
  const ada = await given.person()
  const { link } = await claim(ada, 'opened.often@example.org')
  // Each call comes from its own network, because the limit per network is not the subject here.
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      patiently(() => confirm(link, { from: `203.0.113.${index}`, on: index % 2 === 0 ? server : second })),
    ),
  )
  expect(Map.groupBy(answers, ({ code }) => code ?? 'success').get('success')).toHaveLength(200)
  for (const { body } of answers) expect(body).toEqual({})
  expect(await confirmations(ada)).toHaveLength(1)
  const refusals = db.selectFrom('audit').select('id').where('event', '=', 'link.redeemed')
  expect(await refusals.where('address', 'like', '203.0.113.%').execute()).toEqual([])
})

test('RULE-45 an unverified claim does not reserve an address: the first confirmation gets it', async () => {
  const eve = await given.person({ firstname: 'Eve' })
  const owner = await given.person({ firstname: 'Grace' })
  const eves = await claim(eve, 'contested@example.org')
  const owners = await claim(owner, 'contested@example.org')
  expect(await preflight(eves.link)).toSucceed()
  expect(await confirm(owners.link)).toSucceed()
  for (const answer of [await preflight(eves.link), await confirm(eves.link)]) {
    expect(answer).toFailWith('LINK_NOT_VALID')
  }
  expect(await isVerified(owner, 'contested@example.org')).toBe(true)
  expect(await isVerified(eve, 'contested@example.org')).toBe(false)
  expect(await setDefault(eve, eves.emailId)).toFailWith('EMAIL_NOT_VERIFIED')
  expect(await confirm(owners.link)).toSucceed()
  expect((await login('contested@example.org', owner.password)).body.next).toBe('redeem')

  // The address is free again after its owner removes it.
  await remove(owner, owners.emailId)
  expect(await confirm(eves.link)).toSucceed()
  expect(await confirm(owners.link)).toFailWith('LINK_NOT_VALID')
})

test('RULE-45 concurrent confirmations of one address by two users over two nodes verify it for one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const email = `race${round}@example.org`
    const people = [await given.person(), await given.person()]
    const claims = []
    for (const person of people) claims.push(await claim(person, email))
    const answers = await Promise.all(
      claims.map(({ link }, index) => confirm(link, { on: index === 0 ? server : second })),
    )
    expect(answers.map(({ code }) => code ?? 'success').toSorted()).toEqual(['LINK_NOT_VALID', 'success'])
    const verified = await Promise.all(people.map((person) => isVerified(person, email)))
    expect(verified.toSorted()).toEqual([false, true])
  }
})

test('RULE-45 the database rejects the second of two confirmations that both pass the check', async () => {
  const [ada, grace] = [await given.person(), await given.person()]
  const { link } = await claim(ada, 'decided@example.org')
  const { emailId } = await claim(grace, 'decided@example.org')
  const { answer } = await db.transaction().execute(async (trx) => {
    await trx.updateTable('email').set({ verified_at: sql<Date>`now()` }).where('id', '=', emailId).execute()
    const pending = confirm(link)
    await expect
      .poll(async () => {
        const { rows } = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'update "email"%'`.execute(
          db,
        )
        return rows.length
      })
      .toBe(1)
    // In an object, because a returned promise would be awaited before the commit.
    return { answer: pending }
  })
  expect(await answer).toFailWith('LINK_NOT_VALID')
  expect(await isVerified(ada, 'decided@example.org')).toBe(false)
})

test('RULE-44 a link is invalid for another address and another row', async () => {
  const ada = await given.person()
  const changed = await claim(ada, 'before@example.org')
  await db
    .updateTable('email')
    .set({ email: 'after@example.org', email_key: 'after@example.org' })
    .where('id', '=', changed.emailId)
    .execute()
  expect(await preflight(changed.link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(changed.link)).toFailWith('LINK_NOT_VALID')
  expect(await isVerified(ada, 'after@example.org')).toBe(false)

  const moved = await claim(ada, 'moved@example.org')
  const grace = await given.person()
  await db.updateTable('email').set({ person_id: grace.personId }).where('id', '=', moved.emailId).execute()
  expect(await confirm(moved.link)).toFailWith('LINK_NOT_VALID')
  expect(await isVerified(grace, 'moved@example.org')).toBe(false)

  // The same address in a new row, with the link still open: the id of the row decides.
  const gone = await claim(ada, 'gone@example.org')
  await db.deleteFrom('email').where('id', '=', gone.emailId).execute()
  await givenEmail(ada, 'gone@example.org', { isVerified: false })
  expect(await preflight(gone.link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(gone.link)).toFailWith('LINK_NOT_VALID')
  expect(await isVerified(ada, 'gone@example.org')).toBe(false)
})

test('a disabled user cannot confirm an address', async () => {
  const ada = await given.person()
  const { link, emailId } = await claim(ada, 'disabled@example.org')
  const verified = await claim(ada, 'verified.before@example.org')
  await confirm(verified.link)
  await disable(ada)
  for (const answer of [await preflight(link), await confirm(link), await confirm(verified.link)]) {
    expect(answer).toFailWith('LINK_NOT_VALID')
  }
  const row = db.selectFrom('email').select('verified_at').where('id', '=', emailId)
  expect(await row.executeTakeFirst()).toEqual({ verified_at: null })
})

test('RULE-38 a voided or expired link confirms nothing', async () => {
  const ada = await given.person()
  const { link } = await claim(ada, 'late@example.org')
  await db
    .updateTable('token_link')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('email', '=', 'late@example.org')
    .execute()
  expect(await confirm(link)).toFailWith('LINK_NOT_VALID')
  expect(await isVerified(ada, 'late@example.org')).toBe(false)
})

test.each([
  ['a password', { password: 'a moth in relay 70' }],
  ['codes', { codes: 'abcd-efgh' }],
  ['a verification', { verifiedAt: '2026-01-01T00:00:00.000Z' }],
  ['another address', { email: 'evil@example.org' }],
])('RULE-54 a confirmation with %s is rejected and leaves the link usable', async (_, body) => {
  const ada = await given.person()
  const email = `strict.${Object.keys(body).join('')}@example.org`
  const { link } = await claim(ada, email)
  expect(await confirm(link, { body })).toFailWith('VALIDATION_FAILED')
  expect(await isVerified(ada, email)).toBe(false)
  expect(await confirm(link)).toSucceed()
})

test('RULE-78 a confirmation works in any session, applies to the user of the link, and is audited', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const anonymous = await claim(ada, 'anonymous@example.org')
  const byEve = await claim(ada, 'by.eve@example.org')
  const byAda = await claim(ada, 'by.ada@example.org')
  expect(await confirm(anonymous.link)).toSucceed()
  expect(await confirm(byEve.link, { as: eve })).toSucceed()
  expect(await confirm(byAda.link, { as: ada, from: '203.0.113.7' })).toSucceed()
  expect(await list(eve)).toHaveLength(1)
  const rows = await confirmations(ada)
  expect(rows.map(({ actor_id, detail }) => [detail.about, actor_id])).toEqual([
    ['anonymous@example.org', ada.personId],
    ['by.eve@example.org', eve.personId],
    ['by.ada@example.org', ada.personId],
  ])
  expect(rows[2]).toMatchObject({ result: 'success', address: '203.0.113.7' })
})
