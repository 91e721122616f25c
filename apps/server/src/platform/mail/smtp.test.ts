import { failedWrites, openMailServer, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../database/testing/self-signed.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createLog } from '../log.ts'
import { faultOf } from './delivery-fault.ts'
import { createMailer } from './mailer.ts'
import { createOutboxRepository } from './outbox.repository.ts'
import { createSmtp } from './smtp.ts'

const from = { name: 'Pult', address: 'pult@example.org' }
const mail = { kind: 'invitation' as const, to: 'ada@example.org', subject: 'x', text: 'x', html: 'x' }
const patience = { handOver: 20_000, reply: 30_000 }

const sendTo = (url: string, host = 'pult.example.org') =>
  createSmtp({ url, from, host, patience })({ id: 'x', writtenAt: new Date(), mail })

/** Returns what root reads about the failed delivery. */
const faultAt = (url: string) =>
  sendTo(url).then(
    () => 'sent',
    (error: unknown) => faultOf(error).text,
  )

/** A mail server that requires a full host name, as many do. */
const strict = () =>
  openMailServer((command) =>
    /^(?:EHLO|HELO) (?:\[127\.|[^.[]+$)/.test(command) ? '550 5.7.1 Host name required' : undefined,
  )

test.each([
  ['pult.example.org', 'EHLO pult.example.org'],
  ['192.0.2.7', 'EHLO [192.0.2.7]'],
  ['[2001:db8::7]', 'EHLO [IPv6:2001:db8::7]'],
])('with the host %s in PULT_URL, the mail server is greeted by %s', async (host, greeting) => {
  const server = await strict()
  await sendTo(server.url, host)
  expect(server.commands).toContain(greeting)
  expect(server.messages).toHaveLength(1)
})

test('the name in SMTP_URL wins over the host of PULT_URL', async () => {
  const server = await strict()
  await sendTo(`${server.url}?name=mail-out.example.org`)
  expect(server.commands).toContain('EHLO mail-out.example.org')
})

test.each([
  ['greeting', '554 5.7.1 Your network is blocked', /^EPROTOCOL CONN: 554 5\.7\.1 Your network is blocked$/],
  ['EHLO', '550 5.7.1 Host name required', /^EPROTOCOL HELO: 550 5\.7\.1 Host name required$/],
  ['AUTH', '535 5.7.8 Wrong password', /^EAUTH AUTH PLAIN: 535 5\.7\.8 Wrong password$/],
  ['MAIL FROM', '550 5.7.1 Not your address', /^EENVELOPE MAIL FROM: 550 5\.7\.1 Not your address$/],
  ['RCPT TO', '550 5.1.1 No such user', /^EENVELOPE RCPT TO: 550 5\.1\.1 No such user$/],
  ['DATA', '554 5.6.0 No', /^EENVELOPE DATA: 554 5\.6\.0 No$/],
  ['message', '550 5.7.1 Spam', /^EMESSAGE DATA: 550 5\.7\.1 Spam$/],
])('a rejection at %s is described by its command and reply', async (stage, reply, text) => {
  const server = await openMailServer((command) =>
    command.replace('HELO', 'EHLO').startsWith(stage) ? reply : undefined,
  )
  expect(await faultAt(server.url.replace('//', '//pult:secret@'))).toMatch(text)
})

test.each([
  ['504 5.5.2 <host>: Helo command rejected: need fully-qualified hostname', 'sender'],
  ['554 5.7.1 <ada@example.org>: Relay access denied', 'sender'],
  ['554-5.7.1 Relay\r\n554 5.7.1 access denied', 'sender'],
  ['530 5.7.0 Authentication required', 'sender'],
  ['503 Bad sequence of commands', 'sender'],
  ['553 5.7.1 <pult@example.org>: Sender address rejected: not owned by user', 'sender'],
  ['450 4.1.8 <pult@example.org>: Sender address rejected: Domain not found', 'sender'],
  ['450 4.7.1 Client host rejected: cannot find your hostname', 'sender'],
  ['550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown', 'recipient'],
  ['550 5.1.10 No such mailbox', 'recipient'],
  // The quotas of gen-smtp/gen_smtp#140 and gophish/gophish#1604 end with the day.
  ['550 5.4.5 Daily SMTP relay limit exceeded for user', 'sender'],
  ["550 5.1.90 Your message can't be sent because you've reached your daily limit", 'sender'],
  ['554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', 'sender'],
  ['552 5.2.2 Mailbox full: its quota is exceeded', 'recipient'],
  ['550 No such user', 'recipient'],
  ['552 5.2.2 Mailbox full', 'recipient'],
  ['450 4.2.0 Greylisted', 'recipient'],
])('the reply %j to RCPT TO is a fault of the %s', async (reply, whose) => {
  const server = await openMailServer((command) => (command.startsWith('RCPT TO') ? reply : undefined))
  const error: unknown = await sendTo(server.url).catch((reason: unknown) => reason)
  expect(faultOf(error)).toMatchObject({ command: 'RCPT TO', isOfMail: whose === 'recipient' })
})

test('the text of a fault has no full stop, because a remedy follows it', async () => {
  const server = await openMailServer((command) =>
    command.startsWith('RCPT TO') ? '550 5.1.1 The account does not exist.' : undefined,
  )
  expect(await faultAt(server.url)).toBe('EENVELOPE RCPT TO: 550 5.1.1 The account does not exist')
})

test('a reply is one bounded line without the password, links and control characters', async () => {
  const token = 'A-token_of-a-link'.repeat(4)
  const credentials = Buffer.from('\0pult\0s3cr#t').toString('base64')
  const server = await openMailServer((command) =>
    command.startsWith('AUTH')
      ? `535-Bad command ${command} s3cr#t\r\n535-\u{1b}[31mred \u{202e}https://pult.example.org/bift/${token}\r\n535 ${'long '.repeat(200)}`
      : undefined,
  )
  const text = await faultAt(server.url.replace('//', '//pult:s3cr%23t@'))
  expect(text).toMatch(/^EAUTH AUTH PLAIN: 535-Bad command AUTH PLAIN … …/)
  expect(text).not.toContain('s3cr')
  expect(text).not.toContain(credentials)
  expect(text).not.toContain(token)
  expect(text).not.toMatch(/\p{C}/u)
  expect(text.length).toBeLessThanOrEqual(400)
})

/** A mail server with a self-signed certificate. */
async function secureServer(options: { secure?: boolean; authOptional?: boolean }): Promise<number> {
  const { key, certificate: cert } = selfSigned('127.0.0.1')
  const server = new SMTPServer({
    key,
    cert,
    onAuth: ({ password }, _session, done) =>
      done(password === 'p@s#s/w?rd%1:2' ? null : new Error('no'), { user: 'x' }),
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => done())
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.each(['smtp', 'smtps'])(
  'a self-signed certificate of %s is refused by its code, and accepted with the option of the guide',
  async (protocol) => {
    const port = await secureServer({ secure: protocol === 'smtps', authOptional: true })
    const url = `${protocol}://127.0.0.1:${port}`
    expect(await faultAt(url)).toMatch(/^ESOCKET DEPTH_ZERO_SELF_SIGNED_CERT CONN: self-signed certificate/)
    expect(await faultAt(`${url}?tls.rejectUnauthorized=false`)).toBe('sent')
  },
)

test('with requireTLS, a mail server without encryption receives neither password nor mail', async () => {
  const server = await openMailServer()
  expect(await faultAt(`${server.url.replace('//', '//pult:secret@')}?requireTLS=true`)).toContain('STARTTLS')
  expect(server.commands.join(' ')).not.toMatch(/AUTH|MAIL/)
})

test('a port that speaks plain SMTP is distinguished from a wrong certificate', async () => {
  const server = await openMailServer()
  expect(await faultAt(server.url.replace('smtp:', 'smtps:'))).toMatch(/WRONG_VERSION_NUMBER/)
})

test('a password with each reserved character signs in when it is percent-encoded', async () => {
  const port = await secureServer({})
  const password = encodeURIComponent('p@s#s/w?rd%1:2')
  const url = `smtp://pult:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`
  expect(await faultAt(url)).toBe('sent')
})

/** Sends one mail of the outbox by hand, because the queue belongs to the server's worker. */
function outboxOf(server: TestServer, url: string, limits = { delivery: 20_000, reply: patience.reply }) {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const jobs = createJobs({ connection: server.testDatabase.connection, log })
  let send: ((data: { mailId: string }) => Promise<'done' | 'again'>) | undefined
  createMailer({
    ...server,
    log,
    jobs: { ...jobs, define: (_, handler) => void (send = handler as typeof send) },
    deliver: createSmtp({ url, from, host: 'localhost', patience: { ...patience, reply: limits.reply } }),
    deliveryTimeout: limits.delivery,
  })
  const outbox = createOutboxRepository(server.db)
  const row = (mailId: string) => server.db.updateTable('mail').where('id', '=', mailId)
  return {
    lines,
    add: () => outbox.add('invitation', server.secrets.seal('mail', JSON.stringify(mail))),
    send: (mailId: string) => send?.({ mailId }),
    rowOf: (mailId: string) =>
      server.db.selectFrom('mail').selectAll().where('id', '=', mailId).executeTakeFirstOrThrow(),
    endPauses: (mailId: string) => row(mailId).set({ claimed_until: null, next_try_at: null }).execute(),
    waitFor: (mailId: string, time: string) =>
      row(mailId)
        .set({ next_try_at: sql<Date>`now() + ${time}::interval` })
        .execute(),
  }
}

const installation = await testServer()

test('RULE-49 a mail server that answers a mail late receives it once', async () => {
  const reply = Promise.withResolvers<string>()
  const server = await openMailServer((command) => (command === 'message' ? reply.promise : undefined))
  const outbox = outboxOf(installation, server.url, { delivery: 1, reply: patience.reply })
  const mailId = await outbox.add()
  // The job does not wait for the reply.
  expect(await outbox.send(mailId)).toBe('again')
  await expect.poll(() => server.messages).toHaveLength(1)
  const soon = Date.now() + 60_000
  await expect.poll(async () => (await outbox.rowOf(mailId)).claimed_until?.getTime()).toBeGreaterThan(soon)
  expect(await outbox.send(mailId)).toBe('again')
  reply.resolve('250 queued')
  await expect.poll(() => outbox.rowOf(mailId)).toMatchObject({ sent_at: expect.any(Date), attempts: 1 })
  expect(server.messages).toHaveLength(1)
  expect(await outbox.send(mailId)).toBe('done')
})

test('RULE-49 a mail is delivered once although the database does not answer when it is handed over', async () => {
  const when = `new.claimed_until > now() + interval '1 minute'`
  const end = await failedWrites(installation.db, 'update on mail', { when, most: 1 })
  const reply = Promise.withResolvers<string>()
  const server = await openMailServer((command) => (command === 'message' ? reply.promise : undefined))
  const outbox = outboxOf(installation, server.url, { delivery: 1, reply: patience.reply })
  const mailId = await outbox.add()
  expect(await outbox.send(mailId)).toBe('again')
  await expect.poll(() => server.messages).toHaveLength(1)
  const soon = Date.now() + 60_000
  await expect.poll(async () => (await outbox.rowOf(mailId)).claimed_until?.getTime()).toBeGreaterThan(soon)
  reply.resolve('250 queued')
  await expect.poll(() => outbox.rowOf(mailId)).toMatchObject({ sent_at: expect.any(Date), attempts: 1 })
  await end()
})

test('RULE-49 a rejected mail waits although the database does not answer after the rejection', async () => {
  const end = await failedWrites(installation.db, 'update on mail', {
    when: 'old.last_error is null and new.last_error is not null',
    most: 1,
  })
  const server = await openMailServer((command) =>
    command.startsWith('MAIL FROM') ? '550 5.7.1 No' : undefined,
  )
  const outbox = outboxOf(installation, server.url)
  const mailId = await outbox.add()
  expect(await outbox.send(mailId)).toBe('again')
  expect(await outbox.rowOf(mailId)).toMatchObject({ next_try_at: expect.any(Date), claimed_until: null })
  await end()
})

test.each([
  ['closes the connection', 'close' as const, patience.reply, /^ECONNECTION .* after the whole mail$/],
  ['does not reply', new Promise<never>(() => {}), 300, /^ETIMEDOUT: .*0\.3 s after the whole mail$/],
])(
  'RULE-49 a mail server that takes a mail and %s gets it again only after a growing pause',
  async (_, reply, longest, fault) => {
    const server = await openMailServer((command) => (command === 'message' ? reply : undefined))
    const outbox = outboxOf(installation, server.url, { delivery: 60_000, reply: longest })
    const mailId = await outbox.add()
    expect(await outbox.send(mailId)).toBe('again')
    const { last_error: error, claimed_until: until } = await outbox.rowOf(mailId)
    expect(error).toMatch(fault)
    expect(until?.getTime()).toBeGreaterThan(Date.now())
    expect(outbox.lines.join('')).toContain('it may arrive twice')
    // The restart of a node does not end the pause.
    const restarted = outboxOf(installation, server.url)
    expect(await restarted.send(mailId)).toBe('again')
    expect(server.messages).toHaveLength(1)
  },
)

test('freescout-help-desk/freescout#5457 a mail whose delivery is never confirmed is given up after three attempts', async () => {
  const server = await openMailServer((command) => (command === 'message' ? 'close' : undefined))
  const outbox = outboxOf(installation, server.url)
  const mailId = await outbox.add()
  const outcomes: unknown[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    outcomes.push(await outbox.send(mailId))
    await outbox.endPauses(mailId)
  }
  expect(outcomes).toEqual(['again', 'again', 'done'])
  expect(await outbox.send(mailId)).toBe('done')
  expect(server.messages).toHaveLength(3)
  expect(await outbox.rowOf(mailId)).toMatchObject({
    given_up_at: expect.any(Date),
    content: null,
    refused_recipient: null,
    last_error: expect.stringMatching(/after the whole mail$/),
  })
})

test.each([
  ['EHLO', '550 5.7.1 No', /^EPROTOCOL HELO: 550/],
  ['AUTH', '550 5.7.1 No', /^EAUTH AUTH PLAIN: 550/],
  ['MAIL FROM', '550 5.7.1 No', /^EENVELOPE MAIL FROM: 550/],
  ['MAIL FROM', '450 4.7.1 Later', /^EENVELOPE MAIL FROM: 450/],
  ['greeting', '421 4.3.2 Too many connections', /^EPROTOCOL CONN: 421/],
  ['AUTH', '454 4.7.0 Too many login attempts', /^EAUTH AUTH PLAIN: 454/],
  ['RCPT TO', '550 5.7.1 No', /^EENVELOPE RCPT TO: 550/],
])(
  'RULE-49 a mail that is rejected at %s with %j is kept and retried later, or within a minute of a restart',
  async (stage, reply, fault) => {
    const refusing = await openMailServer((command) =>
      command.replace('HELO', 'EHLO').startsWith(stage) ? reply : undefined,
    )
    const url = refusing.url.replace('//', '//pult:secret@')
    const outbox = outboxOf(installation, url)
    const mailId = await outbox.add()
    expect(await outbox.send(mailId)).toBe('again')
    expect(await outbox.rowOf(mailId)).toMatchObject({
      last_error: expect.stringMatching(fault),
      refused_recipient: null,
      given_up_at: null,
      content: expect.anything(),
      next_try_at: expect.any(Date),
    })
    // The mail server would block a sender that tries without a pause.
    const attempts = refusing.commands.length
    expect(await outbox.send(mailId)).toBe('again')
    expect(refusing.commands).toHaveLength(attempts)

    const accepting = await openMailServer()
    await outbox.waitFor(mailId, '1 hour')
    const restarted = outboxOf(installation, accepting.url)
    expect(await restarted.send(mailId)).toBe('again')
    const { next_try_at: next } = await outbox.rowOf(mailId)
    expect(next?.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    await outbox.waitFor(mailId, '0')
    expect(await restarted.send(mailId)).toBe('done')
    expect(accepting.messages).toHaveLength(1)
  },
)

test('RULE-49 an old mail that may have been delivered is sent again only after its whole pause of an hour', async () => {
  const server = await openMailServer((command) => (command === 'message' ? 'close' : undefined))
  const outbox = outboxOf(installation, server.url)
  const mailId = await outbox.add()
  await installation.db
    .updateTable('mail')
    .set({ created_at: sql<Date>`now() - interval '2 hours'` })
    .where('id', '=', mailId)
    .execute()
  expect(await outbox.send(mailId)).toBe('again')
  expect((await outbox.rowOf(mailId)).claimed_until?.getTime()).toBeGreaterThan(Date.now() + 50 * 60_000)
  expect(await outboxOf(installation, server.url).send(mailId)).toBe('again')
  expect(server.messages).toHaveLength(1)
})

test('RULE-49 the first accepted mail ends the pause of all mails that wait for this mail server, spread over a minute', async () => {
  let isRefusing = true
  const server = await openMailServer((command) =>
    isRefusing && command.startsWith('MAIL FROM') ? '550 5.7.1 No' : undefined,
  )
  const outbox = outboxOf(installation, server.url)
  const [first, second] = [await outbox.add(), await outbox.add()]
  for (const mailId of [first, second]) expect(await outbox.send(mailId)).toBe('again')
  await outbox.waitFor(first, '1 hour')
  await outbox.waitFor(second, '1 hour')
  const third = await outbox.add()
  expect(await outbox.send(third)).toBe('again')
  await outbox.waitFor(third, '50 seconds')
  const { next_try_at: unchanged } = await outbox.rowOf(third)
  isRefusing = false
  expect(await outbox.send(await outbox.add())).toBe('done')
  const times = await Promise.all(
    [first, second].map(async (mailId) => (await outbox.rowOf(mailId)).next_try_at?.getTime() ?? 0),
  )
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + 60_000)
  expect(times[0]).not.toBe(times[1])
  // A node that starts later does not bring these mails forward again.
  expect((await outbox.rowOf(third)).next_try_at).toEqual(unchanged)
  for (const mailId of [first, second]) {
    await outbox.waitFor(mailId, '0')
    expect(await outbox.send(mailId)).toBe('done')
  }
  expect(server.messages).toHaveLength(3)
})

test('RULE-49 a mail server that rejects one mail and accepts others is asked for it with growing pauses', async () => {
  let isRefusing = true
  const server = await openMailServer((command) =>
    isRefusing && command.startsWith('RCPT TO') ? '550 5.7.1 No' : undefined,
  )
  const outbox = outboxOf(installation, server.url)
  const rejected = await outbox.add()
  const nextAfterAnother = async () => {
    isRefusing = true
    await outbox.waitFor(rejected, '0')
    expect(await outbox.send(rejected)).toBe('again')
    await outbox.waitFor(rejected, '1 hour')
    isRefusing = false
    expect(await outbox.send(await outbox.add())).toBe('done')
    return ((await outbox.rowOf(rejected)).next_try_at?.getTime() ?? 0) - Date.now()
  }
  expect(await nextAfterAnother()).toBeLessThanOrEqual(60_000)
  expect(await nextAfterAnother()).toBeGreaterThan(60_000)
})
