import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { createTestDatabase, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { createLog } from '#platform/log.ts'
import { openBackupFolder } from '../../backup/backup-folder.ts'
import { checkBackup } from '../../backup/check-backup.ts'
import { createDiskStore } from '../../backup/disk-store.ts'
import { makeBackup } from '../../backup/make-backup.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { createSigner } from '../../backup/signer.ts'
import { newFilename } from '../../files/upload.service.ts'
import { createAuditService } from '../audit.service.ts'
import { verifyArchive } from './archive-format.ts'
import { createAuditArchive, listArchive } from './audit-archive.ts'

const log = createLog('silent')

/**
 * Creates an installation with entries at otherwise quiet times, and its archive. The first entry is at .000001 s,
 * because JSON omits zeros at the end of a fraction.
 */
async function givenArchive({ entries = 25, entriesMost = 10 } = {}) {
  const server = await testServer()
  const { db, dataFolder, app } = server
  await sweepOfStart(db)
  const driver = createDiskFiles(`${dataFolder}/files`)
  await sql`
    insert into audit (id, at, event, result, target, detail)
    select gen_random_uuid(), date_trunc('second', now()) - interval '800 days' + n * interval '1 microsecond', 'login.password', 'failure',
      'entry ' || n, jsonb_build_object('about', 'Größe ' || n)
    from generate_series(1, ${sql.lit(entries)}) n`.execute(db)
  const parts = { newFilename, log, audit: createAuditService(db) }
  const archive = createAuditArchive({ driver, ...parts, entriesMost })
  const files = () => listArchive(db, driver)
  const left = async () =>
    (
      await sql<{ target: string }>`select target from audit where target like 'entry %' order by at`.execute(
        db,
      )
    ).rows.map(({ target }) => target)
  const archived = async () => {
    const texts: string[] = []
    for (const { open } of await files()) texts.push(gunzipSync(await buffer(await open())).toString())
    return texts.flatMap((text) =>
      text
        .split('\n')
        .filter((line) => line.includes('"entry":'))
        .map((line) => (JSON.parse(line) as { entry: { target: string; at: string } }).entry),
    )
  }
  return { server, db, app, driver, archive, parts, files, left, archived }
}

/** Waits for the clean-up at the start of a server, which archives as well. */
const sweepOfStart = (db: TestServer['db']) =>
  expect
    .poll(
      async () =>
        (await sql`select from pgboss.job where name = 'sweep' and state = 'completed'`.execute(db)).rows
          .length,
    )
    .toBeGreaterThan(0)

const named = (entries: number) => Array.from({ length: entries }, (_, index) => `entry ${index + 1}`)

test('entries past the retention move to the archive in order, and the rest stays', async () => {
  const { db, archive, files, left, archived } = await givenArchive()
  await sql`insert into audit (id, at, event, result, target) values
    (gen_random_uuid(), now() - interval '700 days', 'login.password', 'failure', 'entry young')`.execute(db)
  await archive.archiveAudit(db)
  expect(await left()).toEqual(['entry young'])
  const entries = await archived()
  expect(entries.map(({ target }) => target)).toEqual(named(25))
  expect(entries[0]).toMatchObject({ at: expect.stringMatching(/\.\d{6}/), detail: { about: 'Größe 1' } })
  const verified = await verifyArchive(await files())
  expect(verified).toMatchObject({ files: 3, entries: 25, breaks: [] })
  const { rows } = await sql<{ detail: { number: number; digest: string } }>`
    select detail from audit where event = 'audit.archived' order by at desc limit 1`.execute(db)
  expect(rows[0]?.detail).toMatchObject({ number: 3, entries: 5, digest: verified.digest })
  // The next run has nothing to do.
  await archive.archiveAudit(db)
  expect(await files()).toHaveLength(3)
})

test('RULE-33 the database refuses to delete entries that are not archived, and to change the archive', async () => {
  const { db, archive, left } = await givenArchive({ entries: 3 })
  await expect(sql`delete from audit where target = 'entry 1'`.execute(db)).rejects.toThrow('append-only')
  await archive.archiveAudit(db)
  await expect(sql`delete from audit`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`update audit set result = 'success'`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`truncate audit`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`update audit_archive set entries = 1`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`delete from audit_archive`.execute(db)).rejects.toThrow('append-only')
  expect(await left()).toEqual([])
})

test('a fault at any step of archiving neither loses nor duplicates an entry', async () => {
  const { db, driver, archive, parts, left, archived, files } = await givenArchive()
  const faulty = (write: typeof driver.write) =>
    createAuditArchive({ driver: { write }, ...parts, entriesMost: 10 }).archiveAudit(db)
  // Before, during and after the writing of the file.
  await expect(faulty(() => Promise.reject(new Error('no store')))).rejects.toThrow('no store')
  await expect(
    faulty(async (name, content, options) => {
      for await (const _ of content) throw new Error('no space')
      return driver.write(name, content, options)
    }),
  ).rejects.toThrow('no space')
  await expect(
    faulty(async (name, content, options) => {
      await driver.write(name, content, options)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await left()).toEqual(named(25))
  // Entries that arrive while the file is written would be lost if they were deleted with the others.
  await expect(
    faulty(async (name, content, options) => {
      const written = await driver.write(name, content, options)
      await sql`insert into audit (id, at, event, result, target) values
        (gen_random_uuid(), now() - interval '900 days', 'login.password', 'failure', 'entry 0')`.execute(db)
      return written
    }),
  ).rejects.toThrow('11 entries would be deleted, 10 were archived')
  expect(await left()).toHaveLength(26)

  await archive.archiveAudit(db)
  expect(await left()).toEqual([])
  expect((await archived()).map(({ target }) => target)).toEqual(['entry 0', ...named(25)])
  expect((await verifyArchive(await files())).breaks).toEqual([])
})

test('two nodes that archive concurrently archive each entry once', async () => {
  const { db, archive, left, archived, files } = await givenArchive()
  await Promise.allSettled([archive.archiveAudit(db), archive.archiveAudit(db)])
  await archive.archiveAudit(db)
  expect(await left()).toEqual([])
  expect((await archived()).map(({ target }) => target)).toEqual(named(25))
  expect((await verifyArchive(await files())).breaks).toEqual([])
})

test('the clean-up of files keeps the archive', async () => {
  const { db, app, archive, files } = await givenArchive()
  await archive.archiveAudit(db)
  await app.sweepFiles()
  expect(await verifyArchive(await files())).toMatchObject({ files: 3, entries: 25, breaks: [] })
})

/** Restores a backup of an installation into an empty database and an empty folder of files. */
async function restored({ testDatabase, dataFolder, secret }: TestServer) {
  const folder = await mkdtemp(join(tmpdir(), 'pult-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = createDiskStore(join(folder, 'backups'), async () => {})
  const { name } = await makeBackup({
    connection: testDatabase.connection,
    driver: createDiskFiles(join(dataFolder, 'files')),
    extensionsFolder: join(dataFolder, 'extensions'),
    temporaryFolder: folder,
    secret,
    target: openBackupFolder(store),
    recipient: undefined,
    keep: 1,
  })
  const target = await createTestDatabase()
  const opened = openDatabase({ connection: target.connection, max: 1, onError: () => {} })
  onTestFinished(async () => {
    await opened.close()
    await target.drop()
  })
  const source = { store, name, identity: undefined, signer: createSigner(secret).fingerprint }
  const driver = createDiskFiles(join(folder, 'files'))
  await restoreBackup({
    source,
    checked: await checkBackup(source),
    connection: target.connection,
    driver,
    dataFolder: folder,
    secret,
    mayReplace: false,
  })
  return { db: opened.db, driver }
}

test('a restored backup has the whole archive, which continues its chain', async () => {
  const { server, db, archive, parts, files } = await givenArchive()
  await archive.archiveAudit(db)
  const before = await verifyArchive(await files())
  expect(before).toMatchObject({ files: 3, entries: 25, breaks: [] })

  const after = await restored(server)
  expect(await verifyArchive(await listArchive(after.db, after.driver))).toEqual(before)
  await sql`insert into audit (id, at, event, result) values
    (gen_random_uuid(), now() - interval '790 days', 'login.password', 'failure')`.execute(after.db)
  const audit = createAuditService(after.db)
  await createAuditArchive({ ...parts, driver: after.driver, audit }).archiveAudit(after.db)
  expect(await verifyArchive(await listArchive(after.db, after.driver))).toMatchObject({
    files: 4,
    entries: 26,
    breaks: [],
  })
})
