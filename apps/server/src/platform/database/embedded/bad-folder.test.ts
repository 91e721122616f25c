import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { underLoad } from '@pult/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { fileFault, StartFault } from '../../start-fault.ts'
import { dataFolderError } from './data-folder.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { startProcess } from './testing/database-process.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, untilItWorks, useDatabase } from './testing/use-database.ts'

const shared = sharedFolder()
const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const otherUser = 65_534

const start = (dataFolder: string) => startEmbeddedDatabase({ dataFolder, log: () => {} })

/** Returns the error, which must be one line without a stack. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  const message = error instanceof Error ? error.message : ''
  expect(message).not.toContain('\n')
  return message
}

it('a file as the data folder is reported with a remedy', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await writeFile(folder, '')
  expect(await failureOf(start(folder))).toMatch(/^the data folder .*data cannot be created .*set PULT_DATA/)
})

it('a read-only data folder is reported with a remedy', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0o500)
  const uid = isRoot ? otherUser : undefined
  if (isRoot) await chown(join(folder, 'closed'), otherUser, otherUser)

  for (const path of ['closed', 'closed/deeper']) {
    const other = startProcess(join(folder, path), { ...(uid !== undefined && { uid }) })
    expect(await failureOf(other.ready)).toMatch(/^the data folder .* cannot be written \(EACCES\)/)
  }
  expect(await readdir(join(folder, 'closed'))).toEqual([])
})

it.each([
  ['EACCES', true],
  ['EROFS', true],
  ['ENOTDIR', true],
  ['ENOSPC', false],
  ['EIO', false],
  ['ESTALE', false],
  ['ETIMEDOUT', false],
])('a folder with the error %s needs the operator: %s', async (code, isLasting) => {
  const cause = Object.assign(new Error(code), { code })
  const errors = [await dataFolderError('/data', cause), fileFault('no', new Error('wrapped', { cause }))]
  expect(errors.map((error) => error instanceof StartFault)).toEqual([isLasting, isLasting])
})

it('a path that PostgreSQL cannot use is refused', async () => {
  expect(await failureOf(start('/tmp/a\nb'))).toBe('the path of the data folder contains a control character')
})

it('a database of another major version is refused with the required version', async () => {
  const version = join(shared.path, 'postgres', 'PG_VERSION')
  await (await useDatabase(shared.path)).stop()
  const before = await readFile(version, 'utf8')
  await writeFile(version, '14\n')
  expect(await failureOf(start(shared.path))).toMatch(
    /needs PostgreSQL 14, and this version of Pult runs PostgreSQL 1\d\S*: move its data with npm run pult -- database upgrade$/,
  )
  await writeFile(version, before)
})

it('a damaged database is reported with the reason, and no process remains', async () => {
  const control = join(shared.path, 'postgres', 'global', 'pg_control')
  await (await useDatabase(shared.path)).stop()
  await rename(control, `${control}.away`)
  expect(await failureOf(start(shared.path))).toMatch(
    /does not start: .*could not open file ".*pg_control": No such file or directory \(more in .*server.log\)/,
  )
  await rename(`${control}.away`, control)
  const database = await useDatabase(shared.path)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('the server does not start on files that a server in another container uses', async () => {
  const cluster = join(shared.path, 'postgres')
  await (await useDatabase(shared.path)).stop()
  const elsewhere = createServer().listen(join(cluster, '.s.PGSQL.5432'))
  await once(elsewhere, 'listening')
  onTestFinished(() => {
    elsewhere.close()
  })
  const pidFile = join(cluster, 'postmaster.pid')
  await writeFile(pidFile, `4190000\n${cluster}\n1\n5432\n${cluster}\n\n1 1\nready\n`)
  expect(await failureOf(start(shared.path))).toMatch(
    /is in use by a PostgreSQL that runs outside this machine/,
  )
  expect(await readFile(pidFile, 'utf8')).toContain('4190000')
  await rm(pidFile)
})

it('a folder with other content is left unchanged', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'thesis.txt'), 'dear')
  expect(await failureOf(start(folder))).toMatch(
    /contains something other than a database: move it elsewhere/,
  )
  expect(await readdir(join(folder, 'postgres'))).toEqual(['thesis.txt'])
})

it('an existing empty folder is accepted', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'postgres'))
  const database = await useDatabase(folder)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

/** Mounts a small file system. Returns undefined if mounting is not allowed. */
async function smallDisk(megabytes: number): Promise<string | undefined> {
  if (!isRoot || process.platform !== 'linux') return undefined
  const folder = await temporaryFolder()
  const mounted = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=755`,
    'tmpfs',
    folder,
  ]).catch(() => undefined)
  if (mounted === undefined) return undefined
  onTestFinished(async () => {
    await run('umount', ['-l', folder])
  })
  return folder
}

it('a full disk at the first start is reported with a remedy, and no partial database remains', async (context) => {
  const disk = await smallDisk(24)
  if (disk === undefined) return context.skip('needs a dedicated disk')
  expect(await failureOf(start(join(disk, 'data')))).toMatch(
    /^the disk of the data folder .* is full: free some/,
  )
  expect(await readdir(join(disk, 'data'))).toEqual(['postgres-server'])
})

it('the database recovers with all acknowledged writes when a full disk has space again', async (context) => {
  const disk = await smallDisk(110)
  if (disk === undefined) return context.skip('needs a dedicated disk')
  const database = await useDatabase(join(disk, 'data'))
  await query(database, 'create table piece (id bigserial primary key, filler text)')
  const add = () =>
    query(
      database,
      `insert into piece (filler) select string_agg(gen_random_uuid()::text, '') from generate_series(1, 30000)`,
    )
  let acknowledged = 0
  const isFull = async () => {
    await add()
    acknowledged += 1
  }
  await run('sh', ['-c', `head -c 20m /dev/zero > ${join(disk, 'ballast')}`])
  await expect(
    (async () => {
      for (let i = 0; i < 200; i += 1) await isFull()
    })(),
  ).rejects.toThrow()
  // Fill the rest, so that the server cannot write even its own files.
  await run('sh', ['-c', `cat /dev/zero > ${join(disk, 'rest')} || true`])
  // PostgreSQL may have exited already.
  await run('sh', ['-c', `kill -9 $(head -1 ${join(disk, 'data/postgres/postmaster.pid')}) || true`])
  await expect.poll(() => database.lines.join('\n')).toMatch(/the disk of the data folder .* is full/)

  await rm(join(disk, 'rest'))
  await rm(join(disk, 'ballast'))
  const [, took] = await untilItWorks(add)
  expect(took).toBeLessThan(underLoad(5000))
  const [row] = await query(database, 'select count(*)::int as pieces from piece')
  expect(row?.['pieces']).toBeGreaterThanOrEqual(acknowledged + 1)
})
