import { connect, createServer, type Server, type Socket } from 'node:net'
import { openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log.ts'
import { createOutboxRepository } from '#platform/mail/outbox.repository.ts'
import { addressMailPolicy, personMailPolicy } from './email.service.ts'
import { emailCalls, patiently } from './testing/email-calls.ts'
import { linkLifetime } from './verification-job.ts'

const mailbox = await openMailbox()
const settings = { SMTP_URL: mailbox.url, PULT_URL: 'https://pult.example.org' }
const server = await testServer({ settings })
const second = await testServer({ settings, besides: server })
const { given, db } = server
const { list, add, remove, resend, preflight, confirm, givenEmail, letPass } = emailCalls(server)

const jobs = createJobs({
  connection: server.testDatabase.connection,
  log: createLog('silent'),
  isWorker: false,
})
void jobs.start()

const confirmationsTo = (address: string) =>
  mailbox.received.filter((mail) => mail.to === address && /bestätigen/.test(mail.subject))

const pendingJobs = async () => {
  const { rows } = await sql`
    select 1 from pgboss.job where name in ('email-verification', 'mail') and state not in ('completed', 'failed')`.execute(
    db,
  )
  return rows.length
}

/** Resolves when all requested mails are written and sent. */
const allSent = () => expect.poll(pendingJobs).toBe(0)

const openLinksTo = (address: string) =>
  db
    .selectFrom('token_link')
    .select([
      'data',
      'person_id',
      sql<number>`extract(epoch from expires_at - created_at)::int`.as('lifetime'),
    ])
    .where('email', '=', address)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .execute()

const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

test('RULE-38 the verification mail has both languages and a link that expires after 24 hours and is bound to the row', async () => {
  const ada = await given.person({
    firstname: '<b>Buy</b>',
    lastname: 'https://evil.example',
    email: 'sender@example.org',
  })
  const { body } = await add(ada, 'letter@example.org')
  const { subject, text, html, link } = await mailbox.take('letter@example.org')
  expect(subject).toBe('E-Mail-Adresse bestätigen / Confirm your e-mail address')
  expect(link).toMatch(/^https:\/\/pult\.example\.org\/bift\/[\w-]{43}$/)
  expect(text.trimEnd()).toBe(`Hallo,

die Adresse letter@example.org wurde zu einem Pult-Konto hinzugefügt. Bestätigen Sie, dass sie Ihnen gehört. Erst danach können Sie sie verwenden.

Adresse bestätigen:
${link}

Der Link gilt 24 Stunden; ein neuerer ersetzt ihn. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne Bestätigung gehört die Adresse zu keinem Konto.

– – –

Hello,

The address letter@example.org was added to a Pult account. Confirm that it is yours. You can use it only after that.

Confirm the address:
${link}

The link is valid for 24 hours; a newer one replaces it. If this was not you, no action is needed: the address belongs to no account until it is confirmed.`)
  expect(html).toContain(`href="${link}"`)
  for (const language of ['de', 'en']) expect(html).toContain(`<div lang="${language}">`)
  // The user who adds an address chooses their own name, so the letter must not contain it (no advertisements).
  expect(text + html).not.toMatch(/Buy|evil/)
  expect(await openLinksTo('letter@example.org')).toEqual([
    { data: { emailId: body._id }, person_id: ada.personId, lifetime: linkLifetime },
  ])
  expect(linkLifetime).toBe(24 * 3600)
})

test('RULE-47 a verification mail can be requested again 30 seconds after the address or the last mail', async () => {
  const ada = await given.person()
  const { body } = await add(ada, 'waits@example.org')
  expect(body.resendIn).toBe(30)
  const early = await resend(ada, body._id)
  expect(early).toFailWith('TOO_MANY_REQUESTS')
  expect(retryAfter(early)).toBeGreaterThan(20)
  expect(retryAfter(early)).toBeLessThanOrEqual(30)
  await mailbox.take('waits@example.org')

  await letPass(body._id, 20)
  const [, waiting] = await list(ada)
  expect(waiting?.resendIn).toBeGreaterThan(0)
  expect(waiting?.resendIn).toBeLessThanOrEqual(10)
  expect(await resend(ada, body._id)).toFailWith('TOO_MANY_REQUESTS')

  await letPass(body._id, 11)
  expect((await list(ada))[1]?.resendIn).toBe(0)
  const again = await resend(ada, body._id)
  expect(again).toSucceed()
  expect(again.body).toMatchObject({ _id: body._id, verifiedAt: null, resendIn: 30 })
  expect(await resend(ada, body._id)).toFailWith('TOO_MANY_REQUESTS')
  await mailbox.take('waits@example.org')
  await allSent()
  expect(confirmationsTo('waits@example.org')).toHaveLength(2)
})

test('RULE-39 a newer link voids the older one', async () => {
  const ada = await given.person()
  const { body } = await add(ada, 'newer@example.org')
  const older = await mailbox.take('newer@example.org')
  await letPass(body._id, 31)
  await resend(ada, body._id)
  const newer = await mailbox.take('newer@example.org')
  expect(newer.link).not.toBe(older.link)
  expect(await preflight(older.link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(older.link)).toFailWith('LINK_NOT_VALID')
  expect(await confirm(newer.link)).toSucceed()
})

test('RULE-47 concurrent requests over two nodes send one mail', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'parallel@example.org', { isVerified: false })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      patiently(() => resend(ada, emailId, index % 2 === 0 ? server : second)),
    ),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  const refused = answers.filter(({ code }) => code === 'TOO_MANY_REQUESTS')
  expect(refused).toHaveLength(59)
  for (const answer of refused) {
    expect(retryAfter(answer)).toBeGreaterThan(0)
    expect(retryAfter(answer)).toBeLessThanOrEqual(30)
  }
  await mailbox.take('parallel@example.org')
  await allSent()
  expect(confirmationsTo('parallel@example.org')).toHaveLength(1)
})

test('RULE-47 an address receives at most 5 verification mails an hour from all users', async () => {
  const people = [await given.person(), await given.person(), await given.person()] as const
  const [ada, grace, eve] = people
  const ids: string[] = []
  for (const person of [ada, grace]) {
    const { body } = await add(person, 'crowded@example.org')
    ids.push(body._id)
  }
  const [adas = '', graces = ''] = ids
  for (const [person, emailId] of [
    [ada, adas],
    [grace, graces],
    [ada, adas],
  ] as const) {
    await letPass(emailId, 31)
    expect(await resend(person, emailId)).toSucceed()
  }
  await letPass(graces, 31)
  const sixth = await resend(grace, graces)
  expect(sixth).toFailWith('TOO_MANY_REQUESTS')
  expect(retryAfter(sixth)).toBeGreaterThan(3000)
  expect(retryAfter(sixth)).toBeLessThanOrEqual(addressMailPolicy.seconds)
  expect(await add(eve, 'CROWDED@example.org')).toFailWith('TOO_MANY_REQUESTS')
  expect(await list(eve)).toHaveLength(1)
  // A refused request changes nothing: no resend lock on the row, no count for the user.
  expect((await list(grace))[1]?.resendIn).toBe(0)
  const counts = await db
    .selectFrom('attempt')
    .select(['key', 'failures'])
    .where('key', 'like', 'verification-%')
    .execute()
  expect(Object.fromEntries(counts.map(({ key, failures }) => [key, failures]))).toEqual({
    'verification-address:crowded@example.org': 5,
    [`verification-person:${ada.personId}`]: 3,
    [`verification-person:${grace.personId}`]: 2,
  })

  await db.updateTable('attempt').set({ blocked_until: sql<Date>`now()` }).execute()
  expect(await resend(grace, graces)).toSucceed()
})

test('RULE-47 a user causes at most 20 verification mails an hour, over two nodes', async () => {
  const ada = await given.person()
  const most = personMailPolicy.most
  expect(most).toBe(20)
  const addAndRemove = async (index: number) => {
    const answer = await add(ada, `many${index}@example.org`, index % 2 === 0 ? server : second)
    if (answer.code === undefined) await remove(ada, answer.body._id)
    return answer.code
  }
  const codes: (string | undefined)[] = []
  for (let wave = 0; wave < 3; wave += 1) {
    codes.push(
      ...(await Promise.all(Array.from({ length: 9 }, (_, index) => addAndRemove(wave * 9 + index)))),
    )
  }
  expect(codes.filter((code) => code === undefined)).toHaveLength(most)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(7)
  const emailId = await givenEmail(ada, 'one.more@example.org', { isVerified: false })
  expect(await resend(ada, emailId)).toFailWith('TOO_MANY_REQUESTS')
})

test('API-13 a verified address receives no verification mail', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'is.verified@example.org')
  expect(await resend(ada, emailId)).toFailWith('EMAIL_VERIFIED_ALREADY')
  expect(
    await db.selectFrom('attempt').select('key').where('key', 'like', 'verification%').execute(),
  ).toEqual([])
})

test.each([
  ['a link', 'again@example.org', false],
  ['a notice of the claim', 'owned@example.org', true],
])('a job that runs repeatedly mails %s once', async (_, email, isTaken) => {
  const ada = await given.person()
  if (isTaken) await givenEmail(await given.person(), email)
  const emailId = await givenEmail(ada, email, { isVerified: false })
  const { requestedAt } = await db
    .updateTable('email')
    .set({ verification_sent_at: sql<Date>`now()` })
    .where('id', '=', emailId)
    .returning(sql<string>`verification_sent_at::text`.as('requestedAt'))
    .executeTakeFirstOrThrow()
  const run = (times: number) =>
    db.transaction().execute(async (trx) => {
      for (let time = 0; time < times; time += 1) {
        await jobs.send(trx, 'email-verification', { emailId, requestedAt })
      }
    })
  await run(8)
  await mailbox.take(email)
  await run(2)
  await allSent()
  expect(mailbox.received.filter(({ to }) => to === email)).toHaveLength(1)
  expect(await openLinksTo(email)).toHaveLength(isTaken ? 0 : 1)
})

test('a job of a superseded request sends no mail', async () => {
  const ada = await given.person()
  const { body } = await add(ada, 'overtaken@example.org')
  const { link } = await mailbox.take('overtaken@example.org')
  await db
    .transaction()
    .execute((trx) =>
      jobs.send(trx, 'email-verification', { emailId: body._id, requestedAt: '2026-01-01T00:00:00Z' }),
    )
  await allSent()
  expect(confirmationsTo('overtaken@example.org')).toHaveLength(1)
  expect(await preflight(link)).toSucceed()
})

test('RULE-49 requests get the same answer while the mail server is down, and no mail is lost', async () => {
  const line = await lineTo(new URL(mailbox.url).port)
  const cutOff = await testServer({ settings: { ...settings, SMTP_URL: line.url } })
  const { add: addThere } = emailCalls(cutOff)
  const ada = await cutOff.given.person()
  const owner = await cutOff.given.person({ email: 'downs.owner@example.org' })
  await line.cut()
  const answers = []
  const times: number[] = []
  for (const email of ['down1@example.org', owner.email, 'down2@example.org']) {
    const start = performance.now()
    answers.push(await addThere(ada, email))
    times.push(performance.now() - start)
  }
  // The server gives up on the mail server after 5 s. The machine may interrupt a call.
  expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(4500)
  for (const answer of answers) expect(answer).toSucceed()
  const shapes = answers.map(({ body }) => ({ ...body, _id: '', email: '', createdAt: '' }))
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
  await expect.poll(() => cutOff.logLines.join('')).toContain('mail cannot be delivered')
  // Three letters to the added addresses and three notices to the user's own address.
  await expect.poll(() => createOutboxRepository(cutOff.db).countUnsent()).toBe(6)
  expect(mailbox.received.filter(({ to }) => to.startsWith('down'))).toEqual([])

  await line.restore()
  await expect
    .poll(() => createOutboxRepository(cutOff.db).countUnsent(), { timeout: 60_000, interval: 250 })
    .toBe(0)
  for (const email of ['down1@example.org', 'down2@example.org']) {
    const { link } = await mailbox.take(email, /bestätigen/)
    cutOff.watchSecret(link.split('/bift/')[1] ?? '')
  }
  await mailbox.take(owner.email, /bei Pult/)
})

/** A connection to a local mail server that a test can cut and restore. */
async function lineTo(port: string) {
  const sockets = new Set<Socket>()
  const open = (own = 0) =>
    new Promise<Server>((listening) => {
      const relay = createServer((socket) => {
        const onward = connect(Number(port), '127.0.0.1')
        for (const [end, other] of [
          [socket, onward],
          [onward, socket],
        ] as const) {
          sockets.add(end)
          end.on('error', () => other.destroy())
          end.pipe(other)
        }
      })
      relay.listen(own, '127.0.0.1', () => listening(relay))
    })
  let relay = await open()
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((closed) => relay.close(() => closed()))
  }
  onTestFinished(cut)
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    cut,
    restore: async () => {
      relay = await open(address.port)
    },
  }
}
