import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, freePort, onFileEnd } from '@pult/testkit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log.ts'

const testDatabase = await createTestDatabase()
const { connection } = testDatabase
const { host, port, user, database } = connection
const dataFolder = await mkdtemp(join(tmpdir(), 'pult-serve-'))
const inside = new pg.Client(connection)
await inside.connect()
onFileEnd(async () => {
  await inside.end()
  await testDatabase.drop()
  await rm(dataFolder, { recursive: true })
})

/** Starts the server as a separate process on the test database. */
function start(settings: Record<string, string> = {}): {
  server: ChildProcess
  errors: () => string
  output: () => string
} {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    PULT_SECRET: 's'.repeat(32),
    PULT_DATA: dataFolder,
    PORT: '1',
    ...settings,
  }
  const main = join(import.meta.dirname, 'main.mjs')
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  let [errors, output] = ['', '']
  server.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { server, errors: () => errors, output: () => output }
}

test('a server that is stopped while its start waits for the database ends with exit code 0', async () => {
  // The tables of background work, which the start reads last.
  const jobs = createJobs({ connection, log: createLog('silent'), isWorker: false })
  await jobs.start()
  await jobs.stop()
  await inside.query('begin')
  await inside.query('lock table pgboss.version in access exclusive mode')
  const { server, errors } = start()
  const isWaiting = async () => {
    // Within a transaction the view otherwise remains as it was first read.
    await inside.query('select pg_stat_clear_snapshot()')
    const { rows } = await inside.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'pult jobs'
        and wait_event_type = 'Lock'`,
    )
    return rows.length > 0 || errors() !== ''
  }
  await expect.poll(isWaiting).toBe(true)
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  expect(errors()).toBe('')
  await inside.query('rollback')
})

test('a variable of libpq that a DATABASE_URL relied on ends the start with exit code 78 and one line', async () => {
  const { server, errors } = start({ PGSSLMODE: 'require' })
  expect(await once(server, 'exit')).toEqual([78, null])
  expect(errors()).toMatch(
    /^Pult could not start: The variable PGSSLMODE is not read\. [^\n]*sslmode=[^\n]*\n$/,
  )
})

test('with LOG_FORMAT=json each line of a start, an end and a failed start is an object with level, time and msg', async () => {
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const { server, errors, output } = start({
    LOG_FORMAT: 'json',
    PORT: `${await freePort()}`,
    PULT_COLOUR: 'red',
  })
  await expect.poll(() => output() + errors()).toContain('is ready')
  const exit = once(server, 'close')
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  const lines = linesOf(output() + errors())
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    })
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'info',
      msg: 'Create the first root account:',
      link: expect.any(String),
    }),
  )
  const failed = start({ LOG_FORMAT: 'json', PGSSLMODE: 'require' })
  expect(await once(failed.server, 'close')).toEqual([78, null])
  expect(linesOf(failed.errors())).toMatchObject([
    { level: 'fatal', msg: expect.stringContaining('PGSSLMODE is not read') },
  ])
})
