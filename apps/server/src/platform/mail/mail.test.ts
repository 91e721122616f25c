import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { failedWrites, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createJobs } from '../jobs/jobs.ts'
import { createLog } from '../log.ts'
import { createMailer } from './mailer.ts'
import { createOutboxRepository, sweepMails } from './outbox.repository.ts'
import { expireRestoredMails } from './restored-mails.ts'
import { createSmtp } from './smtp.ts'

const log = createLog('silent')

interface Received {
  recipients: string[]
  raw: string
}

/**
 * A mail server on loopback. It rejects recipients of `refused.example` permanently and defers those of
 * `busy.example`.
 */
async function mailServer(port = 0) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const responseCode = { 'refused.example': 550, 'busy.example': 450 }[address.split('@')[1] ?? '']
      done(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ recipients, raw: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/** Accepts connections without answering. */
async function blackHole(): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

async function invite(server: TestServer, email: string): Promise<string> {
  const { link } = await server.app.invitations.invite({ email, isRoot: false })
  server.watchSecret(link.split('/bift/')[1] ?? '')
  return link
}

/** A second sender in addition to the server, such as the command line. */
async function senderBeside(server: TestServer) {
  const jobs = createJobs({ connection: server.testDatabase.connection, log, isWorker: false })
  const deliver = () => Promise.reject(new Error('a sender delivers nothing'))
  const mailer = createMailer({ ...server, log, jobs, deliver })
  void jobs.start()
  onTestFinished(() => jobs.stop())
  return mailer
}

const unsent = (server: TestServer) => createOutboxRepository(server.db).countUnsent()

const from = { name: 'Pult', address: 'pult@example.org' }
const smtp = await mailServer()
afterAll(smtp.close)
const toFolder = await testServer()
const toSmtp = await testServer({ settings: { SMTP_URL: smtp.url, MAIL_FROM: 'Pult <desk@example.org>' } })

beforeEach(async () => {
  smtp.received.length = 0
  for (const server of [toFolder, toSmtp]) await server.db.deleteFrom('mail').execute()
  await rm(join(toFolder.dataFolder, 'mail'), { recursive: true, force: true })
})

test('DEC-12 each mail is written to a file that only its owner can read, and leaves the outbox', async () => {
  const server = toFolder
  const link = await invite(server, 'ada@example.org')
  await expect.poll(() => unsent(server)).toBe(0)

  const folder = join(server.dataFolder, 'mail')
  const files = await readdir(folder)
  expect(files).toHaveLength(1)
  const [name = ''] = files
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f-]{36}\.eml$/)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)

  const mail = await PostalMime.parse(await readFile(join(folder, name)))
  expect(mail.to).toEqual([{ name: '', address: 'ada@example.org' }])
  expect(mail.subject).toBe('Einladung zu Pult / Invitation to Pult')
  expect(mail.text).toContain(`\n${link}\n`)
  expect(mail.text).toContain('eingeladen')
  expect(mail.text).toContain('invited')
  expect(mail.html).toContain(`href="${link}"`)
  // No resource that a mail program would load.
  expect(mail.html).not.toMatch(/src=|url\(|@import|<link/)
  expect([...(mail.html ?? '').matchAll(/https?:[^"<]+/g)].every(([url]) => url === link)).toBe(true)

  const rows = await server.db.selectFrom('mail').select(['content', 'sent_at']).execute()
  expect(rows).toEqual([{ content: null, sent_at: expect.any(Date) }])
})

test('RULE-48 an address reaches the mail server as a single recipient, even if it contains separators', async () => {
  const deliver = createSmtp({ url: smtp.url, from, host: 'localhost' })
  for (const to of [
    'ada@example.org, evil@example.net',
    'ada@example.org,evil@example.net',
    'friends: ada@example.org, evil@example.net;',
    'ada@example.org\r\nRCPT TO:<evil@example.net>',
    '"ada@example.org, evil@example.net" <evil@example.net>',
  ]) {
    const mail = { kind: 'invitation' as const, to, subject: 'x', text: 'x', html: 'x' }
    await deliver({ id: 'x', writtenAt: new Date(), mail }).catch(() => {})
  }
  const recipients = smtp.received.flatMap((mail) => mail.recipients)
  expect(recipients).not.toContain('ada@example.org')
  expect(recipients).not.toContain('evil@example.net')
})

test('RULE-49 a mail is sent by SMTP to one recipient, with text and HTML', async () => {
  const server = toSmtp
  const link = await invite(server, 'ada@example.org')
  await expect.poll(() => smtp.received.length).toBe(1)
  const [{ recipients, raw } = { recipients: [], raw: '' }] = smtp.received
  expect(recipients).toEqual(['ada@example.org'])
  const mail = await PostalMime.parse(raw)
  expect(mail.from).toEqual({ name: 'Pult', address: 'desk@example.org' })
  expect(mail.text).toContain(link)
  expect(mail.html).toContain(link)
  await expect.poll(() => unsent(server)).toBe(0)
  await expect(readdir(join(server.dataFolder, 'mail'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('RULE-49 calls answer immediately while the mail server is down, and all mail is sent within 60 s of its return', async () => {
  const hole = await blackHole()
  const server = await testServer({ settings: { SMTP_URL: `smtp://127.0.0.1:${hole.port}` } })
  await invite(server, 'warm-up@example.org')
  const times: number[] = []
  for (let index = 0; index < 15; index += 1) {
    const start = performance.now()
    await invite(server, `person${index}@example.org`)
    times.push(performance.now() - start)
  }
  // The connection to the mail server times out after 5 s. The machine may interrupt a few calls.
  expect(times.toSorted((a, b) => a - b)[7]).toBeLessThan(4500)
  await expect.poll(() => server.logLines.join('')).toContain('mail cannot be delivered')

  await hole.close()
  expect(await unsent(server)).toBe(16)
  const back = await mailServer(hole.port)
  onTestFinished(back.close)
  await expect.poll(() => unsent(server), { timeout: 60_000, interval: 250 }).toBe(0)
  expect(new Set(back.received.flatMap(({ recipients }) => recipients)).size).toBe(16)
  expect(server.logLines.join('')).toContain('mail is delivered again')
  await server.stop()
})

test('RULE-49 a mail is part of the caller’s transaction and rolls back with it', async () => {
  const server = toFolder
  const mailer = await senderBeside(server)
  const mail = { kind: 'invitation' as const, to: 'ada@example.org', subject: 'x', text: 'x', html: 'x' }
  const enqueue = (isKept: boolean) =>
    server.db.transaction().execute(async (trx) => {
      await mailer.enqueue(trx, mail)
      if (!isKept) throw new Error('rolled back')
    })
  const mailJobs = async () =>
    (await sql`select 1 from pgboss.job where name = 'mail'`.execute(server.db)).rows.length
  const before = await mailJobs()
  await expect(enqueue(false)).rejects.toThrow('rolled back')
  expect(await server.db.selectFrom('mail').select('id').execute()).toEqual([])
  expect(await mailJobs()).toBe(before)

  await enqueue(true)
  await expect.poll(() => unsent(server)).toBe(0)
  expect(await readdir(join(server.dataFolder, 'mail'))).toHaveLength(1)
})

test('RULE-49 a deferred or unreadable mail does not delay other mail', async () => {
  const server = toSmtp
  const mailer = await senderBeside(server)
  await server.db.transaction().execute(async (trx) => {
    await mailer.enqueue(trx, {
      kind: 'invitation',
      to: 'broken@example.org',
      subject: 'x',
      text: 'x',
      html: 'x',
    })
    await trx
      .updateTable('mail')
      .set({ content: Buffer.alloc(64) })
      .execute()
  })
  await invite(server, 'bea@busy.example')
  await invite(server, 'ada@example.org')
  await expect.poll(() => smtp.received.length).toBe(1)
  await expect
    .poll(() =>
      server.db.selectFrom('mail').select('last_error').where('next_try_at', 'is not', null).execute(),
    )
    .toEqual([{ last_error: 'EENVELOPE RCPT TO: 450 not now' }])
  expect(await unsent(server)).toBe(2)
  expect(server.logLines.join('')).not.toContain('busy.example')
})

test('RULE-49 a permanently rejected mail is attempted once', async () => {
  const server = toSmtp
  await invite(server, 'unknown@refused.example')
  const mails = () =>
    server.db
      .selectFrom('mail')
      .select(['attempts', 'content', 'sent_at', 'given_up_at', 'last_error', 'refused_recipient'])
      .execute()
  await expect.poll(mails).toEqual([
    {
      attempts: 1,
      content: null,
      sent_at: null,
      given_up_at: expect.any(Date),
      last_error: 'EENVELOPE RCPT TO: 550 not now',
      refused_recipient: 'unknown@refused.example',
    },
  ])
  expect(server.logLines.join('')).toContain(
    'rejected a mail permanently. Ask the operator of the mail server for the reason',
  )
  expect(server.logLines.join('')).not.toContain('refused.example')
})

test('RULE-49 a mail is delivered once although the database does not answer after its delivery', async () => {
  const server = toSmtp
  const end = await failedWrites(server.db, 'update on mail', { when: 'new.sent_at is not null', most: 2 })
  await invite(server, 'ada@example.org')
  const sent = () =>
    server.db.selectFrom('mail').select('attempts').where('sent_at', 'is not', null).execute()
  // A second delivery would be the second attempt.
  await expect.poll(sent).toEqual([{ attempts: 1 }])
  expect(smtp.received).toHaveLength(1)
  await end()
})

test('RULE-49 each attempt of a mail has the same Message-ID, by which receivers drop a repeat', async () => {
  const deliver = createSmtp({ url: smtp.url, from, host: 'localhost' })
  const mail = { kind: 'invitation' as const, to: 'ada@example.org', subject: 'x', text: 'x', html: 'x' }
  for (const id of ['one', 'one', 'two']) await deliver({ id, writtenAt: new Date(), mail })
  const ids = await Promise.all(smtp.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
  expect(ids).toEqual(['<one@example.org>', '<one@example.org>', '<two@example.org>'])
})

test('RULE-49 a deferred mail expires after three days and 20 attempts, and the log reports it', async () => {
  const server = toSmtp
  const mailer = await senderBeside(server)
  await server.db.transaction().execute(async (trx) => {
    await mailer.enqueue(trx, {
      kind: 'invitation',
      to: 'bea@busy.example',
      subject: 'x',
      text: 'x',
      html: 'x',
    })
    const old = { created_at: sql<Date>`now() - interval '73 hours'`, attempts: 19 }
    await trx.updateTable('mail').set(old).execute()
  })
  await expect
    .poll(() => server.db.selectFrom('mail').select(['content', 'sent_at', 'given_up_at']).execute())
    .toEqual([{ content: null, sent_at: null, given_up_at: expect.any(Date) }])
  expect(server.logLines.join('')).toContain('a mail expired after three days')
})

/** Adds mails without jobs: `hours` is their age, and `claimed` the minutes for which a delivery still holds them. */
async function addMails(mails: Record<string, { hours: number; claimed?: number; error?: string }>) {
  const { db } = toFolder
  const ids = new Map<string, string>()
  for (const [name, { hours, claimed = null, error = null }] of Object.entries(mails)) {
    const id = await createOutboxRepository(db).add('invitation', Buffer.from('sealed'))
    ids.set(id, name)
    await sql`
      update mail set created_at = now() - make_interval(hours => ${hours}::int), last_error = ${error},
        claimed_until = now() + make_interval(mins => ${claimed}::int) where id = ${id}`.execute(db)
  }
  return async () => {
    const rows = await db.selectFrom('mail').select(['id', 'content', 'given_up_at', 'last_error']).execute()
    return Object.fromEntries(
      rows.flatMap(({ id, content, given_up_at, last_error }) =>
        given_up_at === null ? [] : [[ids.get(id), [content, last_error]]],
      ),
    )
  }
}

test('RULE-49 mails that no attempt has expired within three days expire with the clean-up', async () => {
  const expired = await addMails({
    lost: { hours: 73 },
    failed: { hours: 73, error: 'EENVELOPE 450' },
    recent: { hours: 71 },
    held: { hours: 73, claimed: 50 },
    'held by a wrong clock': { hours: 73, claimed: 70 },
  })
  await sweepMails(toFolder.db)
  const reason = 'EXPIRED: no attempt within three days'
  expect(await expired()).toEqual({
    lost: [null, reason],
    failed: [null, 'EENVELOPE 450'],
    'held by a wrong clock': [null, reason],
  })
})

test('leihs/leihs#1980 waiting mails of a restored installation that are older than an hour expire', async () => {
  const expired = await addMails({
    old: { hours: 2, error: 'EENVELOPE 450' },
    recent: { hours: 0 },
    held: { hours: 2, claimed: 5 },
  })
  await expireRestoredMails(toFolder.db)
  expect(await expired()).toEqual({ old: [null, 'EXPIRED: older than an hour when it was restored'] })
})

test('RULE-49 one of many concurrent senders claims a mail, and another one after its claim expires', async () => {
  const server = toFolder
  const outbox = createOutboxRepository(server.db)
  const id = await outbox.add('invitation', Buffer.from('sealed'))
  const claims = await Promise.all(Array.from({ length: 20 }, () => outbox.claim(id)))
  expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1)
  await server.db.updateTable('mail').set({ claimed_until: sql<Date>`now() - interval '1 second'` }).execute()
  expect(await outbox.claim(id)).toBeDefined()
  await outbox.markSent(id)
  expect(await outbox.claim(id)).toBeUndefined()
})

test('each sent mail is shown to developers', async () => {
  const server = toFolder
  const jobs = createJobs({ connection: server.testDatabase.connection, log })
  let send: ((data: { mailId: string }) => Promise<'done' | 'again'>) | undefined
  const printed: string[] = []
  createMailer({
    ...server,
    log,
    // Run by the test, because the queue belongs to the server's worker.
    jobs: { ...jobs, define: (_, handler) => void (send = handler as typeof send) },
    deliver: () => Promise.resolve(null),
    print: ({ to, subject }) => printed.push(`${to}: ${subject}`),
  })
  const mail = { to: 'ada@example.org', subject: 'Hello', text: 'x', html: 'x' }
  const mailId = await createOutboxRepository(server.db).add(
    'invitation',
    server.secrets.seal('mail', JSON.stringify(mail)),
  )
  expect(await send?.({ mailId })).toBe('done')
  expect(printed).toEqual(['ada@example.org: Hello'])
})
