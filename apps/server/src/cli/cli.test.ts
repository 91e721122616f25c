import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { productEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { testServer, writeExtension } from '@pult/testkit'
import { create } from 'tar'
import { expect, onTestFinished, test } from 'vitest'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const server = await testServer({ settings: { PULT_URL: 'https://pult.example.org' } })

/** The settings of a command beside the test's server. */
function besides(): Record<string, string> {
  const { host, port, user, database } = server.testDatabase.connection
  const query = new URLSearchParams({ host, port: String(port), user })
  return {
    DATABASE_URL: `postgresql:///${database}?${query.toString()}`,
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

test('explains itself and each command', async () => {
  const overview = await pult(['--help'], {})
  expect(overview.code).toBe(0)
  const commands = ['invite', 'unlock', 'extensions', 'status', 'version']
  const helps = await Promise.all(commands.map((command) => pult([command, '--help'], {})))
  for (const [index, command] of commands.entries()) {
    expect(overview.out.join('\n')).toContain(command)
    expect(helps[index]?.code).toBe(0)
    expect(helps[index]?.out.join('\n')).toContain(`npm run pult -- ${command}`)
  }
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
  [['extensions'], 'what to do is missing'],
  [['extensions', 'constructor'], 'there is no'],
  [['extensions', 'install'], 'the archive or folder is missing'],
  [['extensions', 'list', 'x'], 'is too much'],
  [['extensions', 'enable', 'a', 'b'], 'is too much'],
  [['status', '--all'], '--all'],
  [['version', 'x'], 'x'],
])('refuses %j in one line with code 2', async (args, words) => {
  const { code, err } = await pult(args, {})
  expect(code).toBe(2)
  expect(err).toHaveLength(1)
  expect(err[0]).toContain(words)
})

test('names a wrong setting in one line', async () => {
  const { code, err } = await pult(['status'], { ...besides(), PORT: 'eighty' })
  expect(code).toBe(1)
  expect(err).toEqual([expect.stringContaining('The setting PORT')])
})

test('invites a root beside a running server, which mails the same link', async () => {
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
  await expect
    .poll(() => readdir(join(server.dataFolder, 'mail')).catch(() => []), { timeout: 10_000 })
    .toHaveLength(1)
})

test('invites somebody who is not root without --root', async () => {
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

test('RULE-79 refuses to invite with another secret than the database knows', async () => {
  const { code, err } = await pult(['invite', '--email', 'ada@example.org'], {
    ...besides(),
    PULT_SECRET: 'a secret that this database does not know',
  })
  expect(code).toBe(1)
  expect(err).toEqual([expect.stringContaining('PULT_SECRET')])
})

test('RULE-06 RULE-78 unlocks an account that needs a reset, and no other', async () => {
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

test('says that nobody has the address that is to be unlocked', async () => {
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
    expect(err).toEqual([expect.stringContaining(`nobody has the verified address ${address}`)])
  }
})

test('shows the state of the installation', async () => {
  await server.given.person({ isRoot: true })
  const { code, out } = await pult(['status'], besides())
  expect(code).toBe(0)
  const text = out.join('\n')
  expect(text).toMatch(/Version +2\.4\.0/)
  expect(text).toMatch(/Database +PostgreSQL \d+/)
  expect(text).toMatch(/Schema +\d{4}-\w+, up to date/)
  expect(text).toMatch(/Roots +[1-9]/)
  expect(text).toMatch(/Mail +\d+ not sent yet/)
  expect(text).not.toContain(server.secret)
})

test('says that the database cannot be reached', async () => {
  const { code, err } = await pult(['status'], {
    ...besides(),
    DATABASE_URL: 'postgresql://pult:hunter2@127.0.0.1:1/pult',
  })
  expect(code).toBe(1)
  expect(err).toEqual([expect.stringContaining('the database cannot be reached')])
  expect(err.join()).not.toContain('hunter2')
})

test('works without a running server on the embedded database', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = { PULT_DATA: folder }
  const first = await pult(['invite', '--root', '--email', 'chief@example.org'], settings)
  expect(first.code).toBe(0)
  expect(linkIn(first.out)).toMatch(/^http:\/\/localhost:8080\/bift\//)
  const { code, out } = await pult(['status'], settings)
  expect(code).toBe(0)
  expect(out.join('\n')).toContain(folder)
  expect(out.join('\n')).toMatch(/Roots +none/)
  expect(out.join('\n')).toMatch(/Mail +1 not sent yet/)
})

test('DEC-21 RULE-73 RULE-78 extensions are installed, enabled and removed beside a running server, which hears of it', async () => {
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

  const enabled = await extensions('enable', 'reports@1.1.0')
  expect(enabled.out).toEqual(['reports 1.1.0 is enabled', expect.stringContaining('fully trusted code')])
  await expect.poll(skus, { timeout: 5000 }).toContain('reporting')
  expect((await extensions('list')).out.join('\n')).toContain(
    'reports  reports\n  1.2.0  installed\n  1.1.0  installed  runs',
  )
  const refused = await extensions('remove', 'reports')
  expect([refused.code, refused.err]).toEqual([1, [expect.stringContaining('reports 1.1.0 runs')]])
  await extensions('remove', 'reports@1.2.0')
  expect((await extensions('disable', 'reports')).out).toEqual(['reports is disabled'])
  await expect.poll(skus, { timeout: 5000 }).not.toContain('reporting')
  expect((await extensions('remove', 'reports')).out).toEqual(['reports 1.1.0 is removed'])
  expect(await readdir(join(server.dataFolder, 'extensions'))).toEqual([])

  const refusals = [
    [['remove', 'hello'], 'comes with the product'],
    [['enable', 'nothing'], 'there is no extension nothing'],
    [['enable', 'hello@9.9.9'], 'there is no version 9.9.9 of hello'],
    [['install', '/there/is/nothing'], 'there is no /there/is/nothing'],
    [['install', import.meta.dirname], 'there is no manifest.json'],
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
