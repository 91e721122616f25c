import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultDataFolder } from './embedded-database.ts'
import { postmasterPid, startProcess } from './testing/database-process.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, untilItWorks, useDatabase } from './testing/use-database.ts'

const isRoot = process.getuid?.() === 0
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const shared = sharedFolder()

it('the first start creates a database, and the next one finds its rows', async () => {
  const folder = await temporaryFolder()
  const first = await useDatabase(folder)
  await query(first, `create table note as select 'kept' as text`)
  await first.stop()
  expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')

  const second = await useDatabase(folder)
  expect(await query(second, 'select text from note')).toEqual([{ text: 'kept' }])
  expect(second.connection).toEqual(first.connection)
})

it('the application gets UTF-8, bytewise order, checksums and durability, but not the rights of a superuser', async () => {
  const database = await useDatabase(shared.path)
  const settings = `select (select rolsuper from pg_roles where rolname = current_user) as superuser,
    (select rolcreatedb from pg_roles where rolname = current_user) as createdb,
    pg_encoding_to_char(encoding) as encoding, 'Z' < 'a' as bytewise, lower('ÄÖ') as lower,
    ${['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'wal_level']
      .map((name) => `current_setting('${name}') as ${name}`)
      .join(', ')} from pg_database where datname = current_database()`
  expect(await query(database, settings)).toEqual([
    {
      superuser: false,
      createdb: true,
      encoding: 'UTF8',
      bytewise: true,
      lower: 'äö',
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
      wal_level: 'replica',
    },
  ])
})

it('the socket is accessible only to its own user', async () => {
  const folder = shared.path
  const { connection } = await useDatabase(folder)
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
  expect((await stat(join(connection.host, '.s.PGSQL.5432'))).mode & 0o777).toBe(0o700)
})

it('a data folder with a path too long for a socket and with quotes, commas and spaces is accepted', async () => {
  const folder = join(await temporaryFolder(), `it's a, "deep" place/${'x'.repeat(100)}`)
  const database = await useDatabase(folder)
  expect(Buffer.byteLength(`${database.connection.host}/.s.PGSQL.5432`)).toBeLessThanOrEqual(103)
  expect((await stat(database.connection.host)).mode & 0o777).toBe(0o700)
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])

  const other = await useDatabase(folder)
  expect(other.connection).toEqual(database.connection)
})

it('a short path with a comma, a quote and a space is accepted', async () => {
  const folder = join(await temporaryFolder(), `a, "b" -D c'`)
  const database = await useDatabase(folder)
  expect(database.connection.host).toBe(join(folder, 'postgres'))
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('environment variables of PostgreSQL are ignored', async () => {
  const folder = shared.path
  const env = {
    PGDATA: '/nonexistent',
    PGPORT: '1',
    PGSSLMODE: 'require',
    PGUSER: 'stranger',
    LC_ALL: 'xx_XX',
    LANG: 'xx_XX',
  }
  const other = startProcess(folder, { env })
  expect(await other.ready).toMatchObject({ port: 5432 })
  await other.stop()
})

it('a second process attaches, and the last one to leave stops the server', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  const pid = await postmasterPid(folder)
  const other = startProcess(folder)
  expect(await other.ready).toEqual(database.connection)
  expect(await postmasterPid(folder)).toBe(pid)

  await database.stop()
  expect(isRunning(pid)).toBe(true)
  await other.stop()
  expect(isRunning(pid)).toBe(false)
})

it('a data folder is recognised through a symbolic link', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'data'))
  await symlink(join(folder, 'data'), join(folder, 'link'))
  const database = await useDatabase(join(folder, 'data'))
  const linked = await useDatabase(join(folder, 'link'))
  expect(linked.connection).toEqual(database.connection)
})

it('concurrent starts create one database', async () => {
  const folder = await temporaryFolder()
  const processes = [startProcess(folder), startProcess(folder), startProcess(folder)]
  const connections = await Promise.all(processes.map(({ ready }) => ready))
  expect(new Set(connections.map(({ host }) => host)).size).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres-server'])
  await Promise.all(processes.map(({ stop }) => stop()))
  expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')
})

it('a process that starts while the last one stops takes over the running database', async () => {
  const folder = shared.path
  let leaving = await useDatabase(folder)
  for (let round = 0; round < 8; round += 1) {
    const stopping = leaving.stop()
    const coming = await useDatabase(folder)
    await stopping
    expect(await query(coming, 'select 1 as one')).toEqual([{ one: 1 }])
    leaving = coming
  }
})

it('the settings are written again at each start', async () => {
  const folder = shared.path
  const settings = join(folder, 'postgres-server', 'settings.conf')
  await (await useDatabase(folder)).stop()
  const written = await readFile(settings, 'utf8')
  await writeFile(settings, 'max_connections = 7\n')

  const database = await useDatabase(folder)
  expect(await readFile(settings, 'utf8')).toBe(written)
  expect(await query(database, 'show max_connections')).toEqual([{ max_connections: '80' }])
})

it('the log contains no values of statements', async () => {
  const folder = shared.path
  const database = await useDatabase(folder)
  await query(database, 'create table account (email text primary key)')
  const insert = () => query(database, 'insert into account values ($1)', ['canary@example.org'])
  await insert()
  await expect(insert()).rejects.toThrow(/duplicate key/)
  await expect(query(database, `select 'canary'::uuid`)).rejects.toThrow(/invalid input syntax/)
  const ended = query(database, `select pg_terminate_backend(pg_backend_pid()), 'canary'`)
  await expect(ended).rejects.toThrow(/terminating/)
  // PostgreSQL logs the statement of a crashed backend.
  const crashed = query(database, `select 'canary', pg_sleep(30)`)
  const running = `select pid from pg_stat_activity where query like 'select ''canary''%'`
  await expect.poll(async () => (await query(database, running)).length).toBe(1)
  process.kill(Number((await query(database, running))[0]?.['pid']), 'SIGKILL')
  await expect(crashed).rejects.toThrow()
  await untilItWorks(() => query(database, 'select 1'))

  const log = await readFile(join(folder, 'postgres-server', 'server.log'), 'utf8')
  expect(log).toContain('was terminated by signal 9')
  expect(log).not.toContain('canary')
})

it('DEC-47 each clone has its own data folder, as root below the system state folder', async () => {
  const folder = await temporaryFolder()
  const [one, two] = [join(folder, 'one', 'pult'), join(folder, 'two', 'pult')]
  await mkdir(one, { recursive: true })
  await mkdir(two, { recursive: true })
  const expected = isRoot ? /^\/var\/lib\/pult\/pult-[0-9a-f]{8}$/ : /\/one\/pult\/data$/
  expect(defaultDataFolder(one)).toMatch(expected)
  expect(defaultDataFolder(one)).toBe(defaultDataFolder(`${one}/`))
  expect(defaultDataFolder(one)).not.toBe(defaultDataFolder(two))
})

it('the server of the database receives no secret of its caller, neither as a variable nor as an argument', async () => {
  const folder = await temporaryFolder()
  const other = startProcess(folder, { env: { PULT_SECRET: 'a moth in relay 70' } })
  await other.ready
  const place = `/proc/${await postmasterPid(folder)}`
  const [variables = '', words = ''] = await Promise.all(
    ['environ', 'cmdline'].map((name) => readFile(`${place}/${name}`, 'utf8')),
  )
  expect(words).toContain('--listen_addresses=')
  expect(variables + words).not.toContain('moth')
  await other.stop()
})
