import { spawn } from 'node:child_process'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized, underLoad } from '@pult/testkit'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { postmasterPid, startProcess } from './testing/database-process.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, untilItWorks, useDatabase } from './testing/use-database.ts'

const shared = sharedFolder()

const backWithin = 5_000
/** Allows for a busy machine. */
const long = 60_000

it('RULE-80 the database is available at the same socket within 5 s after its server was killed', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  await query(database, 'create table kept as select 1 as one')
  process.kill(await postmasterPid(folder), 'SIGKILL')

  const [rows, took] = await untilItWorks(() => query(database, 'select one from kept'))
  expect(rows).toEqual([{ one: 1 }])
  expect(took).toBeLessThan(underLoad(backWithin))
  await expect.poll(() => database.lines.at(-1)).toMatch(/^Database: it is back after/)
  expect(database.warnings).toContain('Database: it is unreachable. Restarting it.')
  expect(database.warnings).not.toContain(database.lines.at(-1))
})

it('RULE-80 the database is available within 5 s even while a query of the killed server continues', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  const busy = new pg.Client(database.connection)
  busy.on('error', () => {})
  await busy.connect()
  // An endless query, whose backend does not notice the end of the postmaster.
  const endless = busy.query('select count(*) from generate_series(1, 100000000000)').catch(() => {})
  await sleep(200)
  process.kill(await postmasterPid(folder), 'SIGKILL')

  const [, took] = await untilItWorks(() => query(database, 'select 1'))
  expect(took).toBeLessThan(underLoad(backWithin))
  await endless
})

it('RULE-80 the database is available within 5 s after its socket was removed', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  await rm(join(database.connection.host, '.s.PGSQL.5432'))
  const [, took] = await untilItWorks(() => query(database, 'select 1'))
  expect(took).toBeLessThan(underLoad(backWithin))
})

it('several processes agree on one server after the previous one was killed', async () => {
  const folder = shared.path
  const [one, two] = [startProcess(folder), startProcess(folder)]
  const connection = await one.ready
  await two.ready
  process.kill(await postmasterPid(folder), 'SIGKILL')
  await untilItWorks(() => query({ connection }, 'select 1'))
  await expect
    .poll(() => [...one.lines, ...two.lines].filter((line) => line.includes('it is back')))
    .toHaveLength(2)

  await one.stop()
  expect(await query({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
  await two.stop()
  await expect(query({ connection }, 'select 1')).rejects.toThrow()
})

it('no empty database is created when the files of a running one disappear', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  await rename(join(folder, 'postgres'), join(folder, 'moved'))
  process.kill(
    Number((await readFile(join(folder, 'moved', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    'SIGKILL',
  )
  await expect.poll(() => database.lines.join()).toMatch(/the database files in .* are gone/)
  expect(await readdir(folder)).not.toContain('postgres')

  await rename(join(folder, 'moved'), join(folder, 'postgres'))
  await untilItWorks(() => query(database, 'select 1'))
})

it('a start attaches to the server that a killed process left running', async () => {
  const folder = shared.path
  const killed = startProcess(folder)
  await killed.ready
  killed.kill()
  await killed.ended
  const pid = await postmasterPid(folder)

  const database = await useDatabase(folder)
  expect(await postmasterPid(folder)).toBe(pid)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  await database.stop()
  await expect(query(database, 'select 1')).rejects.toThrow()
})

it('a server without its socket is replaced', async () => {
  const killed = startProcess(shared.path)
  const { host } = await killed.ready
  killed.kill()
  await killed.ended
  await rm(join(host, '.s.PGSQL.5432'))
  const database = await useDatabase(shared.path)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('the server survives Ctrl+C, which a terminal sends to its whole process group', async () => {
  const folder = shared.path
  const other = startProcess(folder)
  const connection = await other.ready
  other.killGroup('SIGINT')
  await expect.poll(() => other.lines).toContain('SIGINT')
  expect(await query({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
  await other.stop()
})

it.each([
  ['belongs to another program', (pid: number) => String(pid)],
  ['belongs to no process', () => '4190000'],
  ['is truncated', () => '1'],
  ['is missing', () => ''],
])('the server starts although the number in the pid file of a dead server %s', async (_case, numberFor) => {
  const folder = shared.path
  const cluster = join(folder, 'postgres')
  await (await useDatabase(folder)).stop()
  // Owned by the server's user, because PostgreSQL itself rejects any other process.
  const { uid, gid } = await stat(cluster)
  const innocent = spawn('sleep', ['60'], { uid, gid })
  onTestFinished(() => {
    innocent.kill()
  })
  const first = numberFor(innocent.pid ?? 0)
  const rest = first === '' ? '' : `\n${cluster}\n1\n5432\n${cluster}\n\n1 1\nready\n`
  await writeFile(join(cluster, 'postmaster.pid'), first + rest)
  await writeFile(join(cluster, '.s.PGSQL.5432.lock'), `${first}\n`)

  const database = await useDatabase(folder)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(innocent.exitCode).toBeNull()
  expect(innocent.signalCode).toBeNull()
})

it('a first start that was killed at any time leaves no partial database, and the next one succeeds', {
  timeout: long,
}, async () => {
  const folder = await temporaryFolder()
  const unfinished = async () => (await readdir(folder)).filter((name) => name.startsWith('postgres.new-'))
  for (const [round, delay] of [0, 100, 250, 400, 600].entries()) {
    const before = await unfinished()
    const interrupted = startProcess(folder)
    await expect
      .poll(async () => {
        const isUnderWay = (await unfinished()).some((name) => !before.includes(name))
        // A quick machine may be done before the kill.
        return isUnderWay || (await readdir(folder)).includes('postgres')
      })
      .toBe(true)
    await sleep(delay)
    // In every other round, its child programs survive.
    if (round % 2 === 0) interrupted.kill()
    else interrupted.killGroup('SIGKILL')
    await interrupted.ended
  }
  const database = await useDatabase(folder)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres-server'])
})

it('every acknowledged write survives repeated kill -9', { timeout: long, tags: ['long'] }, async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  await query(database, 'create table written (id bigserial primary key)')
  await database.stop()

  const rounds = sized(3, 10)
  const acknowledged: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const writer = startProcess(folder, { writes: true })
    await writer.ready
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(10)
    await sleep(Math.random() * 150)
    const pid = await postmasterPid(folder)
    if (round % 3 !== 0) process.kill(pid, 'SIGKILL')
    // In every third round it survives and keeps writing after the restart.
    if (round % 3 === 1) await sleep(400)
    writer.kill()
    await writer.ended
    acknowledged.push(...writer.acknowledged)
  }

  const after = await useDatabase(folder)
  const rows = await query(after, 'select id from written')
  const present = new Set(rows.map(({ id }) => Number(id)))
  expect(acknowledged.length).toBeGreaterThan(10 * rounds)
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([])
})
