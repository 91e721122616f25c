import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { conditionEndpoints } from '@pult/contract'
import { failedWrites, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { uuidv7 } from 'uuidv7'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log.ts'

/** Rejects mails to `refused.example`. */
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _session, done) =>
    done(
      address.endsWith('@refused.example')
        ? Object.assign(new Error('5.7.1 Relaying denied'), { responseCode: 550 })
        : null,
    ),
  onData(stream, _session, done) {
    stream.resume()
    stream.on('end', () => done(null, 'queued as 42'))
  },
})
await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening))
afterAll(() => new Promise<void>((closed) => smtp.close(closed)))
const smtpAddress = smtp.server.address()
const port = typeof smtpAddress === 'object' ? smtpAddress?.port : 0

const server = await testServer({ settings: { SMTP_URL: `smtp://mailer:s3cret@127.0.0.1:${port}` } })
const { given, db } = server
const { read, testMail } = conditionEndpoints

/** Reads the condition from one node. */
async function conditionOf(installation = server, node = installation) {
  const { token } = await installation.given.person({ isRoot: true, otp: true })
  return (await node.call(read, {}, token)).body
}

test('DEC-14 in an empty installation the condition reports missing parts as null and not as zero', async () => {
  const empty = await testServer()
  // The start has queued jobs that run soon.
  const { token } = await empty.given.person({ isRoot: true, otp: true })
  const answer = async () => (await empty.call(read, {}, token)).body
  await expect.poll(answer).toMatchObject({
    database: {
      version: expect.stringMatching(/^\d+\.\d+$/),
      isEmbedded: true,
      size: expect.any(Number),
      answersIn: expect.any(Number),
    },
    files: { store: 'folder', size: 0, limit: expect.any(Number), byProject: [], free: expect.any(Number) },
    mail: {
      server: null,
      lastSent: null,
      waiting: 0,
      trouble: null,
      failed: 0,
      refused: { total: 0, addresses: [] },
    },
    signIn: { withOneTimeCode: 1, withPasswordAlone: 0, rootsAtRisk: { total: 0, people: [] } },
    jobs: { oldest: null, tasks: { waiting: 0, running: 0, failed: 0 } },
    extensions: { inTrouble: [] },
    untrustedProxy: null,
    nodes: [{ isAlive: true, edges: 0, version: expect.any(String) }],
  })
})

test('the newest addresses that refused mail are listed once each, for seven days', async () => {
  const add = (recipient: string | null, days: number) =>
    sql`insert into mail (id, kind, attempts, last_error, given_up_at, refused_recipient)
      values (gen_random_uuid(), 'invitation', 1, 'EENVELOPE 550', now() - ${days} * interval '1 day', ${recipient})`.execute(
      db,
    )
  for (let day = 1; day <= 6; day += 1) await add(`person${day}@example.org`, day)
  await add('person1@example.org', 5)
  await add('former@example.org', 8)
  await add(null, 1)
  const { mail } = await conditionOf()
  expect(mail).toMatchObject({ failed: 8, refused: { total: 6 } })
  const emails = [1, 2, 3, 4, 5].map((day) => `person${day}@example.org`)
  expect(mail?.refused.addresses.map(({ email }) => email)).toEqual(emails)
  expect(mail?.refused.addresses[0]).toEqual({
    email: 'person1@example.org',
    answer: 'EENVELOPE 550',
    at: expect.stringMatching(/Z$/),
  })
  await db.deleteFrom('mail').execute()
})

test('users are counted by their strongest method, and roots with only a password are named', async () => {
  const before = (await conditionOf()).signIn
  const ruth = await given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
  await given.person()
  await given.person({ otp: true })
  const keyed = await given.person({ otp: true })
  await db
    .insertInto('passkey')
    .values({
      id: uuidv7(),
      person_id: keyed.personId,
      credential_id: 'x',
      public_key: Buffer.from('x'),
      counter: 0,
      transports: [],
      aaguid: '',
      label: 'Laptop',
    })
    .execute()
  const disabled = await given.person({ isRoot: true })
  await db
    .updateTable('person')
    .set({ disabled_at: new Date() })
    .where('id', '=', disabled.personId)
    .execute()
  const { body } = await ruth.call(read)
  expect(body.signIn).toMatchObject({
    withPasskey: (before?.withPasskey ?? 0) + 1,
    withOneTimeCode: (before?.withOneTimeCode ?? 0) + 1,
    withPasswordAlone: (before?.withPasswordAlone ?? 0) + 2,
    rootsAtRisk: { total: 1, people: [{ _id: ruth.personId, name: 'Ruth Root' }] },
  })
})

test('the five projects with the largest files come first, and released files do not count', async () => {
  const owner = await given.person()
  for (let size = 1; size <= 6; size += 1) {
    const { projectId } = await given.project(owner, { label: `P${size}` })
    for (const released of [null, new Date()])
      await db
        .insertInto('file')
        .values({
          id: uuidv7(),
          filename: uuidv7().replaceAll('-', ''),
          project_id: projectId,
          person_id: owner.personId,
          readers: 'project',
          name: 'x',
          content_type: 'image/png',
          size: size * 1000,
          sha256: null,
          width: null,
          height: null,
          stored_at: new Date(),
          released_at: released,
        })
        .execute()
  }
  const fresh = await testServer({ besides: server })
  const { files } = await conditionOf(server, fresh)
  expect(files?.size).toBe(21_000)
  expect(files?.byProject.map(({ label, size }) => [label, size])).toEqual([
    ['P6', 6000],
    ['P5', 5000],
    ['P4', 4000],
    ['P3', 3000],
    ['P2', 2000],
  ])
})

test('an unreachable file store fails no other part', async () => {
  const broken = await testServer()
  const folder = join(broken.dataFolder, 'files')
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'a file in the place of the folder')
  const condition = await conditionOf(broken)
  expect(condition.files).toBeNull()
  expect(condition.database).not.toBeNull()
  expect(condition.signIn).not.toBeNull()
})

test('a deferred job counts as due since the end of its pause', async () => {
  const jobs = createJobs({
    connection: server.testDatabase.connection,
    log: createLog('silent'),
    isWorker: false,
  })
  const options = { retryDelay: 1, retryLimit: 5, longest: 30, pollInterval: 600, parallel: 1 }
  jobs.define('deferred', async () => 'done', options)
  void jobs.start()
  onTestFinished(() => jobs.stop())
  await db.transaction().execute((trx) => jobs.send(trx, 'deferred', {}))
  const { rows } = await sql<{ due: Date }>`
    update pgboss.job set created_on = now() - interval '3 days', start_after = now() - interval '20 minutes'
    where name = 'deferred' returning start_after as due`.execute(db)
  expect((await conditionOf()).jobs?.oldest).toBe(rows[0]?.due.toISOString())
  await sql`delete from pgboss.job where name = 'deferred'`.execute(db)
})

test('a node that stops writing heartbeats counts as lost, and a graceful stop removes the node', async () => {
  const second = await testServer({ besides: server })
  const lost = uuidv7()
  const row = {
    version: '2.3.0',
    started_at: new Date(),
    seen_at: sql<Date>`now() - interval '31 seconds'`,
    sockets: 3,
    edges: 2,
    memory: 1000,
  }
  await db
    .insertInto('node')
    .values([
      { ...row, id: lost, name: 'pult-lost' },
      // A node of this host was killed, and this one has replaced it.
      { ...row, id: uuidv7(), name: hostname() },
    ])
    .execute()
  await conditionOf(server, second)
  const { nodes } = await conditionOf()
  expect(nodes?.filter(({ isAlive }) => !isAlive).map(({ _id }) => _id)).toEqual([lost])
  const alive = nodes?.filter(({ isAlive }) => isAlive).length ?? 0
  await second.stop()
  expect((await conditionOf()).nodes?.filter(({ isAlive }) => isAlive)).toHaveLength(alive - 1)
})

test('RULE-08 a proxy and a clock that another node reports are named on every node', async () => {
  const second = await testServer({ besides: server })
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  await fetch(`${second.url}/api/health/live`, forwarded)
  await conditionOf(server, second)
  const node = { version: '2.4.0', started_at: new Date(), sockets: 0, edges: 0, memory: 1 }
  await db
    .insertInto('node')
    .values({ ...node, id: uuidv7(), name: 'pult-late', seen_at: sql<Date>`now()`, clock_offset: -61_000 })
    .execute()
  const { untrustedProxy, checks } = await conditionOf()
  expect(untrustedProxy?.address).toMatch(/^(?:127\.0\.0\.1|::1)$/)
  expect(checks.map(({ id }) => id)).toContain('proxy.other')
  expect(checks.find(({ id }) => id === 'clock')?.what).toBe(
    "The clock of pult-late differs from the database's by 61 s",
  )
  // Root's own request came through the proxy.
  const { token } = await given.person({ isRoot: true, otp: true })
  const own = (await server.call(read, forwarded, token)).body
  expect(own.checks.find(({ id }) => id.startsWith('proxy'))).toMatchObject({
    id: 'proxy',
    fix: `TRUSTED_PROXIES=${own.untrustedProxy?.address ?? ''}`,
  })
  await db.deleteFrom('node').where('name', '=', 'pult-late').execute()
  await second.stop()
})

test('the Root page opens without the file store and without a table, and names each cause with its remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-condition-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const filesFolder = join(folder, 'files')
  const node = await testServer({ config: { filesFolder } })
  const { token } = await node.given.person({ isRoot: true, otp: true })
  await rm(filesFolder, { recursive: true, force: true })
  await writeFile(filesFolder, '')
  await sql`alter table token_link rename to gone`.execute(node.db)
  const conditionIn = async (language: string) =>
    (await node.call(read, { headers: { 'accept-language': language } }, token)).body
  const { checks, signIn, nodes } = await conditionIn('en')
  expect([signIn, nodes]).toEqual([null, [expect.objectContaining({ isAlive: true })]])
  expect(checks).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        id: 'files',
        level: 'danger',
        what: expect.stringMatching(/^Files cannot be read and written: this server cannot use .*files/),
        fix: expect.stringContaining('the right to read and write'),
      }),
      expect.objectContaining({
        id: 'unread',
        what: expect.stringMatching(/^Could not be checked: signIn \(.*"token_link" does not exist/),
        fix: expect.stringContaining('Restart this server'),
      }),
    ]),
  )
  const lines = () => node.logLines.filter((line) => line.includes('a part does not work')).length
  const logged = lines()
  const german = (await conditionIn('de')).checks.find(({ id }) => id === 'files')
  expect(german?.what).toContain('dieser Server kann')
  // The store, its sizes and the sign-ins, once each.
  expect([logged, lines()]).toEqual([3, 3])
})

test('RULE-77 a test mail goes to the caller’s own confirmed address and reports the reply of the server', async () => {
  const root = await given.person({ isRoot: true, email: 'ruth@example.org' })
  const { body } = await root.call(testMail)
  expect(body).toEqual({
    isSent: true,
    to: 'ruth@example.org',
    answer: expect.stringContaining('queued as 42'),
    answeredIn: expect.any(Number),
  })
  const { mail } = (await root.call(read)).body
  expect(mail).toMatchObject({ server: `127.0.0.1:${port}`, lastSent: { kind: 'test' } })
  expect(JSON.stringify(mail)).not.toContain('s3cret')
  const tested = await db.selectFrom('audit').selectAll().where('event', '=', 'mail.tested').execute()
  expect(tested).toMatchObject([{ result: 'success', actor_id: root.personId, target: 'ruth@example.org' }])

  const refused = await given.person({ isRoot: true, email: 'ruth@refused.example' })
  expect((await refused.call(testMail)).body).toMatchObject({
    isSent: false,
    answer: expect.stringContaining('5.7.1 Relaying denied'),
    remedy: expect.stringContaining('does not relay mails of this machine'),
  })

  await db.updateTable('email').set({ verified_at: null }).where('person_id', '=', root.personId).execute()
  expect(await root.call(testMail)).toFailWith('EMAIL_NOT_VERIFIED')
})

test('RULE-78 a test mail that cannot be recorded is answered, and recorded when the database answers', async () => {
  const root = await given.person({ isRoot: true })
  const end = await failedWrites(db, 'insert on audit', { when: "new.event = 'mail.tested'" })
  const tested = await root.call(testMail)
  await end()
  expect(tested.body).toMatchObject({ isSent: true, to: root.email })
  // A failing record of the sent mail does not change the answer either.
  const endCount = await failedWrites(db, 'insert on mail')
  expect((await root.call(testMail)).body).toMatchObject({ isSent: true, to: root.email })
  await endCount()
  const recorded = () =>
    db.selectFrom('audit').select('result').where('actor_id', '=', root.personId).execute()
  await expect.poll(recorded).toEqual([{ result: 'success' }, { result: 'success' }])
})

test('RULE-77 diagnostics contain the facts of the condition, and neither secrets nor names', async () => {
  const secrets = {
    SMTP_URL: 'smtp://mailer:s3cret@mail.moth.example',
    METRICS_TOKEN: 'metrics-s3cret-of-moth',
    PRIVACY_URL: 'https://moth.example/privacy',
    BACKUP_FOLDER: '/srv/moth',
    MAIL_FROM: 'Moth <desk@moth.example>',
    ROOT_EMAIL: 'root@moth.example',
  }
  const installation = await testServer({ settings: secrets })
  const name = { firstname: 'Mothilda', lastname: 'Root', email: 'mothilda@moth.example' }
  const root = await installation.given.person({ ...name, isRoot: true })
  await installation.given.project(root, { label: 'Moth house' })
  await sql`insert into mail (id, kind, attempts, last_error, given_up_at, refused_recipient)
    values (gen_random_uuid(), 'invitation', 1, 'EENVELOPE 550', now(), 'gone@moth.example')`.execute(
    installation.db,
  )
  const { body } = await root.call(conditionEndpoints.diagnostics)
  expect(body).toMatchObject({
    build: { version: expect.any(String) },
    machine: { node: process.version, processors: expect.any(Number) },
    settings: { SMTP_URL: 'set', METRICS_TOKEN: 'set', DATABASE_REPLICA_URL: 'not set', BACKUP_KEEP: 14 },
    checks: expect.arrayContaining([{ id: 'roots', level: 'warning' }]),
    database: { isEmbedded: true, migration: expect.stringMatching(/^\d{4}-/) },
    mail: { isSetUp: true, refused: 1 },
    signIn: { accounts: 1, rootsAtRisk: 1 },
    nodes: [{ isAlive: true }],
  })
  expect(body.database?.tables.map((table) => table.name)).toContain('person')
  const text = JSON.stringify(body).toLowerCase()
  for (const part of ['s3cret', 'moth', installation.secret.toLowerCase()]) expect(text).not.toContain(part)
  expect(body.nodes?.[0]).not.toHaveProperty('name')
})
