import { limits, type MediaItem, mediaEndpoints, projectEndpoints, taskEndpoints } from '@pult/contract'
import { type GivenPerson, lateCommits, taskEnd, testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { recordLimits } from '#platform/database/record-quota.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { animatedPng, pngChunk } from './testing/animated-png.ts'

const server = await testServer({ hasCallLimits: true })
const second = await testServer({ besides: server, hasCallLimits: true })
const { given, db } = server

const { list, create, read, update, remove, restore, removeAll, exec, tags } = mediaEndpoints

const products = ['project', 'media-library']
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
const blue = await plain(1600, 1200, 'teal').jpeg().toBuffer()
const red = await plain(500, 400, 'tomato').png().toBuffer()
const sound = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(1500),
])

let owner: GivenPerson
let editor: GivenPerson
let viewer: GivenPerson
let stranger: GivenPerson
let root: GivenPerson
let projectId: string
let grantIds: string[]
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  editor = await given.person({ firstname: 'Edda' })
  viewer = await given.person({ firstname: 'Vera' })
  stranger = await given.person()
  root = await given.person({ isRoot: true })
  const made = await given.project(owner, {
    products,
    grants: [
      { person: editor, productRole: 'media-library/editor' },
      { person: viewer, productRole: 'media-library/viewer' },
    ],
  })
  projectId = made.projectId
  grantIds = made.grantIds
})

const picture = (content = blue, name = 'Stand 7.jpg', contentType = 'image/jpeg') => ({
  name,
  contentType,
  content,
  project: projectId,
})

interface Input {
  label?: string
  tags?: string[]
}
async function add(by = editor, file = picture(), body: Input = {}): Promise<MediaItem> {
  const filename = await upload(server, by, file)
  const answer = await by.call(create, { params: { projectId }, body: { file: filename, ...body } })
  expect(answer).toSucceed()
  return answer.body
}

const readOne = async ({ _id }: MediaItem, by = editor) =>
  (await by.call(read, { params: { projectId, itemId: _id } })).body

/** Resolves when the formats are made or have failed. */
async function settled(item: MediaItem): Promise<MediaItem> {
  await expect.poll(async () => (await readOne(item)).state).not.toBe('processing')
  return readOne(item)
}

const filesOf = ({ source }: MediaItem) =>
  source.formats.map(({ url }) => /files\/([0-9a-f-]{36})\//.exec(url)?.[1] ?? '')

const kept = async (ids: string[]) =>
  (await db.selectFrom('file').select('id').where('id', 'in', ids).where('released_at', 'is', null).execute())
    .length

const labelsOf = async (search: string, by = editor) =>
  (await by.call(list, { params: { projectId }, query: { search } })).body.items.map(({ label }) => label)

test('MEDIA-01 DEC-27 an uploaded picture becomes a medium, and a task makes its formats with their dimensions', async () => {
  const item = await add(editor, picture(), { tags: ['stand', 'north', 'stand'] })
  expect(item).toMatchObject({ label: 'Stand 7', tags: ['stand', 'north'], state: 'processing', revision: 1 })
  const [original] = item.source.formats
  expect(original).toMatchObject({ name: 'original', mime: 'image/jpeg', size: blue.length })
  const task = await taskEnd(viewer, { _id: item.task ?? '', project: projectId })
  expect(task).toMatchObject({ type: 'media-transcode', kind: 'info', title: 'Stand 7', isRejected: false })

  const ready = await settled(item)
  expect(ready.source.type).toBe('image')
  expect(ready.source.formats.map(({ name, mime, meta }) => [name, mime, meta.width, meta.height])).toEqual([
    ['original', 'image/jpeg', 1600, 1200],
    ['medium', 'image/jpeg', 1024, 768],
    ['large', 'image/webp', 1600, 1200],
    ['medium', 'image/webp', 1024, 768],
    ['thumb', 'image/webp', 320, 240],
  ])
  for (const { url, mime, size, meta } of ready.source.formats) {
    // Without a session, because an <img> sends none.
    const answer = await fetch(server.url + url)
    const content = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type'), content.length]).toEqual([200, mime, size])
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/)
    expect(await sharp(content).metadata()).toMatchObject(meta)
  }
  // A page that renders again gets the same URLs.
  expect((await readOne(item)).source).toEqual(ready.source)
})

test('DEC-39 media sort by name in pages without gaps, filter by kind, and count each kind', async () => {
  const audio = (label: string) => add(editor, picture(sound, 'jingle.mp3', 'audio/mpeg'), { label })
  await audio('wind')
  await audio('Bells')
  const broken = await add(editor, picture(), { label: 'Quay' })
  await settled(broken)
  await db.updateTable('media').set({ state: 'failed' }).where('id', '=', broken._id).execute()
  await audio('bells')
  const inOrder = async (query: object) => {
    const labels: string[] = []
    let after: string | undefined
    do {
      const answer = await viewer.call(list, {
        params: { projectId },
        query: { limit: '1', ...query, ...(after !== undefined && { after }) },
      })
      expect(answer).toSucceed()
      expect(answer.body.counts).toEqual({ image: 1, video: 0, audio: 3, failed: 1, isCapped: false })
      labels.push(...answer.body.items.map(({ label }) => label))
      after = answer.body.next
    } while (after !== undefined)
    return labels.join(' ')
  }
  expect(await inOrder({})).toBe('bells Quay Bells wind')
  expect(await inOrder({ sort: 'created' })).toBe('wind Bells Quay bells')
  expect(await inOrder({ sort: 'label' })).toBe('Bells bells Quay wind')
  expect(await inOrder({ sort: '-label' })).toBe('wind Quay bells Bells')
  expect(await inOrder({ kind: 'audio', sort: 'label' })).toBe('Bells bells wind')
  expect(await inOrder({ kind: 'failed' })).toBe('Quay')
  for (const query of [{ sort: 'size' }, { kind: 'text' }, { sort: 'label', after: 'x' }])
    expect(await viewer.call(list, { params: { projectId }, query: query as object })).toFailWith(
      'VALIDATION_FAILED',
    )
})

test('MEDIA-01 a sound is a medium without formats, and other files are refused and stay unclaimed', async () => {
  const item = await add(editor, picture(sound, 'jingle.mp3', 'audio/mpeg'))
  expect(item).toMatchObject({
    label: 'jingle',
    state: 'ready',
    task: null,
    source: { type: 'audio', formats: [{ name: 'original', meta: { width: null, height: null } }] },
  })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const [content, contentType] of [
    [Buffer.from('a;b\r\n'), 'text/csv'],
    [svg, 'image/svg+xml'],
  ] as const) {
    const file = await upload(server, editor, picture(content, 'x', contentType))
    const body = { file }
    expect(await editor.call(create, { params: { projectId }, body })).toFailWith('NOT_MEDIA')
    const { claimed_at } = await db
      .selectFrom('file')
      .select('claimed_at')
      .where('filename', '=', file)
      .executeTakeFirstOrThrow()
    expect(claimed_at).toBeNull()
  }
  expect(await labelsOf('')).toEqual(['jingle'])
})

test('MEDIA-01 a damaged picture is shown as far as it can be read, with a note', async () => {
  const item = await add(editor, picture(blue.subarray(0, blue.length * 0.6)))
  expect(item.notes).toEqual([])
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(task).toMatchObject({ isRejected: false, error: null })
  const ready = await settled(item)
  expect(ready).toMatchObject({ state: 'ready', notes: ['damaged'] })
  expect(ready.source.formats).toHaveLength(5)
  // The whole picture has no notes.
  const file = await upload(server, editor, picture())
  await editor.call(update, { params: { projectId, itemId: item._id }, body: { file } })
  expect(await settled(item)).toMatchObject({ state: 'ready', notes: [] })
})

test('MEDIA-01 RULE-68 an unreadable picture is shown as uploaded if it was measured, and otherwise fails and can be retried', async () => {
  const avif = await plain(400, 300, 'teal').avif({ effort: 0 }).toBuffer()
  const item = await add(editor, picture(avif.subarray(0, -20), 'quay.avif', 'image/avif'))
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(task).toMatchObject({
    isRejected: false,
    state: { info: 'The picture could not be converted. It is shown as it was uploaded' },
  })
  const shown = await settled(item)
  expect(shown).toMatchObject({ state: 'ready', notes: ['unconverted'] })
  expect(shown.source.formats).toMatchObject([{ name: 'original', meta: { width: 400, height: 300 } }])

  await sql`update media set formats = jsonb_set(formats, '{0,width}', 'null') where id = ${item._id}`.execute(
    db,
  )
  const params = { projectId, itemId: item._id, command: 'transcode' }
  expect(await viewer.call(exec, { params, body: {} })).toFailWith('FORBIDDEN')
  const again = (await editor.call(exec, { params, body: {} })).body
  expect(again.state).toBe('processing')
  expect(again.task).not.toBe(item.task)
  expect(await taskEnd(editor, { _id: again.task ?? '', project: projectId })).toMatchObject({
    isRejected: true,
    error: 'The picture is broken. It stays as it was uploaded',
  })
  const failed = await settled(item)
  expect(failed).toMatchObject({ state: 'failed', source: { formats: [{ name: 'original' }] } })
  expect(failed.source.formats).toHaveLength(1)
  expect(await kept(filesOf(failed))).toBe(1)
})

test('MEDIA-01 RULE-68 a bitmap or icon is shown as uploaded, also if only the import has stored it', async () => {
  const bitmap = Buffer.alloc(62)
  bitmap.write('BM')
  for (const [at, value] of Object.entries({ 10: 54, 14: 40, 18: 2, 22: -1, 26: 0x18_0001 }))
    bitmap.writeInt32LE(value, Number(at))
  const directory = Buffer.from([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0])
  for (const [content, name, type, size] of [
    [bitmap, 'Quay.bmp', 'image/bmp', { width: 2, height: 1 }],
    [Buffer.concat([directory, red]), 'Quay.ico', 'image/vnd.microsoft.icon', { width: 500, height: 400 }],
    // A system without a type for it.
    [bitmap, 'Quay', 'application/octet-stream', { width: 2, height: 1 }],
  ] as const) {
    const item = await add(editor, picture(content, name, type))
    const ready = await settled(item)
    expect(ready).toMatchObject({ label: 'Quay', state: 'ready', notes: ['unconverted'] })
    expect(ready.source.formats).toMatchObject([{ name: 'original', meta: size }])
    const answer = await fetch(server.url + (ready.source.formats[0]?.url ?? ''))
    expect(answer.headers.get('content-type')).toMatch(/^image\/(?:bmp|x-icon)$/)
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/)

    await sql`update media set formats = jsonb_set(formats, '{0,width}', 'null') where id = ${item._id}`.execute(
      db,
    )
    await editor.call(exec, { params: { projectId, itemId: item._id, command: 'transcode' }, body: {} })
    expect((await settled(item)).source.formats).toMatchObject([{ name: 'original', meta: size }])
  }
})

test('MEDIA-01 an animation moves as a format or as it was uploaded, and a larger one has a note', async () => {
  const frames = await Promise.all(
    ['teal', 'tomato', 'gold'].map((colour) => plain(200, 150, colour).png().toBuffer()),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const large = animatedPng(3, [pngChunk('prVt', Buffer.alloc(4 * 1024 * 1024))])
  const shownAs = async (content: Buffer<ArrayBuffer>, type: string) => {
    const { notes, source } = await settled(
      await add(editor, picture(content, `wave.${type}`, `image/${type}`)),
    )
    return {
      notes,
      moving: source.formats.filter(({ isAnimated }) => isAnimated === true).map(({ mime }) => mime),
    }
  }
  expect(await shownAs(gif, 'gif')).toEqual({ notes: [], moving: ['image/gif', 'image/webp'] })
  expect(await shownAs(animatedPng(3), 'png')).toEqual({ notes: [], moving: ['image/png'] })
  expect(await shownAs(large, 'png')).toEqual({ notes: ['still'], moving: ['image/png'] })
  expect(await shownAs(red, 'png')).toEqual({ notes: [], moving: [] })
})

test('MEDIA-01 the formats of a picture are made again on request, and replace those of an earlier release', async () => {
  const before = await settled(await add())
  await sql`update media set notes = null where id = ${before._id}`.execute(db)
  expect((await readOne(before)).notes).toEqual([])
  const params = { projectId, itemId: before._id, command: 'transcode' }
  const processing = (await editor.call(exec, { params, body: {} })).body
  expect(processing).toMatchObject({ state: 'processing', source: before.source })
  const after = await settled(before)
  expect(after.state).toBe('ready')
  expect(await kept(filesOf(before))).toBe(1)
  expect(await kept(filesOf(after))).toBe(5)
})

test('DEC-25 a picture whose task was aborted is failed and no longer processing', async () => {
  const item = await add()
  await editor.call(taskEndpoints.abort, { params: { projectId, taskId: item.task ?? '' } })
  const { state } = await settled(item)
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(state).toBe(task.isAborted ? 'failed' : 'ready')
  await editor.call(exec, { params: { projectId, itemId: item._id, command: 'transcode' }, body: {} })
  expect((await settled(item)).state).toBe('ready')
})

test('MEDIA-01 a new file replaces the previous one, whose files are released like those of a deleted medium', async () => {
  const first = await settled(await add())
  const file = await upload(server, editor, picture(red, 'other.png', 'image/png'))
  const params = { projectId, itemId: first._id }
  const replaced = (await editor.call(update, { params, body: { file } })).body
  expect(replaced).toMatchObject({ label: 'Stand 7', state: 'processing', source: { type: 'image' } })
  const ready = await settled(replaced)
  // The reply may have been lost: dataflow#49.
  const repeated = await editor.call(update, { params, body: { file } })
  expect(repeated.body).toMatchObject({ state: 'ready', source: ready.source })
  expect(ready.source.formats.map(({ name, meta }) => [name, meta.width])).toEqual([
    ['original', 500],
    ['medium', 500],
    ['medium', 500],
    ['thumb', 320],
  ])
  expect(await kept(filesOf(first))).toBe(0)
  expect(await kept(filesOf(ready))).toBe(4)
  // A file can become only one medium.
  expect(await editor.call(create, { params: { projectId }, body: { file } })).toFailWith('UPLOAD_INCOMPLETE')

  expect(await editor.call(remove, { params })).toSucceed()
  await forgetRemovedMedia()
  expect(await kept(filesOf(ready))).toBe(0)
  const others = [
    await settled(await add()),
    await settled(await add(editor, picture(red, 'r.png', 'image/png'))),
  ]
  expect(await editor.call(removeAll, { params: { projectId } })).toFailWith('FORBIDDEN')
  expect(await root.call(removeAll, { params: { projectId } })).toSucceed()
  expect(await kept(others.flatMap(filesOf))).toBe(0)
})

/** Simulates the end of the time for undo. */
async function forgetRemovedMedia() {
  await db
    .updateTable('removed_record')
    .set({ removed_at: sql<Date>`now() - interval '11 minutes'` })
    .execute()
  await server.app.sweepRemovedMedia()
}

test('DEC-20 editors restore a deleted medium with its files for ten minutes; then the files are deleted', async () => {
  const item = await settled(await add(editor, picture(), { tags: ['hall'] }))
  const params = { projectId, itemId: item._id }
  await editor.call(remove, { params })
  await server.app.sweepRemovedMedia()
  expect(await viewer.call(restore, { params })).toFailWith('FORBIDDEN')
  expect(await stranger.call(restore, { params })).toFailWith('NOT_FOUND')
  const { body } = await editor.call(restore, { params })
  expect(body).toMatchObject({
    label: item.label,
    tags: ['hall'],
    state: 'ready',
    revision: item.revision + 1,
  })
  for (const { url } of body.source.formats) expect((await fetch(server.url + url)).status).toBe(200)

  await editor.call(remove, { params })
  await forgetRemovedMedia()
  expect(await editor.call(restore, { params })).toFailWith('NOT_FOUND')
  expect(await kept(filesOf(item))).toBe(0)
})

test('a project has at most 50,000 media, exactly, also with concurrent calls on two nodes', async () => {
  await sql`
    insert into media (id, project_id, label, type, tags, state, formats)
    select gen_random_uuid(), ${projectId}, 'medium ' || n, 'audio', '{}', 'ready', '[]'
    from generate_series(1, ${recordLimits.mediaMax - 2}::int) n`.execute(db)
  const file = () => picture(sound, 'sea.mp3', 'audio/mpeg')
  const deleted = await add(editor, file())
  await editor.call(remove, { params: { projectId, itemId: deleted._id } })
  const names = await Promise.all(Array.from({ length: 6 }, () => upload(server, editor, file())))
  const answers = await Promise.all(
    names.map((name, index) =>
      (index % 2 === 0 ? server : second).call(
        create,
        { params: { projectId }, body: { file: name } },
        editor.token,
      ),
    ),
  )
  expect(answers.map(({ code }) => code).filter((code) => code === 'PROJECT_FULL')).toHaveLength(4)
  expect(await editor.call(restore, { params: { projectId, itemId: deleted._id } })).toFailWith(
    'PROJECT_FULL',
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) from media where project_id = ${projectId}`.execute(db)
  expect(rows).toEqual([{ count: recordLimits.mediaMax }])
})

test('RULE-52 RULE-70 the links of a medium end with the right of the user who has read it', async () => {
  const item = await settled(await add())
  const ofViewer = await readOne(item, viewer)
  const statusesOf = ({ source }: MediaItem) =>
    Promise.all(source.formats.map(async ({ url }) => (await fetch(server.url + url)).status))
  expect(new Set(await statusesOf(ofViewer))).toEqual(new Set([200]))
  expect(ofViewer.source.formats[0]?.url).not.toBe(item.source.formats[0]?.url)
  await db.deleteFrom('project_grant').where('person_id', '=', viewer.personId).execute()
  expect(new Set(await statusesOf(ofViewer))).toEqual(new Set([404]))
  expect(new Set(await statusesOf(item))).toEqual(new Set([200]))
})

test('MEDIA-01 formats of a file that was replaced concurrently are discarded', async () => {
  const large = await plain(6000, 5000, 'teal').png({ compressionLevel: 1 }).toBuffer()
  const item = await add(editor, picture(large, 'large.png', 'image/png'))
  const task = { _id: item.task ?? '', project: projectId }
  const isStarted = async () =>
    (await editor.call(taskEndpoints.read, { params: { projectId, taskId: task._id } })).body.startedAt !==
    null
  await expect.poll(isStarted).toBe(true)
  const file = await upload(server, editor, picture(red, 'small.png', 'image/png'))
  await editor.call(update, { params: { projectId, itemId: item._id }, body: { file } })
  await taskEnd(editor, task)
  const ready = await settled(item)
  expect(ready.source.formats.map(({ meta }) => meta.width)).toEqual([500, 500, 500, 320])
  const there = await db
    .selectFrom('file')
    .select('id')
    .where('project_id', '=', projectId)
    .where('released_at', 'is', null)
    .execute()
  expect(there.map(({ id }) => id).toSorted()).toEqual(filesOf(ready).toSorted())
  expect(
    await db
      .selectFrom('file')
      .select('id')
      .where('id', 'in', filesOf(ready))
      .where('expires_at', 'is not', null)
      .execute(),
  ).toEqual([])
})

test('RULE-80 a picture whose last COMMIT answers too late keeps its formats', async () => {
  // The COMMIT succeeds while the server's next statement waits for the same rows.
  const end = await lateCommits(db, 'update on media', "new.state = 'ready'")
  const item = await add()
  await expect.poll(async () => (await readOne(item)).state).toBe('ready')
  await end()
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(task).toMatchObject({ isRejected: false, error: null })
  const { source } = await readOne(item)
  expect(source.formats).toHaveLength(5)
  for (const { url } of source.formats) expect((await fetch(server.url + url)).status).toBe(200)
})

test('DEC-14 RULE-51 RULE-52 viewers cannot change media, and a lost role takes effect immediately on every node', async () => {
  const item = await add()
  const params = { projectId, itemId: item._id }
  const statusOf = async (person: GivenPerson) => [
    (await person.call(list, { params: { projectId } })).status,
    (await person.call(tags, { params: { projectId } })).status,
    (await person.call(read, { params })).status,
    (await person.call(update, { params, body: { label: 'B' } })).status,
  ]
  expect(await statusOf(viewer)).toEqual([200, 200, 200, 403])
  expect(await statusOf(editor)).toEqual([200, 200, 200, 200])
  expect(await statusOf(root)).toEqual([200, 200, 200, 200])
  expect(await statusOf(stranger)).toEqual([404, 404, 404, 404])
  // Files and media belong to one project.
  const other = await given.project(editor, { products })
  const file = await upload(server, editor, picture())
  expect(await editor.call(create, { params: other, body: { file } })).toFailWith('UPLOAD_INCOMPLETE')
  expect(await editor.call(read, { params: { ...other, itemId: item._id } })).toFailWith('NOT_FOUND')
  expect(await owner.call(create, { params: { projectId }, body: { file } })).toFailWith('UPLOAD_INCOMPLETE')

  const body = { productRole: 'media-library/viewer' }
  await owner.call(projectEndpoints.changeProductRole, {
    params: { projectId, grantId: grantIds[0] ?? '' },
    body,
  })
  expect((await second.call(update, { params, body: { label: 'C' } }, editor.token)).status).toBe(403)
})

test('DEC-32 RULE-57 TAG-01 media are found by words, label, tag, type and mime, and each tag is counted once per medium', async () => {
  await add(editor, picture(), { label: 'Hall north', tags: ['hall', 'Nord', 'Öl 10'] })
  await add(editor, picture(sound, 'jingle.mp3', 'audio/mpeg'), { tags: ['nordic', '100%', 'Öl 9'] })
  await add(editor, picture(red, 'logo.png', 'image/png'), { tags: ['hall'] })
  for (const [search, found] of [
    ['', ['logo', 'jingle', 'Hall north']],
    ['hall', ['logo', 'Hall north']],
    ['nor', ['jingle', 'Hall north']],
    ['tag:nord', ['jingle', 'Hall north']],
    ['tag:nordic', ['jingle']],
    ['tag:hall tag:nord', ['Hall north']],
    ['tag:ord', []],
    ['tag:100%', ['jingle']],
    ['tag:%', []],
    ['type:image', ['logo', 'Hall north']],
    ['mime:image/png', ['logo']],
    ['label:"hall n"', ['Hall north']],
    ["tag:' or '1'='1", []],
  ] as const) {
    expect([search, await labelsOf(search)]).toEqual([search, found])
  }
  expect((await viewer.call(tags, { params: { projectId } })).body.items).toEqual([
    { tag: 'hall', count: 2 },
    { tag: '100%', count: 1 },
    { tag: 'Nord', count: 1 },
    { tag: 'nordic', count: 1 },
    { tag: 'Öl 9', count: 1 },
    { tag: 'Öl 10', count: 1 },
  ])
})

test('TAG-01 a project with 10,000 tags lists the most used ones with the number of all, and finds each', async () => {
  await sql`
    insert into media (id, project_id, label, type, tags, state, formats)
    select gen_random_uuid(), ${projectId}::uuid, 'Medium ' || n, 'audio',
      array(select 'tag' || (n * 50 + place) from generate_series(0, 48) place) || '{most used}', 'ready', '[]'
    from generate_series(0, 204) n`.execute(db)
  const { items, total } = (await viewer.call(tags, { params: { projectId } })).body
  expect([items.length, total, items[0]]).toEqual([1000, 205 * 49 + 1, { tag: 'most used', count: 205 }])
  expect(await labelsOf('tag:tag10248')).toEqual(['Medium 204'])
  const item = await add(editor, picture())
  const params = { projectId, itemId: item._id }
  for (const [count, code] of [
    [limits.mediaTagsMax + 1, 'VALIDATION_FAILED'],
    [10_000, 'BODY_TOO_LARGE'],
  ] as const) {
    const body = { tags: Array.from({ length: count }, (_, index) => `tag${index}`) }
    expect(await editor.call(update, { params, body })).toFailWith(code)
  }
  expect((await editor.call(read, { params })).body.tags).toEqual([])
})

test('TAG-01 the tags of a medium change, and keep the hidden characters of an earlier release', async () => {
  const item = await add(editor, picture())
  const params = { projectId, itemId: item._id }
  await sql`update media set tags = array['Hall\u200b', 'Quay\u202e'] where id = ${item._id}::uuid`.execute(
    db,
  )
  const change = (changed: string[]) => editor.call(update, { params, body: { tags: changed } })
  expect((await change(['Hall\u200b', 'Quay\u202e', ' Ha\u200bll'])).body.tags).toEqual([
    'Hall\u200b',
    'Quay\u202e',
    'Hall',
  ])
  expect((await change(['Quay\u202e'])).body.tags).toEqual(['Quay\u202e'])
  const refused = await change(['Quay\u202e', 'Gate\u202e'])
  expect(refused).toFailWith('VALIDATION_FAILED')
  expect(refused.body).toMatchObject({ issues: [{ path: ['tags', '1'] }] })
  expect((await change([])).body.tags).toEqual([])
})

test('RULE-61 RULE-78 each change of a medium is published to its readers on every node and audited', async () => {
  const subscribe = async (person: GivenPerson) => {
    const socket = await openTestSocket(second.url, { token: person.token })
    const answer = await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/media` })
    return { socket, answer }
  }
  const subscription = await subscribe(viewer)
  const plainMember = await given.person()
  expect([
    subscription.answer,
    (await subscribe(stranger)).answer,
    (await subscribe(plainMember)).answer,
  ]).toEqual(['subscribed', 'refused', 'refused'])
  const item = await settled(await add())
  await editor.call(update, { params: { projectId, itemId: item._id }, body: { label: 'Other' } })
  await editor.call(remove, { params: { projectId, itemId: item._id } })
  const changes = () =>
    subscription.socket.messages.flatMap((message) => (message.type === 'event' ? [message.data] : []))
  await expect.poll(() => changes().length).toBe(4)
  const upsert = { collection: 'media', op: 'upsert', id: item._id }
  expect(changes()).toEqual([
    { ...upsert, revision: 1 },
    { ...upsert, revision: 2 },
    { ...upsert, revision: 3 },
    { collection: 'media', op: 'remove', id: item._id },
  ])
  subscription.socket.ws.terminate()
  const rows = await db
    .selectFrom('audit')
    .select(['event', 'actor_id', 'target'])
    .where('project_id', '=', projectId)
    .where('event', 'like', 'medium.%')
    .orderBy('id')
    .execute()
  const by = { actor_id: editor.personId, target: item._id }
  expect(rows).toEqual([
    { event: 'medium.created', ...by },
    { event: 'medium.changed', ...by },
    { event: 'medium.removed', ...by },
  ])
})
