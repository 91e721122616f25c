import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import {
  apiBase,
  type ErrorReply,
  extensionEndpoints,
  extensionSettingsEndpoints,
  type InstalledExtension,
  meEndpoints,
  ownExtensionSettingsEndpoints,
  productEndpoints,
  rootExtensionEndpoints,
} from '@pult/contract'
import { extensionFolder, type GivenExtension, lateCommits, testServer, writeExtension } from '@pult/testkit'
import { sql } from 'kysely'
import { create, Header } from 'tar'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import { createEvents } from '#platform/realtime/events.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { createExtensionService } from './extension.service.ts'
import { createProductRegistry } from './manifests/product-registry.ts'

const role = { id: 'reader', label: 'Reader', roles: ['reports'] }
const reports = (version: string, label = 'Reports'): GivenExtension => ({
  manifest: {
    id: 'reports',
    version,
    label,
    products: [{ sku: 'reporting', label: 'Reporting', roles: [role] }],
    apps: [app('reports', label)],
  },
})
const app = (id: string, label: string) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label,
  icon: 'box',
  productSku: 'reporting',
})

const bundledFolder = await extensionFolder({ reports: reports('1.0.0') })
const server = await testServer({ extensionsFolder: bundledFolder })
const second = await testServer({
  besides: server,
  extensionsFolder: await extensionFolder({ reports: reports('1.0.0') }),
})
const { given, db } = server
const root = await given.person({ firstname: 'Ruth', isRoot: true })
const owner = await given.person({ firstname: 'Olga' })
const { projectId } = await given.project(owner, { products: ['reporting'] })
const folder = join(server.dataFolder, 'extensions')

/** Another process on the same folders, such as the command line. */
const log = createLog('silent')
const ownEvents = createEvents({ db, connection: server.testDatabase.connection, log })
const parts = {
  db,
  audit: createAuditService(db),
  products: createProductRegistry(),
  folders: { bundled: bundledFolder, installed: folder, console: null },
  announceAccess: async () => {},
  log,
}
afterAll(() => ownEvents.stop())

const scratch = await mkdtemp(join(tmpdir(), 'pult-archives-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))
let count = 0

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await db.deleteFrom('extension').execute()
  await Promise.all([server, second].map((node) => reload(node)))
})

/** Reads the extensions again, like a node after an event. */
async function reload(node: typeof server) {
  await node.db
    .insertInto('event')
    .values({ topic: 'extension-nodes', name: 'changed', data: '{}' })
    .execute()
  await expect.poll(() => probed(node)).toEqual(['1.0.0'])
}

async function probed(node = server) {
  const { body } = await node.call(extensionEndpoints.probe, { query: { project: projectId } }, owner.token)
  return body.map(({ version }) => version)
}

/** Creates an archive of a folder in the format of `npm pack` and `tar -czf`. */
async function packed(extension: GivenExtension, prefix = 'package'): Promise<Buffer> {
  count += 1
  const source = join(scratch, String(count))
  await writeExtension(source, extension)
  const file = `${source}.tgz`
  await create({ file, gzip: true, cwd: source, prefix, portable: true }, await readdir(source))
  return readFile(file)
}

async function install(archive: Buffer | Uint8Array, { token = root.token, type = 'application/gzip' } = {}) {
  const response = await fetch(`${server.url}${apiBase}/apps/root/extensions`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: new Uint8Array(archive),
  })
  const body = (await response.json()) as InstalledExtension & ErrorReply
  return { status: response.status, body, code: response.ok ? undefined : body.code }
}

const enable = (body: { digest?: string; allowsRoles?: boolean } = {}, name = 'reports') =>
  root.call(rootExtensionEndpoints.enable, { params: { name }, body })
const disable = (name = 'reports') =>
  root.call(rootExtensionEndpoints.disable, { params: { name }, body: {} })
const remove = (digest: string, name = 'reports') =>
  root.call(rootExtensionEndpoints.removeVersion, { params: { name, digest }, body: {} })
async function listed(name = 'reports') {
  const { body } = await root.call(rootExtensionEndpoints.list)
  const record = body.items.find(({ id }) => id === name)
  if (record === undefined) throw new Error(`${name} is not listed`)
  return record
}
const digestOf = async (version: string, name = 'reports') =>
  (await listed(name)).versions.find((one) => one.version === version)?.digest ?? ''

test('DEC-21 RULE-73 a copied extension is disabled, and an enabled version runs on every node until the next', async () => {
  await writeExtension(join(folder, 'newer'), reports('1.2.0', 'Newer'))
  await writeExtension(join(folder, 'newest'), reports('1.10.0', 'Newest'))
  const versions = async () =>
    (await listed()).versions.map(({ version, source, isRunning }) => [version, source, isRunning])
  expect(await versions()).toEqual([
    ['1.10.0', 'installed', false],
    ['1.2.0', 'installed', false],
    ['1.0.0', 'bundled', true],
  ])
  expect(await listed()).toMatchObject({ label: 'Reports', version: '1.0.0', isEnabled: true, problem: null })

  expect(await enable()).toSucceed()
  expect(await probed()).toEqual(['1.10.0'])
  expect(await enable({ digest: await digestOf('1.2.0') })).toSucceed()
  expect(await listed()).toMatchObject({ label: 'Newer', version: '1.2.0' })
  expect(await probed()).toEqual(['1.2.0'])
  // The other node lacks this folder, so nothing runs there.
  await expect.poll(() => probed(second)).toEqual([])

  expect(await disable()).toSucceed()
  expect(await probed()).toEqual([])
  expect(await versions()).toEqual([
    ['1.10.0', 'installed', false],
    ['1.2.0', 'installed', false],
    ['1.0.0', 'bundled', false],
  ])
  expect(await enable({ digest: await digestOf('1.0.0') })).toSucceed()
  expect(await probed()).toEqual(['1.0.0'])
  await expect.poll(() => probed(second)).toEqual(['1.0.0'])

  expect(await enable({ digest: 'a'.repeat(64) })).toFailWith('NOT_FOUND')
  expect(await enable({}, 'nothing')).toFailWith('NOT_FOUND')
  expect(await disable('nothing')).toFailWith('NOT_FOUND')
})

test('an enabled extension of which a node has no files is logged, and a disabled one is not', async () => {
  const rows = [
    { id: 'away', is_enabled: true, digest: 'a'.repeat(64) },
    { id: 'unused', is_enabled: false },
  ]
  await db.insertInto('extension').values(rows).execute()
  await db.insertInto('event').values({ topic: 'extension-nodes', name: 'changed', data: '{}' }).execute()
  const skipped = () => server.logLines.filter((line) => line.includes('an extension was skipped')).join('')
  await expect.poll(skipped).toMatch(/away.*This node has no files of it/s)
  expect(skipped()).not.toContain('unused')
})

test('RULE-73 a file that changed after it was enabled is not served, and its extension stops at the next check', async () => {
  const images = { 'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  await writeExtension(join(folder, 'newer'), { ...reports('1.2.0'), files: images })
  await enable()
  const [fragment] = (await owner.call(extensionEndpoints.probe, { query: { project: projectId } })).body
  const entry = fragment?.entry ?? ''
  const logo = entry.replace('entry.js', 'logo.svg')
  const status = async (path: string) => (await fetch(server.url + path)).status
  expect([await status(entry)]).toEqual([200])

  await writeFile(join(folder, 'newer', 'entry.js'), 'export default {} // another')
  await writeFile(join(folder, 'newer', 'logo.svg'), '<svg onload="alert(1)"/>')
  expect(await status(logo)).toBe(404)
  // The server has cached the enabled file and still serves it.
  expect(await (await fetch(server.url + entry)).text()).not.toContain('another')
  expect(await listed()).toMatchObject({
    isEnabled: true,
    problem: 'files: logo.svg does not match the digest in the manifest',
    versions: [{ version: '1.2.0', isRunning: false }, { version: '1.0.0' }],
  })
  expect(await enable()).toSucceed()
  expect(await probed()).toEqual(['1.0.0'])

  // Another manifest is another extension, which is not enabled.
  await writeExtension(join(folder, 'newer'), reports('1.3.0'))
  await enable()
  await writeExtension(join(folder, 'newer'), reports('1.3.1'))
  expect(await listed()).toMatchObject({
    isEnabled: true,
    problem: 'Its files have changed since it was enabled. Review and enable it again',
  })
})

test('RULE-73 RULE-74 only listed files are served, by digest, with their type, compressed and immutable', async () => {
  await writeExtension(join(folder, 'newer'), {
    ...reports('1.2.0'),
    files: { 'style.css': `p { color: red }\n`.repeat(500), 'images/a.png': 'PNG' },
  })
  await writeFile(join(folder, 'newer', 'secret.json'), '{}')
  await enable()
  const [fragment] = (await owner.call(extensionEndpoints.probe, { query: { project: projectId } })).body
  const base = (fragment?.entry ?? '').replace('entry.js', '')
  expect(base).toBe(`/extensions/reports/${(await digestOf('1.2.0')).slice(0, 16)}/`)

  const get = (path: string, coding = 'identity', method = 'GET') =>
    fetch(server.url + path, { method, headers: { 'accept-encoding': coding } })
  for (const [path, type] of [
    ['entry.js', 'text/javascript; charset=utf-8'],
    ['style.css', 'text/css; charset=utf-8'],
    ['images/a.png', 'image/png'],
  ] as const) {
    const { status, headers } = await get(base + path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, type])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
  const whole = await (await get(`${base}style.css`)).text()
  // The files are public, so a token makes no difference.
  const headers = { authorization: `Bearer ${root.token}`, 'accept-encoding': 'identity' }
  expect(await (await fetch(`${server.url}${base}style.css`, { headers })).text()).toBe(whole)
  for (const coding of ['br', 'gzip']) {
    const answer = await get(`${base}style.css`, coding)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(500)
    expect(await answer.text()).toBe(whole)
  }
  const head = await get(`${base}style.css`, 'identity', 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(whole.length),
    '',
  ])
  for (const path of ['secret.json', 'manifest.json', '', '../newer/entry.js', '%2e%2e/entry.js', 'x.js']) {
    expect([path, (await get(base + path)).status]).toEqual([path, 404])
  }
  expect((await get(base.replace(/[^/]+\/$/, `${'0'.repeat(16)}/entry.js`))).status).toBe(404)
})

test('DEC-21 an archive is installed atomically and disabled; it can be installed again only with the same bytes', async () => {
  const archive = await packed(reports('2.0.0'))
  const { status, body } = await install(archive)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: 'reports',
    version: '1.0.0',
    versions: [
      { version: '2.0.0', source: 'installed', isRunning: false, problem: null, sdk: '^1.0.0' },
      { version: '1.0.0', source: 'bundled', isRunning: true },
    ],
  })
  expect(await probed()).toEqual(['1.0.0'])
  expect(await readdir(folder)).toEqual(['reports@2.0.0'])

  expect((await install(archive)).status).toBe(200)
  expect((await install(await packed(reports('2.0.0'), ''))).status).toBe(200)
  const other = await install(await packed(reports('2.0.0', 'Others')))
  expect(other.code).toBe('EXTENSION_BROKEN')
  expect(other.body.message).toBe('version 2.0.0 of reports is already installed with different files')
  expect((await install(await packed(reports('1.0.0', 'Others')))).code).toBe('EXTENSION_BROKEN')

  // Installing the same version again repairs a damaged copy.
  await writeFile(join(folder, 'reports@2.0.0', 'entry.js'), '')
  expect((await listed()).versions[0]?.problem).toContain('entry.js')
  expect((await install(archive)).body.versions[0]?.problem).toBeNull()
  // A folder that now holds another version is never deleted.
  await writeExtension(join(folder, 'reports@2.0.0'), reports('3.0.0'))
  expect((await install(archive)).code).toBe('EXTENSION_BROKEN')
  expect((await listed()).versions[0]?.version).toBe('3.0.0')
  expect(await readdir(folder)).toEqual(['reports@2.0.0'])
})

test('DEC-24 an update with an unknown extension point is refused with the name of the point, and the running version stays', async () => {
  const { manifest } = reports('2.0.0')
  const odd = { ...app('reports', 'Reports'), widgets: [] }
  const archive = await packed({ manifest: { ...manifest, apps: [odd] } })
  const refused = await install(archive)
  expect([refused.code, refused.body.message]).toEqual([
    'EXTENSION_BROKEN',
    expect.stringContaining('apps[0]: Unknown extension point: widgets. This version has cards, navigation'),
  ])
  expect(await readdir(folder)).toEqual([])
  expect(await probed()).toEqual(['1.0.0'])
})

test('an extension with a card that no page shows is refused with the name of the card', async () => {
  const { manifest } = reports('2.0.0')
  const cards = [{ id: 'totals', label: 'Totals', place: 'root' }]
  const refused = await install(
    await packed({ manifest: { ...manifest, apps: [Object.assign(app('reports', 'Reports'), { cards })] } }),
  )
  expect([refused.code, refused.body.message]).toEqual([
    'EXTENSION_BROKEN',
    expect.stringContaining('apps reports: the card totals has the place root, which needs an app with'),
  ])
})

test('an update that changes a setting reports the stored value and keeps it for the previous version', async () => {
  const version = async (name: string, setting: object) => {
    const { manifest } = reports(name)
    await install(
      await packed({ manifest: { ...manifest, settings: [{ id: 'limit', label: 'Limit', ...setting }] } }),
    )
    const { digest } = (await listed()).versions.find((one) => one.version === name) ?? {}
    return { name, digest: digest ?? '' }
  }
  const number = await version('2.0.0', { type: 'number', default: 40 })
  const choice = await version('3.0.0', {
    type: 'choice',
    options: [{ id: 'warm', label: 'Warm' }],
    default: 'warm',
  })
  const { ofProject, changeProject, values } = {
    ...extensionSettingsEndpoints,
    ...ownExtensionSettingsEndpoints,
  }
  const use = async ({ digest }: { digest: string }) => {
    expect((await enable({ digest })).status).toBe(200)
    const used = await owner.call(values, { params: { app: 'reports' }, query: { project: projectId } })
    const form = await owner.call(ofProject, { params: { projectId } })
    return [used.body.values['limit'], form.body.items[0]?.fields[0]]
  }
  await use(number)
  const changed = { params: { projectId, name: 'reports' }, body: { values: { limit: 50 } } }
  expect((await owner.call(changeProject, changed)).status).toBe(200)
  expect(await use(choice)).toEqual(['warm', expect.objectContaining({ value: 50, misfit: 'choice' })])
  expect(await use(number)).toEqual([50, expect.objectContaining({ value: 50, misfit: null })])
})

test('DEC-21 RULE-78 every change is audited and requires root with a recent sign-in', async () => {
  await db.deleteFrom('extension').execute()
  const before = (await db.selectFrom('audit').select('id').execute()).map(({ id }) => id)
  const archive = await packed(reports('2.0.0'))
  const plain = await given.person()
  const tired = await given.person({ isRoot: true })
  await tired.forgetSignIn()
  expect((await install(archive, { token: plain.token })).code).toBe('FORBIDDEN')
  expect((await install(archive, { token: tired.token })).code).toBe('RECENT_SIGN_IN_NEEDED')
  expect((await install(archive, { token: 'unknown' })).code).toBe('UNAUTHENTICATED')
  expect((await install(archive, { type: 'application/json' })).status).toBe(415)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')

  await install(archive)
  await install(archive)
  const digest = await digestOf('2.0.0')
  const bundled = await digestOf('1.0.0')
  await enable()
  expect(await remove(digest)).toFailWith('EXTENSION_RUNS')
  expect(await remove(bundled)).toFailWith('FORBIDDEN')
  expect(await remove('b'.repeat(64))).toFailWith('NOT_FOUND')
  await disable()
  expect(await remove(digest)).toSucceed()
  expect((await listed()).versions).toHaveLength(1)
  expect(await readdir(folder)).toEqual([])

  const rows = await db
    .selectFrom('audit')
    .select(['event', 'target', 'actor_id', 'result', 'address', 'detail'])
    .where('id', 'not in', before)
    .where('event', 'like', 'extension.%')
    .orderBy('id')
    .execute()
  const detail = { version: '2.0.0', digest }
  const events = ['installed', 'enabled', 'disabled', 'removed'].map((verb) => `extension.${verb}`)
  expect(rows).toEqual(
    events.map((event) => ({
      event,
      target: 'reports',
      actor_id: root.personId,
      result: 'success',
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      detail,
    })),
  )
})

test('DEC-21 RULE-80 a change during another one returns BUSY, on this node and while another node commits', async () => {
  const extensions = createExtensionService({ ...parts, events: ownEvents })
  const first = extensions.disable('reports', null)
  await expect(extensions.disable('reports', null)).rejects.toMatchObject({ code: 'BUSY' })
  await first
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('extensions', 0))`.execute(trx)
    expect(await enable()).toFailWith('BUSY')
  })
  expect(await enable()).toSucceed()
})

test('DEC-21 RULE-80 the transaction of a change reads and writes no folder of an extension', async () => {
  const away = `${folder}-away`
  const extensions = createExtensionService({
    ...parts,
    events: {
      ...ownEvents,
      async transaction(work) {
        await rename(folder, away)
        try {
          return await ownEvents.transaction(work)
        } finally {
          await rename(away, folder)
        }
      },
    },
  })
  const archive = () => Readable.from([packedArchive])
  const packedArchive = await packed(reports('2.0.0'))
  const installed = await extensions.install({ archive: archive() }, null)
  const digest = installed.versions.find(({ version }) => version === '2.0.0')?.digest ?? ''
  await extensions.enable('reports', { digest }, null)
  expect((await listed()).version).toBe('2.0.0')
  await extensions.disable('reports', null)
  await extensions.removeVersion('reports', digest, null)
  expect(await readdir(folder)).toEqual([])
})

test('RULE-80 events wait no longer than 3 s for extensions that cannot be read', async () => {
  const topic = `/projects/${projectId}/notes`
  const socket = await openTestSocket(server.url, { token: owner.token })
  onTestFinished(() => socket.ws.terminate())
  expect(await socket.ask({ type: 'subscribe', topic })).toBe('subscribed')
  const unread = () =>
    server.logLines.filter((line) => line.includes('the extensions could not be read')).length
  const before = unread()
  await db.transaction().execute(async (trx) => {
    await sql`lock table extension in access exclusive mode`.execute(trx)
    const data = JSON.stringify({ collection: 'notes', op: 'upsert', id: projectId })
    await db
      .insertInto('event')
      .values([
        { topic: 'extension-nodes', name: 'changed', data: '{}' },
        { topic, name: 'change', data },
      ])
      .execute()
    await expect.poll(() => socket.messages.some(({ type }) => type === 'event')).toBe(true)
    // The read still waits: it gives up after 20 s.
    expect(unread()).toBe(before)
  })
})

test('DEC-21 RULE-80 a node that reads a change too late announces it again, so that consoles read the new apps', async () => {
  const socket = await openTestSocket(server.url, { token: owner.token })
  onTestFinished(() => socket.ws.terminate())
  expect(await socket.ask({ type: 'subscribe', topic: 'extensions' })).toBe('subscribed')
  const changes = () => socket.messages.filter(({ type }) => type === 'event')
  const change = { id: 'reports', version: null }
  await db.transaction().execute(async (trx) => {
    await sql`lock table extension in access exclusive mode`.execute(trx)
    await trx.insertInto('extension').values({ id: 'reports', is_enabled: false }).execute()
    await db
      .insertInto('event')
      .values([
        { topic: 'extension-nodes', name: 'changed', data: '{}' },
        { topic: 'extensions', name: 'extension:changed', data: JSON.stringify(change) },
      ])
      .execute()
    await expect.poll(changes).toHaveLength(1)
    expect(await probed()).toEqual(['1.0.0'])
  })
  await expect.poll(() => changes().length).toBeGreaterThan(1)
  expect(changes().at(-1)).toMatchObject({ name: 'extension:changed', data: change })
  await expect.poll(() => probed()).toEqual([])
})

test('DEC-21 RULE-71 a change that does not commit leaves all folders as they were', async () => {
  const archive = await packed(reports('2.0.0'))
  await install(archive)
  const digest = await digestOf('2.0.0')
  await writeFile(join(folder, 'reports@2.0.0', 'entry.js'), '// broken')
  const content = () => readFile(join(folder, 'reports@2.0.0', 'entry.js'), 'utf8')
  await sql`alter table event add constraint refused check (topic <> 'extension-nodes') not valid`.execute(db)
  try {
    // These changes would replace the broken copy, add a version and remove one.
    expect((await install(archive)).code).toBe('INTERNAL')
    expect((await install(await packed(reports('3.0.0')))).code).toBe('INTERNAL')
    expect(await remove(digest)).toFailWith('INTERNAL')
  } finally {
    await sql`alter table event drop constraint refused`.execute(db)
  }
  expect(await readdir(folder)).toEqual(['reports@2.0.0'])
  expect(await content()).toBe('// broken')
})

test('DEC-21 RULE-80 a version is installed if the COMMIT answers too late, and leaves no folder if the COMMIT fails', async () => {
  // With the time limits of calls.
  const limited = openDatabase({ connection: server.testDatabase.connection, max: 2, onError: () => {} })
  onTestFinished(limited.close)
  const events = createEvents({ db: limited.db, connection: server.testDatabase.connection, log })
  const audit = createAuditService(limited.db)
  const extensions = createExtensionService({ ...parts, db: limited.db, events, audit })
  const installs = async (version: string) =>
    extensions.install({ archive: Readable.from([await packed(reports(version))]) }, null)
  const audited = async (version: string) =>
    (
      await sql`select from audit where event = 'extension.installed' and detail ->> 'version' = ${version}`.execute(
        db,
      )
    ).rows.length

  const end = await lateCommits(db, 'insert on audit')
  const { versions } = await installs('4.0.0')
  await end()
  expect(versions.map(({ version }) => version)).toEqual(['4.0.0', '1.0.0'])
  expect([await readdir(folder), await audited('4.0.0')]).toEqual([['reports@4.0.0'], 1])

  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create constraint trigger refuse after insert on audit deferrable initially deferred
    for each row execute function refuse()`.execute(db)
  await expect(installs('5.0.0')).rejects.toThrow('refused')
  await sql`drop function refuse cascade`.execute(db)
  expect([await readdir(folder), await audited('5.0.0')]).toEqual([['reports@4.0.0'], 0])
})

test('DEC-21 RULE-80 a change whose outcome the database does not know ends with its error, and another can begin', async () => {
  const release = Promise.withResolvers<void>()
  let isUnanswered = true
  let open: Promise<void> | undefined
  const extensions = createExtensionService({
    ...parts,
    events: {
      ...ownEvents,
      transaction(work) {
        if (!isUnanswered) return ownEvents.transaction(work)
        const answer = Promise.withResolvers<never>()
        // The transaction is still open after its caller has lost the connection.
        open = ownEvents
          .transaction(async (trx, emit) => {
            await work(trx, emit)
            answer.reject(new AppError('DATABASE_UNAVAILABLE'))
            await release.promise
            throw new Error('rolled back')
          })
          .catch(answer.reject)
        return answer.promise
      },
    },
    outcomePatience: 100,
  })
  await expect(extensions.disable('reports', null)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  // PostgreSQL would end an idle transaction after 30 s.
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
  release.resolve()
  await open
  isUnanswered = false
  await extensions.disable('reports', null)
  expect((await listed()).isEnabled).toBe(false)
})

/** Creates a hostile tar archive that no honest program writes. */
function archiveOf(
  entries: { path: string; type?: 'File' | 'SymbolicLink' | 'Link' | 'NextFileHasLongPath'; text?: string }[],
): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', text = '' }) => {
    const isLink = type.endsWith('Link')
    const content = isLink ? Buffer.alloc(0) : Buffer.from(text)
    const header = Buffer.alloc(512)
    new Header({
      path,
      type,
      size: content.length,
      mode: 0o644,
      linkpath: isLink ? text : '',
    }).encode(header, 0)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
const manifest = { path: 'manifest.json', text: '{}' }
const many = Array.from({ length: 502 }, (_, index) => ({ path: `f${index}.js` }))
const zeros = '\0'.repeat(1024 * 1024)

const hostileArchives: [string, () => Buffer, string][] = [
  ['no archive', () => Buffer.from('no archive at all'), 'it is not a .tgz archive'],
  ['an archive that ends in the middle', () => archiveOf([manifest]).subarray(0, 60), 'it is not a .tgz'],
  ['a gzip of a text', () => gzipSync('just words '.repeat(200)), 'it is not a .tgz archive'],
  ['an archive in an archive', () => gzipSync(archiveOf([manifest])), 'it is not a .tgz archive'],
  ['no manifest', () => archiveOf([{ path: 'a.js' }]), 'has no manifest.json'],
  ['two top folders', () => archiveOf([{ path: 'a/manifest.json' }, { path: 'b/x.js' }]), 'has no manifest'],
  ['a path upwards', () => archiveOf([manifest, { path: '../evil.js' }]), '../evil.js'],
  ['a path upwards inside', () => archiveOf([manifest, { path: 'a/../../evil.js' }]), 'a/../../evil.js'],
  ['an absolute path', () => archiveOf([manifest, { path: '/tmp/evil.js' }]), '/tmp/evil.js'],
  ['a backslash', () => archiveOf([manifest, { path: 'a\\..\\evil.js' }]), 'not a valid path'],
  ['a hidden file', () => archiveOf([manifest, { path: '.npmrc' }]), '.npmrc'],
  [
    'a symbolic link',
    () => archiveOf([manifest, { path: 'a.js', type: 'SymbolicLink', text: '/etc/passwd' }]),
    'a.js, which is neither a file nor a folder',
  ],
  [
    'a hard link',
    () => archiveOf([manifest, { path: 'a.js', type: 'Link', text: 'manifest.json' }]),
    'a.js, which is neither',
  ],
  [
    'a path that is a file and then a folder',
    () => archiveOf([manifest, { path: 'a.js' }, { path: 'a.js/b.js' }]),
    'more than once',
  ],
  [
    'a path that is a folder and then a file',
    () => archiveOf([manifest, { path: 'a.js/b.js' }, { path: 'a.js' }]),
    'more than once',
  ],
  [
    'a name over the file system’s limit',
    () =>
      archiveOf([manifest, { path: 'x', type: 'NextFileHasLongPath', text: 'n'.repeat(280) }, { path: 'x' }]),
    'n, which is not a valid path',
  ],
  ['one file twice', () => archiveOf([manifest, manifest]), 'manifest.json more than once'],
  ['too many files', () => archiveOf(many), 'more than 500 files'],
  [
    'a decompression bomb of files',
    () => archiveOf(Array.from({ length: 52 }, (_, index) => ({ path: `f${index}.js`, text: zeros }))),
    'more than 50 MiB',
  ],
  ['a decompression bomb without files', () => gzipSync(Buffer.alloc(60 * 1024 * 1024)), 'more than 50 MiB'],
]

test.each(hostileArchives)(
  'RULE-73 an archive that is or has %s is refused with a message',
  async (_name, make, words) => {
    const { code, body } = await install(make())
    expect([code, body.message]).toEqual(['EXTENSION_BROKEN', expect.stringContaining(words)])
    expect(await readdir(folder)).toEqual([])
    expect(await readdir(server.dataFolder)).not.toContain('evil.js')
  },
)

test('RULE-73 an archive over 20 MiB is refused, and a truncated one leaves no files', async () => {
  const noise = Buffer.alloc(21 * 1024 * 1024)
  expect((await install(noise)).code).toBe('BODY_TOO_LARGE')
  const gone = new AbortController()
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(1000))
      await expect.poll(() => readdir(folder)).toHaveLength(1)
      gone.abort()
    },
  })
  const headers = { authorization: `Bearer ${root.token}`, 'content-type': 'application/gzip' }
  await expect(
    fetch(`${server.url}${apiBase}/apps/root/extensions`, {
      method: 'PUT',
      headers,
      body,
      duplex: 'half',
      signal: gone.signal,
    }),
  ).rejects.toThrow()
  await expect.poll(() => readdir(folder)).toEqual([])
})

test('DEC-22 an extension with another’s product or app cannot be enabled, and the reason is reported', async () => {
  await writeExtension(join(folder, 'sku'), {
    manifest: { id: 'other', products: [{ sku: 'reporting', label: 'Mine', roles: [role] }] },
  })
  await writeExtension(join(folder, 'app'), { manifest: { id: 'third', apps: [app('reports', 'Mine')] } })
  for (const [name, words] of [
    ['other', 'other: the product reporting is taken'],
    ['third', 'third: the app reports is taken'],
  ] as const) {
    const answer = await enable({}, name)
    expect(answer).toFailWith('EXTENSION_BROKEN')
    expect((answer.body as unknown as ErrorReply).message).toBe(words)
    expect((await listed(name)).isEnabled).toBe(false)
  }
  // Only running extensions reserve names.
  await disable()
  expect(await enable({ digest: await digestOf('1.0.0', 'other'), allowsRoles: true }, 'other')).toSucceed()
  const { body } = await owner.call(productEndpoints.list)
  expect(body.items.map(({ sku, label }) => [sku, label])).toEqual([['reporting', 'Mine']])
  expect(await enable()).toFailWith('EXTENSION_BROKEN')
  await disable('other')
})

/** Version 2.0.0, whose role gives more and which adds an app, a setting and a service. */
const wider = (): GivenExtension => {
  const { manifest: former } = reports('2.0.0')
  return {
    manifest: {
      ...former,
      products: [
        {
          sku: 'reporting',
          label: 'Reporting',
          roles: [{ ...role, roles: ['reports', 'edges:manage', 'reports:export'] }],
        },
      ],
      apps: [app('reports', 'Reports'), app('charts', 'Charts')],
      settings: [{ id: 'limit', label: 'Limit', type: 'number' }],
      backend: { label: 'The press' },
    },
  }
}
const entry = (name: string, project: string) => `p-${project}/r-${name}`

test('RULE-53 RULE-73 RULE-78 an update whose roles give more runs only after root has allowed them, and the difference is in the logs', async () => {
  const guest = await given.person()
  const { projectId: other } = await given.project(owner, {
    products: ['reporting'],
    grants: [{ person: guest, productRole: 'reporting/reader' }],
  })
  const scope = async () => (await guest.call(meEndpoints.read)).body.scope
  await writeExtension(join(folder, 'wider'), wider())
  const digest = await digestOf('2.0.0')
  expect((await listed()).versions[0]).toMatchObject({
    roles: [
      {
        id: 'reporting/reader',
        label: 'Reporting: Reader',
        roles: ['reports', 'edges:manage', 'reports:export'],
        foreign: ['edges:manage'],
        added: ['edges:manage', 'reports:export'],
        removed: [],
      },
    ],
    added: { products: [], apps: ['charts'], settings: ['limit'], tasks: [], services: ['The press'] },
    removed: { apps: [] },
    needsConsent: true,
  })

  // The consent is for a named version.
  for (const body of [{}, { digest }, { allowsRoles: true }, { digest, allowsRoles: false }]) {
    const refused = await enable(body)
    expect(refused).toFailWith('VALIDATION_FAILED')
    expect((refused.body as unknown as ErrorReply).message).toContain(
      'reporting/reader: edges:manage, reports:export',
    )
  }
  expect(await probed()).toEqual(['1.0.0'])
  expect(await scope()).toEqual([entry('reports', other)])

  expect(await enable({ digest, allowsRoles: true })).toSucceed()
  expect(await probed()).toEqual(['2.0.0'])
  expect(await scope()).toEqual(['reports', 'edges:manage', 'reports:export'].map((one) => entry(one, other)))
  const { body: offered } = await owner.call(productEndpoints.list)
  expect(offered.items.find(({ sku }) => sku === 'reporting')?.roles[0]?.label).toBe(
    'Reader (+ edges:manage)',
  )
  expect((await listed()).versions[0]).toMatchObject({ needsConsent: false, added: { apps: [] } })

  // The same version needs no other consent; a return to the bundled one takes the rights away.
  await disable()
  expect(await enable({ digest })).toSucceed()
  expect(await enable({ digest: await digestOf('1.0.0') })).toSucceed()
  expect(await scope()).toEqual([entry('reports', other)])
  expect(await enable({ digest })).toFailWith('VALIDATION_FAILED')

  const rows = async (of: string | null) =>
    (
      await sql<{ detail: object }>`
        select detail - 'digest' as detail from audit where event = 'extension.enabled' and target = 'reports'
          and project_id is not distinct from ${of}::uuid order by id desc limit 3`.execute(db)
    ).rows
      .map(({ detail }) => detail)
      .toReversed()
  const more = [
    'reporting/reader: edges:manage, reports:export',
    'apps: charts',
    'settings: limit',
    'services: The press',
  ]
  const widened = { version: '2.0.0', added: more }
  const narrowed = { version: '1.0.0', removed: more }
  expect(await rows(null)).toEqual([widened, { version: '2.0.0' }, narrowed])
  expect(await rows(other)).toEqual([widened, narrowed])
})

test('RULE-53 RULE-73 a folder that replaces the enabled one gives no rights, and its difference is shown', async () => {
  await writeExtension(join(folder, 'newer'), reports('1.2.0'))
  expect(await enable()).toSucceed()
  const guest = await given.person()
  const { projectId: other } = await given.project(owner, {
    products: ['reporting'],
    grants: [{ person: guest, productRole: 'reporting/reader' }],
  })
  await writeExtension(join(folder, 'newer'), wider())
  await db.insertInto('event').values({ topic: 'extension-nodes', name: 'changed', data: '{}' }).execute()
  await expect.poll(() => probed()).toEqual([])
  expect((await guest.call(meEndpoints.read)).body.scope).toEqual([])
  expect((await listed()).versions[0]).toMatchObject({
    needsConsent: true,
    roles: [{ added: ['edges:manage', 'reports:export'] }],
  })

  // A node expands only what was allowed, for any manifest.
  expect(await enable({ digest: await digestOf('2.0.0'), allowsRoles: true })).toSucceed()
  await sql`update extension set rights = jsonb_set(rights, '{roles,reporting/reader}', '["reports"]')`.execute(
    db,
  )
  await db.insertInto('event').values({ topic: 'extension-nodes', name: 'changed', data: '{}' }).execute()
  await expect
    .poll(async () => (await guest.call(meEndpoints.read)).body.scope)
    .toEqual([entry('reports', other)])
})

test('digests are computed from the bytes of the manifest', async () => {
  await writeExtension(join(folder, 'newer'), reports('1.2.0'))
  const bytes = await readFile(join(folder, 'newer', 'manifest.json'))
  expect(await digestOf('1.2.0')).toBe(createHash('sha256').update(bytes).digest('hex'))
})
