import { type MediaItem, mediaEndpoints, projectEndpoints, taskEndpoints } from '@pult/contract'
import { type GivenPerson, taskEnd, testServer, upload } from '@pult/testkit'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, create, read, update, remove, removeAll, exec, tags } = mediaEndpoints

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

/** As it is when its formats are made, or could not be. */
async function settled(item: MediaItem): Promise<MediaItem> {
  await expect.poll(async () => (await readOne(item)).state, { timeout: 15_000 }).not.toBe('processing')
  return readOne(item)
}

const filesOf = ({ source }: MediaItem) =>
  source.formats.map(({ url }) => /files\/([0-9a-f-]{36})\//.exec(url)?.[1] ?? '')

const kept = async (ids: string[]) =>
  (await db.selectFrom('file').select('id').where('id', 'in', ids).where('released_at', 'is', null).execute())
    .length

const labelsOf = async (search: string, by = editor) =>
  (await by.call(list, { params: { projectId }, query: { search } })).body.items.map(({ label }) => label)

test('MEDIA-01 DEC-27 an uploaded picture becomes a medium whose formats a task makes, each with type, url, width and height', async () => {
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
    // Without a session: an <img> has none.
    const answer = await fetch(server.url + url)
    const content = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type'), content.length]).toEqual([200, mime, size])
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/)
    expect(await sharp(content).metadata()).toMatchObject(meta)
  }
  // Drawn again, a page finds the same addresses.
  expect((await readOne(item)).source).toEqual(ready.source)
})

test('MEDIA-01 a sound is a medium without formats of its own, and what is neither is refused and claimed by nobody', async () => {
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

test('MEDIA-01 RULE-68 a broken picture stays with its original, its task says what is wrong, and it can be tried again', async () => {
  // Whole enough to be measured, and broken further down.
  const item = await add(editor, picture(blue.subarray(0, blue.length * 0.6)))
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(task).toMatchObject({
    isRejected: true,
    error: 'The picture is broken. It stays as it was uploaded',
  })
  const failed = await settled(item)
  expect(failed).toMatchObject({ state: 'failed', source: { formats: [{ name: 'original' }] } })
  expect(failed.source.formats).toHaveLength(1)
  expect(await kept(filesOf(failed))).toBe(1)

  const params = { projectId, itemId: item._id, command: 'transcode' }
  const again = (await editor.call(exec, { params, body: {} })).body
  expect(again.state).toBe('processing')
  expect(again.task).not.toBe(item.task)
  expect(await viewer.call(exec, { params, body: {} })).toFailWith('FORBIDDEN')
  expect((await settled(item)).state).toBe('failed')
})

test('DEC-25 a picture whose task was aborted has failed, and is not waited for', async () => {
  const item = await add()
  await editor.call(taskEndpoints.abort, { params: { projectId, taskId: item.task ?? '' } })
  const { state } = await settled(item)
  const task = await taskEnd(editor, { _id: item.task ?? '', project: projectId })
  expect(state).toBe(task.isAborted ? 'failed' : 'ready')
  await editor.call(exec, { params: { projectId, itemId: item._id, command: 'transcode' }, body: {} })
  expect((await settled(item)).state).toBe('ready')
})

test('MEDIA-01 another file takes the place of the one before, whose files are given up, and so are those of what is deleted', async () => {
  const first = await settled(await add())
  const file = await upload(server, editor, picture(red, 'other.png', 'image/png'))
  const params = { projectId, itemId: first._id }
  const replaced = (await editor.call(update, { params, body: { file } })).body
  expect(replaced).toMatchObject({ label: 'Stand 7', state: 'processing', source: { type: 'image' } })
  const ready = await settled(replaced)
  expect(ready.source.formats.map(({ name, meta }) => [name, meta.width])).toEqual([
    ['original', 500],
    ['medium', 500],
    ['medium', 500],
    ['thumb', 320],
  ])
  expect(await kept(filesOf(first))).toBe(0)
  expect(await kept(filesOf(ready))).toBe(4)
  // One file is one medium: it is taken once.
  expect(await editor.call(create, { params: { projectId }, body: { file } })).toFailWith('UPLOAD_INCOMPLETE')

  expect(await editor.call(remove, { params })).toSucceed()
  expect(await kept(filesOf(ready))).toBe(0)
  const others = [
    await settled(await add()),
    await settled(await add(editor, picture(red, 'r.png', 'image/png'))),
  ]
  expect(await editor.call(removeAll, { params: { projectId } })).toFailWith('FORBIDDEN')
  expect(await root.call(removeAll, { params: { projectId } })).toSucceed()
  expect(await kept(others.flatMap(filesOf))).toBe(0)
})

test('MEDIA-01 formats that were made of a file which was replaced meanwhile are not taken on', async () => {
  const large = await plain(6000, 5000, 'teal').png({ compressionLevel: 1 }).toBuffer()
  const item = await add(editor, picture(large, 'large.png', 'image/png'))
  const task = { _id: item.task ?? '', project: projectId }
  const isStarted = async () =>
    (await editor.call(taskEndpoints.read, { params: { projectId, taskId: task._id } })).body.startedAt !==
    null
  await expect.poll(isStarted, { timeout: 10_000 }).toBe(true)
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

test('DEC-14 RULE-51 RULE-52 the media are for the app’s roles: a viewer changes nothing, and a lost role is lost at once on every node', async () => {
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
  // A file of one project is none of another, nor is a medium.
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
  await add(editor, picture(), { label: 'Hall north', tags: ['hall', 'Nord'] })
  await add(editor, picture(sound, 'jingle.mp3', 'audio/mpeg'), { tags: ['nordic', '100%'] })
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
  ])
})

test('RULE-61 RULE-78 those who may see the media hear of each change on every node, and each leaves a row', async () => {
  const subscribe = async (person: GivenPerson) => {
    const socket = await openTestSocket(second.url, { token: person.token })
    const answer = await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/media` })
    return { socket, answer }
  }
  const heard = await subscribe(viewer)
  const plainMember = await given.person()
  expect([heard.answer, (await subscribe(stranger)).answer, (await subscribe(plainMember)).answer]).toEqual([
    'subscribed',
    'refused',
    'refused',
  ])
  const item = await settled(await add())
  await editor.call(update, { params: { projectId, itemId: item._id }, body: { label: 'Other' } })
  await editor.call(remove, { params: { projectId, itemId: item._id } })
  const changes = () =>
    heard.socket.messages.flatMap((message) => (message.type === 'event' ? [message.data] : []))
  await expect.poll(() => changes().length, { timeout: 10_000 }).toBe(4)
  const upsert = { collection: 'media', op: 'upsert', id: item._id }
  expect(changes()).toEqual([
    { ...upsert, revision: 1 },
    { ...upsert, revision: 2 },
    { ...upsert, revision: 3 },
    { collection: 'media', op: 'remove', id: item._id },
  ])
  heard.socket.ws.terminate()
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
