import { readdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { dataFolder, freePort, postgresOf, signal, startProcess } from './server-process.ts'

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A call that needs the database. */
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

test('RULE-80 a database that was killed is 503 within 3 s, and back within 5 s', {
  timeout: 60_000,
}, async () => {
  const { url, folder } = await startWithDatabase()
  expect((await read(url)).status).toBe(401)

  for (const pid of await postgresOf(folder)) signal(pid, 'SIGKILL')
  const time = await milliseconds(async () => {
    expect([401, 503]).toContain((await read(url)).status)
  })
  expect(time).toBeLessThan(3000)
  expect(await milliseconds(() => until(async () => (await read(url)).status === 401))).toBeLessThan(5000)
})

test('RULE-80 a database that hangs is 503 within 3 s and never allows; it works again when it wakes', {
  timeout: 60_000,
}, async () => {
  const { url, folder } = await startWithDatabase()
  const frozen = await postgresOf(folder)
  expect(frozen.length).toBeGreaterThan(3)
  for (const pid of frozen) signal(pid, 'SIGSTOP')
  try {
    for (let round = 0; round < 3; round += 1) {
      const time = await milliseconds(async () => {
        const answers = await Promise.all(Array.from({ length: 40 }, () => read(url)))
        for (const answer of answers) {
          expect(answer.status).toBe(503)
          expect(answer.headers.get('retry-after')).toBe('2')
        }
      })
      expect(time).toBeLessThan(3000)
    }
    expect((await fetch(`${url}/api/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(503)
  } finally {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
  expect(await milliseconds(() => until(async () => (await read(url)).status === 401))).toBeLessThan(5000)
})

test('RULE-09 what hashes passwords gives way to what answers calls', { timeout: 60_000 }, async () => {
  const { server } = await startWithDatabase()
  const threads = `/proc/${server.pid}/task`
  const priorities = async () =>
    Promise.all(
      (await readdir(threads)).map(async (id) => {
        const [, name = '', others = ''] =
          /^\d+ \((.*)\) (.*)/.exec(await readFile(`${threads}/${id}/stat`, 'utf8')) ?? []
        return { isMain: Number(id) === server.pid, name, niceness: Number(others.split(' ')[16]) }
      }),
    )
  await expect
    .poll(async () => (await priorities()).filter(({ name }) => name.startsWith('libuv-worker')))
    .toEqual(Array(4).fill(expect.objectContaining({ niceness: 5 })))
  expect((await priorities()).find(({ isMain }) => isMain)?.niceness).toBeLessThan(5)
})

test('a server that was killed comes up again with everything that it had', { timeout: 60_000 }, async () => {
  const { url, server, settings } = await startWithDatabase()
  const link = server.firstRootLink() ?? ''
  const token = link.split('/').at(-1)
  const registered = await fetch(`${url}/api/bift/redeem/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  expect(registered.status).toBe(200)
  const session = (await registered.json()) as { token: string }
  server.kill('SIGKILL')
  await server.exited

  const next = startProcess(settings)
  await next.ready()
  expect(next.firstRootLink()).toBeUndefined()
  const me = await fetch(`${url}/api/me`, { headers: { authorization: session.token } })
  expect(await me.json()).toMatchObject({ firstname: 'Rosa', isRoot: true })
})

test('RULE-79 each start without a root prints a link of its own, and the one before is void', {
  timeout: 60_000,
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
})

test('a server that is told to stop ends what is under way, and its database with it', {
  timeout: 60_000,
}, async () => {
  const { server, folder } = await startWithDatabase()
  expect((await postgresOf(folder)).length).toBeGreaterThan(3)
  // As Ctrl+C below npm: the terminal's signal and npm's.
  server.kill('SIGINT')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await postgresOf(folder)).toEqual([])
})

test('a connection that says nothing does not hold up a server that stops', { timeout: 60_000 }, async () => {
  const { server, settings } = await startWithDatabase()
  const socket = connect(Number(settings.PORT), 'localhost')
  socket.on('error', () => {})
  await new Promise((resolve) => setTimeout(resolve, 300))
  const stopping = performance.now()
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(performance.now() - stopping).toBeLessThan(2500)
})

test('a client that never ends its request does not keep a server from stopping', {
  timeout: 60_000,
}, async () => {
  const { server, folder, settings } = await startWithDatabase()
  const socket = connect(Number(settings.PORT), 'localhost')
  socket.on('error', () => {})
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"',
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await postgresOf(folder)).toEqual([])
})

test('a second server waits for the first to bring the schema up to date', { timeout: 60_000 }, async () => {
  const { folder, server } = await startWithDatabase()
  const client = new pg.Client({ host: join(folder, 'postgres'), port: 5432, user: 'pult', database: 'pult' })
  await client.connect()
  // What Kysely's migrator holds while it works.
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(3853314791062309107)')
  const second = startProcess({ PORT: String(await freePort()), PULT_DATA: folder })
  await new Promise((resolve) => setTimeout(resolve, 5000))
  expect(second.output()).toBe('')
  await client.query('commit')
  await client.end()
  await second.ready()
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  server.kill('SIGTERM')
})

test('DEC-45 a node that is given a database says what it shares, and knows the sessions of the others', {
  timeout: 60_000,
}, async () => {
  const { folder, server } = await startWithDatabase()
  const registered = await fetch(server.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
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
  expect(second.output()).toContain('Database: DATABASE_URL, shared with every node')
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
    'the database',
    { DATABASE_URL: 'postgres://localhost:1/pult', PULT_SECRET: 'x'.repeat(32) },
    /^Pult could not start: [^\n]+\n$/,
  ],
])('a start that fails for %s says so in one line', async (_, settings, line) => {
  const server = startProcess({ PORT: String(await freePort()), PULT_DATA: await dataFolder(), ...settings })
  expect(await server.exited).toBe(1)
  expect(server.output()).toMatch(line)
})

test('a port that is taken is named in one line', { timeout: 60_000 }, async () => {
  const other = createServer().listen(0, 'localhost')
  await new Promise((listening) => other.once('listening', listening))
  const address = other.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const folder = await dataFolder()
  const server = startProcess({ PORT: String(port), PULT_DATA: folder })
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain(
    `Pult could not start: port ${port} is taken by another program. Stop that one, or set PORT\n`,
  )
  other.close()
  expect(await postgresOf(folder)).toEqual([])
})

test('a data folder that can not be one is named in one line', async () => {
  const file = join(await dataFolder(), 'file')
  await writeFile(file, '')
  const server = startProcess({ PORT: String(await freePort()), PULT_DATA: file })
  expect(await server.exited).toBe(1)
  expect(server.output()).toMatch(new RegExp(`^Pult could not start: [^\\n]*${file}[^\\n]*\\n$`))
})

test('RULE-79 refuses to start with another secret than the database knows', {
  timeout: 60_000,
}, async () => {
  const { server, settings } = await startWithDatabase()
  server.kill('SIGTERM')
  await server.exited
  const other = startProcess({ ...settings, PULT_SECRET: 'another secret of thirty-two characters' })
  expect(await other.exited).toBe(1)
  expect(other.output()).toContain('PULT_SECRET is not the secret')
})
