import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { productEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { createTestDatabase, testServer, writeExtension } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { create } from 'tar'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const server = await testServer({ settings: { PULT_URL: 'https://pult.example.org' } })

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

function addressOf({ connection: { host, port, user, database } }: Pick<TestDatabase, 'connection'>): string {
  const query = new URLSearchParams({ host, port: String(port), user })
  return `postgresql:///${database}?${query.toString()}`
}

/** Returns the settings for a command that works on the test server's installation. */
function besides(): Record<string, string> {
  return {
    DATABASE_URL: addressOf(server.testDatabase),
    PULT_SECRET: server.secret,
    PULT_URL: server.config.publicUrl,
  }
}

function pult(args: string[], settings: Record<string, string>) {
  const { PATH = '' } = process.env
  return new Promise<{ code: number | null; out: string[]; err: string[] }>((done) => {
    const child = execFile(
      process.execPath,
      [cli, ...args],
      { env: { PATH, ...settings }, timeout: 30_000 },
      (_error, stdout, stderr) =>
        done({ code: child.exitCode, out: stdout.trim().split('\n'), err: stderr.trim().split('\n') }),
    )
  })
}

const linkIn = (lines: string[]) =>
  lines.find((line) => /^https?:\/\/[^/]+\/bift\/[\w-]{43}$/.test(line)) ?? ''

test('help describes the program and each command', async () => {
  const overview = await pult(['--help'], {})
  expect(overview.code).toBe(0)
  const commands = [
    'invite',
    'unlock',
    'extensions',
    'backup',
    'restore',
    'audit',
    'database',
    'edge-key',
    'status',
    'doctor',
    'version',
  ]
  const helps = await Promise.all(commands.map((command) => pult([command, '--help'], {})))
  for (const [index, command] of commands.entries()) {
    expect(overview.out.join('\n')).toContain(command)
    expect(helps[index]?.code).toBe(0)
    expect(helps[index]?.out.join('\n')).toContain(`npm run pult -- ${command}`)
  }
  const inArchive = { PULT_COMMAND: './pult' }
  const [help, usageError] = await Promise.all([
    pult(['restore', '--help'], inArchive),
    pult(['restore'], inArchive),
  ])
  expect(help.out.join('\n')).toContain('  ./pult restore ARCHIVE')
  expect(usageError.err[0]).toContain('See ./pult restore --help')
})

test.each([
  [['destroy'], 'there is no command'],
  [['invite'], '--email is missing'],
  [['invite', '--email'], '--email'],
  [['invite', '--email', 'ada@example.org, evil@example.net'], 'is not an e-mail address'],
  [['invite', '--email', 'ada@example.org', '--rooot'], '--rooot'],
  [['invite', '--email', 'ada@example.org', 'root'], 'root'],
  [['unlock'], 'the address is missing'],
  [['unlock', 'ada'], 'is not an e-mail address'],
  [['unlock', 'ada@example.org', 'grace@example.org'], 'grace@example.org'],
  [['unlock', '--all'], '--all'],
  [['extensions'], 'the subcommand is missing'],
  [['extensions', 'constructor'], 'there is no'],
  [['extensions', 'install'], 'the archive or folder is missing'],
  [['extensions', 'list', 'x'], 'unexpected argument'],
  [['extensions', 'enable', 'a', 'b'], 'unexpected argument'],
  [['backup', 'everything'], 'there is no'],
  [['database'], 'the subcommand is missing'],
  [['database', 'downgrade'], 'there is no'],
  [['database', 'upgrade', '--remove-old', '--binaries', 'x'], 'cannot be combined'],
  [['backup', 'list', 'x'], 'unexpected argument'],
  [['backup', 'check'], 'the archive is missing'],
  [['restore'], 'the archive is missing'],
  [['restore', 'a', 'b'], 'unexpected argument'],
  [['audit'], 'the subcommand is missing'],
  [['audit', 'forget'], 'there is no'],
  [['audit', 'copy'], 'the folder is missing'],
  [['audit', 'verify', 'a', 'b'], 'unexpected argument'],
  [['status', '--all'], '--all'],
  [['version', 'x'], 'x'],
])('%j is rejected with one line and exit code 2', async (args, words) => {
  const { code, err } = await pult(args, {})
  expect(code).toBe(2)
  expect(err).toHaveLength(1)
  expect(err[0]).toContain(words)
})

test('an invalid setting is named in one line', async () => {
  const { code, err } = await pult(['status'], { ...besides(), PORT: 'eighty' })
  expect(code).toBe(1)
  expect(err).toEqual([expect.stringContaining('The setting PORT')])
})

test('invite creates a root while a server runs, which mails the same link', async () => {
  const { code, out } = await pult(['invite', '--root', '--email', 'chief@example.org'], besides())
  expect(code).toBe(0)
  const link = linkIn(out)
  expect(link).toMatch(/^https:\/\/pult\.example\.org\/bift\//)
  const token = link.split('/bift/')[1] ?? ''
  server.watchSecret(token)

  const redeemed = await server.call(tokenLinkEndpoints.redeem, {
    params: { token },
    body: { firstname: 'Grace', lastname: 'Hopper', password: 'a moth in relay 70' },
  })
  expect(redeemed).toSucceed()
  const { is_root } = await server.db
    .selectFrom('person')
    .innerJoin('email', 'email.person_id', 'person.id')
    .select('is_root')
    .where('email', '=', 'chief@example.org')
    .executeTakeFirstOrThrow()
  expect(is_root).toBe(true)
  await expect.poll(() => readdir(join(server.dataFolder, 'mail')).catch(() => [])).toHaveLength(1)
})

test('invite without --root invites an ordinary user', async () => {
  const { out } = await pult(['invite', '--email', 'plain@example.org'], besides())
  const token = linkIn(out).split('/bift/')[1] ?? ''
  const { data } = await server.db
    .selectFrom('token_link')
    .select('data')
    .where('email', '=', 'plain@example.org')
    .executeTakeFirstOrThrow()
  expect(token).not.toBe('')
  expect(data).toEqual({ isRoot: false, isFirstRoot: false })
})

test('RULE-79 invite is refused with a secret that does not match the database', async () => {
  const { code, err } = await pult(['invite', '--email', 'ada@example.org'], {
    ...besides(),
    PULT_SECRET: 'a secret that this database does not know',
  })
  expect(code).toBe(1)
  expect(err).toEqual([expect.stringContaining('PULT_SECRET')])
})

test('RULE-06 RULE-78 unlock resets the account that needs it, and no other', async () => {
  const ada = await server.given.person({ email: 'Ada.Locked@example.org' })
  const grace = await server.given.person({ firstname: 'Grace' })
  const lock = [ada, grace].flatMap(({ personId }) =>
    ['password', 'second-factor'].map((kind) => ({ key: `${kind}:${personId}`, failures: 100 })),
  )
  await server.db.insertInto('attempt').values(lock).execute()
  await expect(ada.login()).rejects.toThrow('PASSWORD_RESET_NEEDED')

  const { code, out } = await pult(['unlock', 'ada.locked@EXAMPLE.org'], besides())
  expect(code).toBe(0)
  expect(out).toEqual([expect.stringContaining('may try again')])
  await ada.login()
  await expect(grace.login()).rejects.toThrow('PASSWORD_RESET_NEEDED')
  const left = await server.db.selectFrom('attempt').select('key').where('failures', '=', 100).execute()
  expect(left.map(({ key }) => key).toSorted()).toEqual([
    `password:${grace.personId}`,
    `second-factor:${grace.personId}`,
  ])
  const rows = await server.db
    .selectFrom('audit')
    .select(['target', 'result', 'actor_id', 'address'])
    .where('event', '=', 'password.unlocked')
    .execute()
  expect(rows).toEqual([{ target: ada.personId, result: 'success', actor_id: null, address: null }])
})

test('edge-key makes a key, which the previous key announces', async () => {
  const keys = () => server.db.selectFrom('edge_release_key').select('announcement').orderBy('id').execute()
  const { code, out } = await pult(['edge-key', '--rotate'], besides())
  expect(out).toEqual(['The agent is signed with a new key'])
  expect(code).toBe(0)
  expect(await keys()).toEqual([{ announcement: null }, { announcement: expect.any(String) }])
  expect((await pult(['edge-key'], besides())).code).toBe(2)
})

test('unlock reports an unknown address', async () => {
  const ada = await server.given.person()
  await server.db
    .insertInto('email')
    .values({
      id: '018f0000-0000-7000-8000-0000000000b1',
      person_id: ada.personId,
      email: 'claimed@example.org',
      email_key: 'claimed@example.org',
    })
    .execute()
  for (const address of ['stranger@example.org', 'claimed@example.org']) {
    const { code, err } = await pult(['unlock', address], besides())
    expect(code).toBe(1)
    expect(err).toEqual([expect.stringContaining(`no account has the verified address ${address}`)])
  }
})

test('doctor lists each problem with its fix and ends with code 1', async () => {
  await server.given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
  const { code, out, err } = await pult(['doctor'], { ...besides(), PULT_URL: 'http://pult.example.org' })
  const text = out.join('\n')
  expect(code).toBe(1)
  expect(text).toMatch(/Error +The address http:\/\/pult\.example\.org has no https/)
  expect(text).toMatch(/Warning +No mail server is set.*\n +Set SMTP_URL/)
  expect(text).toMatch(/Root accounts without a second factor: .*Ruth Root/)
  expect(err).toEqual([expect.stringMatching(/^pult: \d+ problems found$/)])
  expect(text).not.toContain(server.secret)
})

test.each([
  [['restore', '/nowhere/a.pult'], 'backup list prints it'],
  [['restore', '/nowhere/archives/a.pult', '--identity', '/nowhere/key'], '--identity needs a file'],
  [['backup', '--unencrypted', '--to', join(import.meta.filename, 'backups')], 'is a folder and belongs'],
])('%j fails with a remedy', async (args, words) => {
  const { code, err } = await pult(args, { ...besides(), PULT_DATA: server.dataFolder })
  expect([code, err]).toEqual([1, [expect.stringContaining(words)]])
})

test('status shows the state of the installation', async () => {
  await server.given.person({ isRoot: true })
  const { code, out } = await pult(['status'], besides())
  expect(code).toBe(0)
  const text = out.join('\n')
  expect(text).toMatch(/Version +2\.4\.0/)
  expect(text).toMatch(/Database +PostgreSQL \d+/)
  expect(text).toMatch(/Schema +\d{4}-[\w-]+, up to date/)
  expect(text).toMatch(/Roots +[1-9]/)
  expect(text).toMatch(/Mail +\d+ not sent yet/)
  expect(text).toMatch(/Server +runs on \S/)
  expect(text).not.toContain(server.secret)
})

test('status shows who can read the metrics', async () => {
  const token = 'scraper-0123456789'
  const [local, open, guarded] = await Promise.all(
    [
      { PULT_URL: 'http://localhost:8080' },
      { PULT_URL: 'https://pult.example.org' },
      { PULT_URL: 'https://pult.example.org', METRICS_TOKEN: token },
    ].map(async (settings) => (await pult(['status'], { ...besides(), ...settings })).out.join('\n')),
  )
  expect(local).toMatch(/Metrics +readable on this machine/)
  expect(open).toMatch(/Metrics +not readable; set METRICS_TOKEN for monitoring/)
  expect(guarded).toMatch(/Metrics +readable with METRICS_TOKEN/)
  expect(guarded).not.toContain(token)
})

test('status shows the fault of waiting and expired mails with its remedy', async () => {
  const error = 'EAUTH AUTH PLAIN: 535 5.7.8 Wrong password'
  const id = uuidv7()
  await server.db
    .insertInto('mail')
    .values({ id, kind: 'invitation', content: Buffer.from('x'), last_error: error })
    .execute()
  const statusOf = async () => (await pult(['status'], besides())).out.join('\n')
  const remedy = 'Check the user and the password in SMTP_URL'
  expect(await statusOf()).toMatch(
    new RegExp(`The oldest has been waiting since 20.*: ${error}\\. ${remedy}`),
  )
  await server.db.updateTable('mail').set({ given_up_at: new Date() }).where('id', '=', id).execute()
  expect(await statusOf()).toMatch(new RegExp(`The newest expired mail, of 20.*: ${error}\\. ${remedy}`))
  // The same problem of the Root page is not repeated.
  expect((await statusOf()).split(error)).toHaveLength(2)
  await server.db.deleteFrom('mail').where('id', '=', id).execute()
})

test('status names each problem of the Root page and its fix in one line, and its exit code remains', async () => {
  const id = uuidv7()
  const seen = { started_at: new Date(), seen_at: sql<Date>`now() - interval '31 seconds'` }
  const proxy = { untrusted_proxy: '192.0.2.7', untrusted_proxy_seen_at: new Date() }
  const node = { version: '2.4.0', started_at: new Date(), sockets: 0, edges: 0, memory: 1 }
  const late = { ...node, id: uuidv7(), name: 'pult-late', seen_at: sql<Date>`now()`, clock_offset: -61_000 }
  await server.db
    .insertInto('node')
    .values({ ...node, ...seen, id, name: 'pult-lost' })
    .execute()
  await server.db
    .insertInto('node')
    .values({ ...late, ...proxy })
    .execute()
  const { code, out } = await pult(['status'], {
    ...besides(),
    PULT_URL: 'http://192.0.2.1',
    FILES_FOLDER: import.meta.filename,
    FILE_TOTAL: 'off',
    DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/pult',
    SMTP_URI: 'smtp://mail.example.org',
  })
  await server.db.deleteFrom('node').where('id', 'in', [id, late.id]).execute()
  expect(code).toBe(0)
  const lineOf = (words: string) => out.find((line) => line.includes(words))
  expect(lineOf('no https')).toMatch(/^Error {5}The address http:\/\/192\.0\.2\.1 .*\. Put a reverse proxy/)
  expect(lineOf('is an IP address')).toMatch(/^Warning {3}.*\. Give the server a host name/)
  expect(lineOf('Files cannot be')).toMatch(/^Error {5}.*\. Give the user of the server the right/)
  expect(lineOf('pult-lost is lost')).toMatch(/^Error {5}.*\. Start it again/)
  expect(lineOf('The clock of pult-late')).toMatch(/^Warning {3}.*\. Synchronise/)
  expect(lineOf('192.0.2.7')).toMatch(/^Warning {3}Requests come through/)
  expect(lineOf('The replica')).toMatch(/^Warning {3}.*\. Start it/)
  expect(lineOf('SMTP_URI')).toMatch(/^Warning {3}.*\. Correct its name.* SMTP_URL/)
  expect(lineOf('ackup')).toMatch(/^(?:Error {5}|Warning {3})/)
})

test('status and doctor name the problems of running nodes, and both the same problems', async () => {
  const node = { version: '2.4.0', started_at: new Date(), sockets: 0, edges: 0, memory: 1 }
  const text = (de: string) => ({ de, 'de-DE': de })
  const late = { id: 'ready', level: 'danger', what: text('Events are late'), fix: text('Raise it') }
  const origin = {
    id: 'origin',
    level: 'warning',
    what: text('A page at https://other.example'),
    fix: text('If'),
  }
  const ids = [uuidv7(), uuidv7()]
  const seen = { ...origin, seenAt: new Date().toISOString() }
  for (const [index, id] of ids.entries())
    await server.db
      .insertInto('node')
      .values({
        ...node,
        id,
        name: `pult-${index + 2}`,
        seen_at: sql<Date>`now()`,
        problems: JSON.stringify([late, seen]),
      })
      .execute()
  const settings = { ...besides(), PULT_URL: 'http://pult.example.org' }
  const [status, doctor] = await Promise.all([pult(['status'], settings), pult(['doctor'], settings)])
  await server.db.deleteFrom('node').where('id', 'in', ids).execute()
  expect([status.code, doctor.code]).toEqual([0, 1])
  expect(status.out).toContain('Error     Nodes pult-2, pult-3: Events are late. Raise it')
  expect(status.out).toContain('Warning   A page at https://other.example. If')
  const problemsIn = ({ out }: { out: string[] }) =>
    out
      .flatMap((line) => /^(?:Error|Warning) +(.*)$/.exec(line)?.[1] ?? [])
      .map((line) => line.replace(/\..*/, ''))
  expect(problemsIn(status)).toEqual(problemsIn(doctor))
})

test('status reports a schema of a newer version with exit code 1, and the missing steps of an older one', async () => {
  const step = { name: '9999-later', timestamp: new Date().toISOString() }
  await sql`insert into kysely_migration (name, timestamp) values (${step.name}, ${step.timestamp})`.execute(
    server.db,
  )
  const newer = await pult(['status'], besides())
  await server.db.updateTable('installation').set({ migrated_by: '9.8.7' }).execute()
  const named = await pult(['status'], besides())
  await sql`delete from kysely_migration where name = ${step.name}`.execute(server.db)
  expect([newer.code, newer.err]).toEqual([
    1,
    [expect.stringContaining('the database belongs to a newer version of Pult')],
  ])
  expect(named.err).toEqual([expect.stringContaining('the database belongs to Pult 9.8.7')])
  const { rows } = await sql<typeof step>`
    delete from kysely_migration where name = (select max(name) from kysely_migration) returning name, timestamp`.execute(
    server.db,
  )
  const older = await pult(['status'], besides())
  await sql`insert into kysely_migration (name, timestamp) values (${rows[0]?.name}, ${rows[0]?.timestamp})`.execute(
    server.db,
  )
  expect(older.out.at(-1)).toMatch(
    /^Schema +\d+ of \d+ steps; the next start of the server applies the rest$/,
  )
  expect(older.code).toBe(0)
})

test('status reports an unreachable database', async () => {
  const { code, err } = await pult(['status'], {
    ...besides(),
    DATABASE_URL: 'postgresql://pult:hunter2@127.0.0.1:1/pult',
  })
  expect(code).toBe(69)
  expect(err).toEqual([expect.stringContaining('the database cannot be reached')])
  expect(err.join()).not.toContain('hunter2')
  const missing = { connection: { ...server.testDatabase.connection, database: 'missing' } }
  const final = await pult(['status'], { ...besides(), DATABASE_URL: addressOf(missing) })
  expect([final.code, final.err]).toEqual([78, [expect.stringContaining('create database NAME')]])
})

test('status and doctor name a missing permission with its remedy', async () => {
  const inside = new pg.Client(server.testDatabase.connection)
  await inside.connect()
  await inside.query('revoke update on note from current_user')
  const [status, doctor] = await Promise.all([pult(['status'], besides()), pult(['doctor'], besides())])
  await inside.query('grant update on note to current_user')
  await inside.end()
  const words = 'permission denied for table note). The user needs'
  expect([status.code, status.err]).toEqual([1, [expect.stringContaining(words)]])
  expect(doctor.out.join(' ').replace(/\s+/g, ' ')).toContain(words)
})

test('status and doctor name a missing permission of background work', async () => {
  const inside = new pg.Client(server.testDatabase.connection)
  await inside.connect()
  await inside.query('revoke insert on pgboss.job from current_user')
  const [status, doctor] = await Promise.all([pult(['status'], besides()), pult(['doctor'], besides())])
  await inside.query('grant insert on pgboss.job to current_user')
  await inside.end()
  const words = 'permission denied for table pgboss.job). The user needs'
  expect([status.code, status.err]).toEqual([1, [expect.stringContaining(words)]])
  expect(doctor.out.join(' ').replace(/\s+/g, ' ')).toContain(words)
})

test('commands work on the embedded database without a running server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = { PULT_DATA: folder }
  for (const [command, code] of [
    [['status'], 3],
    [['doctor'], 1],
    [['backup', '--unencrypted'], 1],
    [['unlock', 'chief@example.org'], 1],
    [['audit', 'verify'], 1],
  ] as const) {
    const missing = await pult([...command], { ...settings, BACKUP_FOLDER: join(tmpdir(), 'pult-none') })
    const reason = `there is no installation in ${folder}: set PULT_DATA to its folder, or start its server once`
    expect([missing.code, missing.err.at(-1)]).toEqual([code, expect.stringContaining(reason)])
  }
  expect(await readdir(folder)).toEqual([])
  const first = await pult(['invite', '--root', '--email', 'chief@example.org'], settings)
  expect(first.code).toBe(0)
  expect(linkIn(first.out)).toMatch(/^http:\/\/localhost:8080\/bift\//)
  const { code, out } = await pult(['status'], settings)
  expect(code).toBe(3)
  expect(out.join('\n')).toContain(folder)
  expect(out.join('\n')).toMatch(/Roots +none/)
  expect(out.join('\n')).toMatch(/Mail +1 not sent yet/)

  // The reader ends before the first line.
  const piped = '"$0" "$@" status | true; exit "${PIPESTATUS[0]}"'
  const env = { PATH: process.env['PATH'], ...settings }
  const unread = await new Promise<{ code: number | null; err: string }>((done) => {
    const child = execFile(
      'bash',
      ['--norc', '-c', piped, process.execPath, cli],
      { env },
      (_error, _stdout, stderr) => done({ code: child.exitCode, err: stderr }),
    )
  })
  expect(unread).toEqual({ code: 3, err: 'pult: no server runs\n' })
  expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')
})

test('an embedded installation moves by its backup and the emergency sheet to an empty machine, into an external database and back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The database runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const sheet = join(folder, 'sheet.html')
  const settings = { PULT_DATA: join(folder, 'old'), BACKUP_FOLDER: join(folder, 'backups') }
  await pult(['invite', '--root', '--email', 'chief@example.org'], settings)
  const refused = await pult(['backup'], settings)
  expect([refused.code, refused.err]).toEqual([1, [expect.stringContaining('BACKUP_RECIPIENT is not set')]])

  const made = await pult(['backup', 'key', '--sheet', sheet], settings)
  const recipient = /^BACKUP_RECIPIENT=(age1\w+\.PULT-SIGNER-\w+)$/.exec(made.out[1] ?? '')?.[1] ?? ''
  expect(await readFile(sheet, 'utf8')).toMatch(/AGE-SECRET-KEY-1\w+\nPULT-SIGNER-\w+/)
  const again = await pult(['backup', 'key', '--sheet', sheet], settings)
  expect([again.code, again.err]).toEqual([1, [expect.stringContaining('Name another file with --sheet')]])
  expect((await pult(['backup', 'list'], settings)).out).toEqual([
    `There is no backup in ${settings.BACKUP_FOLDER}. If backups were made there, check that it is mounted`,
  ])
  const backup = await pult(['backup'], { ...settings, BACKUP_RECIPIENT: recipient })
  expect(backup.code).toBe(0)
  const archive = backup.out[0] ?? ''
  expect((await pult(['backup', 'list'], settings)).out).toEqual([expect.stringContaining(archive)])
  const checked = await pult(['backup', 'check', archive, '--identity', sheet], {})
  expect(checked.out).toEqual([expect.stringContaining('Complete: Pult')])

  const empty = { PULT_DATA: join(folder, 'new') }
  const restored = await pult(['restore', archive, '--identity', sheet], empty)
  expect([restored.code, restored.out]).toEqual([0, [expect.stringContaining('Restored:')]])
  expect((await pult(['status'], empty)).out.join('\n')).toMatch(/Mail +1 not sent yet/)
  expect(await readFile(join(folder, 'new/secret'), 'utf8')).toBe(
    await readFile(join(folder, 'old/secret'), 'utf8'),
  )

  const own = await createTestDatabase()
  onTestFinished(own.drop)
  const moved = { PULT_DATA: join(folder, 'moved') }
  const into = ['--into', addressOf(own)]
  const wrong = join(folder, 'wrong.html')
  await pult(['backup', 'key', '--sheet', wrong], settings)
  const mistaken = await pult(['restore', archive, '--identity', wrong, ...into], moved)
  expect([mistaken.code, mistaken.err]).toEqual([1, [expect.stringContaining('does not belong')]])
  await expect(stat(moved.PULT_DATA)).rejects.toMatchObject({ code: 'ENOENT' })

  const moving = await pult(['restore', archive, '--identity', sheet, ...into], moved)
  expect([moving.code, moving.out.join('\n')]).toEqual([0, expect.stringContaining('Set PULT_SECRET')])
  const PULT_SECRET = (await readFile(join(folder, 'moved/secret'), 'utf8')).trim()
  const onOwn = { ...moved, PULT_SECRET, DATABASE_URL: addressOf(own) }
  expect((await pult(['status'], onOwn)).out.join('\n')).toMatch(/Mail +1 not sent yet/)
  expect(await readdir(moved.PULT_DATA)).not.toContain('postgres')

  const keys = { BACKUP_FOLDER: join(folder, 'later'), BACKUP_RECIPIENT: recipient }
  const [later = ''] = (await pult(['backup'], { ...onOwn, ...keys })).out
  const embedded = { PULT_DATA: join(folder, 'back') }
  const back = await pult(['restore', later, '--identity', sheet], embedded)
  expect([back.code, back.out]).toEqual([0, [expect.stringContaining('Restored:')]])
  expect((await pult(['status'], embedded)).out.join('\n')).toMatch(/Mail +1 not sent yet/)
  expect(await readdir(embedded.PULT_DATA)).toContain('postgres')
})

test('borgbackup/borg#148 borgbackup/borg#840 backup --verify stores damaged files again, and a restore leaves them out on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = {
    ...besides(),
    PULT_DATA: server.dataFolder,
    BACKUP_FOLDER: join(folder, 'backups'),
  }
  const { projectId } = await server.given.project(await server.given.person())
  const { filename } = await server.app.files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'a',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('content')]),
  )
  const made = await pult(['backup', '--unencrypted'], settings)
  const names = await readdir(join(settings.BACKUP_FOLDER, 'files'), { recursive: true })
  const stored = names.find((name) => name.includes(`/${filename}-`)) ?? ''
  const path = join(settings.BACKUP_FOLDER, 'files', stored)
  await writeFile(path, 'damage')
  const check = (archive = '') => pult(['backup', 'check', archive], settings)
  const found = await check(made.out[0])
  expect([found.code, found.err]).toEqual([
    1,
    [expect.stringMatching(/has different content\..*backup --verify.*restore --without-damaged-files/)],
  ])

  const healed = await pult(['backup', '--unencrypted', '--verify'], settings)
  expect([healed.code, healed.out]).toEqual([0, expect.arrayContaining(['Damaged files stored again: 1'])])
  const archive = healed.out[0] ?? ''
  expect((await check(archive)).code).toBe(0)

  await writeFile(path, 'damage')
  const own = await createTestDatabase()
  onTestFinished(own.drop)
  const restore = (...options: string[]) =>
    pult(['restore', archive, '--into', addressOf(own), ...options], {
      PULT_DATA: join(folder, 'restored'),
      PULT_SECRET: server.secret,
    })
  expect((await restore()).code).toBe(1)
  const restored = await restore('--without-damaged-files')
  expect([restored.code, restored.out]).toEqual([
    0,
    [`Damaged: ${path}`, expect.stringContaining('Restored:'), 'Damaged files left out: 1'],
  ])
})

test('DEC-21 the installer warns about an extension with the id of a bundled one', async () => {
  const settings = { ...besides(), PULT_DATA: server.dataFolder }
  const folder = await mkdtemp(join(tmpdir(), 'pult-built-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeExtension(folder, { manifest: { id: 'hello', version: '9.0.0' } })
  const { out } = await pult(['extensions', 'install', folder], settings)
  expect(out[1]).toBe(
    'Warning: hello is the id of a bundled extension. Once enabled, this version replaces it for all users.',
  )
  await pult(['extensions', 'remove', 'hello@9.0.0'], settings)
})

test('DEC-21 RULE-73 RULE-78 extensions can be installed, enabled and removed while a server runs, which is notified', async () => {
  const settings = { ...besides(), PULT_DATA: server.dataFolder }
  const extensions = (...args: string[]) => pult(['extensions', ...args], settings)
  const folder = await mkdtemp(join(tmpdir(), 'pult-built-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const role = { id: 'reader', label: 'Reader', roles: ['reports'] }
  const products = [{ sku: 'reporting', label: 'Reporting', roles: [role] }]
  await writeExtension(folder, { manifest: { id: 'reports', version: '1.1.0', products } })
  const archive = join(folder, 'reports.tgz')
  await create({ file: archive, gzip: true, cwd: folder, prefix: 'package' }, ['manifest.json'])
  const person = await server.given.person()
  const skus = async () => (await person.call(productEndpoints.list)).body.items.map(({ sku }) => sku)

  const installed = await extensions('install', archive)
  expect([installed.code, installed.out[0]]).toEqual([0, 'reports is installed: 1.1.0'])
  expect(installed.out[1]).toContain('fully trusted code')
  await writeExtension(folder, { manifest: { id: 'reports', version: '1.2.0', products } })
  expect((await extensions('install', folder)).out[0]).toBe('reports is installed: 1.2.0, 1.1.0')
  expect(await skus()).not.toContain('reporting')

  const shown = ['role reporting/reader: + reports', '+ products: reporting']
  const unasked = await extensions('enable', 'reports@1.1.0')
  expect([unasked.code, unasked.out, unasked.err]).toEqual([
    1,
    shown,
    [expect.stringContaining('add --yes to allow them')],
  ])
  const enabled = await extensions('enable', 'reports@1.1.0', '--yes')
  expect(enabled.out).toEqual([
    ...shown,
    'reports 1.1.0 is enabled',
    expect.stringContaining('fully trusted code'),
  ])
  await expect.poll(skus).toContain('reporting')
  expect((await extensions('list')).out.join('\n')).toContain(
    'reports  reports\n  1.2.0  installed\n  1.1.0  installed  runs',
  )
  const refused = await extensions('remove', 'reports')
  expect([refused.code, refused.err]).toEqual([1, [expect.stringContaining('reports 1.1.0 runs')]])
  await extensions('remove', 'reports@1.2.0')
  expect((await extensions('disable', 'reports')).out).toEqual(['reports is disabled'])
  await expect.poll(skus).not.toContain('reporting')
  expect((await extensions('remove', 'reports')).out).toEqual(['reports 1.1.0 is removed'])
  expect(await readdir(join(server.dataFolder, 'extensions'))).toEqual([])

  const refusals = [
    [['remove', 'hello'], 'bundled with the product'],
    [['enable', 'nothing'], 'there is no extension nothing'],
    [['enable', 'hello@9.9.9'], 'there is no version 9.9.9 of hello'],
    [['install', '/there/is/nothing'], 'there is no /there/is/nothing'],
    [['install', import.meta.dirname], 'manifest.json is missing'],
  ] as const
  const answers = await Promise.all(refusals.map(([args]) => extensions(...args)))
  expect(answers.map(({ code, err }) => [code, err])).toEqual(
    refusals.map(([, words]) => [1, [expect.stringContaining(words)]]),
  )
  const rows = await server.db
    .selectFrom('audit')
    .select(['event', 'actor_id'])
    .where('target', '=', 'reports')
    .orderBy('id')
    .execute()
  const events = ['installed', 'installed', 'enabled', 'removed', 'disabled', 'removed']
  expect(rows).toEqual(events.map((verb) => ({ event: `extension.${verb}`, actor_id: null })))
})

test('RULE-73 an extension with an import that the console does not have is not installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-built-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = { 'entry.js': `import { useRemoved } from '@pult/sdk'\nexport default {}` }
  await writeExtension(folder, { manifest: { id: 'removed' }, files })
  const settings = { ...besides(), PULT_DATA: server.dataFolder }
  const { code, err } = await pult(['extensions', 'install', folder], settings)
  expect([code, err]).toEqual([
    1,
    [expect.stringContaining('entry.js imports useRemoved from @pult/sdk, which this console does not have')],
  ])
})

test('audit verify proves the archive, in the installation and as a copy, and names a changed line', async () => {
  await sql`
    insert into audit (id, at, event, result)
    select gen_random_uuid(), now() - interval '900 days' + n * interval '1 second', 'login.password', 'success'
    from generate_series(1, 3) n`.execute(server.db)
  await server.app.archiveAudit()
  const settings = { ...besides(), FILES_FOLDER: join(server.dataFolder, 'files') }
  const verified = await pult(['audit', 'verify'], settings)
  expect([verified.code, verified.out[0]]).toEqual([0, 'Complete: files 1, entries 3'])
  const digest = verified.out[1]?.split(': ')[1] ?? ''

  const folder = await mkdtemp(join(tmpdir(), 'pult-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  expect((await pult(['audit', 'copy', folder], settings)).code).toBe(0)
  expect((await pult(['audit', 'verify', folder, '--digest', digest], {})).code).toBe(0)
  const path = join(folder, 'audit-000001.ndjson.gz')
  const text = gunzipSync(await readFile(path)).toString()
  await writeFile(path, gzipSync(text.replace('success', 'failure')))
  const changed = await pult(['audit', 'verify', folder], {})
  expect([changed.code, changed.out[0]]).toEqual([
    1,
    expect.stringContaining('audit-000001.ndjson.gz, line 2: '),
  ])
})

test('the terminal executes nothing of a stored name or of the reply of another server', async () => {
  await server.given.person({ isRoot: true, firstname: 'Eve\u001b[2J\u202e', lastname: 'Root' })
  const stored = await pult(['doctor'], besides())
  expect(stored.out.join('\n')).toContain('Eve\ufffd[2J\ufffd Root')

  const fields = ['SFATAL', 'VFATAL', 'C28P01', 'Mno\u001b]0;owned\u0007entry', ''].join('\0')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(body.length + 4, 1)
  const hostile = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, body]))))
  hostile.listen(0, '127.0.0.1')
  onTestFinished(() => void hostile.close())
  await once(hostile, 'listening')
  const { port } = hostile.address() as AddressInfo
  const { code, err } = await pult(['status'], {
    ...besides(),
    DATABASE_URL: `postgres://pult:secret@127.0.0.1:${port}/pult`,
  })
  expect([code, err[0]]).toEqual([78, expect.stringContaining('rejects the sign-in (no ]0;owned entry)')])
})
