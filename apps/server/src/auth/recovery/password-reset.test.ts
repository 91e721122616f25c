import { connect, createServer } from 'node:net'
import { deviceHeader, recoveryEndpoints, settingsEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashToken, newToken } from '#platform/secrets.ts'
import { linkCalls } from '../../token-links/testing/link-calls.ts'
import { recoveryNetworkPolicy, resetPolicy } from './recovery.ts'

const mailbox = await openMailbox()
const settings = { PULT_URL: 'https://pult.example.org', SMTP_URL: mailbox.url }
const server = await testServer({ settings })
const { given, db } = server
const calls = linkCalls(server)
const { addAddress, allMailSent, byOtp, byPassword, disable, preflight, tokenOf, voucherOf } = calls

const newPassword = 'a moth in relay 70'
server.watchSecret(newPassword)
const letter = /^Neues Passwort für Pult/
beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

const request = (username: string, on = server, headers = {}) =>
  on.call(recoveryEndpoints.resetPassword, { body: { username }, headers })

const redeem = (token: string) => calls.redeem(token, { password: newPassword })

async function mailedToken(email: string): Promise<string> {
  expect(await request(email)).toSucceed()
  return tokenOf((await mailbox.take(email, letter)).link)
}

test('API-05 API-14 API-15 a request mails a link that sets a new password', async () => {
  const ada = await given.person({ email: 'Ada.Byron@example.org' })
  const answer = await request('ada.BYRON@example.org')
  expect(answer).toSucceed()
  expect(answer.body).toBe(true)
  const { link } = await mailbox.take('Ada.Byron@example.org', letter)
  const token = tokenOf(link)

  expect((await preflight(token)).body).toEqual({
    action: 'user:reset-password',
    data: { email: 'Ada.Byron@example.org', user: { firstname: 'Ada', lastname: 'Lovelace' } },
  })
  const redeemed = await redeem(token)
  expect(redeemed).toSucceed()
  expect(await byPassword(ada.email, newPassword)).toSucceed()
  expect(await byPassword(ada.email, ada.password)).toFailWith('INVALID_CREDENTIALS')
})

test('the reset mail has German and English text and HTML', async () => {
  const ada = await given.person()
  expect(await request(ada.email)).toSucceed()
  const mail = await mailbox.take(ada.email, letter)
  tokenOf(mail.link)
  expect(mail.subject).toBe('Neues Passwort für Pult / New password for Pult')
  expect(mail.text.trim()).toBe(
    `Hallo,

für Ihr Pult-Konto wurde ein neues Passwort angefordert. Über den Link können Sie es festlegen. Dabei enden alle Sitzungen.

Neues Passwort festlegen:
${mail.link}

Der Link gilt 30 Minuten und nur einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt unverändert.

– – –

Hello,

A new password was requested for your Pult account. Use the link to set it. This ends all sessions.

Set a new password:
${mail.link}

The link is valid for 30 minutes and works once. If this was not you, no action is needed: your password does not change.`,
  )
  const [german = '', english = ''] = mail.html.split('<div lang="en">')
  expect(german).toContain('<div lang="de">')
  expect(german).toContain('für Ihr Pult-Konto wurde ein neues Passwort angefordert.')
  expect(german).toContain(`<a href="${mail.link}"`)
  expect(german).toContain('>Neues Passwort festlegen</a>')
  expect(english).toContain('A new password was requested for your Pult account.')
  expect(english).toContain(`<a href="${mail.link}"`)
  expect(english).toContain('>Set a new password</a>')
})

test('GreenCity#1770 the reset mail has the language of the page, or the one that the user has chosen', async () => {
  const subjectFor = async (email: string, language: string) => {
    expect(await request(email, server, { 'accept-language': language })).toSucceed()
    return (await mailbox.take(email, /for Pult$|für Pult$/)).subject
  }
  const ada = await given.person()
  expect(await subjectFor(ada.email, 'en')).toBe('New password for Pult')
  const grace = await given.person()
  expect(await subjectFor(grace.email, 'de-DE')).toBe('Neues Passwort für Pult')
  const alan = await given.person()
  await alan.call(settingsEndpoints.update, { body: { language: 'en' } })
  expect(await subjectFor(alan.email, 'de-DE')).toBe('New password for Pult')
})

test('RULE-04 RULE-45 unknown, unverified and disabled accounts get the same answer and no mail', async () => {
  const ada = await given.person()
  const disabled = await given.person()
  await disable(disabled.personId)
  await addAddress(ada.personId, 'unverified@example.org', false)
  const silent = ['unknown@example.org', 'unverified@example.org', disabled.email]

  const answers = []
  for (const username of [...silent, ada.email]) answers.push(await request(username))
  for (const answer of answers) expect(answer).toSucceed()
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)

  await mailbox.take(ada.email, letter)
  await allMailSent()
  expect(mailbox.received.filter(({ to }) => silent.includes(to))).toEqual([])
  const links = await db
    .selectFrom('token_link')
    .select('id')
    .where('email_key', 'in', silent)
    .where('action', '=', 'user:reset-password')
    .execute()
  expect(links).toEqual([])
})

test('RULE-04 a call leaves the same traces for known and unknown addresses, without their names', async () => {
  const quiet = await testServer({ settings })
  const names = ['traced.known@example.org', 'traced.unknown@example.org']
  await quiet.given.person({ email: 'traced.known@example.org' })
  await quiet.db.deleteFrom('attempt').execute()
  for (const username of names) expect(await request(username, quiet)).toSucceed()
  await linkCalls(quiet).allMailSent()

  const requested = quiet.db
    .selectFrom('audit')
    .where('event', '=', 'password.reset-requested')
    .where('target', 'is', null)
  const rows = await requested.select(['result', 'actor_id', 'address']).execute()
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual(rows[1])
  const jobs = await sql<{ data: object }>`select data from pgboss.job where name = 'password-reset'`.execute(
    quiet.db,
  )
  expect(jobs.rows.map(({ data }) => Object.keys(data).toSorted())).toEqual([
    ['address', 'language', 'requestId', 'sealedUsername'],
    ['address', 'language', 'requestId', 'sealedUsername'],
  ])

  const { rows: written } = await sql<{ row: string }>`
    select a::text as row from audit a where event = 'password.reset-requested' and target is null
    union all select t::text from attempt t
    union all select j::text from pgboss.job j`.execute(quiet.db)
  // One count for the network; a count, an audit row and a job per call; one mail.
  expect(written.length).toBeGreaterThanOrEqual(8)
  for (const name of names) {
    const bytes = Buffer.from(name)
    for (const form of [name, bytes.toString('hex'), bytes.toString('base64').replaceAll('=', '')]) {
      for (const { row } of written) expect(row).not.toContain(form)
    }
  }
  await quiet.stop()
})

test('RULE-04 DEC-38 RULE-07 an address is limited equally whether known or not, in upper or lower case', async () => {
  const ada = await given.person()
  const refusals = []
  for (const username of [ada.email, 'unknown@example.org']) {
    for (let round = 0; round < resetPolicy.most; round += 1) expect(await request(username)).toSucceed()
    const refused = await request(username.toUpperCase())
    expect(refused).toFailWith('TOO_MANY_REQUESTS')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(resetPolicy.seconds - 60)
    refusals.push(JSON.stringify(refused.body))
  }
  expect(refusals[0]).toBe(refusals[1])
  expect(await request('another@example.org')).toSucceed()
  await allMailSent()
})

test('DEC-38 RULE-05 a network is limited over all addresses, on every node and after a restart', async () => {
  const second = await testServer({ besides: server, settings })
  const most = recoveryNetworkPolicy.most
  const codes: (string | undefined)[] = []
  // In batches, because a small machine answers BUSY to hundreds of concurrent calls.
  for (let wave = 0; wave < most + 20; wave += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        request(`unknown${wave + index}@example.org`, index % 2 === 0 ? server : second),
      ),
    )
    codes.push(...answers.map(({ code }) => code))
  }
  // Loopback has two addresses, and clients may use either.
  const { keys } = await db
    .selectFrom('attempt')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('key', 'like', 'recovery-network:%')
    .executeTakeFirstOrThrow()
  expect(keys).toBe(1)
  expect(codes.filter((code) => code === undefined)).toHaveLength(most)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(20)
  await second.stop()
  const restarted = await testServer({ besides: server, settings })
  expect(await request('unknown@example.org', restarted)).toFailWith('TOO_MANY_REQUESTS')
  await restarted.stop()
  await allMailSent()
})

test('RULE-05 a blocked network does not block the password reset of a known browser', async () => {
  const ada = await given.person()
  const [known, unknown] = [newToken(), newToken()]
  server.watchSecret(known)
  await db
    .insertInto('known_device')
    .values({ person_id: ada.personId, secret_hash: hashToken(known) })
    .execute()
  for (const network of ['127.0.0.1', '::/64']) {
    await db
      .insertInto('attempt')
      .values({
        key: `recovery-network:${network}`,
        failures: recoveryNetworkPolicy.most,
        blocked_until: sql<Date>`now() + interval '5 minutes'`,
      })
      .execute()
  }
  expect(await request(ada.email)).toFailWith('TOO_MANY_REQUESTS')
  expect(await request(ada.email, server, { [deviceHeader]: unknown })).toFailWith('TOO_MANY_REQUESTS')
  expect(await request(ada.email, server, { [deviceHeader]: known })).toSucceed()
  tokenOf((await mailbox.take(ada.email, letter)).link)
})

test('RULE-48 RULE-04 an invalid or foreign address gets no mail and the same answer', async () => {
  await given.person({ email: 'list@example.org' })
  for (const username of [
    'list@example.org, evil@example.net',
    'list@example.org,evil@example.net',
    'friends: list@example.org;',
    'List <list@example.org>',
    'no address at all',
    '管理者@例え.テスト',
    'list\u202e@example.org',
    '🦊@example.org',
    '%',
    "' or 1=1 --",
  ]) {
    const answer = await request(username)
    expect(answer).toSucceed()
    expect(answer.body).toBe(true)
  }
  await allMailSent()
  expect(mailbox.received.filter(({ to }) => /list|evil/.test(to))).toEqual([])
})

test.each([
  ['a line end', { username: 'ada@example.org\r\nBcc: evil@example.net' }],
  ['a NUL', { username: 'ada\u0000@example.org' }],
  ['nothing', { username: '' }],
  ['255 characters', { username: 'x'.repeat(255) }],
  ['a list', { username: ['ada@example.org'] }],
  ['a number', { username: 1 }],
  ['null', { username: null }],
  ['no username', {}],
  ['another field', { username: 'ada@example.org', email: 'evil@example.net' }],
])('RULE-54 a request with %s is rejected', async (_, body) => {
  expect(await server.call(recoveryEndpoints.resetPassword, { body })).toFailWith('VALIDATION_FAILED')
})

test('API-05 an international address receives its mail', async () => {
  const email = 'жанна@пример.example'
  await given.person({ email })
  expect(await request('ЖАННА@Пример.example')).toSucceed()
  await expect.poll(() => mailbox.received.filter(({ to }) => to === email).length).toBe(1)
})

test('RULE-45 the mail goes to the verified spelling of the address, not to the entered one', async () => {
  const ada = await given.person({ email: 'wide@example.org' })
  // Full-width letters compare equal to plain ones, but as an address they may belong to another person.
  expect(await request('ｗｉｄｅ@example.org')).toSucceed()
  const mail = await mailbox.take(ada.email, letter)
  expect((await preflight(tokenOf(mail.link))).body.data.email).toBe('wide@example.org')
  expect(mailbox.received.some(({ to }) => to.startsWith('ｗ'))).toBe(false)
})

test('RULE-49 requests get the same answer while the mail server is down, and the mail is sent after its return', async () => {
  let isUp = false
  const relay = createServer((socket) => {
    socket.on('error', () => {})
    if (!isUp) {
      socket.destroy()
      return
    }
    const inside = connect({ host: '127.0.0.1', port: Number(new URL(mailbox.url).port) })
    inside.on('error', () => {})
    socket.pipe(inside).pipe(socket)
  })
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void relay.close())
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const away = await testServer({
    settings: { ...settings, SMTP_URL: `smtp://127.0.0.1:${address.port}` },
  })
  const ada = await away.given.person({ email: 'patient@example.org' })

  const known = await request(ada.email, away)
  const unknown = await request('unknown@example.org', away)
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  expect(known).toSucceed()
  await expect.poll(() => away.logLines.join('')).toContain('mail cannot be delivered')
  isUp = true
  const found = () => mailbox.received.filter(({ to }) => to === ada.email)
  await expect.poll(() => found().length).toBe(1)
  away.watchSecret(tokenOf(found()[0]?.link ?? ''))
  await away.stop()
})

test('RULE-49 a job that runs twice mails one link, which remains valid', async () => {
  const ada = await given.person()
  const token = await mailedToken(ada.email)
  await allMailSent()
  const { id } = await db
    .selectFrom('token_link')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  const lines = server.logLines.length
  // Simulates a node that died before it marked the job as done.
  const again = await sql`
    update pgboss.job set state = 'retry', completed_on = null, start_after = now()
    where name = 'password-reset' and id = ${id}`.execute(db)
  expect(again.numAffectedRows).toBe(1n)
  await allMailSent()
  expect(mailbox.received.filter(({ to }) => to === ada.email)).toHaveLength(1)
  expect(server.logLines.slice(lines).join('')).not.toContain('"job":"password-reset","msg"')
  expect(await redeem(token)).toSucceed()
})

test('RULE-49 a failing job is retried and leaves no partial result', async () => {
  const ada = await given.person()
  await allMailSent()
  await sql`alter table mail add constraint mail_full check (sent_at is not null) not valid`.execute(db)
  onTestFinished(async () => {
    await sql`alter table mail drop constraint if exists mail_full`.execute(db)
  })
  expect(await request(ada.email)).toSucceed()
  await expect.poll(() => server.logLines.join('')).toContain('"job":"password-reset","msg"')
  const links = db.selectFrom('token_link').select('id').where('person_id', '=', ada.personId)
  expect(await links.execute()).toEqual([])

  await sql`alter table mail drop constraint mail_full`.execute(db)
  const again = sql`
    update pgboss.job set start_after = now() where name = 'password-reset' and state = 'retry'`
  await expect.poll(async () => (await again.execute(db)).numAffectedRows).toBe(1n)
  expect(await redeem(tokenOf((await mailbox.take(ada.email, letter)).link))).toSucceed()
})

test('RULE-36 a link is bound to its user and address, and only its SHA-256 is stored', async () => {
  const ada = await given.person()
  const token = await mailedToken(ada.email)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const rows = await db
    .selectFrom('token_link')
    .select(['action', 'person_id', 'email'])
    .where('token_hash', '=', hashToken(token))
    .execute()
  expect(rows).toEqual([{ action: 'user:reset-password', person_id: ada.personId, email: ada.email }])
})

test('RULE-38 a link expires 30 minutes after it was mailed', async () => {
  const ada = await given.person()
  const token = await mailedToken(ada.email)
  expect(await calls.lifetimeOf(token)).toBe(1800)
})

test('RULE-06 RULE-16 of 15 wrong codes with two resets in between, five are evaluated', async () => {
  const ada = await given.person({ otp: true })
  const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((step) => ada.otp.code(step)))
  const wrong = Array.from({ length: 8 }, (_, digit) => String(digit).repeat(6)).find(
    (code) => !near.has(code),
  ) as string
  let { password } = ada
  const codes: (string | undefined)[] = []
  const tryFive = async () => {
    const voucher = await voucherOf({ email: ada.email, password })
    for (let count = 0; count < 5; count += 1) codes.push((await byOtp(voucher, wrong)).code)
  }
  await tryFive()
  for (let resets = 0; resets < 2; resets += 1) {
    // The wait of 30 s must not end during the test.
    await db
      .updateTable('attempt')
      .set({ blocked_until: sql<Date>`now() + interval '1 hour'` })
      .where('key', '=', `second-factor:${ada.personId}`)
      .execute()
    expect(await redeem(await mailedToken(ada.email))).toSucceed()
    password = newPassword
    await tryFive()
  }
  const refused = Array<string>(10).fill('TOO_MANY_REQUESTS')
  expect(codes).toEqual([...Array<string>(5).fill('INVALID_OTP'), ...refused])
})

test('RULE-39 a newer link voids an older one of the same user, even for another address', async () => {
  const ada = await given.person()
  const grace = await given.person({ firstname: 'Grace' })
  await addAddress(ada.personId, 'other.ada@example.org')
  const foreign = await calls.issue('user:reset-password', grace)
  const older = await mailedToken(ada.email)
  const newer = await mailedToken('other.ada@example.org')
  expect(await preflight(older)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(older)).toFailWith('LINK_NOT_VALID')
  expect(await redeem(newer)).toSucceed()
  expect(await redeem(foreign)).toSucceed()
})

test('RULE-39 concurrent requests leave one open link', async () => {
  const ada = await given.person()
  const answers = await Promise.all(Array.from({ length: 5 }, () => request(ada.email)))
  for (const answer of answers) expect(answer).toSucceed()
  await expect.poll(() => mailbox.received.filter(({ to }) => to === ada.email).length).toBe(5)
  await allMailSent()
  const tokens = mailbox.received.filter(({ to }) => to === ada.email).map(({ link }) => tokenOf(link))
  const opened = await Promise.all(tokens.map(preflight))
  expect(opened.filter(({ code }) => code === undefined)).toHaveLength(1)
})

test('RULE-42 the link uses the configured URL regardless of the request', async () => {
  const ada = await given.person()
  const headers = {
    'x-forwarded-host': 'evil.example.net',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example.net',
    origin: 'https://evil.example.net',
    referer: 'https://evil.example.net/',
  }
  expect(await request(ada.email, server, headers)).toSucceed()
  const mail = await mailbox.take(ada.email, letter)
  expect(mail.link).toBe(`https://pult.example.org/bift/${tokenOf(mail.link)}`)
  expect(`${mail.subject}${mail.text}${mail.html}`).not.toContain('evil')
})

test('RULE-78 the request, its user and the reset are audited', async () => {
  const ada = await given.person()
  const token = await mailedToken(ada.email)
  expect(await redeem(token)).toSucceed()
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address'])
    .where('event', 'like', 'password.%')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/)
  expect(rows.toReversed()).toEqual([
    { event: 'password.reset-requested', result: 'success', actor_id: null, target: null, address },
    { event: 'password.reset-requested', result: 'success', actor_id: null, target: ada.personId, address },
    {
      event: 'password.reset',
      result: 'success',
      actor_id: ada.personId,
      target: ada.personId,
      address,
    },
  ])
})
