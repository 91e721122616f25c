import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { formerVersion, freePort, onFileEnd, supportedVersions } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import { DatabaseClient } from './client.ts'
import { openDatabase } from './database.ts'
import { causeOf, explainFault } from './database-fault.ts'
import { connectionOf } from './hosts.ts'
import { checkDatabase } from './start-check.ts'
import { oneCluster } from './testing/one-cluster.ts'
import { selfSigned } from './testing/self-signed.ts'

const password = 'a#b/c?d@e%f'
const encoded = encodeURIComponent(password)

/** A server that answers every connection in its way. */
async function listener(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFileEnd(() => server.close())
  return (server.address() as AddressInfo).port
}
const http = await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
// Its length would be a billion bytes.
const silentAfterward = await listener((socket) => socket.write('HELLO WORLD'))
const cutting = await listener((socket) => socket.resetAndDestroy())
const old = await listener((socket) => socket.once('data', () => socket.end(starting)))
const starting = Buffer.from('E\0\0\0\x3bSFATAL\0C57P03\0Mthe database system is starting up\0\0')
starting.writeUInt32BE(starting.length - 1, 1)
const closed = await freePort()

async function faultOf(url: string) {
  return checkDatabase(connectionOf(url)).then(() => undefined, causeOf)
}

describe.each(await supportedVersions())('$name', { tags: ['long'] }, async ({ sources }) => {
  const cluster = await oneCluster({ sources })
  const { port, folder, major, version, ask } = cluster
  const locale = major >= 17 ? "builtin_locale 'C.UTF-8' locale 'C'" : "encoding 'UTF8' locale 'C.UTF-8'"
  await ask([
    `create role pult login password '${password}' in role known`,
    `create role stranger login password 'secret'`,
    `create role asleep nologin in role trusted`,
    `create role crowded login connection limit 0 in role trusted`,
    `create role guest login in role trusted`,
    `create role hostile login in role trusted`,
    ...['datestyle = German', 'intervalstyle = sql_standard', `timezone = 'Asia/Tokyo'`].map(
      (setting) => `alter role hostile set ${setting}`,
    ),
    ...['bytea_output = escape', 'standard_conforming_strings = off', 'search_path = other'].map(
      (setting) => `alter role hostile set ${setting}`,
    ),
    ...[
      'lock_timeout = 60000',
      'idle_session_timeout = 60000',
      'statement_timeout = 61000',
      'extra_float_digits = -15',
    ].map((setting) => `alter role hostile set ${setting}`),
    `alter role hostile set default_transaction_isolation = serializable`,
    'alter role hostile set default_transaction_deferrable = on',
    ...(major >= 17 ? ['alter role hostile set transaction_timeout = 62000'] : []),
    'create database pult owner pult',
    `create database hostile owner hostile`,
    `create database closed owner guest`,
    `create database reading owner guest`,
    `alter database reading set default_transaction_read_only = on`,
    `create database latin owner guest encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    `create database ascii owner guest encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    `create database plain owner guest encoding 'UTF8' locale_provider libc locale 'C' template template0`,
    `create database turkish owner guest encoding 'UTF8' locale_provider icu icu_locale 'tr' locale 'C' template template0`,
    `create database lost owner guest`,
    `update pg_database set datctype = 'xx_XX.UTF-8' where datname = 'lost'`,
    `create database moved owner guest`,
    `create database bare`,
    'revoke connect on database closed from public, guest',
  ])
  await ask(
    ['create schema pult', 'create table pult.kysely_migration ()', 'create table pult.person ()'],
    'moved',
  )
  const trusted = join(folder, 'trusted.pem')
  await writeFile(trusted, selfSigned('localhost').certificate)
  const right = join(folder, 'right.pem')
  await writeFile(right, cluster.certificate)

  const at = (who: string, database = 'pult', rest = '', host = `127.0.0.1:${port}`) =>
    `postgres://${who}@${host}/${database}${rest}`

  /** The way to PostgreSQL on which one text replaces another of the same length, as of a different installation. */
  const changedOnTheWay = (from: string, to: string) =>
    listener((near) => {
      const far = connect({ path: join(folder, `.s.PGSQL.${port}`) }).on('error', () => near.destroy())
      const changed = (part: Buffer) => Buffer.from(part.toString('latin1').replaceAll(from, to), 'latin1')
      near.on('data', (part) => far.write(changed(part))).on('close', () => far.destroy())
      far.on('data', (part) => near.write(changed(part))).on('close', () => near.destroy())
    })

  test.each([
    [
      'a certificate of an unknown CA',
      at(`pult:${encoded}`, 'pult', '?sslmode=require'),
      true,
      /not trusted/,
      /sslmode=no-verify/,
    ],
    [
      'another CA than that of sslrootcert',
      at(`pult:${encoded}`, 'pult', `?sslmode=verify-full&sslrootcert=${trusted}`, `localhost:${port}`),
      true,
      /not trusted/,
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      'a certificate for another host',
      at(`pult:${encoded}`, 'pult', `?sslmode=verify-full&sslrootcert=${right}`),
      true,
      /another host name .*127\.0\.0\.1/,
      /name of the certificate/,
    ],
    [
      'a server without TLS',
      `postgres://guest@/pult?host=${encodeURIComponent(folder)}&port=${port}&sslmode=require`,
      true,
      /offers no TLS/,
      /sslmode=disable/,
    ],
    ['a wrong password', at('pult:wrong'), true, /password authentication failed/, /%23.*%2F.*%3F.*%40/],
    ['a missing password', at('pult'), true, /asks for a password/, /postgres:\/\/USER:PASSWORD@/],
    [
      'an unknown role',
      `postgres://missing@/pult?host=${folder}&port=${port}`,
      true,
      /role "missing" does not exist/,
      /Check the user/,
    ],
    ['a role without LOGIN', at('asleep'), true, /not permitted to log in/, /alter role NAME login/],
    [
      'no line in pg_hba.conf',
      at('stranger:secret'),
      true,
      /no pg_hba.conf entry/,
      /Add a line to pg_hba.conf/,
    ],
    [
      'an unknown database',
      at(`pult:${encoded}`, 'nowhere'),
      true,
      /"nowhere" does not exist/,
      /create database NAME encoding 'UTF8'/,
    ],
    ['a database without CONNECT', at('guest', 'closed'), true, /lacks a permission/, /grant connect/],
    ['a connection limit', at('crowded'), false, /no free connection/, /max_connections/],
    [
      'a closed port',
      at('pult', 'pult', '', `127.0.0.1:${closed}`),
      false,
      /nothing listens on 127.0.0.1 port \d+/,
      /listen_addresses/,
    ],
    [
      'a missing socket',
      `postgres://pult@/pult?host=${folder}/none`,
      false,
      /socket .*none.* does not exist/,
      /unix_socket_directories/,
    ],
    ['an unknown host', at('pult', 'pult', '', 'db.invalid'), false, /db\.invalid/, /DNS/],
    [
      'an HTTP server',
      at('pult', 'pult', '', `127.0.0.1:${http}`),
      true,
      /other than PostgreSQL/,
      /host and port/,
    ],
    [
      'an HTTP server and TLS',
      at('pult', 'pult', '?sslmode=no-verify', `127.0.0.1:${http}`),
      true,
      /other than PostgreSQL/,
      /host and port/,
    ],
    [
      'a server with another protocol',
      at('pult', 'pult', '', `127.0.0.1:${silentAfterward}`),
      true,
      /other than PostgreSQL/,
      /host and port/,
    ],
    [
      'a server that cuts connections',
      at('pult', 'pult', '', `127.0.0.1:${cutting}`),
      false,
      /closed the connection/,
      /listens on the port/,
    ],
    ['a server that starts', at('pult', 'pult', '', `127.0.0.1:${old}`), false, /is starting up/, /Wait/],
    [
      'a read-only database',
      at('guest', 'reading'),
      false,
      /accepts only reads/,
      /default_transaction_read_only/,
    ],
    [
      'the encoding LATIN1',
      at('guest', 'latin'),
      true,
      /encoding LATIN1/,
      /create database pult_utf8 owner guest encoding 'UTF8'/,
    ],
    ['the encoding SQL_ASCII', at('guest', 'ascii'), true, /encoding SQL_ASCII/, /template template0/],
    [
      'LC_CTYPE C',
      at('guest', 'plain'),
      true,
      /does not convert case/,
      new RegExp(
        `${locale} template template0\\. Move the data .*"A database with another encoding or locale" in docs/operations/postgresql\\.md`,
      ),
    ],
    ['a Turkish locale', at('guest', 'turkish'), true, /does not convert case/, new RegExp(locale)],
    ['a locale that does not exist', at('guest', 'lost'), true, /locale/, /Install its locale/],
    [
      'a role that may create nothing',
      at('guest', 'bare'),
      true,
      /role guest may not create tables/,
      /grant usage, create on schema public to guest$/,
    ],
    [
      'tables in another schema',
      at('guest', 'moved'),
      true,
      /in the schema pult/,
      /alter schema pult rename to public/,
    ],
  ])('%s is reported with cause and remedy, without the password', async (_, url, isFinal, cause, remedy) => {
    const fault = await faultOf(url)
    expect(fault).toEqual({
      isFinal,
      cause: expect.stringMatching(cause),
      remedy: expect.stringMatching(remedy),
    })
    for (const secret of [password, encoded, 'secret', 'wrong'])
      expect(`${fault?.cause} ${fault?.remedy}`).not.toContain(secret)
  })

  test('sslmode=verify-full with the right CA and host name connects', async () => {
    const tls = `?sslmode=verify-full&sslrootcert=${right}`
    expect(await faultOf(at(`pult:${encoded}`, 'pult', tls, `localhost:${port}`))).toBeUndefined()
  })

  test('a database with the locale of the guide for PostgreSQL 15 and 16 is accepted', async (context) => {
    const locales = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout
    if (!/^C\.utf-?8$/im.test(locales ?? '')) return context.skip('needs the locale C.UTF-8 of the system')
    const guide = await readFile(
      new URL('../../../../../docs/operations/postgresql.md', import.meta.url),
      'utf8',
    )
    const [, options] = /PostgreSQL 15 and 16 .* `(encoding .*)` there/.exec(guide) ?? []
    // The default of older versions.
    await ask([`create database libc owner guest locale_provider libc ${options}`])
    expect(await faultOf(at('guest', 'libc'))).toBeUndefined()
  })

  test('each permission that a role lacks is named, until the role has them all', async () => {
    const url = at('guest', 'bare')
    await ask(['grant create on schema public to guest'], 'bare')
    expect((await faultOf(url))?.remedy).toContain('grant create on database bare to guest')
    await ask(['grant create on database bare to guest'])
    expect(await faultOf(url)).toBeUndefined()
  })

  test('a role without CREATE on the database is accepted once background work and pg_trgm have their objects', async () => {
    await ask(['create database "Narrow-1"'])
    await ask(['grant usage, create on schema public to guest'], 'Narrow-1')
    const url = at('guest', 'Narrow-1')
    expect((await faultOf(url))?.remedy).toBe(
      'An administrator runs: grant create on database "Narrow-1" to guest',
    )
    await ask(
      ['create schema pgboss', 'create table pgboss.version ()', 'grant usage on schema pgboss to guest'],
      'Narrow-1',
    )
    const withoutContrib = await changedOnTheWay(`name = 'pg_trgm'`, `name = 'pg_none'`)
    expect(await faultOf(at('guest', 'Narrow-1', '', `127.0.0.1:${withoutContrib}`))).toMatchObject({
      isFinal: true,
      cause: expect.stringContaining('pg_trgm is not installed on the machine of PostgreSQL'),
    })
    expect(await faultOf(url)).toMatchObject({
      isFinal: true,
      remedy: 'An administrator runs in this database: create extension pg_trgm',
    })
    await ask(['create extension pg_trgm'], 'Narrow-1')
    expect(await faultOf(url)).toBeUndefined()
  })

  test('a database without the schema public is refused', async () => {
    await ask(['create database without_public owner guest'])
    await ask(['drop schema public'], 'without_public')
    expect((await faultOf(at('guest', 'without_public')))?.cause).toContain('in the schema public')
  })

  test('a version before 15 is refused', async () => {
    const older = await changedOnTheWay(`${major}00`, '1400')
    expect(await faultOf(at('hostile', 'hostile', '', `127.0.0.1:${older}`))).toMatchObject({
      isFinal: true,
      cause: `PostgreSQL ${version} is too old`,
      remedy: 'Pult needs version 15 or later',
    })
  })

  test('the password of a URL with several hosts reaches the one that takes writes', async () => {
    const url = `postgres://pult:${encoded}@127.0.0.1:${closed},127.0.0.1:${port}/pult`
    const { db, close } = openDatabase({ connection: connectionOf(url), max: 1, onError: () => {} })
    expect((await sql`select current_user::text as role`.execute(db)).rows).toEqual([{ role: 'pult' }])
    await close()
  })

  test('the folder of a socket can be one of several hosts', async () => {
    const socket = `${encodeURIComponent(folder)}:${port}`
    expect(await faultOf(`postgres://hostile@127.0.0.1:${closed},${socket}/hostile`)).toBeUndefined()
  })

  test('hosts of which none takes writes are listed with their causes', async () => {
    const fault = await faultOf(`postgres://guest@127.0.0.1:${closed},127.0.0.1:${port}/reading`)
    expect(fault).toEqual({
      isFinal: false,
      cause: `no host of DATABASE_URL takes writes (127.0.0.1:${closed}: nothing listens on 127.0.0.1 port ${closed}; 127.0.0.1:${port}: the database accepts only reads)`,
      remedy: expect.stringMatching(/listen_addresses.*Promote/),
    })
    const mixed = `postgres://pult:wrong@127.0.0.1:${closed},127.0.0.1:${port}/pult`
    expect(await faultOf(mixed)).toMatchObject({
      isFinal: false,
      cause: expect.stringContaining('rejects the sign-in'),
    })
  })

  test('an unavailable database keeps its cause through the refusal of a call', async () => {
    const database = openDatabase({
      connection: connectionOf(at('pult:wrong')),
      max: 1,
      onError: () => {},
    })
    const error: unknown = await sql`select 1`.execute(database.db).catch((reason: unknown) => reason)
    expect(explainFault(error)).toMatch(/^the database rejects the sign-in .*percent-encoded/)
    await database.close()
  })

  test('parameters of the role do not change a session, with limits from the first statement on', async () => {
    await ask(['create schema other authorization hostile'], 'hostile')
    const connection = connectionOf(at('hostile', 'hostile'))
    await checkDatabase(connection)
    const { db, close } = openDatabase({
      connection,
      max: 1,
      limits: { statement: 4321, lock: 1234 },
      onError: () => {},
    })
    const names = ['datestyle', 'intervalstyle', 'timezone', 'bytea_output', 'standard_conforming_strings']
    const others = ['search_path', 'lock_timeout', 'idle_session_timeout', 'statement_timeout', 'jit']
    const rest = [
      'extra_float_digits',
      'transaction_isolation',
      'transaction_deferrable',
      'idle_in_transaction_session_timeout',
      'transaction_timeout',
    ]
    const { rows } = await sql<{ name: string; value: string | null }>`
    select name, current_setting(name, true) as value from unnest(${[...names, ...others, ...rest]}::text[]) name`.execute(
      db,
    )
    await close()
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      datestyle: 'ISO, YMD',
      intervalstyle: 'postgres',
      timezone: 'UTC',
      bytea_output: 'hex',
      standard_conforming_strings: 'on',
      search_path: 'public',
      lock_timeout: '1234ms',
      idle_session_timeout: '0',
      statement_timeout: '4321ms',
      extra_float_digits: '1',
      transaction_isolation: 'read committed',
      transaction_deferrable: 'off',
      idle_in_transaction_session_timeout: '30s',
      transaction_timeout: major >= 17 ? '0' : null,
      jit: 'off',
    })
  })

  test('an extension in another schema is found', async () => {
    await ask(['create schema extensions', 'create extension pg_trgm schema extensions'], 'hostile')
    const client = new DatabaseClient({ connectionString: at('hostile', 'hostile') })
    await client.connect()
    expect((await client.query('show search_path')).rows).toEqual([{ search_path: 'public, extensions' }])
    await client.end()
  })

  test('a session that cannot be set up within the connect timeout is closed', async () => {
    const blocked = new pg.Client({ host: folder, port, user: 'postgres', database: 'hostile' })
    await blocked.connect()
    await blocked.query('begin; lock table pg_extension in access exclusive mode')
    const client = new DatabaseClient({
      connectionString: at('hostile', 'hostile'),
      connectionTimeoutMillis: 300,
    })
    expect(causeOf(await client.connect().catch((error: unknown) => error))?.cause).toBe(
      'the database does not answer',
    )
    await blocked.end()
    const left = () =>
      ask([`select from pg_stat_activity where datname = 'hostile'`]).then((rows) => rows.length)
    await vi.waitUntil(async () => (await left()) === 0, { timeout: 30_000, interval: 20 })
  })
})

test('PostgreSQL 14 is too old', { tags: ['long'] }, async ({ skip }) => {
  const former = await formerVersion(14)
  if ('reason' in former) return skip(former.reason)
  const { folder, port, version } = await oneCluster(former)
  expect(version).toMatch(/^14\./)
  expect(await faultOf(`postgres://postgres@/postgres?host=${folder}&port=${port}`)).toEqual({
    isFinal: true,
    cause: `PostgreSQL ${version} is too old`,
    remedy: 'Pult needs version 15 or later',
  })
})

test('a host is no final fault while one of its addresses may answer later', () => {
  const away = { code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 5432 }
  const errors = [Object.assign(new Error('no'), away), Object.assign(new Error('no'), { code: '28P01' })]
  const refusal = Object.assign(new AppError('DATABASE_UNAVAILABLE'), { cause: new AggregateError(errors) })
  expect(causeOf(refusal)).toMatchObject({
    isFinal: false,
    cause: 'nothing listens on ::1 port 5432; the database rejects the sign-in (no)',
  })
})

test('the errors of other parts are no faults of the database', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9000'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  expect(causeOf(refused)).toBeUndefined()
  expect(explainFault(new Error('the bucket cannot be reached', { cause: refused }))).toBe(
    'the bucket cannot be reached',
  )
})
