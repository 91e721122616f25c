import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { freePort, underLoad } from '@pult/testkit'
import pg from 'pg'
import { expect, test } from 'vitest'
import { dataFolder, postgresOf, signal, startProcess } from './server-process.ts'

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A call that requires the database. */
const read = (url: string) => fetch(`${url}/api/me`, { headers: { authorization: 'no such token' } })

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50))
}

async function startWithDatabase() {
  const port = await freePort()
  const folder = await dataFolder()
  const settings = { PORT: String(port), PULT_DATA: folder }
  const server = startProcess(settings)
  await server.ready()
  return { url: `http://localhost:${port}`, folder, settings, server }
}

test('RULE-80 a hanging or killed database causes 503 within 3 s without granting access, and both recover', async () => {
  const { url, folder } = await startWithDatabase()
  const frozen = new Set<number>()
  // A connection that opens meanwhile has its own process.
  for (let before = -1; before < frozen.size; ) {
    before = frozen.size
    for (const pid of await postgresOf(folder)) {
      signal(pid, 'SIGSTOP')
      frozen.add(pid)
    }
  }
  expect(frozen.size).toBeGreaterThan(3)
  try {
    for (let round = 0; round < 3; round += 1) {
      const time = await milliseconds(async () => {
        const answers = await Promise.all(Array.from({ length: 40 }, () => read(url)))
        for (const answer of answers) {
          expect(answer.status).toBe(503)
          expect(answer.headers.get('retry-after')).toBe('2')
        }
      })
      expect(time).toBeLessThan(underLoad(3000))
    }
    expect((await fetch(`${url}/api/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(503)
  } finally {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
  expect(await milliseconds(() => until(async () => (await read(url)).status === 401))).toBeLessThan(
    underLoad(5000),
  )

  expect((await read(url)).status).toBe(401)

  for (const pid of await postgresOf(folder)) signal(pid, 'SIGKILL')
  const time = await milliseconds(async () => {
    expect([401, 503]).toContain((await read(url)).status)
  })
  expect(time).toBeLessThan(underLoad(3000))
  expect(await milliseconds(() => until(async () => (await read(url)).status === 401))).toBeLessThan(
    underLoad(5000),
  )
})

test('RULE-79 each start without a root prints a new link and invalidates the previous one; a killed server restarts with all its data, but not with a secret other than the database’s', {
  timeout: 180_000,
}, async () => {
  const { url, server, settings } = await startWithDatabase()
  const first = server.firstRootLink() ?? ''
  expect(first).toMatch(/^http:\/\/localhost:\d+\/bift\/[\w-]{43}$/)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  const again = startProcess(settings)
  await again.ready()
  const second = again.firstRootLink() ?? ''
  const preflight = async (link: string) =>
    (await fetch(`${url}/api/bift/preflight/${link.split('/').at(-1)}`)).status
  expect(second).not.toBe(first)
  expect(await preflight(first)).toBe(410)
  expect(await preflight(second)).toBe(200)

  const token = second.split('/').at(-1)
  const registered = await fetch(`${url}/api/bift/redeem/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  expect(registered.status).toBe(200)
  const session = (await registered.json()) as { token: string }
  again.kill('SIGKILL')
  await again.exited

  const next = startProcess(settings)
  await next.ready()
  expect(next.firstRootLink()).toBeUndefined()
  const me = await fetch(`${url}/api/me`, { headers: { authorization: session.token } })
  expect(await me.json()).toMatchObject({ firstname: 'Rosa', isRoot: true })

  next.kill('SIGTERM')
  await next.exited
  const other = startProcess({ ...settings, PULT_SECRET: 'another secret of thirty-two characters' })
  expect(await other.exited).toBe(78)
  expect(other.output()).toContain('PULT_SECRET is not the secret')
})

test('a server that receives a stop signal finishes its requests, an idle connection does not delay it, and its database stops with it', async () => {
  const { server, folder, settings } = await startWithDatabase()
  expect((await postgresOf(folder)).length).toBeGreaterThan(3)
  const socket = connect(Number(settings.PORT), 'localhost')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const stopping = performance.now()
  // Like Ctrl+C under npm: one signal from the terminal and one from npm.
  server.kill('SIGINT')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(performance.now() - stopping).toBeLessThan(underLoad(2500))
  expect(await postgresOf(folder)).toEqual([])
})

test('a client that never ends its request does not prevent the shutdown', async () => {
  const { server, folder, settings } = await startWithDatabase()
  const socket = connect(Number(settings.PORT), 'localhost')
  socket.on('error', () => {})
  // When the first response arrives, the server has received the beginning of the second request.
  socket.write(
    'GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\nPOST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"',
  )
  await once(socket, 'data')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await postgresOf(folder)).toEqual([])
})

test('DEC-45 a second server waits until the first has migrated the schema, and a node with an external database reports what it shares, and accepts the sessions of the other nodes', {
  timeout: 180_000,
}, async () => {
  const { url, folder } = await startWithDatabase()
  const client = new pg.Client({ host: join(folder, 'postgres'), port: 5432, user: 'pult', database: 'pult' })
  await client.connect()
  // Takes the lock that Kysely's migrator holds during a migration.
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(3853314791062309107)')
  const beside = startProcess({ PORT: String(await freePort()), PULT_DATA: folder })
  const waiting = async () => {
    const { rows } = await client.query(`select from pg_locks where locktype = 'advisory' and not granted`)
    return rows.length
  }
  await until(async () => (await waiting()) === 1)
  expect(beside.output()).toBe('')
  await client.query('commit')
  await client.end()
  await beside.ready()
  beside.kill('SIGTERM')
  expect(await beside.exited).toBe(0)

  // The later start invalidated the link of the first.
  const link = beside.firstRootLink()?.split('/').at(-1)
  const registered = await fetch(`${url}/api/bift/redeem/${link}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  const { token } = (await registered.json()) as { token: string }

  const port = await freePort()
  const own = await dataFolder()
  const second = startProcess({
    PORT: String(port),
    PULT_DATA: own,
    PULT_SECRET: (await readFile(join(folder, 'secret'), 'utf8')).trim(),
    DATABASE_URL: `postgres://pult@localhost/pult?host=${encodeURIComponent(join(folder, 'postgres'))}`,
  })
  await second.ready()
  expect(second.output()).toContain('Database: DATABASE_URL, shared by all nodes')
  expect(second.output()).toContain(`${own}/mail`)
  const me = await fetch(`http://localhost:${port}/api/me`, { headers: { authorization: token } })
  expect(me.status).toBe(200)
})

test.each([
  ['a setting', { PORT: 'eighty' }, /^Pult could not start: The setting PORT .+\n$/],
  [
    'the secret',
    { DATABASE_URL: 'postgres://localhost/pult' },
    /^Pult could not start: The setting PULT_SECRET .+\n$/,
  ],
  [
    'the folder of files',
    { FILES_FOLDER: '/dev/null/files' },
    /^Pult could not start: the folder of files \/dev\/null\/files cannot be written .+ set FILES_FOLDER .+\n$/m,
  ],
])('a start that fails because of %s reports it in one line', async (_, settings, line) => {
  const server = startProcess({
    PORT: String(await freePort()),
    PULT_DATA: await dataFolder(),
    ...settings,
  })
  expect(await server.exited).toBe(78)
  expect(server.output()).toMatch(line)
})

test('a start with a used port fails with one line that names the port', async () => {
  const other = createServer().listen(0, 'localhost')
  await new Promise((listening) => other.once('listening', listening))
  const address = other.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const folder = await dataFolder()
  const server = startProcess({ PORT: String(port), PULT_DATA: folder })
  expect(await server.exited).toBe(78)
  expect(server.output()).toContain(
    `Pult could not start: port ${port} is in use by another program. Stop it, or set PORT\n`,
  )
  other.close()
  expect(await postgresOf(folder)).toEqual([])
})

test('a start with an unusable data folder fails with one line that names the folder', async () => {
  const file = join(await dataFolder(), 'file')
  await writeFile(file, '')
  const server = startProcess({ PORT: String(await freePort()), PULT_DATA: file })
  expect(await server.exited).toBe(78)
  expect(server.output()).toMatch(new RegExp(`^Pult could not start: [^\\n]*${file}[^\\n]*\\n$`))
})

test('RULE-80 npm start restarts a killed server, and stops it with its database', async () => {
  const port = await freePort()
  const folder = await dataFolder()
  const server = startProcess({ PORT: String(port), PULT_DATA: folder }, 'tools/start.mjs')
  await server.ready()
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
  signal(Number(children.trim().split(' ')[0]), 'SIGKILL')
  const isReady = () =>
    fetch(`http://localhost:${port}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(async () => server.output().includes('Pult ended by SIGKILL') && (await isReady()))
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await postgresOf(folder)).toEqual([])
})
