import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  fileEndpoints,
  mediaEndpoints,
  noteEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  type Task,
  taskEndpoints,
} from '@pult/contract'
import { type GivenPerson, lateCommits, taskEnd, testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { ExportedProject, ExportManifest } from '../export/export-format.ts'

const server = await testServer({ hasCallLimits: true })
const { given, db } = server
const { export: exportProject, import: importProject } = projectTaskEndpoints

const products = ['project', 'media-library']
const teal = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const sound = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(1500),
])

let owner: GivenPerson
let orgOwner: GivenPerson
let viewer: GivenPerson
let root: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  orgOwner = await given.person({ firstname: 'Orla' })
  viewer = await given.person({ firstname: '=HYPERLINK("http://x")', lastname: '+1' })
  root = await given.person({ isRoot: true })
  const made = await given.project(owner, {
    label: 'Messe 2026',
    org: await given.organisation(orgOwner, { members: [owner] }),
    products,
    consoleColor: '#123456',
    grants: [
      { person: viewer, productRole: 'media-library/viewer' },
      { person: viewer, productRole: 'project/viewer' },
    ],
  })
  projectId = made.projectId
})

async function addMedium(content: Buffer, name: string, contentType: string, tags: string[] = []) {
  const file = await upload(server, owner, { name, contentType, content, project: projectId })
  const { body } = await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file, tags } })
  if (body.task !== null) await taskEnd(owner, { _id: body.task, project: projectId })
  return body
}

const mediaOf = async (project: string, by = owner) =>
  (await by.call(mediaEndpoints.list, { params: { projectId: project } })).body.items

async function exported(
  by = owner,
  without?: ('media' | 'audit' | 'tasks')[],
  warning: string | null = null,
): Promise<{ task: Task; zip: Buffer }> {
  const answer = await by.call(exportProject, { params: { projectId }, body: without ? { without } : {} })
  expect(answer).toSucceed()
  const task = await taskEnd(by, answer.body)
  const faults = server.logLines.filter((line) => line.includes('a task failed'))
  expect([task.error, task.isRejected, faults]).toEqual([warning, false, []])
  return { task, zip: Buffer.from(await (await fetch(server.url + task.state.fileUrl)).arrayBuffer()) }
}

async function entriesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const opened = await fromBufferPromise(zip, { lazyEntries: true })
  const entries = new Map<string, Buffer>()
  for await (const entry of opened.eachEntry())
    entries.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  return entries
}

/** Returns the archive with a changed `project.json`, as an attacker who knows the format could create it. */
async function withProject(zip: Buffer, change: (project: ExportedProject) => object): Promise<Buffer> {
  const entries = await entriesOf(zip)
  const jsonOf = (path: string) => JSON.parse(entries.get(path)?.toString('utf8') ?? '')
  const project = Buffer.from(JSON.stringify(change(jsonOf('project.json'))))
  const manifest: ExportManifest = jsonOf('manifest.json')
  const listed = manifest.entries.map((entry) =>
    entry.path === 'project.json' ? { ...entry, size: project.length, sha256: sha256(project) } : entry,
  )
  entries.set('project.json', project)
  entries.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, entries: listed })))
  const made = new ZipFile()
  for (const [path, content] of entries) made.addBuffer(content, path)
  made.end()
  return buffer(made.outputStream as Readable)
}

async function imported(zip: Buffer, to: string, by = owner): Promise<Task> {
  const file = await upload(server, by, {
    name: 'messe.zip',
    contentType: 'application/zip',
    content: zip,
    project: to,
  })
  const answer = await by.call(importProject, { params: { projectId: to }, body: { file } })
  expect(answer).toSucceed()
  return taskEnd(by, answer.body)
}

const logOf = async ({ project, _id }: Task, by = owner) =>
  (await by.call(taskEndpoints.log, { params: { projectId: project, taskId: _id } })).body.items.map(
    ({ line }) => line,
  )

/** Returns the files of a project without an expiry. */
const staying = (project: string) =>
  db
    .selectFrom('file')
    .select('name')
    .where('project_id', '=', project)
    .where('released_at', 'is', null)
    .where('expires_at', 'is', null)
    .execute()

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

test('DEC-27 an export contains settings, grants by address, tasks, audit rows, media and a manifest with their digests', async () => {
  const image = await addMedium(teal, 'stand.png', 'image/png', ['north'])
  const jingle = await addMedium(sound, 'jingle.mp3', 'audio/mpeg')
  const { task, zip } = await exported()
  expect(task).toMatchObject({ type: 'project-export', kind: 'download-generation', title: 'Messe 2026' })
  expect(task.state.fileName).toMatch(/^Messe-2026-\d{4}-\d\d-\d\d\.zip$/)
  const [done = 0, total] = task.state.progress ?? []
  expect(done).toBe(total)
  expect(done).toBeGreaterThan(teal.length + sound.length)

  const entries = await entriesOf(zip)
  expect([...entries.keys()]).toEqual([
    'project.json',
    'tasks.jsonl',
    'audit.jsonl',
    'media.json',
    `media/${image._id}`,
    `media/${jingle._id}`,
    'manifest.json',
  ])
  expect(entries.get(`media/${image._id}`)).toEqual(teal)
  const textOf = (path: string) => entries.get(path)?.toString('utf8') ?? ''
  const manifest = JSON.parse(textOf('manifest.json')) as {
    entries: { path: string; size: number; sha256: string }[]
  }
  expect(manifest).toMatchObject({ format: 'pult-project', version: 1, without: [], missing: [] })
  entries.delete('manifest.json')
  expect(manifest.entries).toEqual(
    [...entries].map(([path, content]) => ({ path, size: content.length, sha256: sha256(content) })),
  )
  expect(JSON.parse(textOf('project.json'))).toMatchObject({
    label: 'Messe 2026',
    products,
    config: { consoleColor: '#123456' },
    owner: { email: owner.email },
    grants: [
      { email: viewer.email, productRole: 'media-library/viewer' },
      { email: viewer.email, productRole: 'project/viewer' },
    ],
  })
  expect(
    textOf('tasks.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Task).type),
  ).toEqual(['media-transcode', 'project-export'])
  const events = textOf('audit.jsonl')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event)
  expect(events).toContain('project.exported')
  expect(events).toContain('medium.created')
  // The export contains no hash of a password or token.
  expect(zip.toString('latin1')).not.toMatch(/argon2|token_hash|password_hash/)
})

test('DEC-14 DEC-26 editors export a project, an organisation’s owner without its audit log, each for themselves only', async () => {
  for (const person of [viewer, await given.person()]) {
    const answer = await person.call(exportProject, { params: { projectId }, body: {} })
    expect(['FORBIDDEN', 'NOT_FOUND']).toContain(answer.code)
  }
  const { zip } = await exported(orgOwner)
  expect((await entriesOf(zip)).has('audit.jsonl')).toBe(false)

  const { task } = await exported(owner, ['media', 'audit', 'tasks'])
  const fileId = task.state.fileUrl?.split('/')[3] ?? ''
  const statusOf = async (person: GivenPerson) =>
    (await person.call(fileEndpoints.link, { params: { fileId } })).status
  expect(await Promise.all([owner, root, viewer, orgOwner].map(statusOf))).toEqual([200, 200, 404, 404])
  const urlOf = async (person: GivenPerson) => {
    const { items } = (await person.call(taskEndpoints.list, { params: { projectId } })).body
    return items.find(({ _id }) => _id === task._id)?.state.fileUrl
  }
  const urls = await Promise.all([owner, root, viewer, orgOwner].map(urlOf))
  expect(urls).toEqual([expect.any(String), expect.any(String), undefined, undefined])
  const { expires_at } = await db
    .selectFrom('file')
    .select('expires_at')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  expect(Math.round(((expires_at?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(7)
})

test('DEC-14 DEC-26 an export by an organisation’s owner contains media only with a grant for them at the time of the run', async () => {
  await addMedium(teal, 'stand.png', 'image/png')
  const contentOf = async (zip: Buffer) => {
    const entries = await entriesOf(zip)
    const manifest = JSON.parse(entries.get('manifest.json')?.toString('utf8') ?? '') as ExportManifest
    return [manifest.without.toSorted(), [...entries.keys()].filter((path) => path.startsWith('media'))]
  }
  const { zip: without } = await exported(orgOwner)
  expect(await contentOf(without)).toEqual([['audit', 'media'], []])

  const grant = { id: uuidv7(), project_id: projectId, person_id: orgOwner.personId }
  await db
    .insertInto('project_grant')
    .values({ ...grant, product_role: 'project/viewer' })
    .execute()
  expect(await contentOf((await exported(orgOwner)).zip)).toEqual([['audit', 'media'], []])
  await db
    .updateTable('project_grant')
    .set({ product_role: 'media-library/viewer' })
    .where('id', '=', grant.id)
    .execute()
  const [left, media] = await contentOf((await exported(orgOwner)).zip)
  expect([left, media]).toEqual([['audit'], ['media.json', expect.stringMatching(/^media\//)]])

  await db.deleteFrom('project_grant').where('id', '=', grant.id).execute()
  const order = {
    type: 'project-export',
    projectId,
    title: 'a',
    payload: { without: [] },
    createdBy: orgOwner.personId,
  }
  const started = await server.app.events.transaction((trx, emit) => server.app.tasks.start(trx, emit, order))
  const { state } = await taskEnd(orgOwner, started)
  const stored = await server.app.files.open(state.fileUrl?.split('/')[3] ?? '')
  expect(await contentOf(await buffer(stored))).toEqual([['audit', 'media'], []])
})

test('DEC-14 an import by an organisation’s owner adds settings, and media only with the role that edits them', async () => {
  await addMedium(teal, 'stand.png', 'image/png')
  const { zip } = await exported()
  const org = await given.organisation(orgOwner, { members: [owner] })
  const to = async (productRole: string | null) => {
    const grants = productRole === null ? [] : [{ person: orgOwner, productRole }]
    return (await given.project(owner, { org, products, grants })).projectId
  }
  for (const role of [null, 'media-library/viewer', 'project/operator']) {
    const other = await to(role)
    const task = await imported(zip, other, orgOwner)
    expect([role, task.isRejected, task.state.info]).toEqual([
      role,
      false,
      'Imported 0 of 1 media file and 0 of 2 grants',
    ])
    expect(await logOf(task, orgOwner)).toEqual([
      '1 media file was skipped: importing media requires the role that edits media',
      '2 grants were skipped: only root can import grants',
    ])
    expect(await mediaOf(other)).toEqual([])
    expect(await staying(other)).toEqual([])
    const { body: project } = await owner.call(projectEndpoints.read, { params: { projectId: other } })
    expect(project.config.consoleColor).toBe('#123456')
  }
  const allowed = await to('media-library/editor')
  expect((await imported(zip, allowed, orgOwner)).state.info).toBe(
    'Imported 1 of 1 media file and 0 of 2 grants',
  )
  expect(await mediaOf(allowed)).toHaveLength(1)
})

test('DEC-27 an import adds settings and media and, for root, grants of known users; a repeat duplicates nothing', async () => {
  await addMedium(teal, 'stand.png', 'image/png', ['north', 'hall'])
  await addMedium(sound, 'jingle.mp3', 'audio/mpeg')
  await owner.call(projectEndpoints.update, {
    params: { projectId },
    body: { meta: { customer: 'Messe Nord', projectId: 'M-7' } },
  })
  const { zip } = await exported()
  const other = (await given.project(owner, { label: 'Messe 2027' })).projectId
  const task = await imported(zip, other)
  expect(task).toMatchObject({
    type: 'project-import',
    isRejected: false,
    state: {
      info: 'Imported 2 of 2 media files and 0 of 2 grants',
      message: {
        code: 'imported',
        values: { media: 2, mediaTotal: 2, grants: 0, grantsTotal: 2, failed: 0 },
      },
    },
  })
  expect(await logOf(task)).toEqual(['2 grants were skipped: only root can import grants'])

  const { body: project } = await owner.call(projectEndpoints.read, { params: { projectId: other } })
  expect(project).toMatchObject({
    label: 'Messe 2027',
    owner: owner.personId,
    meta: { customer: 'Messe Nord', projectId: 'M-7' },
    config: { consoleColor: '#123456' },
    grants: [],
  })
  expect(project.products.toSorted()).toEqual(products.toSorted())
  const media = await mediaOf(other)
  expect(media.map(({ label, tags, state, source }) => [label, tags, state, source.formats.length])).toEqual([
    ['jingle', [], 'ready', 1],
    ['stand', ['north', 'hall'], 'ready', 4],
  ])
  const [original] = media[1]?.source.formats ?? []
  const content = await (await fetch(server.url + (original?.url ?? ''))).arrayBuffer()
  expect(Buffer.from(content)).toEqual(teal)

  await db
    .deleteFrom('project_grant')
    .where('person_id', '=', viewer.personId)
    .where('project_id', '=', other)
    .execute()
  const again = await imported(zip, other, root)
  expect(again.state.info).toBe('Imported 0 of 2 media files and 2 of 2 grants')
  expect(await mediaOf(other)).toHaveLength(2)
  const third = await imported(zip, other, root)
  expect(third.state.info).toBe('Imported 0 of 2 media files and 0 of 2 grants')
  expect((await logOf(third)).toSorted()).toEqual(
    [
      'jingle already exists',
      'stand already exists',
      `${viewer.email} already has the role media-library/viewer`,
      `${viewer.email} already has the role project/viewer`,
    ].toSorted(),
  )
  // Only the files of the media remain: two originals and three formats. The archives expire.
  expect(await staying(other)).toHaveLength(5)
})

test('DEC-27 unknown people, products and roles are listed, and known ones are imported', async () => {
  await db
    .updateTable('project')
    .set({ products: ['project', 'media-library', 'gone'] })
    .where('id', '=', projectId)
    .execute()
  const { zip } = await exported(owner, ['media', 'audit', 'tasks'])
  const other = (await given.project(owner)).projectId
  await db
    .updateTable('email')
    .set({ email: 'gone@example.org', email_key: 'gone@example.org' })
    .where('person_id', '=', viewer.personId)
    .execute()
  const task = await imported(zip, other, root)
  expect(task.state.info).toBe('Imported 0 of 0 media files and 0 of 2 grants')
  expect(await logOf(task)).toEqual([
    'The product gone is not installed here',
    `${viewer.email} has no account here`,
    `${viewer.email} has no account here`,
  ])
})

test('RULE-69 RULE-51 a refused import changes nothing, and only an editor can import a file of the project', async () => {
  await addMedium(teal, 'stand.png', 'image/png')
  const { zip } = await exported()
  const other = (
    await given.project(owner, { label: 'Untouched', grants: [{ person: viewer, productRole: null }] })
  ).projectId
  const before = (await owner.call(projectEndpoints.read, { params: { projectId: other } })).body
  const damaged = Buffer.from(zip)
  const at = damaged.indexOf(teal.subarray(40, 80))
  damaged[at] = (damaged[at] ?? 0) ^ 1
  const slip = new ZipFile()
  slip.addBuffer(Buffer.from('x'), 'a')
  slip.end()
  for (const [content, error, reason] of [
    [damaged, 'was changed', 'entry-changed'],
    [await buffer(slip.outputStream as Readable), '“a” is not a known entry', 'entry-not-known'],
  ] as const) {
    const task = await imported(content, other)
    expect(task).toMatchObject({
      isRejected: true,
      error: expect.stringContaining(error),
      errorMessage: { code: 'not-an-export', values: { reason, path: expect.any(String) } },
    })
  }
  expect((await owner.call(projectEndpoints.read, { params: { projectId: other } })).body).toEqual(before)
  expect(await mediaOf(other)).toEqual([])
  expect(await staying(other)).toEqual([])

  const asked = { name: 'a.zip', contentType: 'application/zip', content: zip }
  const file = await upload(server, owner, { ...asked, project: projectId })
  const params = { projectId: other }
  expect(await owner.call(importProject, { params, body: { file } })).toFailWith('UPLOAD_INCOMPLETE')
  expect(await viewer.call(importProject, { params, body: { file } })).toFailWith('FORBIDDEN')
  expect(await orgOwner.call(importProject, { params, body: { file } })).toFailWith('NOT_FOUND')
})

test('DEC-27 RULE-76 an unstorable text is refused before the import, and an overlong one is cut at a whole character', async () => {
  await addMedium(teal, 'stand.png', 'image/png')
  const { zip } = await exported()
  const other = (await given.project(owner, { label: 'Untouched' })).projectId
  const before = (await owner.call(projectEndpoints.read, { params: { projectId: other } })).body
  const withMeta = (customer: string) =>
    withProject(zip, (project) => ({ ...project, meta: { ...project.meta, customer } }))
  const grant = { email: 'a\0@example.org', firstname: '', lastname: '', productRole: null }
  for (const [place, content] of [
    ['meta.customer', await withMeta('x\ud800')],
    ['label', await withProject(zip, (project) => ({ ...project, label: 'x\0y' }))],
    ['grants[0].email', await withProject(zip, (project) => ({ ...project, grants: [grant] }))],
  ] as const) {
    const task = await imported(content, other, root)
    expect(task).toMatchObject({
      isRejected: true,
      error: expect.stringContaining(`“project.json” is invalid: ${place}: `),
    })
  }
  expect((await owner.call(projectEndpoints.read, { params: { projectId: other } })).body).toEqual(before)
  expect(await mediaOf(other)).toEqual([])

  const task = await imported(await withMeta(`${'x'.repeat(199)}😀😀`), other)
  expect([task.error, task.isRejected]).toEqual([null, false])
  const { body: project } = await owner.call(projectEndpoints.read, { params: { projectId: other } })
  expect(project.meta.customer).toBe(`${'x'.repeat(199)}😀`)
})

test('DEC-25 an aborted import or export leaves no files or records', async () => {
  const large = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: 'teal' } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  await addMedium(large, 'large.png', 'image/png')
  const { zip } = await exported(owner, ['audit', 'tasks'])
  const other = (await given.project(owner, { products })).projectId
  const file = await upload(server, owner, {
    name: 'a.zip',
    contentType: 'application/zip',
    content: zip,
    project: other,
  })
  const { body: started } = await owner.call(importProject, { params: { projectId: other }, body: { file } })
  const task = { taskId: started._id, projectId: other }
  await owner.call(taskEndpoints.abort, { params: task })
  expect((await taskEnd(owner, started)).isAborted).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await staying(other)).toEqual([])
  expect(await mediaOf(other)).toEqual([])

  const results = () =>
    db
      .selectFrom('file')
      .select('id')
      .where('name', 'like', '%.zip')
      .where('project_id', '=', projectId)
      .where('released_at', 'is', null)
      .execute()
  const before = (await results()).length
  const { body: exporting } = await owner.call(exportProject, { params: { projectId }, body: {} })
  await owner.call(taskEndpoints.abort, { params: { projectId, taskId: exporting._id } })
  expect((await taskEnd(owner, exporting)).isAborted).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await results()).length).toBe(before)
})

test('RULE-80 an import whose COMMIT answers too late keeps its originals', async () => {
  await addMedium(sound, 'jingle.mp3', 'audio/mpeg')
  const { zip } = await exported()
  const other = (await given.project(owner, { products })).projectId
  // The COMMIT succeeds while the server's next statement waits for the same rows.
  const end = await lateCommits(db, 'insert on media')
  await imported(zip, other)
  await end()
  const [jingle] = await mediaOf(other)
  const original = await fetch(server.url + (jingle?.source.formats[0]?.url ?? ''))
  expect(original.status).toBe(200)
  expect(Buffer.from(await original.arrayBuffer())).toEqual(sound)
})

test('RULE-80 an import by root whose COMMIT of a grant answers too late adds each grant and its record once', async () => {
  const { zip } = await exported(owner, ['media', 'audit', 'tasks'])
  const other = (await given.project(owner)).projectId
  const end = await lateCommits(db, 'insert on project_grant', "new.product_role = 'project/viewer'")
  const task = await imported(zip, other, root)
  await end()
  expect([task.error, task.isRejected]).toEqual([null, false])
  const { body: project } = await owner.call(projectEndpoints.read, { params: { projectId: other } })
  expect(project.grants.map(({ user, productRole }) => [user, productRole]).toSorted()).toEqual([
    [viewer.personId, 'media-library/viewer'],
    [viewer.personId, 'project/viewer'],
  ])
  const added = await db
    .selectFrom('audit')
    .select('id')
    .where('project_id', '=', other)
    .where('event', '=', 'grant.added')
    .execute()
  expect(added).toHaveLength(2)
})

test('RULE-78 RULE-80 an import whose record answers too late is recorded once', async () => {
  const { zip } = await exported(owner, ['media', 'audit', 'tasks'])
  const other = (await given.project(owner)).projectId
  const end = await lateCommits(db, 'insert on audit', "new.event = 'project.imported'")
  const task = await imported(zip, other)
  await end()
  expect([task.error, task.isRejected]).toEqual([null, false])
  const recorded = await db
    .selectFrom('audit')
    .select('event')
    .where('project_id', '=', other)
    .where('event', '=', 'project.imported')
    .execute()
  expect(recorded).toHaveLength(1)
})

test('RULE-80 an export holds no snapshot open while the store is slow', async () => {
  // Several batches of rows, more than the streams to the store buffer.
  await sql`
    insert into audit (id, event, result, project_id, detail)
    select gen_random_uuid(), 'project.updated', 'success', ${projectId}::uuid,
      jsonb_build_object('text', string_agg(gen_random_uuid()::text, ''))
    from generate_series(1, 6000) row, generate_series(1, 10) part group by row`.execute(db)
  const { files } = server.app
  const { keep } = files
  const open = vi.fn<() => Promise<number>>(async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and xact_start is not null
        and pid <> pg_backend_pid()`.execute(db)
    return rows.length
  })
  const slow = vi.spyOn(files, 'keep').mockImplementation(async (file, content, signal) => {
    await once(content, 'readable')
    await expect.poll(open).toBe(0)
    return keep(file, content, signal)
  })
  const { zip } = await exported().finally(() => slow.mockRestore())
  expect(open).toHaveBeenCalled()
  expect((await entriesOf(zip)).get('audit.jsonl')?.length).toBeGreaterThan(700_000)
})

test('DEC-27 an export reports missing media', async () => {
  const { _id: mediumId } = await addMedium(sound, 'jingle.mp3', 'audio/mpeg')
  const { filename } = await db
    .selectFrom('file')
    .select('filename')
    .where('project_id', '=', projectId)
    .where('name', '=', 'jingle.mp3')
    .executeTakeFirstOrThrow()
  await rm(join(server.dataFolder, 'files/kept', filename.slice(0, 2), filename))
  const warning = 'Incomplete: 1 file is missing, see the log'
  const { task, zip } = await exported(owner, undefined, warning)
  expect(task.state.info).toBe('Exported 5 files')
  expect([task.state.message, task.errorMessage]).toEqual([
    { code: 'files-exported', values: { count: 5 } },
    { code: 'export-incomplete', values: { missing: 1 } },
  ])
  expect(await logOf(task)).toEqual([`media/${mediumId} is missing: the file was not found`])
  const manifest = JSON.parse((await entriesOf(zip)).get('manifest.json')?.toString('utf8') ?? '')
  expect(manifest).toMatchObject({ missing: [`media/${mediumId}`] })
})

test('RULE-78 an export and an import are audited with their user', async () => {
  await owner.call(noteEndpoints.create, { params: { projectId }, body: { label: 'A' } })
  const { task, zip } = await exported(owner, ['media'])
  await imported(zip, projectId)
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'detail'])
    .where('project_id', '=', projectId)
    .where('event', 'in', ['project.exported', 'project.imported'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { event: 'project.exported', actor_id: owner.personId, detail: { task: task._id, without: ['media'] } },
    {
      event: 'project.imported',
      actor_id: owner.personId,
      detail: { from: 'Messe 2026', media: 0, grants: 0 },
    },
  ])
})
