import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noteEndpoints } from '@pult/contract'
import { createTestDatabase, openS3Server, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { create } from 'tar'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createDiskSpace } from '#platform/disk-space.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { createLog } from '#platform/log.ts'
import { writeArchive } from './archive-format.ts'
import { hasRows, openBackupFolder } from './backup-folder.ts'
import type { BackupStore } from './backup-store.ts'
import { checkBackup } from './check-backup.ts'
import { createDiskStore } from './disk-store.ts'
import { encrypted, makeKey } from './encryption.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup, secretFor } from './restore-backup.ts'
import { createS3Store } from './s3-store.ts'
import { createSigner } from './signer.ts'
import { openSpool } from './spool.ts'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const server = await testServer()
const { given, db } = server
const key = await makeKey()
const signer = createSigner(server.secret)
const secrets = Array.from({ length: 50 }, () => randomBytes(12).toString('hex'))

const ada = await given.person({ otp: true })
const { projectId } = await given.project(ada)
for (const label of secrets.slice(0, 5))
  await ada.call(noteEndpoints.create, { params: { projectId }, body: { label, text: '' } })
await sql`
  insert into audit (id, event, result, target, detail)
  select gen_random_uuid(), 'planted', 'success', planted, jsonb_build_object('long', repeat(planted, 2000))
  from unnest(${secrets}::text[]) planted`.execute(db)
const kept = await server.app.files.keep(
  {
    projectId,
    personId: null,
    readers: 'project',
    name: 'x.txt',
    contentType: 'text/plain',
    lifetime: 3_600_000,
  },
  Readable.from([Buffer.from(secrets.join('\n'))]),
)

await mkdir(join(server.dataFolder, 'extensions/reports@1.0.0'), { recursive: true })
await writeFile(join(server.dataFolder, 'extensions/reports@1.0.0/manifest.json'), '{}')

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-backup-'))
  folders.push(folder)
  return folder
}

interface HowToBackUp {
  isEncrypted?: boolean
  keep?: number
  keepDays?: number
  recipient?: string
  drillRecipient?: string
  store?: BackupStore
  /** Deletes no archive: of one day, only the newest would stay. */
  keepsAll?: boolean
  onWait?: () => void
}

async function backUp(
  folder: string,
  {
    isEncrypted = true,
    keep = 14,
    keepDays,
    recipient = key.recipient,
    drillRecipient,
    store = storeIn(folder),
    keepsAll = false,
    onWait,
  }: HowToBackUp = {},
) {
  const target = openBackupFolder(store)
  return makeBackup({
    connection: server.testDatabase.connection,
    driver: createDiskFiles(join(server.dataFolder, 'files')),
    extensionsFolder: join(server.dataFolder, 'extensions'),
    secret: server.secret,
    temporaryFolder: folder,
    target: keepsAll ? { ...target, retain: async () => 0 } : target,
    recipient: isEncrypted ? recipient : undefined,
    drillRecipient,
    keep,
    keepDays,
    onWait,
  })
}

const storeIn = (folder: string) => createDiskStore(folder, async () => {})
/** Returns the source of an archive in a folder. */
const sourceAt = (path: string, identity: string | undefined = key.identity) => ({
  store: storeIn(dirname(dirname(path))),
  name: basename(path),
  identity,
  signer: signer.fingerprint,
})

/** Returns the paths of the stored files, without the pieces of tables. */
async function filesOf(folder: string): Promise<string[]> {
  const { store } = openBackupFolder(storeIn(folder))
  const paths: string[] = []
  for await (const name of store.list('files')) if (!hasRows(name)) paths.push(store.pathOf('files', name))
  return paths
}

/** Files that no archive needs are deleted when they are a day old. */
async function makeOld(path: string): Promise<void> {
  const old = new Date(Date.now() - 2 * 86_400_000)
  await utimes(path, old, old)
}

const backups = await newFolder()
const backup = await backUp(backups)

/** Creates a database with an empty schema, and an empty data folder. */
async function newTarget() {
  const testDatabase = await createTestDatabase()
  const opened = openDatabase({ connection: testDatabase.connection, max: 1, onError: () => {} })
  onTestFinished(async () => {
    await opened.close()
    await testDatabase.drop()
  })
  return { testDatabase, opened, dataFolder: await newFolder() }
}
type Target = Awaited<ReturnType<typeof newTarget>>

async function restore(
  { testDatabase, dataFolder }: Pick<Target, 'testDatabase' | 'dataFolder'>,
  { mayReplace = false, path = backup.path, source = sourceAt(path) } = {},
): Promise<void> {
  const checked = await checkBackup(source)
  await restoreBackup({
    source,
    checked,
    connection: testDatabase.connection,
    driver: createDiskFiles(join(dataFolder, 'files')),
    dataFolder,
    secret: undefined,
    mayReplace,
  })
}

/**
 * Returns the number and a digest of the rows of each table, without what a restore changes and tables that servers write
 * all the time.
 */
async function digests(connection: pg.ClientConfig): Promise<Record<string, string>> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('node', 'event', 'idempotency', 'place_mark') and relname not like 'kysely%' order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as digest
         from (select (to_jsonb(t) - '{era,is_copy}'::text[])::text as row from ${name} t) rows`,
      )
      found[name] = rows[0]?.digest ?? ''
    }
    return found
  } finally {
    await client.end()
  }
}

async function allBytes(folder: string): Promise<Buffer> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))))
}

test('a restored installation has the same rows, files, sessions and rules as the one that was backed up', async () => {
  const target = await newTarget()
  await restore(target)
  expect(await digests(target.testDatabase.connection)).toEqual(await digests(server.testDatabase.connection))
  expect(await readFile(join(target.dataFolder, 'secret'), 'utf8')).toBe(`${server.secret}\n`)

  const manifest = join(target.dataFolder, 'extensions/reports@1.0.0/manifest.json')
  expect(await readFile(manifest, 'utf8')).toBe('{}')

  const restored = await testServer({ besides: { ...target, secret: server.secret } })
  const { body } = await restored.call(noteEndpoints.list, { params: { projectId } }, ada.token)
  expect(body.items.map(({ label }) => label).toSorted()).toEqual(secrets.slice(0, 5).toSorted())
  expect(await text(await restored.app.files.open(kept.id))).toBe(secrets.join('\n'))
  const added = await restored.call(
    noteEndpoints.create,
    { params: { projectId }, body: { label: 'after', text: '' } },
    ada.token,
  )
  expect(added).toSucceed()
  await expect(sql`delete from audit`.execute(target.opened.db)).rejects.toThrow('append-only')
  const { rows } = await sql<{ constraints: string; triggers: string }>`
    select (select string_agg(conrelid::regclass || ' ' || pg_get_constraintdef(oid), '|' order by conname, conrelid::regclass::text)
        from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
      (select string_agg(tgname, '|' order by tgname) from pg_trigger where not tgisinternal) as triggers`.execute(
    target.opened.db,
  )
  const { rows: originals } = await sql`
    select (select string_agg(conrelid::regclass || ' ' || pg_get_constraintdef(oid), '|' order by conname, conrelid::regclass::text)
        from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
      (select string_agg(tgname, '|' order by tgname) from pg_trigger where not tgisinternal) as triggers`.execute(
    db,
  )
  expect(rows).toEqual(originals)
  await restored.stop()
})

test('the next backup copies no file again, and only the files of kept archives remain', async () => {
  const folder = await newFolder()
  expect((await backUp(folder)).added).toBe(1)
  const passing = await server.app.files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'y.txt',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('passing')]),
  )
  expect((await backUp(folder)).added).toBe(1)
  await db.transaction().execute((trx) => server.app.files.release(trx, [passing.id]))
  for (const path of await filesOf(folder)) await makeOld(path)
  const last = await backUp(folder, { keep: 1 })
  // Of one day, the newest archive stays.
  expect([last.added, last.deleted]).toEqual([0, 1])
  expect((await openBackupFolder(storeIn(folder)).list()).map(({ name }) => name)).toEqual([last.name])
  expect(await filesOf(folder)).toEqual([expect.stringMatching(`/${kept.filename}-`)])
  await checkBackup(sourceAt(last.path, key.identity))
})

test('kubernetes-sigs/etcd-manager#18 a place that refuses to delete keeps the new backup, and the reason is returned', async () => {
  const folder = await newFolder()
  await backUp(folder)
  const refused = Object.assign(new Error('Access Denied'), { code: 'AccessDenied' })
  const store = { ...storeIn(folder), remove: () => Promise.reject(refused) }
  const made = await backUp(folder, { store, keep: 1 })
  expect(made).toMatchObject({ deleted: 0, warning: expect.stringContaining('Access Denied') })
  const archives = await openBackupFolder(storeIn(folder)).list()
  expect(archives.map(({ name }) => name)).toContain(made.name)
  expect(archives).toHaveLength(2)
})

test('a backup after one of the future stores no file again and keeps both archives', async () => {
  const folder = await newFolder()
  await backUp(folder)
  const target = openBackupFolder(storeIn(folder))
  const needed = await openSpool(await newFolder())
  const future = new Date(Date.now() + 30 * 86_400_000)
  const ahead = await target.addArchive(Readable.from([Buffer.from('x')]), future, { needed, signer })
  await needed.close()
  const last = await backUp(folder)
  expect(last.added).toBe(0)
  expect((await target.list()).map(({ name }) => name)).toEqual([ahead.name, last.name])
})

function storeInBucket({ settings }: Awaited<ReturnType<typeof openS3Server>>, prefix: string) {
  const { FILES_S3_ENDPOINT, FILES_S3_REGION, FILES_S3_ACCESS_KEY, FILES_S3_SECRET_KEY } = settings
  return createS3Store({
    endpoint: FILES_S3_ENDPOINT,
    region: FILES_S3_REGION,
    accessKey: FILES_S3_ACCESS_KEY,
    secretKey: FILES_S3_SECRET_KEY,
    pathStyle: true,
    bucket: 'pult',
    prefix,
  })
}

test('a backup aborts interrupted backup uploads in its bucket, and no other uploads, which may still run', async () => {
  const bucket = await openS3Server()
  const begin = (at: string) =>
    bucket.unfinished.set(at, { at, type: 'text/plain', parts: new Map(), begunAt: new Date() })
  for (const at of ['archives/1.pult', 'files/00/1', 'kept/1', 'vault/archives/1.pult']) begin(at)
  await storeInBucket(bucket, '').prepare()
  expect([...bucket.unfinished.keys()]).toEqual(['kept/1', 'vault/archives/1.pult'])
  await storeInBucket(bucket, 'vault').prepare()
  expect([...bucket.unfinished.keys()]).toEqual(['kept/1'])
})

test('a bucket stores backups like a folder: files once, checked, restored and deleted by age', async () => {
  const bucket = await openS3Server()
  const store = storeInBucket(bucket, 'vault/hamburg')
  const folder = await newFolder()
  const keepsAll = true
  const [first, second] = [
    await backUp(folder, { store, keepsAll }),
    await backUp(folder, { store, keepsAll }),
  ]
  expect([first.added, second.added]).toEqual([1, 0])
  expect((await openBackupFolder(store).list()).map(({ name }) => name)).toEqual([second.name, first.name])
  const files = () =>
    [...bucket.objects.keys()].filter((name) => /^vault\/hamburg\/files\/..\/[0-9a-f]{32}-/.test(name))
  expect(files()).toHaveLength(1)

  const target = await newTarget()
  const source = { store, name: second.name, identity: key.identity, signer: signer.fingerprint }
  await restore(target, { source })
  expect(await digests(target.testDatabase.connection)).toEqual(await digests(server.testDatabase.connection))
  const restored = createDiskFiles(join(target.dataFolder, 'files'))
  expect(await text(await restored.read(kept.filename))).toBe(secrets.join('\n'))

  const later = Date.now() + 40 * 86_400_000
  const deleted = await openBackupFolder(store).retain({ keep: 14, keepDays: 30 }, signer.fingerprint, later)
  expect(deleted).toBe(1)
  expect((await openBackupFolder(store).list()).map(({ name }) => name)).toEqual([second.name])
  expect((await checkBackup(source)).files).toBe(1)

  const [file = ''] = files()
  bucket.objects.delete(file)
  await expect(checkBackup(source)).rejects.toThrow('is missing')
})

test('a backup that would use the reserve of its disk ends with the reason and leaves no archive', async () => {
  const folder = await newFolder()
  const disk = createDiskSpace({
    folders: [folder],
    reserve: 1000,
    log: createLog('silent'),
    probe: async () => ({ free: 3000, size: 10_000 }),
  })
  const store = createDiskStore(folder, disk.admit)
  await expect(backUp(folder, { store })).rejects.toMatchObject({ code: 'DISK_RESERVED' })
  // The next backup uses or deletes the files that this one has copied.
  expect(await readdir(join(folder, 'archives'))).toEqual([])
  // PostgreSQL releases the lock of the ended backup when it notices.
  const connections = async () =>
    (
      await sql`select from pg_stat_activity where application_name = 'pult backup' and datname = current_database()`.execute(
        db,
      )
    ).rows
  await expect.poll(connections).toEqual([])
})

test('RULE-77 an encrypted backup shows none of 50 planted secrets, and an unencrypted one omits the installation’s secret', async () => {
  const sealed = await allBytes(backups)
  const folder = await newFolder()
  const plainBackup = await backUp(folder, { isEncrypted: false })
  const plain = await allBytes(folder)
  expect(secrets.filter((planted) => plain.includes(planted))).toHaveLength(50)
  expect(secrets.filter((planted) => sealed.includes(planted))).toEqual([])
  for (const bytes of [sealed, plain]) expect(bytes.includes(server.secret)).toBe(false)

  const { header } = await checkBackup(sourceAt(plainBackup.path, undefined))
  const dataFolder = await newFolder()
  await expect(secretFor(header, { secret: undefined, dataFolder })).rejects.toThrow('set PULT_SECRET')
  await expect(secretFor(header, { secret: 'x'.repeat(32), dataFolder })).rejects.toThrow(
    'does not match the backup',
  )
  expect(await secretFor(header, { secret: server.secret, dataFolder })).toBe(server.secret)
  await expect(
    secretFor({ ...header, version: '9.1.0', migrations: ['9999-later'] }, { secret: undefined, dataFolder }),
  ).rejects.toThrow('made by Pult 9.1.0')
})

test('a backup with another key, or with none, stores the files again and needs no former key', async () => {
  const folder = await newFolder()
  const other = await makeKey()
  await backUp(folder)
  const [next, plain] = [
    await backUp(folder, { recipient: other.recipient, keepsAll: true }),
    await backUp(folder, { isEncrypted: false, keepsAll: true }),
  ]
  expect([next.added, plain.added]).toEqual([1, 1])
  await checkBackup(sourceAt(next.path, other.identity))
  await checkBackup(sourceAt(plain.path, undefined))
})

/** Begins a backup that ends only after `release`. */
async function heldBackup(folder: string) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const store = storeIn(folder)
  const prepare = async () => {
    begun.resolve()
    await released.promise
    await store.prepare()
  }
  const ended = backUp(folder, { store: { ...store, prepare }, keepsAll: true })
  await begun.promise
  return { ended, release: released.resolve }
}

test('a second backup at the same time is refused', async () => {
  const folder = await newFolder()
  const { ended, release } = await heldBackup(folder)
  await expect(backUp(folder)).rejects.toThrow('another backup of this installation is being made')
  release()
  await ended
  expect(await openBackupFolder(storeIn(folder)).list()).toHaveLength(1)
})

test('a backup that may wait, as that of an update, is made after the other one', async () => {
  const folder = await newFolder()
  const { ended, release } = await heldBackup(folder)
  const waits = Promise.withResolvers<void>()
  const second = backUp(folder, { onWait: waits.resolve, keepsAll: true })
  await waits.promise
  release()
  await Promise.all([ended, second])
  expect(await openBackupFolder(storeIn(folder)).list()).toHaveLength(2)
})

test('a restore that the database refuses in the middle of a table fails with the reason and changes nothing', async () => {
  const target = await newTarget()
  await restore(target)
  await target.opened.db.updateTable('person').set({ firstname: 'Old' }).execute()
  await target.opened.close()
  const before = await digests(target.testDatabase.connection)
  const { header } = await checkBackup({ ...sourceAt(backup.path), identity: key.identity })
  async function* content(...chunks: Buffer[]) {
    yield* chunks
  }
  const rows = Array.from({ length: 40 }, () => Buffer.alloc(128 * 1024, 'no uuid\n'))
  async function* parts() {
    const table = { kind: 'table' as const, schema: 'public', name: 'note', columns: ['id'] }
    yield { head: table, content: content(...rows), rows: () => 1 }
    yield { head: { kind: 'files' as const }, content: content() }
    const extensions = create({ cwd: await newFolder(), portable: true }, ['.'])
    yield { head: { kind: 'extensions' as const }, content: extensions }
  }
  const folder = openBackupFolder(storeIn(await newFolder()))
  const needed = await openSpool(await newFolder())
  await folder.store.prepare()
  const { path } = await folder.addArchive(Readable.from(writeArchive(header, parts())), new Date(), {
    needed,
    signer,
  })
  await needed.close()
  await expect(restore(target, { mayReplace: true, path })).rejects.toThrow('invalid input syntax')
  expect(await digests(target.testDatabase.connection)).toEqual(before)
})

test('a wrong or missing key is refused', async () => {
  const other = await makeKey()
  await expect(checkBackup({ ...sourceAt(backup.path), identity: other.identity })).rejects.toThrow(
    'does not belong',
  )
  await expect(checkBackup({ ...sourceAt(backup.path), identity: undefined })).rejects.toThrow('--identity')
  await expect(checkBackup(sourceAt('/there/archives/nothing', undefined))).rejects.toThrow('does not exist')
})

test('changed, cut and missing bytes of an encrypted backup are detected', {
  tags: ['long'],
}, async () => {
  const folder = await newFolder()
  await cp(backups, folder, { recursive: true })
  const archive = join(folder, 'archives', backup.name)
  const [file = ''] = await filesOf(folder)
  const check = () => checkBackup(sourceAt(archive, key.identity))
  await check()
  const rounds = sized(10, 100)
  for (const path of [archive, file]) {
    const original = await readFile(path)
    for (let round = 0; round < rounds; round += 1) {
      const at = Math.floor((round / rounds) * original.length)
      const changed = Buffer.from(original)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      await writeFile(path, round % 2 === 0 ? changed : original.subarray(0, at))
      await expect(check(), `${round % 2 === 0 ? 'changed' : 'cut'} at ${at}`).rejects.toThrow()
    }
    await writeFile(path, original)
  }
  await rm(file)
  await expect(check()).rejects.toThrow('is missing')
})

/** Replaces the archive of a folder by one that was made with the public key and another secret. */
async function forged(folder: string, name: string, secret: string) {
  const own = await newFolder()
  const made = await makeBackup({
    connection: server.testDatabase.connection,
    driver: createDiskFiles(join(server.dataFolder, 'files')),
    extensionsFolder: join(server.dataFolder, 'extensions'),
    secret,
    temporaryFolder: own,
    target: openBackupFolder(storeIn(own)),
    recipient: key.recipient,
    keep: 1,
  })
  await cp(made.path, join(folder, 'archives', name))
  return { list: `${made.path}.files`, files: join(own, 'files') }
}

test('a backup that this installation has not signed, or parts of several, are refused, and a restore creates nothing', async () => {
  const folder = await newFolder()
  const first = await backUp(folder)
  await db.updateTable('person').set({ lastname: 'Later' }).where('id', '=', ada.personId).execute()
  const second = await backUp(folder, { keepsAll: true })
  const listOf = (path: string) => `${path}.files`
  const [whole, list] = [await readFile(second.path), await readFile(listOf(second.path), 'utf8')]
  const target = await newTarget()
  const before = await digests(target.testDatabase.connection)
  const foreign = 'is not signed by this installation'
  const refused = async (reason: string) => {
    await expect(restore(target, { path: second.path })).rejects.toThrow(reason)
    await expect(checkBackup(sourceAt(second.path), { acceptsOtherKeys: true })).rejects.toThrow(reason)
    expect(await readdir(target.dataFolder)).toEqual([])
    expect(await digests(target.testDatabase.connection)).toEqual(before)
    await writeFile(second.path, whole)
    await writeFile(listOf(second.path), list)
  }

  // Made with the public key: alone, and with its own list.
  const forgery = await forged(folder, second.name, 'x'.repeat(32))
  await refused('is damaged')
  await forged(folder, second.name, 'x'.repeat(32))
  await cp(forgery.list, listOf(second.path))
  await refused(foreign)

  // An earlier archive in the place of a later one, without and with its list.
  await cp(first.path, second.path)
  await refused('is damaged')
  await cp(first.path, second.path)
  await cp(listOf(first.path), listOf(second.path))
  await refused(foreign)

  // A changed, cut and missing list.
  const [head = ''] = list.split('\n')
  for (const changed of [
    list.replace(/ [0-9a-f]/, ' x'),
    list.replace(
      head,
      head.replace(/.(?==*$)/, (sign) => (sign === 'A' ? 'B' : 'A')),
    ),
    list.replace(`${head}\n`, ''),
    '',
  ]) {
    await writeFile(listOf(second.path), changed)
    await refused(foreign)
  }
  await rm(listOf(second.path))
  await refused('does not exist')

  await writeFile(second.path, whole.subarray(0, -1))
  await refused('is damaged')
  await checkBackup(sourceAt(second.path))
})

test('a file that was swapped for one of the same key is refused before and during a restore', async () => {
  const folder = await newFolder()
  const { path } = await backUp(folder)
  const [file = ''] = await filesOf(folder)
  const evil = Buffer.from(
    await buffer(await encrypted(Readable.from([Buffer.from('evil')]), [key.recipient])),
  )
  const original = await readFile(file)
  const target = await newTarget()
  const checked = await checkBackup(sourceAt(path))
  await writeFile(file, evil)
  await expect(restore(target, { path })).rejects.toThrow('has different content')
  const driver = createDiskFiles(join(target.dataFolder, 'files'))
  const parts = { source: sourceAt(path), checked, connection: target.testDatabase.connection, driver }
  const { dataFolder } = target
  await expect(restoreBackup({ ...parts, dataFolder, secret: undefined, mayReplace: false })).rejects.toThrow(
    'has different content',
  )
  await expect(driver.read(kept.filename)).rejects.toThrow()

  // A drill cannot decrypt the file. The list that vouches for it is signed.
  await writeFile(file, original)
  const drill = await makeKey()
  const drilled = await backUp(folder, { drillRecipient: drill.recipient })
  const source = sourceAt(drilled.path, drill.identity)
  const check = () => checkBackup(source, { acceptsOtherKeys: true })
  expect((await check()).files).toBe(checked.files)
  await writeFile(file, evil)
  await expect(check()).rejects.toThrow('has different content')
  const digest = createHash('sha256').update(evil).digest('hex')
  const list = await readFile(`${drilled.path}.files`, 'utf8')
  await writeFile(`${drilled.path}.files`, list.replace(/^([0-9a-f]{32}-\S+) [0-9a-f]{64}$/m, `$1 ${digest}`))
  await expect(check()).rejects.toThrow('.pult.files is damaged')
})

test('a backup stores a file again that only another program has put into the place', async () => {
  const folder = await newFolder()
  const { path } = await backUp(folder)
  const [file = ''] = await filesOf(folder)
  const evil = createHash('sha256').update('evil').digest('hex')
  const planted = file.replace(/-[0-9a-f]{64}/, `-${evil}`)
  await cp(file, planted)
  await makeOld(planted)
  await rm(path)
  await rm(`${path}.files`)
  const next = await backUp(folder)
  expect(next.added).toBe(1)
  expect(await filesOf(folder)).toEqual([file])
  expect((await checkBackup(sourceAt(next.path))).files).toBe(1)
})

test('a restore refuses a database with accounts, and one that a server uses', async () => {
  const target = await newTarget()
  await restore(target)
  await expect(restore(target)).rejects.toThrow('--replace')
  const before = await digests(target.testDatabase.connection)
  await target.opened.db.updateTable('person').set({ firstname: 'Old' }).execute()
  await target.opened.close()
  await restore(target, { mayReplace: true })
  expect(await digests(target.testDatabase.connection)).toEqual(before)
  await expect(
    restore({ ...target, testDatabase: server.testDatabase }, { mayReplace: true }),
  ).rejects.toThrow('uses the database')
})

/** Runs a command in a separate process and kills it with SIGKILL at a varying moment after `isAtWork`. */
async function killed(
  args: string[],
  target: Pick<Target, 'testDatabase' | 'dataFolder'>,
  round: number,
  isAtWork: () => Promise<boolean>,
) {
  const { host, port, user, database } = target.testDatabase.connection
  const query = new URLSearchParams({ host, port: String(port), user })
  const { PATH = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], {
    env: {
      PATH,
      DATABASE_URL: `postgresql:///${database}?${query.toString()}`,
      PULT_SECRET: server.secret,
      PULT_DATA: target.dataFolder,
      BACKUP_RECIPIENT: `${key.recipient}.${signer.fingerprint}`,
    },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  while (child.exitCode === null && !(await isAtWork())) await delay(3)
  await delay((round * 37) % 300)
  child.kill('SIGKILL')
  await ended
  // Its session holds its locks until the database notices.
  await expect.poll(isAtWork).toBe(false)
}

const isConnected = async (name: string, database: string) => {
  const { rows } = await sql`
    select from pg_stat_activity where application_name = ${name} and datname = ${database}`.execute(db)
  return rows.length > 0
}

test('a backup that is killed is never listed, or is complete', {
  tags: ['long'],
}, async () => {
  const folder = await newFolder()
  const from = { testDatabase: server.testDatabase, dataFolder: server.dataFolder }
  for (let round = 0; round < sized(2, 20); round += 1) {
    await killed(['backup', '--to', folder], from, round, () =>
      isConnected('pult backup', server.testDatabase.connection.database),
    )
    for (const { path } of await openBackupFolder(storeIn(folder)).list()) await checkBackup(sourceAt(path))
  }
  await backUp(folder)
  expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('unfinished'))).toEqual(
    [],
  )
})

test('a restore that is killed leaves the former data or the restored one', {
  tags: ['long'],
}, async () => {
  const target = await newTarget()
  await restore(target)
  await target.opened.close()
  const { database } = target.testDatabase.connection
  const identity = join(target.dataFolder, 'key.txt')
  await writeFile(identity, `# private key\n${key.identity}\n${signer.fingerprint}\n`)
  const restored = await digests(target.testDatabase.connection)
  const client = new pg.Client(target.testDatabase.connection)
  await client.connect()
  try {
    for (let round = 0; round < sized(3, 20); round += 1) {
      await client.query(`update person set firstname = 'Old'`)
      const former = await digests(target.testDatabase.connection)
      const args = ['restore', backup.path, '--identity', identity, '--replace']
      await killed(args, target, round, () => isConnected('pult restore', database))
      expect([former, restored]).toContainEqual(await digests(target.testDatabase.connection))
    }
  } finally {
    await client.end()
  }
})
