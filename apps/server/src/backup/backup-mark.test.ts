import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, openS3Server, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { filesPlace, notePlaceMark, readPlaceMarks } from '#platform/places/place-marks.ts'
import { openBackupFolder } from './backup-folder.ts'
import type { BackupStore } from './backup-store.ts'
import { checkBackup } from './check-backup.ts'
import { createDiskStore } from './disk-store.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { createS3Store } from './s3-store.ts'
import { createSigner } from './signer.ts'

const server = await testServer()
const { db, secret } = server
const signer = createSigner(secret).fingerprint
const notMounted =
  /is not the place of the earlier backups, because .*probably not mounted.*backup --new-place$/

const base = await mkdtemp(join(tmpdir(), 'pult-mark-'))
afterAll(() => rm(base, { recursive: true }))
beforeEach(async () => {
  await sql`delete from place_mark; delete from backup_run`.execute(db)
})

const newFolder = () => mkdtemp(join(base, 'backups-'))
const storeIn = (folder: string) => createDiskStore(folder, async () => {})
const markIn = (folder: string) => join(folder, 'archives/place-id')

function backUp(
  store: BackupStore,
  {
    isNewPlace = false,
    connection = server.testDatabase.connection,
    by = secret,
    publicUrl = undefined as string | undefined,
  } = {},
) {
  return makeBackup({
    connection,
    driver: createDiskFiles(join(server.dataFolder, 'files')),
    extensionsFolder: join(server.dataFolder, 'extensions'),
    secret: by,
    temporaryFolder: base,
    target: openBackupFolder(store),
    recipient: undefined,
    isNewPlace,
    publicUrl,
    keep: 14,
  })
}

/** Puts an empty folder in the place of a folder, as the end of a mount does. Returns a function that mounts it again. */
async function unmount(folder: string): Promise<() => Promise<void>> {
  await rename(folder, `${folder}-share`)
  await mkdir(folder)
  return async () => {
    await rm(folder, { recursive: true })
    await rename(`${folder}-share`, folder)
  }
}

const noteRun = () =>
  sql`insert into backup_run (id, cause, ended_at, archive) values (gen_random_uuid(), 'root', now(), 'a.pult')`.execute(
    db,
  )

test('home-assistant/supervisor#4358 raspiBackup#898 a folder that is not mounted gets no backup, and the mounted one does', async () => {
  const folder = await newFolder()
  const store = storeIn(folder)
  await backUp(store)
  expect(await readFile(markIn(folder), 'utf8')).toMatch(new RegExp(`^[0-9a-f-]{36} ${signer}\n$`))
  const mount = await unmount(folder)
  await expect(backUp(store)).rejects.toThrow(notMounted)
  await expect(backUp(store)).rejects.toThrow('place-id is missing')
  expect(await readdir(folder)).toEqual([])
  await mount()
  await backUp(store)
})

test('a mark that is empty, damaged, or of another place of the installation is refused until root accepts the place', async () => {
  const folder = await newFolder()
  const store = storeIn(folder)
  await backUp(store)
  const other = `${crypto.randomUUID()} ${signer}\n`
  for (const [mark, state] of [
    ['', 'is damaged'],
    ['a mark\n', 'is damaged'],
    [other, 'is that of another place'],
  ] as const) {
    await writeFile(markIn(folder), mark)
    await expect(backUp(store), mark).rejects.toThrow(`place-id ${state}: `)
    expect(await readFile(markIn(folder), 'utf8')).toBe(mark)
  }
  await backUp(store, { isNewPlace: true })
  expect(await readFile(markIn(folder), 'utf8')).toBe(other)
  await backUp(store)
})

test('the folder of another installation is refused, even as a new place', async () => {
  const folder = await newFolder()
  await backUp(storeIn(folder), { by: 'another secret of thirty-two characters' })
  const made = await readdir(folder, { recursive: true })
  for (const isNewPlace of [false, true])
    await expect(backUp(storeIn(folder), { isNewPlace })).rejects.toThrow(
      'contains the backups of another installation',
    )
  expect(await readdir(folder, { recursive: true })).toEqual(made)
})

test('a new disk in the same place is accepted on purpose, and the former one no longer', async () => {
  const folder = await newFolder()
  await backUp(storeIn(folder))
  const mount = await unmount(folder)
  await backUp(storeIn(folder), { isNewPlace: true })
  await backUp(storeIn(folder))
  await mount()
  await expect(backUp(storeIn(folder))).rejects.toThrow('place-id is that of another place')
})

test('a folder that root chooses, a copy of the backups and a second place need no confirmation', async () => {
  const [folder, other, moved] = [await newFolder(), await newFolder(), join(base, 'moved')]
  await backUp(storeIn(folder))
  await noteRun()
  await backUp(storeIn(other))
  await rename(folder, moved)
  await backUp(storeIn(moved))
  expect(await readdir(join(moved, 'archives'))).toContain('place-id')
})

test('archives of an earlier version without a mark get one, and its empty folder is taken for one that is not mounted', async () => {
  const folder = await newFolder()
  const store = storeIn(folder)
  await backUp(store)
  await noteRun()
  const forget = async () => {
    await rm(markIn(folder))
    await sql`delete from place_mark`.execute(db)
  }
  await forget()
  const mount = await unmount(folder)
  await expect(backUp(store)).rejects.toThrow(/because it contains no backup: .*not mounted/)
  expect(await readdir(folder)).toEqual([])
  await mount()
  await backUp(store)
  expect(await readFile(markIn(folder), 'utf8')).toContain(signer)

  await forget()
  await unmount(folder)
  await backUp(store, { isNewPlace: true })
  await backUp(store)
})

test('two nodes that make the first backup at the same time leave one mark, which both accept', async () => {
  const folder = await newFolder()
  const outcomes = await Promise.allSettled([backUp(storeIn(folder)), backUp(storeIn(folder))])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  const mark = await readFile(markIn(folder), 'utf8')
  await backUp(storeIn(folder))
  expect(await readFile(markIn(folder), 'utf8')).toBe(mark)
})

test('a bucket without the mark is named as another one', async () => {
  const { objects, settings } = await openS3Server()
  const store = createS3Store({
    endpoint: settings.FILES_S3_ENDPOINT,
    region: settings.FILES_S3_REGION,
    accessKey: settings.FILES_S3_ACCESS_KEY,
    secretKey: settings.FILES_S3_SECRET_KEY,
    pathStyle: true,
    bucket: settings.FILES_S3_BUCKET,
    prefix: 'vault',
  })
  await backUp(store)
  await backUp(store)
  expect(objects.delete('vault/archives/place-id')).toBe(true)
  const before = [...objects.keys()]
  await expect(backUp(store)).rejects.toThrow(
    /^s3:\/\/\w+\/vault is not the place .*place-id is missing\. Correct BACKUP_FOLDER or the endpoint\. /,
  )
  expect([...objects.keys()]).toEqual(before)
})

/** Restores an archive elsewhere. */
async function restored(store: BackupStore, name: string) {
  const target = await createTestDatabase()
  const opened = openDatabase({ connection: target.connection, max: 1, onError: () => {} })
  onTestFinished(async () => {
    await opened.close()
    await target.drop()
  })
  const source = { store, name, identity: undefined, signer }
  const dataFolder = await newFolder()
  await restoreBackup({
    source,
    checked: await checkBackup(source),
    connection: target.connection,
    driver: createDiskFiles(join(dataFolder, 'files')),
    dataFolder,
    secret,
    mayReplace: false,
  })
  return { connection: target.connection, db: opened.db, dataFolder }
}

test('a restored installation continues in the place of its backups, and in a new one', async () => {
  const folder = await newFolder()
  const store = storeIn(folder)
  await notePlaceMark(db, filesPlace, 'the mark of the former folder of files')
  // The first archive does not contain its own note.
  const { name } = await backUp(store)
  const { connection, dataFolder, ...target } = await restored(store, name)
  expect(await readdir(join(dataFolder, 'files'))).toContain('store-id')
  expect(await readPlaceMarks(target.db)).toEqual(new Map())
  // At the address of the original it is no copy, even before its server starts.
  const { publicUrl } = server.config
  await backUp(store, { connection, publicUrl })
  await backUp(storeIn(await newFolder()), { connection, publicUrl })
})

test('gilbertchen/duplicacy#377 a copy makes no backup in the place of the original, and continues in a place with its own', async () => {
  const folder = await newFolder()
  const store = storeIn(folder)
  await backUp(store)
  // The second archive contains the note of the place.
  const { name } = await backUp(store)
  const { connection, ...copy } = await restored(store, name)
  const made = await readdir(folder, { recursive: true })
  for (const isNewPlace of [false, true])
    await expect(
      backUp(store, { connection, isNewPlace, publicUrl: 'https://test.example.org' }),
    ).rejects.toThrow(
      `this installation is a copy of ${server.config.publicUrl}, and ${folder} has the backups of the original: set another BACKUP_FOLDER, or put it into service`,
    )
  // A place of an earlier version has no mark.
  await rm(markIn(folder))
  await expect(backUp(store, { connection })).rejects.toThrow('is a copy of')
  expect(await readdir(folder, { recursive: true })).toEqual(
    made.filter((path) => path !== 'archives/place-id'),
  )

  const own = storeIn(await newFolder())
  for (let round = 0; round < 2; round += 1) await backUp(own, { connection })
  await copy.db.updateTable('installation').set({ is_copy: false }).execute()
  await backUp(store, { connection, isNewPlace: true })
})

test('a backup before the update that adds the marks works without their table', async () => {
  const { testDatabase, ...older } = await testServer({ secret })
  await sql`drop table place_mark`.execute(older.db)
  const folder = await newFolder()
  await backUp(storeIn(folder), { connection: testDatabase.connection })
  await backUp(storeIn(folder), { connection: testDatabase.connection })
  expect(await readdir(join(folder, 'archives'))).toContain('place-id')
})
