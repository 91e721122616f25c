import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { apiBase, backupEndpoints, conditionEndpoints } from '@pult/contract'
import { createTestDatabase, failedWrites, openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { createBackupService } from './backup.service.ts'
import { createDiskStore } from './disk-store.ts'
import { makeKey } from './encryption.ts'
import { createSigner } from './signer.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-backups-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { recipient } = await makeKey()
const secret = 'a secret of thirty-two characters'
const settings = {
  BACKUP_FOLDER: folder,
  BACKUP_RECIPIENT: `${recipient}.${createSigner(secret).fingerprint}`,
  BACKUP_KEEP: '2',
}
const server = await testServer({ secret, settings: { ...settings, BACKUP_SCHEDULE: 'off' } })
await writeFile(join(server.dataFolder, 'secret'), server.secret)
const { given, db } = server
const { backups } = server.app
const root = await given.person({ isRoot: true })
const { projectId } = await given.project(root)
const keep = (name: string) =>
  server.app.files.keep(
    { projectId, personId: null, readers: 'project', name, contentType: 'text/plain', lifetime: 3_600_000 },
    Readable.from([Buffer.from(name)]),
  )

const start = () => root.call(backupEndpoints.start)
const read = async () => (await root.call(backupEndpoints.read)).body
const mails = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mail where kind = 'backup-failed'`.execute(db)
  return rows[0]?.count
}
const events = async () =>
  (
    await db
      .selectFrom('audit')
      .select(['event', 'result'])
      .where('event', 'like', 'backup.%')
      .orderBy('at')
      .execute()
  ).map(({ event, result }) => `${event} ${result}`)
const backupMetrics = async (): Promise<Record<string, number>> => {
  const text = await (await fetch(`${server.url}${apiBase}/metrics`)).text()
  const lines = [...text.matchAll(/^(pult_backup\S+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]))
}
/** Throws if no backup runs, because a signal to process 0 would reach the test processes. */
const pidOfWorker = () => {
  const pid = backups.processId()
  if (pid === undefined) throw new Error('No backup runs')
  return pid
}
const isScratchLeft = () =>
  stat(join(server.dataFolder, 'restore-drill')).then(
    () => true,
    () => false,
  )

test('root starts one backup at a time, which is restored on trial, listed as proven, and audited', async () => {
  await keep('first')
  expect((await read()).archives).toEqual([])
  const [one, other] = [await start(), await start()]
  expect(one).toSucceed()
  expect(one.body.running).not.toBeNull()
  expect(other).toFailWith('BACKUP_RUNS')
  const pid = pidOfWorker()
  expect(getPriority(pid)).toBe(5)
  // The worker leads its own session.
  expect(() => process.kill(-pid, 0)).not.toThrow()
  await backups.finished()
  const found = await read()
  expect(found).toMatchObject({ place: folder, running: null, failure: null, drillFailure: null, missing: 0 })
  expect(found.archives).toEqual([
    {
      name: expect.stringMatching(/\.pult$/),
      createdAt: expect.any(String),
      size: expect.any(Number),
      isEncrypted: true,
      provenAt: found.provenAt,
    },
  ])
  expect(found.provenAt).not.toBeNull()
  expect(await isScratchLeft()).toBe(false)
  const metrics = await backupMetrics()
  expect(metrics).toMatchObject({
    'pult_backup_failed{step="backup"}': 0,
    'pult_backup_failed{step="drill"}': 0,
  })
  const proven = metrics['pult_backup_success_timestamp_seconds{step="drill"}']
  expect(proven).toBe(Date.parse(found.provenAt ?? '') / 1000)
  expect(metrics['pult_backup_success_timestamp_seconds{step="backup"}']).toBeLessThan(proven ?? 0)
  expect(await events()).toEqual(['backup.started success', 'backup.made success', 'backup.proven success'])
  expect(await mails()).toBe(0)
})

test('borgbackup/borg#148 a drill finds a changed file of an earlier backup without the private key, and the next backup stores it again', async () => {
  await keep('second')
  const store = createDiskStore(folder, async () => {})
  for await (const name of store.list('files')) await writeFile(store.pathOf('files', name), 'damage')
  await start()
  await backups.finished()
  const { failure, drillFailure, archives } = await read()
  expect([failure, archives[0]?.provenAt]).toEqual([null, null])
  expect(drillFailure?.reason).toMatch(/has different content\. The next backup .* stores it again/)
  expect((await backupMetrics())['pult_backup_failed{step="drill"}']).toBe(1)
  expect(await mails()).toBe(1)

  await start()
  await backups.finished()
  const healed = await read()
  expect([healed.failure, healed.drillFailure]).toEqual([null, null])
  expect(healed.archives[0]?.provenAt).toBe(healed.provenAt)
})

test('a drill that is killed leaves no scratch database, and its failure is shown', async () => {
  await start()
  // The drill runs without fsync, so that users do not wait for the disk.
  const changed = join(server.dataFolder, 'restore-drill/postgres/postgresql.auto.conf')
  await expect
    .poll(() => readFile(changed, 'utf8').catch(() => ''), { interval: 10 })
    .toContain("fsync = 'off'")
  process.kill(pidOfWorker(), 'SIGKILL')
  await backups.finished()
  expect(await read()).toMatchObject({
    running: null,
    failure: null,
    drillFailure: { reason: 'it was interrupted: its process ended' },
  })
  expect(await isScratchLeft()).toBe(false)
  expect((await readdir(server.dataFolder)).filter((name) => name.startsWith('.spool'))).toEqual([])
})

const lost = { reason: 'it was interrupted: its server ended' }

test('a backup or a drill whose server was killed counts as interrupted after a minute, and the next one begins', async () => {
  await db.deleteFrom('backup_run').execute()
  const addKilled = (archive: string | null, step: string) =>
    sql`
      insert into backup_run (id, cause, started_at, seen_at, archive, step, done, total)
      values (gen_random_uuid(), 'root', now(), now() - interval '2 minutes', ${archive}, ${step}, 0, 0)`.execute(
      db,
    )
  const endNext = async () => {
    expect(await start()).toSucceed()
    process.kill(pidOfWorker(), 'SIGKILL')
    await backups.finished()
  }
  const before = await mails()
  await addKilled(null, 'tables')
  expect(await read()).toMatchObject({ running: null, failure: lost, drillFailure: null })
  await endNext()
  const known = (await events()).length

  await addKilled('a.pult', 'restore')
  expect(await read()).toMatchObject({ running: null, failure: null, drillFailure: lost, provenAt: null })
  await endNext()
  expect((await events()).slice(known, known + 2)).toEqual(['backup.made success', 'backup.proven failure'])
  expect((await read()).drillFailure).toMatchObject(lost)
  expect((await mails()) ?? 0).toBeGreaterThan(before ?? 0)

  await addKilled('b.pult', 'files')
  expect(await read()).toMatchObject({ running: null, failure: null, drillFailure: lost })
})

test('RULE-78 a backup runs and its failure is mailed even if neither can be recorded until the database answers', async () => {
  await db.deleteFrom('backup_run').execute()
  const mailed = (await mails()) ?? 0
  const recorded = (await events()).length
  const end = await failedWrites(db, 'insert on audit', { when: "new.event like 'backup.%'" })
  expect(await start()).toSucceed()
  process.kill(pidOfWorker(), 'SIGKILL')
  await backups.finished()
  expect(await mails()).toBe(mailed + 1)
  expect(await events()).toHaveLength(recorded)
  await end()
  await expect
    .poll(async () => (await events()).slice(recorded))
    .toEqual(['backup.started success', 'backup.made failure'])
})

test('no backup begins without a key or for a user who is not root', async () => {
  const person = await given.person()
  expect(await person.call(backupEndpoints.start)).toFailWith('FORBIDDEN')
  const other = await testServer({ settings: { BACKUP_FOLDER: folder, BACKUP_SCHEDULE: 'daily' } })
  const otherRoot = await other.given.person({ isRoot: true })
  expect(await otherRoot.call(backupEndpoints.start)).toFailWith('BACKUP_NOT_SET_UP')
})

const runs = async (of: typeof server) =>
  (await of.db.selectFrom('backup_run').select(['cause', 'archive', 'error']).execute()).map(
    ({ cause, archive, error }) => [cause, archive !== null, error !== null],
  )

test('the schedule makes a due backup once', async () => {
  const place = await mkdtemp(join(folder, 'daily-'))
  const daily = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_DRILL: 'off' },
  })
  await writeFile(join(daily.dataFolder, 'secret'), daily.secret)
  await expect.poll(() => runs(daily)).toHaveLength(1)
  await daily.app.backups.finished()
  await daily.app.backups.runSchedule()
  expect(await runs(daily)).toEqual([['schedule', true, false]])
})

/** Holds the lock of the backups of a database, as a command or an update does while it makes one. */
async function otherBackup({ connection }: (typeof server)['testDatabase']) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`select pg_advisory_lock(hashtextextended('pult backup', 0))`)
  const end = () => client.end()
  onTestFinished(end)
  return { end }
}

test('longhorn/longhorn#7814 a due backup that meets the backup of a command or an update is made after it, and a requested one fails', async () => {
  const database = await createTestDatabase()
  const other = await otherBackup(database)
  const place = await mkdtemp(join(folder, 'waiting-'))
  const daily = await testServer({
    database,
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_DRILL: 'off' },
  })
  await writeFile(join(daily.dataFolder, 'secret'), daily.secret)
  await daily.app.backups.runSchedule()
  await expect.poll(() => daily.app.backups.processId()).toBeDefined()
  await daily.app.backups.finished()
  await expect.poll(() => runs(daily)).toEqual([])

  const itsRoot = await daily.given.person({ isRoot: true })
  expect(await itsRoot.call(backupEndpoints.start)).toSucceed()
  await daily.app.backups.finished()
  expect(await runs(daily)).toEqual([['root', false, true]])
  const { failure } = (await itsRoot.call(backupEndpoints.read)).body
  expect(failure).toMatchObject({ reason: 'another backup of this installation is being made' })
  await other.end()
  await daily.app.backups.runSchedule()
  await daily.app.backups.finished()
  await expect.poll(() => runs(daily)).toContainEqual(['schedule', true, false])
})

test('a due backup that waits for the backup of another node is logged once', async () => {
  const database = await createTestDatabase()
  const opened = openDatabase({ connection: database.connection, max: 1, onError: () => {} })
  onTestFinished(opened.close)
  await sql`
    insert into backup_run (id, cause, started_at, seen_at, step, done, total)
    values (gen_random_uuid(), 'root', now(), now(), 'files', 0, 0)`.execute(opened.db)
  const daily = await testServer({
    database,
    secret,
    settings: { ...settings, BACKUP_FOLDER: await mkdtemp(join(folder, 'other-')), BACKUP_DRILL: 'off' },
  })
  for (let check = 0; check < 3; check += 1) await daily.app.backups.runSchedule()
  expect(daily.logLines.filter((line) => line.includes('a due backup waits'))).toHaveLength(1)
})

test('a backup whose process sends no message for an hour ends as failed', async () => {
  const stalled = createBackupService({
    db,
    config: server.config,
    connection: server.testDatabase.connection,
    dataFolder: server.dataFolder,
    jobs: { define: () => {}, every: () => {} },
    mailer: { enqueue: async () => {} },
    audit: createAuditService(db),
    log: createLog('silent'),
    stallTime: 500,
  })
  await db.deleteFrom('backup_run').execute()
  await stalled.start(root.personId, '127.0.0.1')
  const pid = stalled.processId() ?? 0
  process.kill(pid, 'SIGSTOP')
  await stalled.finished()
  expect((await read()).failure).toMatchObject({
    reason: 'it was ended, because it made no progress for an hour',
  })
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a daily drill restores the first backup that begins a day after the one that was proven, whenever that ended', async () => {
  const place = await mkdtemp(join(folder, 'drilled-'))
  const daily = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_SCHEDULE: 'off', BACKUP_DRILL: 'daily' },
  })
  await writeFile(join(daily.dataFolder, 'secret'), daily.secret)
  const dailyRoot = await daily.given.person({ isRoot: true })
  const isProven = async () => {
    expect(await dailyRoot.call(backupEndpoints.start)).toSucceed()
    await daily.app.backups.finished()
    const { body } = await dailyRoot.call(backupEndpoints.read)
    expect([body.failure, body.drillFailure]).toEqual([null, null])
    return body.archives[0]?.provenAt !== null
  }
  await sql`
    insert into backup_run (id, cause, started_at, seen_at, ended_at, proven_at)
    values (gen_random_uuid(), 'root', now() - interval '22 hours 50 minutes', now(), now() - interval '22 hours',
      now() - interval '22 hours')`.execute(daily.db)
  expect(await isProven()).toBe(false)
  await sql`
    update backup_run set started_at = now() - interval '23 hours 10 minutes' where proven_at is not null`.execute(
    daily.db,
  )
  expect(await isProven()).toBe(true)
})

test('a failed scheduled backup is retried after an hour, and roots get one mail', async () => {
  const place = join(folder, 'no-folder')
  await writeFile(place, '')
  const daily = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_DRILL: 'off' },
  })
  await daily.given.person({ isRoot: true })
  await writeFile(join(daily.dataFolder, 'secret'), daily.secret)
  await expect.poll(() => runs(daily)).toHaveLength(1)
  await daily.app.backups.finished()
  await daily.app.backups.runSchedule()
  expect(await runs(daily)).toEqual([['schedule', false, true]])
  const { rows } = await sql`select from mail where kind = 'backup-failed'`.execute(daily.db)
  expect(rows).toHaveLength(1)
})

test('RULE-45 the mail about a failed backup goes to one verified address of each root', async () => {
  const mailbox = await openMailbox()
  const place = join(folder, 'no-folder-either')
  await writeFile(place, '')
  const broken = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_SCHEDULE: 'off', SMTP_URL: mailbox.url },
  })
  await writeFile(join(broken.dataFolder, 'secret'), broken.secret)
  const isRoot = true
  const addEmail = (personId: string, email: string) =>
    broken.db
      .insertInto('email')
      .values({
        id: crypto.randomUUID(),
        person_id: personId,
        email,
        email_key: email,
        verified_at: new Date(),
      })
      .execute()
  const verified = await broken.given.person({ isRoot, email: 'verified@example.org' })
  await addEmail(verified.personId, 'second@example.org')
  const unverified = await broken.given.person({ isRoot })
  const waiting = await broken.given.person({ isRoot })
  await broken.db
    .updateTable('email')
    .set({ verified_at: null })
    .where('person_id', 'in', [unverified.personId, waiting.personId])
    .execute()
  await addEmail(unverified.personId, 'other@example.org')

  expect(await verified.call(backupEndpoints.start)).toSucceed()
  await broken.app.backups.finished()
  const { rows } = await sql`select from mail where kind = 'backup-failed'`.execute(broken.db)
  expect(rows).toHaveLength(2)
  await expect
    .poll(() => mailbox.received.map(({ to }) => to).toSorted())
    .toEqual(['other@example.org', 'verified@example.org'])
})

test('supervisor#4358 while the backup folder is not mounted, the Root page names it, and roots get one mail', async () => {
  await db.deleteFrom('backup_run').execute()
  const checks = async () => (await root.call(conditionEndpoints.read)).body.checks.map(({ id }) => id)
  const known = (await read()).archives
  const before = (await mails()) ?? 0
  const share = `${folder}-share`
  await rename(folder, share)
  await mkdir(folder)
  const trouble = expect.stringMatching(/is not the place of the earlier backups.*probably not mounted/)
  expect(await read()).toMatchObject({ archives: [], trouble })
  expect(await checks()).toContain('backup.place')
  for (let round = 0; round < 2; round += 1) {
    await start()
    await backups.finished()
    expect((await read()).failure).toMatchObject({ reason: trouble })
  }
  expect(await mails()).toBe(before + 1)
  expect(await readdir(folder)).toEqual([])

  await rm(folder, { recursive: true })
  await rename(share, folder)
  expect(await read()).toMatchObject({ archives: known, trouble: null })
  expect(known).not.toEqual([])
  await start()
  await backups.finished()
  expect((await read()).failure).toBeNull()
})

/** Starts a server whose backups fail, besides another server of the same installation if one is given. */
async function withBrokenPlace(besides?: typeof server) {
  const place = besides?.config.backup.folder ?? join(await mkdtemp(join(folder, 'broken-')), 'file')
  await rm(place, { recursive: true, force: true })
  await writeFile(place, '')
  const broken = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_SCHEDULE: 'off', BACKUP_DRILL: 'off' },
    ...(besides && {
      besides: { testDatabase: besides.testDatabase, secret, dataFolder: besides.dataFolder },
    }),
  })
  await writeFile(join(broken.dataFolder, 'secret'), broken.secret)
  return broken
}

const sentBy = async (of: Pick<typeof server, 'db'>) =>
  (await sql`select from mail where kind = 'backup-failed'`.execute(of.db)).rows.length

test('mail-in-a-box/mailinabox#1763 a failure is mailed although a stop of the server interrupted the backup before it', async () => {
  const place = await mkdtemp(join(folder, 'stopped-'))
  const first = await testServer({
    secret,
    settings: { ...settings, BACKUP_FOLDER: place, BACKUP_SCHEDULE: 'off', BACKUP_DRILL: 'off' },
  })
  await writeFile(join(first.dataFolder, 'secret'), first.secret)
  const itsRoot = await first.given.person({ isRoot: true })
  expect(await itsRoot.call(backupEndpoints.start)).toSucceed()
  await first.app.backups.stop()
  const { body } = await itsRoot.call(backupEndpoints.read)
  expect(body.failure?.reason).toBe('it was interrupted: its server was stopped')
  expect(await sentBy(first)).toBe(0)

  const second = await withBrokenPlace(first)
  for (let round = 0; round < 2; round += 1) {
    expect(await second.call(backupEndpoints.start, {}, itsRoot.token)).toSucceed()
    await second.app.backups.finished()
  }
  expect(await sentBy(first)).toBe(1)
})

test('mail-in-a-box/mailinabox#1763 while backups fail, roots get a mail each week', async () => {
  const broken = await withBrokenPlace()
  const itsRoot = await broken.given.person({ isRoot: true })
  const fail = async () => {
    expect(await itsRoot.call(backupEndpoints.start)).toSucceed()
    await broken.app.backups.finished()
    return sentBy(broken)
  }
  const wait = (days: number) =>
    sql`update backup_run set started_at = started_at - make_interval(days => ${days}),
      ended_at = ended_at - make_interval(days => ${days})`.execute(broken.db)
  expect([await fail(), await fail()]).toEqual([1, 1])
  await wait(6)
  expect(await fail()).toBe(1)
  await wait(2)
  expect([await fail(), await fail()]).toEqual([2, 2])
})

test('restic#5731 borg#1869 an archive that cannot be read is named and does not hide the others', async () => {
  const name = '20260101T020000000Z-0123abcd.pult'
  const path = join(folder, 'archives', name)
  await mkdir(path)
  const { archives, trouble } = await read()
  expect(trouble).toBeNull()
  expect(archives).toHaveLength(1)
  const { checks } = (await root.call(conditionEndpoints.read)).body
  expect(checks).toContainEqual(
    expect.objectContaining({ id: 'backup.unreadable', what: expect.stringContaining(`${name} (EISDIR`) }),
  )
  await rm(path, { recursive: true })
})

test('a stopping server ends a drill that checks files, and begins no backup', async () => {
  await start()
  await backups.finished()
  const store = createDiskStore(folder, async () => {})
  // A sparse file: it has no blocks on the disk and takes minutes to read.
  for await (const name of store.list('files')) await truncate(store.pathOf('files', name), 2 ** 40)
  const isMade = async () => {
    const row = await db
      .selectFrom('backup_run')
      .select('archive')
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row?.archive != null
  }
  await start()
  await expect.poll(isMade, { interval: 10 }).toBe(true)
  await backups.stop()
  expect(await read()).toMatchObject({
    failure: null,
    drillFailure: { reason: 'it was interrupted: its server was stopped' },
  })
  expect(await start()).toFailWith('BUSY')
})
