import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { conditionEndpoints, fileEndpoints } from '@pult/contract'
import { smallDisk, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createStoreNotes, filesPlace, readPlaceMarks } from '../places/place-marks.ts'
import { createDiskFiles } from './disk-files.ts'
import { FileMissing } from './file-driver.ts'
import { FileStoreFault } from './file-store-fault.ts'

const run = promisify(execFile)
const name = 'a'.repeat(32)
const contentType = 'application/octet-stream'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-disk-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Puts an empty folder in the place of a folder, as the end of a mount does. Returns a function that mounts it again. */
async function unmount(folder: string): Promise<() => Promise<void>> {
  const share = `${folder}-share`
  await rename(folder, share)
  await mkdir(folder)
  return async () => {
    await rm(folder, { recursive: true })
    await rename(share, folder)
  }
}

const write = (driver: ReturnType<typeof createDiskFiles>, content: string) =>
  driver.write(name, Readable.from([Buffer.from(content)]), {
    contentType,
    most: 100,
    tooLong: () => new Error('too long'),
  })

/** The fault that a driver reports; undefined for none. */
const faultOf = (driver: ReturnType<typeof createDiskFiles>, options?: { isReading: boolean }) =>
  driver.check(options).then(
    () => undefined,
    (error: unknown) => error,
  )

test('duplicati#4496 nextcloud/all-in-one#4005 a folder that is unmounted while the server runs gets no upload, is named, and heals', async () => {
  const folder = join(await newFolder(), 'files')
  const server = await testServer({ settings: { FILES_FOLDER: folder } })
  const root = await server.given.person({ isRoot: true, otp: true })
  const { projectId } = await server.given.project(root)
  const body = { filename: 'a.bin', contentType, size: 4, project: projectId }
  const ask = () => root.call(fileEndpoints.create, { body })
  const put = async (url: string) =>
    (await fetch(server.url + url, { method: 'PUT', headers: { 'content-type': contentType }, body: 'abcd' }))
      .status
  const problems = async () =>
    (await root.call(conditionEndpoints.read)).body.checks.filter(({ id }) => id === 'files')
  /** The lines of the regular check, which each change of the fault adds once. */
  const lines = () =>
    server.logLines
      .map((line) => JSON.parse(line) as { part?: string; msg: string })
      .filter(({ part, msg }) => part === 'fileStore' && msg.includes('store-id is missing')).length

  const { url, filename } = (await ask()).body
  expect(await put(url)).toBe(200)
  const stored = await root.call(fileEndpoints.complete, { params: { filename } })
  const link = (await root.call(fileEndpoints.link, { params: { fileId: stored.body._id } })).body.url
  const read = async () => (await fetch(new URL(link, server.url))).status
  expect(await read()).toBe(200)
  const ticket = (await ask()).body.url
  expect(await problems()).toEqual([])

  const mount = await unmount(folder)
  expect(await put(ticket)).toBe(503)
  expect(await ask()).toFailWith('BUSY')
  expect(await read()).toBe(503)
  expect(await readdir(folder)).toEqual([])
  expect(await problems()).toMatchObject([
    {
      what: expect.stringContaining('is not the one with the files'),
      fix: expect.stringMatching(/^Mount it\. /),
    },
  ])
  await expect.poll(lines, { timeout: 20_000 }).toBe(1)

  await mount()
  await expect.poll(problems, { timeout: 20_000 }).toEqual([])
  expect(await read()).toBe(200)
  expect(await put(ticket)).toBe(200)
})

const server = await testServer()
const notes = createStoreNotes(server.db)

/** Whether the database lists a stored file. */
async function setFiles(has: boolean): Promise<void> {
  await sql`delete from file`.execute(server.db)
  if (has)
    await sql`
      insert into file (id, filename, readers, name, content_type, size, stored_at)
      values (gen_random_uuid(), ${name}, 'project', 'a.bin', ${contentType}, 1, now())`.execute(server.db)
}

const notedMark = async () => (await readPlaceMarks(server.db)).get(filesPlace)

test('a server that starts before its folder is mounted makes no mark, and uses the folder once it is mounted', async () => {
  const folder = join(await newFolder(), 'files')
  await setFiles(false)
  const before = createDiskFiles(folder, undefined, { notes })
  const mark = await before.identify()
  await write(before, 'kept')
  await setFiles(true)
  expect(await notedMark()).toBe(mark)

  const mount = await unmount(folder)
  const after = createDiskFiles(folder, undefined, { notes })
  for (const options of [undefined, { isReading: true }])
    expect(await faultOf(after, options)).toBeInstanceOf(FileStoreFault)
  await expect(after.identify()).rejects.toThrow(/store-id is missing: .*not mounted\. Mount it\. .*write /)
  await expect(write(after, 'astray')).rejects.toMatchObject({ code: 'BUSY' })
  await expect(after.read(name)).rejects.toMatchObject({ code: 'BUSY' })
  expect(await readdir(folder)).toEqual([])

  await mount()
  expect(await faultOf(after)).toBeUndefined()
  expect(await after.identify()).toBe(mark)
  expect((await buffer(await after.read(name))).toString()).toBe('kept')
  await expect(after.read('b'.repeat(32))).rejects.toBeInstanceOf(FileMissing)
})

test('another folder is refused while the database lists files, and taken for the new one before', async () => {
  const [folder, other] = [join(await newFolder(), 'files'), join(await newFolder(), 'files')]
  await setFiles(false)
  const mark = await createDiskFiles(folder, undefined, { notes }).identify()
  const foreign = await createDiskFiles(other).identify()
  await setFiles(true)
  const driver = createDiskFiles(other, undefined, { notes })
  expect(await faultOf(driver)).toMatchObject({
    what: { de: expect.stringContaining('store-id belongs to another folder') },
    fix: { de: expect.stringContaining(`write ${mark} into ${join(other, 'store-id')}`) },
  })
  expect(await notedMark()).toBe(mark)
  await setFiles(false)
  expect(await driver.identify()).toBe(foreign)
  expect(await notedMark()).toBe(foreign)
})

test('an empty mark is replaced in a new folder, and refused while the database lists files', async () => {
  const folder = await newFolder()
  const path = join(folder, 'store-id')
  await setFiles(false)
  await writeFile(path, '')
  const mark = await createDiskFiles(folder, undefined, { notes }).identify()
  expect(await readFile(path, 'utf8')).toBe(mark)
  await setFiles(true)
  await writeFile(path, '\n')
  const driver = createDiskFiles(folder, undefined, { notes })
  expect(await faultOf(driver)).toBeInstanceOf(FileStoreFault)
  expect(await readFile(path, 'utf8')).toBe('\n')
  // The remedy that the fault names.
  await writeFile(path, `${mark}\n`)
  expect(await faultOf(driver)).toBeUndefined()
})

test('an installation of an earlier version keeps the mark of its folder', async () => {
  const folder = await newFolder()
  const mark = await createDiskFiles(folder).identify()
  await sql`delete from place_mark`.execute(server.db)
  await setFiles(true)
  expect(await createDiskFiles(folder, undefined, { notes }).identify()).toBe(mark)
  expect(await notedMark()).toBe(mark)
})

const disk = await smallDisk('size=4m,nr_inodes=40')
test.skipIf(disk === undefined || !existsSync('/dev/fuse'))(
  'Azure/azure-storage-fuse#220 while the program of a FUSE folder is dead, calls are refused for now, and then continue',
  async () => {
    const folder = join(disk ?? '', 'share')
    const driver = createDiskFiles(folder)
    await write(driver, 'x')
    // The program ends as soon as it has mounted the folder.
    const options = 'fd=3,rootmode=40000,user_id=0,group_id=0'
    await run('sh', ['-c', `mount -i -t fuse -o ${options} dead ${folder} 3<>/dev/fuse`])
    try {
      await expect(write(driver, 'y')).rejects.toMatchObject({ code: 'BUSY' })
      await expect(driver.read(name)).rejects.toMatchObject({ code: 'BUSY' })
    } finally {
      await run('umount', ['-l', folder])
    }
    await write(driver, 'z')
  },
)

test.skipIf(disk === undefined)(
  'a read-only folder, and routinator#785 one without free inodes, are named with the remedy until they heal',
  async () => {
    const folder = join(disk ?? '', 'files')
    const driver = createDiskFiles(folder)
    expect(await faultOf(driver)).toBeUndefined()
    await run('mount', ['-o', 'remount,ro', disk ?? ''])
    expect(await faultOf(driver)).toMatchObject({
      what: { de: `the folder ${folder} is read-only (EROFS)` },
      fix: { de: expect.stringContaining('ReadWritePaths') },
    })
    await expect(write(driver, 'x')).rejects.toMatchObject({ code: 'BUSY' })
    await run('mount', ['-o', 'remount,rw', disk ?? ''])
    expect(await faultOf(driver)).toBeUndefined()

    const fillers = join(disk ?? '', 'fillers')
    await mkdir(fillers)
    await run('sh', ['-c', `n=0; while true > ${fillers}/$n; do n=$((n+1)); done 2> /dev/null; true`])
    expect(await faultOf(driver)).toMatchObject({
      what: { de: expect.stringContaining('has no free inodes') },
      fix: { de: expect.stringContaining('df -i') },
    })
    await rm(fillers, { recursive: true })
    expect(await faultOf(driver)).toBeUndefined()
  },
)
