import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { startProcess } from './testing/database-process.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, untilItWorks, useDatabase } from './testing/use-database.ts'

const shared = sharedFolder()
const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const nobody = 65_534

const start = (dataFolder: string) => startEmbeddedDatabase({ dataFolder, log: () => {} })

/** One line, without a stack. */
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

it('says what to do when the data folder is a file', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await writeFile(folder, '')
  expect(await failureOf(start(folder))).toMatch(/^the data folder .*data cannot be made .*set PULT_DATA/)
})

it('says what to do when the data folder cannot be written', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0o500)
  const uid = isRoot ? nobody : undefined
  if (isRoot) await chown(join(folder, 'closed'), nobody, nobody)

  for (const path of ['closed', 'closed/deeper']) {
    const other = startProcess(join(folder, path), { ...(uid !== undefined && { uid }) })
    expect(await failureOf(other.ready)).toMatch(/^the data folder .* cannot be written \(EACCES\)/)
  }
  expect(await readdir(join(folder, 'closed'))).toEqual([])
})

it('refuses a path that PostgreSQL cannot hold', async () => {
  expect(await failureOf(start('/tmp/a\nb'))).toBe('the path of the data folder holds a control character')
})

it('refuses a database of another major version and names the way', async () => {
  const version = join(shared.path, 'postgres', 'PG_VERSION')
  await (await useDatabase(shared.path)).stop()
  const before = await readFile(version, 'utf8')
  await writeFile(version, '14\n')
  expect(await failureOf(start(shared.path))).toMatch(
    /was made by PostgreSQL 14, and this is PostgreSQL 1\d\S*: run "npm run pult -- database upgrade", which exports/,
  )
  await writeFile(version, before)
})

it('says why a damaged database does not start, and leaves no process', async () => {
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

it('starts no second server on files that one of another container uses', async () => {
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
    /is in use by a PostgreSQL that is no process of this machine/,
  )
  expect(await readFile(pidFile, 'utf8')).toContain('4190000')
  await rm(pidFile)
})

it('leaves a folder alone that holds something else', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'thesis.txt'), 'dear')
  expect(await failureOf(start(folder))).toMatch(/holds something else than a database: move it away/)
  expect(await readdir(join(folder, 'postgres'))).toEqual(['thesis.txt'])
})

it('takes an empty folder that was made ahead', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'postgres'))
  const database = await useDatabase(folder)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

/** A small disk of its own; undefined where this machine allows none. */
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

it('says what to do when the disk is full at the first start, and leaves nothing half-made', async (context) => {
  const disk = await smallDisk(24)
  if (disk === undefined) return context.skip('needs a disk of its own')
  expect(await failureOf(start(join(disk, 'data')))).toMatch(
    /^the disk of the data folder .* is full: free some/,
  )
  expect(await readdir(join(disk, 'data'))).toEqual(['postgres-server'])
})

it('comes back when a disk that filled up has space again, with all that was acknowledged', {
  timeout: 60_000,
}, async (context) => {
  const disk = await smallDisk(110)
  if (disk === undefined) return context.skip('needs a disk of its own')
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
  // Whatever is left, so that not even the server's own files can be written.
  await run('sh', ['-c', `cat /dev/zero > ${join(disk, 'rest')} || true`])
  process.kill(
    Number((await run('head', ['-1', join(disk, 'data/postgres/postmaster.pid')])).stdout),
    'SIGKILL',
  )
  await expect
    .poll(() => database.lines.join('\n'), { timeout: 8_000 })
    .toMatch(/the disk of the data folder .* is full/)

  await rm(join(disk, 'rest'))
  await rm(join(disk, 'ballast'))
  const [, took] = await untilItWorks(add)
  expect(took).toBeLessThan(5_000)
  const [row] = await query(database, 'select count(*)::int as pieces from piece')
  expect(row?.['pieces']).toBeGreaterThanOrEqual(acknowledged + 1)
})
