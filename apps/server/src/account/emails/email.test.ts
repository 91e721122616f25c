import { emailEndpoints, limits, loginEndpoints, meEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'
import { emailCalls, patiently } from './testing/email-calls.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url, PULT_URL: 'https://pult.example.org' }
const server = await testServer({ settings })
const second = await testServer({ settings, besides: server })
const { given, db } = server
const { list, add, remove, resend, setDefault, preflight, confirm, givenEmail, auditOf } = emailCalls(server)

const unknownId = '018f0000-0000-7000-8000-000000000000'

const login = (username: string, password: string) =>
  server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

const mailsTo = (address: string, subject: RegExp) =>
  mailbox.received.filter((mail) => mail.to === address && subject.test(mail.subject))

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

test('API-13 MAIL-01 MAIL-10 the list of addresses starts with the default and continues in order of creation', async () => {
  const ada = await given.person()
  await given.person()
  const oldest = await givenEmail(ada, 'oldest@example.org', { age: 300 })
  const newest = await givenEmail(ada, 'newest@example.org', { age: 100, isVerified: false })
  const middle = await givenEmail(ada, 'middle@example.org', { age: 200 })

  const { body } = await ada.call(emailEndpoints.list)
  expect(body.total).toBe(4)
  expect(body.items.map(({ email }) => email)).toEqual([
    ada.email,
    'oldest@example.org',
    'middle@example.org',
    'newest@example.org',
  ])
  expect(body.items.map(({ _id }) => _id).slice(1)).toEqual([oldest, middle, newest])
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(body.items[0]).toEqual({
    _id: expect.any(String),
    email: ada.email,
    isDefault: true,
    createdAt: instant,
    verifiedAt: instant,
    resendIn: 0,
  })
  expect(body.items[3]).toMatchObject({ isDefault: false, verifiedAt: null })
  const waits = body.items
    .slice(1, 3)
    .map(({ createdAt, verifiedAt }) => Date.parse(verifiedAt ?? '') - Date.parse(createdAt))
  expect(waits).toEqual([300_000, 200_000])
})

test('API-13 MAIL-09 RULE-45 an added address becomes usable when its owner follows the link', async () => {
  const ada = await given.person()
  const added = await add(ada, '  Ada.New@Example.org ')
  expect(added).toSucceed()
  expect(added.body).toMatchObject({ email: 'Ada.New@Example.org', isDefault: false, verifiedAt: null })
  expect(await list(ada)).toContainEqual(added.body)
  expect(await login('ada.new@example.org', ada.password)).toFailWith('INVALID_CREDENTIALS')

  const { link } = await mailbox.take('Ada.New@example.org', /bestätigen/)
  expect(await confirm(link)).toSucceed()
  const [, verified] = await list(ada)
  expect(verified).toMatchObject({ verifiedAt: expect.any(String), resendIn: 0 })
  expect(await login('ada.new@example.org', ada.password)).toSucceed()
})

test('RULE-19 an added address is reported to all verified addresses and no other', async () => {
  const ada = await given.person()
  await givenEmail(ada, 'second.ada@example.org')
  await givenEmail(ada, 'unverified.ada@example.org', { isVerified: false })
  await add(ada, 'third.ada@example.org')
  for (const address of [ada.email, 'second.ada@example.org']) {
    const { text, html } = await mailbox.take(address, /hinzugefügt \/ E-mail address added/)
    expect(text).toContain('wurde die Adresse third.ada@example.org hinzugefügt')
    expect(text).toContain('The address third.ada@example.org was added')
    expect(html).toContain('href="https://pult.example.org/me/sessions"')
  }
  await mailbox.take('third.ada@example.org', /bestätigen/)
  expect(mailbox.received.filter(({ to }) => to === 'unverified.ada@example.org')).toEqual([])
  expect(mailsTo('third.ada@example.org', /added/)).toEqual([])
})

test.each([
  ['a list', 'one@example.org, two@example.org'],
  ['a list without spaces', 'one@example.org,two@example.org'],
  ['a line end', 'one@example.org\r\nBcc: two@example.org'],
  ['a line end within the domain', 'one@example.org\n.evil.example'],
  ['a NUL', 'one\u0000@example.org'],
  ['a group', 'friends: one@example.org, two@example.org;'],
  ['a name', 'One <one@example.org>'],
  ['a quoted local part', '"one@example.org two"@example.org'],
  ['no domain', 'one@'],
  ['no local part', '@example.org'],
  ['two at signs', 'one@two@example.org'],
  ['a right-to-left override', 'one\u202e@example.org'],
  ['half a character', 'one\ud800@example.org'],
  ['300 characters', `${'a'.repeat(288)}@example.org`],
  ['255 characters', `${'a'.repeat(243)}@example.org`],
  ['a full-width at sign, which normalises to a plain one', 'one＠two@example.org'],
  ['a full-width comma, which normalises to a plain one', 'one，two@example.org'],
  ['a full-width full stop in the domain', 'one@example．org'],
  ['a letter in a circle in the domain', 'one@ⓔxample.org'],
  ['characters that normalise to many', `${'㌖㍍㌕㌳㌍㌶㌫㌻㍗㌞'.repeat(24)}@a.org`],
  ['an empty text', ''],
  ['spaces', '   '],
  ['a number', 5],
  ['null', null],
  ['a list of addresses', ['one@example.org']],
  ['an object', { address: 'one@example.org' }],
])('RULE-48 an address with %s is rejected', async (_, email) => {
  const ada = await given.person()
  expect(await add(ada, email)).toFailWith('VALIDATION_FAILED')
  expect(await list(ada)).toHaveLength(1)
  expect(await auditOf(ada)).toEqual([])
})

test('RULE-48 international and long addresses are accepted and receive mail', async () => {
  const ada = await given.person()
  const label = 'a'.repeat(60)
  // 251 characters; mail servers differ about the last three.
  const long = `${'l'.repeat(64)}@${label}.${label}.${label}.org`
  const emails = [
    'ada@bücher.example',
    'müller@example.org',
    'エイダ@例え.テスト',
    "o'hara+tag@sub.example.org",
    long,
  ]
  for (const email of emails) expect(await add(ada, email)).toSucceed()
  for (const email of emails) {
    const { link, text } = await mailbox.take(email, /bestätigen/)
    expect(text).toContain(email)
    expect((await preflight(link)).body.data.email).toBe(email)
  }
})

test.each([
  ['a verification', { verifiedAt: '2026-01-01T00:00:00.000Z' }],
  ['a default', { isDefault: true }],
  ['an id', { _id: unknownId }],
  ['an owner', { personId: unknownId }],
  ['a time', { createdAt: '2026-01-01T00:00:00.000Z' }],
])('RULE-45 RULE-54 an address with %s is rejected', async (_, extra) => {
  const ada = await given.person()
  const body = { email: 'extra@example.org', ...extra }
  expect(await ada.call(emailEndpoints.create, { body })).toFailWith('VALIDATION_FAILED')
  const emailId = await givenEmail(ada, 'there.already@example.org', { isVerified: false })
  const calls = [emailEndpoints.verify, emailEndpoints.setDefault, emailEndpoints.remove]
  for (const endpoint of calls) {
    expect(await ada.call(endpoint, { params: { emailId }, body: extra })).toFailWith('VALIDATION_FAILED')
  }
  expect(await list(ada)).toHaveLength(2)
  await db.deleteFrom('email').where('id', '=', emailId).execute()
})

test('API-13 a duplicate address is rejected in every spelling and stays unchanged', async () => {
  const ada = await given.person()
  const { body } = await add(ada, 'twice@example.org')
  expect(await add(ada, 'TWICE@Example.org')).toFailWith('EMAIL_ADDED_ALREADY')
  expect(await add(ada, 'ｔｗｉｃｅ@example.org')).toFailWith('EMAIL_ADDED_ALREADY')
  expect(await add(ada, ada.email.toUpperCase())).toFailWith('EMAIL_ADDED_ALREADY')
  expect((await list(ada)).map(({ email }) => email)).toEqual([ada.email, body.email])
})

test('API-13 one of many concurrent adds of one address over two nodes succeeds', async () => {
  const ada = await given.person()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => add(ada, 'same@example.org', index % 2 === 0 ? server : second)),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'EMAIL_ADDED_ALREADY')).toHaveLength(11)
  await mailbox.take('same@example.org')
})

test('API-13 concurrent adds over two nodes respect the limit of addresses', async () => {
  const ada = await given.person()
  const free = 3
  for (let count = 1; count < limits.emailsMax - free; count += 1) {
    await givenEmail(ada, `filler${count}@example.org`, { isVerified: false })
  }
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      add(ada, `parallel${index}@example.org`, index % 2 === 0 ? server : second),
    ),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(free)
  expect(answers.filter(({ code }) => code === 'TOO_MANY_EMAILS')).toHaveLength(12 - free)
  expect(await list(ada)).toHaveLength(limits.emailsMax)
})

test('RULE-04 DEC-09 the answer does not reveal whether an address is verified elsewhere; only the address itself is notified', async () => {
  const owner = await given.person({ firstname: 'Grace' })
  const eve = await given.person({ firstname: 'Eve', lastname: 'Evilname' })
  await givenEmail(owner, 'other.grace@example.org')
  const free = await add(eve, 'unclaimed@example.org')
  const typed = owner.email.replace('grace', 'ＧＲＡＣＥ')
  const taken = await add(eve, typed)

  const shape = ({ status, body, headers }: typeof free) => ({
    status,
    body: { ...body, _id: '', email: '', createdAt: '' },
    headers: [...headers.keys()],
  })
  expect(shape(taken)).toEqual(shape(free))
  expect(taken.body).toMatchObject({ email: typed, verifiedAt: null, resendIn: 30 })

  const letter = await mailbox.take(
    owner.email,
    /Ihre E-Mail-Adresse bei Pult \/ Your e-mail address in Pult/,
  )
  expect(letter.text).toContain(
    `jemand wollte die Adresse ${owner.email} zu einem anderen Pult-Konto hinzufügen`,
  )
  expect(letter.text).toContain(
    `An attempt was made to add the address ${owner.email} to another Pult account`,
  )
  expect(letter.text).toContain('Sie brauchen nichts zu tun.')
  expect(letter.text).toContain('No action is needed.')
  expect(letter.html).toContain('href="https://pult.example.org/me/emails"')
  expect(letter.text + letter.html).not.toMatch(/bift|Eve|Evilname/)
  await mailbox.take('unclaimed@example.org', /bestätigen/)
  expect(mailsTo(owner.email, /bestätigen/)).toEqual([])
  // Only the mailbox that verified the address receives mail, regardless of the entered spelling.
  expect(mailsTo(typed, /./)).toEqual([])
  expect(mailsTo('other.grace@example.org', /./)).toEqual([])

  // A repeated request does not distinguish the addresses either.
  const again = await Promise.all([resend(eve, free.body._id), resend(eve, taken.body._id)])
  for (const answer of again) expect(answer).toFailWith('TOO_MANY_REQUESTS')
  expect(new Set(again.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('RULE-15 adding an address and setting the default require a recent sign-in; resending and removing do not', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'older.ada@example.org')
  const unverified = await givenEmail(ada, 'unverified.older@example.org', { isVerified: false })
  await ada.forgetSignIn()
  expect(await add(ada, 'later@example.org')).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await setDefault(ada, emailId)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect((await list(ada)).map(({ email }) => email)).not.toContain('later@example.org')
  expect((await list(ada))[0]?.email).toBe(ada.email)
  expect(await resend(ada, unverified)).toSucceed()
  expect(await remove(ada, emailId)).toSucceed()
})

test('RULE-51 addresses of other users return 404 and stay unchanged', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const verified = await givenEmail(ada, 'adas.own@example.org')
  const unverified = await givenEmail(ada, 'adas.claim@example.org', { isVerified: false })
  const before = await list(ada)
  for (const emailId of [verified, unverified, unknownId, 'x']) {
    expect(await remove(eve, emailId)).toFailWith('NOT_FOUND')
    expect(await resend(eve, emailId)).toFailWith('NOT_FOUND')
    expect(await setDefault(eve, emailId)).toFailWith('NOT_FOUND')
  }
  expect(await list(ada)).toEqual(before)
})

test('API-13 RULE-44 DEC-09 removing an address voids its links and notifies the verified addresses', async () => {
  const ada = await given.person()
  const { body: added } = await add(ada, 'goes@example.org')
  const { link } = await mailbox.take('goes@example.org', /bestätigen/)
  expect(await preflight(link)).toSucceed()

  const removed = await remove(ada, added._id)
  expect(removed).toSucceed()
  expect(removed.body).toBe(true)
  expect(await list(ada)).toHaveLength(1)
  expect(await preflight(link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(link)).toFailWith('LINK_NOT_VALID')
  expect(await remove(ada, added._id)).toFailWith('NOT_FOUND')
  const open = db.selectFrom('token_link').select('id').where('email_key', '=', 'goes@example.org')
  expect(await open.where('voided_at', 'is', null).execute()).toEqual([])

  const { text } = await mailbox.take(ada.email, /entfernt \/ E-mail address removed/)
  expect(text).toContain('die Adresse goes@example.org gehört nicht mehr zu Ihrem Pult-Konto')
  expect(text).toContain('The address goes@example.org no longer belongs to your Pult account')
  expect(mailsTo('goes@example.org', /removed/)).toEqual([])

  // Adding the address again creates a new row, and the old link does not apply to it.
  await add(ada, 'goes@example.org')
  const newer = await mailbox.take('goes@example.org', /bestätigen/)
  expect(await confirm(link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(newer.link)).toSucceed()
})

test('RULE-19 RULE-45 a removed verified address is notified and can no longer sign in', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'was.verified@example.org')
  expect(await login('was.verified@example.org', ada.password)).toSucceed()
  expect(await remove(ada, emailId)).toSucceed()
  expect(await login('was.verified@example.org', ada.password)).toFailWith('INVALID_CREDENTIALS')
  await mailbox.take('was.verified@example.org', /entfernt/)
  await mailbox.take(ada.email, /entfernt/)
})

test('RULE-46 DEC-09 the default address cannot be removed, and an unverified address cannot become the default', async () => {
  const ada = await given.person()
  const [own] = await list(ada)
  expect(await remove(ada, own?._id ?? '')).toFailWith('EMAIL_IS_DEFAULT')
  const unverified = await givenEmail(ada, 'not.yet@example.org', { isVerified: false })
  expect(await setDefault(ada, unverified)).toFailWith('EMAIL_NOT_VERIFIED')
  expect((await list(ada)).map(({ isDefault }) => isDefault)).toEqual([true, false])
  expect(await auditOf(ada)).toEqual([])
})

test('API-13 RULE-19 setting the default applies immediately in all sessions and notifies the old and the new address', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'next.default@example.org')
  await givenEmail(ada, 'third.address@example.org')
  await givenEmail(ada, 'no.news@example.org', { isVerified: false })
  const answer = await setDefault(ada, emailId)
  expect(answer).toSucceed()
  const items = await list(ada)
  expect(items[0]).toEqual(answer.body)
  expect(items[0]).toMatchObject({ _id: emailId, isDefault: true })
  expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  expect((await ada.call(meEndpoints.read)).body.email).toBe('next.default@example.org')

  for (const address of [ada.email, 'next.default@example.org', 'third.address@example.org']) {
    const { text } = await mailbox.take(address, /Neue Standardadresse \/ New default address/)
    expect(text).toContain('die Standardadresse Ihres Pult-Kontos ist jetzt next.default@example.org')
    expect(text).toContain('The default address of your Pult account is now next.default@example.org')
  }
  expect(mailsTo('no.news@example.org', /./)).toEqual([])
})

test('API-13 setting the current default again changes and mails nothing', async () => {
  const ada = await given.person()
  const [own] = await list(ada)
  const answer = await setDefault(ada, own?._id ?? '')
  expect(answer).toSucceed()
  expect(answer.body).toEqual(own)
  expect(await auditOf(ada)).toEqual([])
  // Mails arrive in order, so the next mail proves that no earlier one exists.
  await add(ada, 'afterwards@example.org')
  await mailbox.take('afterwards@example.org')
  expect(mailsTo(ada.email, /default/)).toEqual([])
})

test('RULE-46 concurrent changes of the default and removals over two nodes leave exactly one default', async () => {
  const ada = await given.person()
  const ids: string[] = []
  for (let index = 0; index < 6; index += 1) ids.push(await givenEmail(ada, `switch${index}@example.org`))
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, index) => {
      const on = index % 2 === 0 ? server : second
      const emailId = ids[index % ids.length] ?? ''
      const change = (): Promise<{ status: number; code: string | undefined }> =>
        index % 8 === 7 ? remove(ada, emailId, on) : setDefault(ada, emailId, on)
      return patiently(change)
    }),
  )
  for (const { code } of answers) expect([undefined, 'NOT_FOUND', 'EMAIL_IS_DEFAULT']).toContain(code)
  const left = await list(ada)
  expect(left.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  expect(left[0]?.verifiedAt).not.toBeNull()
  const rows = await auditOf(ada)
  const removed = rows.filter(({ event }) => event === 'email.removed')
  expect(left).toHaveLength(ids.length + 1 - removed.length)
})

test('RULE-78 each change of an address is audited with its actor, address and origin', async () => {
  const ada = await given.person()
  const { body } = await add(ada, 'audited@example.org')
  await confirm((await mailbox.take('audited@example.org', /bestätigen/)).link)
  await setDefault(ada, body._id)
  const [, former] = await list(ada)
  await remove(ada, former?._id ?? '')
  const rows = await auditOf(ada)
  expect(rows.map(({ event, detail }) => [event, detail.about])).toEqual([
    ['email.added', 'audited@example.org'],
    ['email.verified', 'audited@example.org'],
    ['email.default-changed', 'audited@example.org'],
    ['email.removed', ada.email],
  ])
  for (const row of rows) {
    expect(row).toMatchObject({
      result: 'success',
      actor_id: ada.personId,
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    })
  }
})

test('API-13 calls without a session are rejected', async () => {
  const calls = [
    server.call(emailEndpoints.list),
    server.call(emailEndpoints.create, { body: { email: 'who@example.org' } }),
    ...[emailEndpoints.remove, emailEndpoints.verify, emailEndpoints.setDefault].map((endpoint) =>
      server.call(endpoint, { params: { emailId: unknownId } }),
    ),
  ]
  for (const answer of await Promise.all(calls)) expect(answer).toFailWith('UNAUTHENTICATED')
})
