import { chown, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { faultOfDatabaseUrl } from '@pult/server/platform/database/hosts.ts'
import { oneCluster } from '@pult/server/platform/database/testing/one-cluster.ts'
import { debianProgram, freePort, onFileEnd, startNeighbour } from '@pult/testkit'
import { beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from './server-process.ts'

const guide = await readFile(new URL('../docs/operations/postgresql.md', import.meta.url), 'utf8')
const pgbouncer = await debianProgram('pgbouncer')
const cluster = await oneCluster()
const { ask } = cluster

/** The blocks of a language below a heading of the guide. */
function blocks(language: string, heading: string): string[] {
  const section = guide.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
}
const statements = (block: string | undefined) =>
  (block ?? '')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '')

async function settings(url: string): Promise<Record<string, string>> {
  return {
    DATABASE_URL: url,
    PULT_SECRET: 's'.repeat(32),
    PULT_DATA: await dataFolder(),
    PORT: String(await freePort()),
  }
}
const direct = (database: string, role = 'pult') =>
  `postgres://${role}@/${database}?host=${encodeURIComponent(cluster.folder)}&port=${cluster.port}`

/** One pooler with a database for each mode. */
async function startPooler(program: NonNullable<typeof pgbouncer>): Promise<number> {
  const port = await freePort()
  const [settingsOfGuide = ''] = blocks('ini', 'PgBouncer')
  const modes = ['session', 'transaction', 'statement'].map((mode) =>
    settingsOfGuide
      .replace(/^.*\[databases\]\n/s, '')
      .replace(/\n\[.*$/s, '')
      .trim()
      .replace(/^pult/m, mode)
      .replace(/host=\S+/, `host=${cluster.folder}`)
      .replace(/port=\d+/, `port=${cluster.port}`)
      .replace(/$/, ' user=pult')
      .replace('pool_mode=session', `pool_mode=${mode}`),
  )
  const rest = settingsOfGuide
    .replace(/^.*(?=\[pgbouncer\])/s, '')
    .replace(/listen_port = \d+/, `listen_port = ${port}`)
    .replace(/listen_addr = .*/, 'listen_addr = 127.0.0.1')
    .replace(/auth_type = .*/, 'auth_type = any')
    .replace(/auth_file = .*/, '')
  const path = join(cluster.folder, 'pgbouncer.ini')
  await writeFile(path, `[databases]\n${modes.join('\n')}\n${rest}\nunix_socket_dir =\n`)
  const { user } = cluster
  if (user !== undefined) await chown(path, user.uid, user.gid)
  // PgBouncer refuses to run as root.
  const args = user === undefined ? [path] : ['-u', user.name, path]
  await startNeighbour(program, args, {
    isReady: () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined))
        socket.once('error', () => resolve(false))
      }),
  })
  return port
}

beforeAll(async () => {
  const [creating, granting] = blocks('sql', 'Create the database')
  await ask(statements(creating))
  // A role with exactly the listed permissions, in a database of another owner.
  await ask([
    ...statements(creating).map((each) => each.replaceAll('pult', 'lesser').replace(' owner lesser', '')),
    'revoke all on database lesser from public',
  ])
  await ask(
    statements(granting)
      .filter((each) => each.includes('connect'))
      .map((each) => each.replaceAll('pult', 'lesser').replace(', create on', ' on')),
  )
  await ask(
    statements(granting)
      .filter((each) => each.includes('schema'))
      .map((each) => each.replaceAll('pult', 'lesser')),
    'lesser',
  )
})

test('a role without CREATE on the database ends the start with the statement that it needs', async () => {
  const server = startProcess(await settings(direct('lesser', 'lesser')))
  expect(await server.exited).toBe(78)
  expect(server.output()).toBe(
    'Pult could not start: the role lesser may not create schemas in the database lesser, so background work cannot ' +
      'start. An administrator runs: grant create on database lesser to lesser\n',
  )
})

test('a role with the permissions of the guide starts, and PG variables of the shell do not matter', async () => {
  const [, granting] = blocks('sql', 'Create the database')
  for (const statement of statements(granting)) await ask([statement.replaceAll('pult', 'lesser')], 'lesser')
  const server = startProcess({
    ...(await settings(direct('lesser', 'lesser'))),
    PGOPTIONS: '-c search_path=other -c nonsense=1',
    PGHOST: 'db.invalid',
    PGPORT: '1',
    PGUSER: 'stranger',
    PGDATABASE: 'nowhere',
    PGCLIENT_ENCODING: 'LATIN1',
    PGTZ: 'Asia/Tokyo',
    PGAPPNAME: 'x',
    PGSERVICE: 'none',
    PGDATA: '/none',
  })
  await server.ready()
  expect(await ask(['select from pgboss.queue limit 1'], 'lesser')).toHaveLength(1)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('PG variables of the shell do not reach the embedded database', async () => {
  const folder = await dataFolder()
  const server = startProcess({
    PULT_DATA: folder,
    PORT: String(await freePort()),
    PGOPTIONS: '-c search_path=other',
    PGSSLMODE: 'require',
    PGHOST: 'db.invalid',
    PGUSER: 'stranger',
    PGDATA: '/none',
    PGPORT: '1',
    PGCLIENT_ENCODING: 'LATIN1',
  })
  await server.ready()
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a start waits for a database that is away, and prints the cause once and the success', async () => {
  const port = await freePort()
  const chosen = await settings(`postgres://pult@127.0.0.1:${port}/pult?sslmode=disable`)
  const server = startProcess(chosen)
  await expect
    .poll(server.output, { timeout: 30_000 })
    .toMatch(/^Pult waits for the database: nothing listens/)
  const way = createServer((socket) => {
    const to = connect({ path: join(cluster.folder, `.s.PGSQL.${cluster.port}`) })
    to.on('error', () => socket.destroy())
    socket.on('error', () => to.destroy())
    socket.pipe(to).pipe(socket)
  }).listen(port, '127.0.0.1')
  onFileEnd(() => way.close())
  await server.ready()
  expect(server.output().match(/Pult waits/g)).toHaveLength(1)
  expect(server.output()).toContain('The database is available.\n')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a signal ends a start that waits for its database', async () => {
  const server = startProcess(await settings('postgres://pult@127.0.0.1:1/pult'))
  await expect.poll(server.output, { timeout: 30_000 }).toMatch(/Pult waits/)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test.skipIf(pgbouncer === null)(
  'PgBouncer works in session mode, and other modes end the start',
  async () => {
    if (pgbouncer === null) return
    const port = await startPooler(pgbouncer)
    const through = (mode: string) => settings(`postgres://pult@127.0.0.1:${port}/${mode}`)
    for (const mode of ['transaction', 'statement']) {
      const server = startProcess(await through(mode))
      expect(await server.exited).toBe(78)
      expect(server.output()).toMatch(
        /^Pult could not start: the pooler shares sessions .* pool_mode = session .*\n$/,
      )
    }
    const server = startProcess(await through('session'))
    await server.ready()
    expect(await ask(['select from pgboss.queue limit 1'], 'pult')).toHaveLength(1)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  },
)

test('the addresses of the guide are accepted', () => {
  const urls = [...guide.matchAll(/postgres(?:ql)?:\/\/[^\s`"]+/g)].map(([url]) => url)
  expect(urls.length).toBeGreaterThan(4)
  for (const url of urls) expect([url, faultOfDatabaseUrl(url)]).toEqual([url, undefined])
})

test('the guide moves a database to another encoding', async () => {
  const [moving] = blocks('sql', 'A database with another encoding or locale')
  expect(await ask(statements(moving), 'postgres')).toEqual([])
  expect(await ask([`select datname from pg_database where datname = 'pult_utf8'`])).toHaveLength(1)
})
