import { execFile } from 'node:child_process'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { faultOfDatabaseUrl } from '@pult/server/platform/database/hosts.ts'
import { oneCluster } from '@pult/server/platform/database/testing/one-cluster.ts'
import {
  debianProgram,
  formerVersion,
  freePort,
  onFileEnd,
  sized,
  startNeighbour,
  supportedVersions,
} from '@pult/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataFolder, startProcess } from './server-process.ts'

const guide = await readFile(new URL('../docs/operations/postgresql.md', import.meta.url), 'utf8')
const pgbouncer = await debianProgram('pgbouncer')

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

/** The options of `create database` for versions without built-in locales. */
const [, olderLocale = ''] = /PostgreSQL 15 and 16 .* `(encoding .*)` there/.exec(guide) ?? []
const newerLocale = /encoding 'UTF8'\n {2}locale_provider .* template template0/

async function settings(url: string): Promise<Record<string, string>> {
  return {
    DATABASE_URL: url,
    PULT_SECRET: 's'.repeat(32),
    PULT_DATA: await dataFolder(),
    PORT: String(await freePort()),
  }
}

/** Runs a command of the operator. Returns its output. */
const pult = async (environment: Record<string, string>, ...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, ['apps/server/src/cli.ts', ...args], { env })
  return stdout
}

describe.each(await supportedVersions())('$name', { tags: ['long'] }, async ({ sources }) => {
  const cluster = await oneCluster({ sources })
  const { ask } = cluster
  /** The statements of the guide for this version. */
  const createIn = (block = '') =>
    statements(cluster.major >= 17 ? block : block.replace(newerLocale, olderLocale))
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
    await ask(createIn(creating))
    // A role with exactly the listed permissions, in a database of another owner.
    await ask([
      ...createIn(creating).map((each) => each.replaceAll('pult', 'lesser').replace(' owner lesser', '')),
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
    for (const statement of statements(granting))
      await ask([statement.replaceAll('pult', 'lesser')], 'lesser')
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

  test('the guide moves a database to another encoding', async () => {
    const [moving] = blocks('sql', 'A database with another encoding or locale')
    expect(await ask(createIn(moving))).toEqual([])
    expect(await ask([`select datname from pg_database where datname = 'pult_utf8'`])).toHaveLength(1)
    if (sized(true, false)) return
    const people = ['select id, firstname, password_hash from person']
    const from = await settings(direct('pult'))
    const first = startProcess(from)
    await first.ready()
    const registered = await fetch(first.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
    })
    expect(registered.status).toBe(200)
    first.kill('SIGTERM')
    expect(await first.exited).toBe(0)

    const [archive = ''] = (await pult(from, 'backup', '--to', await dataFolder(), '--unencrypted')).split(
      '\n',
    )
    const to = await settings(direct('pult_utf8'))
    await pult(to, 'restore', archive)
    const second = startProcess(to)
    await second.ready()
    expect(second.firstRootLink()).toBeUndefined()
    expect(await ask(people, 'pult_utf8')).toMatchObject([{ firstname: 'Rosa' }])
    expect(await ask(people, 'pult_utf8')).toEqual(await ask(people, 'pult'))
    second.kill('SIGTERM')
    expect(await second.exited).toBe(0)
  })
})

test('PostgreSQL 14 ends the start', { tags: ['long'] }, async ({ skip }) => {
  const former = await formerVersion(14)
  if ('reason' in former) return skip(former.reason)
  const { folder, port, version } = await oneCluster(former)
  const server = startProcess(await settings(`postgres://postgres@/postgres?host=${folder}&port=${port}`))
  expect(await server.exited).toBe(78)
  expect(server.output()).toBe(
    `Pult could not start: PostgreSQL ${version} is too old. Pult needs version 15 or later\n`,
  )
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

test('a signal ends a start that waits for its database', async () => {
  const server = startProcess(await settings('postgres://pult@127.0.0.1:1/pult'))
  await expect.poll(server.output, { timeout: 30_000 }).toMatch(/Pult waits/)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('the addresses of the guide are accepted', () => {
  const urls = [...guide.matchAll(/postgres(?:ql)?:\/\/[^\s`"]+/g)].map(([url]) => url)
  expect(urls.length).toBeGreaterThan(4)
  for (const url of urls) expect([url, faultOfDatabaseUrl(url)]).toEqual([url, undefined])
})
