import {
  type DeckAction,
  type DeckKey,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  mediaEndpoints,
  streamDeckEndpoints,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
} from '@pult/contract'
import { extensionFolder, failedWrites, type GivenPerson, testServer, upload } from '@pult/testkit'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createLog } from '#platform/log.ts'
import { connectAgent, someReport } from '../../edges/testing/virtual-agent.ts'
import { createPressKey } from './press-key.ts'

const app = (id: string, more: object = {}) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku: 'hall',
  ...more,
})
const hall = {
  manifest: {
    id: 'hall',
    products: [{ sku: 'hall', label: 'Hall', roles: [{ id: 'builder', label: 'B', roles: ['build'] }] }],
    apps: [app('build', { role: 'build' }), app('people', { productSku: 'root' })],
    tasks: [
      { kind: 'build', label: 'Build' },
      { kind: 'builder', label: 'Builder' },
    ],
  },
}
const server = await testServer({ extensionsFolder: await extensionFolder({ hall }) })
const { given, db } = server
const { read, update, press } = streamDeckEndpoints

const change = (person: GivenPerson, body: object) => person.call(update, { body })
const settingsOf = async (person: GivenPerson) => (await person.call(read)).body
const key = (slot: number, at: number, action: DeckAction | null, more: Partial<DeckKey> = {}): DeckKey => ({
  slot,
  key: at,
  label: '',
  icon: null,
  action,
  ...more,
})
const home: DeckAction = { type: 'url', url: '/' }

test('DECK-01 brightness ranges from 0 to 1 in steps of 0.02 and is returned as sent', async () => {
  const ada = await given.person()
  // As sent by a slider that adds up its steps: 0.02 * 3 is slightly more than 0.06.
  expect((await change(ada, { brightness: 0.02 * 3 })).body.brightness).toBe(0.06)
  expect((await change(ada, { brightness: 0.02 * 35 })).body.brightness).toBe(0.7)
  for (let step = 50; step >= 0; step -= 1) {
    const brightness = step / 50
    expect((await change(ada, { brightness })).body.brightness).toBe(brightness)
  }
  for (const brightness of [-0.02, 1.02, 0.01, 0.99, 0.025, '0.5', null, 100]) {
    expect([brightness, (await change(ada, { brightness })).code]).toEqual([brightness, 'VALIDATION_FAILED'])
  }
  expect(await settingsOf(ada)).toMatchObject({ brightness: 0, revision: 53 })
})

test('DECK-02 a deck shows a text of up to 200 characters on several lines', async () => {
  const ada = await given.person()
  const text = `Halle 7\n${'ü'.repeat(192)}`
  expect((await change(ada, { wallpaperText: text })).body.wallpaperText).toBe(text)
  for (const wallpaperText of [`${text}x`, 'a\u0000b', 'a\u0007', null, 7]) {
    expect(await change(ada, { wallpaperText })).toFailWith('VALIDATION_FAILED')
  }
  expect((await change(ada, { wallpaperText: '' })).body.wallpaperText).toBe('')
})

/** Uploads a file and returns its name. */
const uploaded = (by: GivenPerson, content: Buffer, contentType: string, project?: string) =>
  upload(server, by, { name: 'stand.png', contentType, content, ...(project !== undefined && { project }) })

const picture = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

test('DECK-02 a user’s own picture becomes the wallpaper and is served by its link until it is replaced', async () => {
  const ada = await given.person()
  const bob = await given.person()
  const [teal, navy] = [await picture('teal'), await picture('navy')]
  const filename = await uploaded(ada, teal, 'image/png')
  const use = (person: GivenPerson, name: string) =>
    change(person, { wallpaper: { type: 'file', filename: name } })

  expect(await use(bob, filename)).toFailWith('UPLOAD_INCOMPLETE')
  const { body } = await use(ada, filename)
  expect(body).toMatchObject({ wallpaper: { type: 'file', name: 'stand.png' }, revision: 1 })
  const shown = await fetch(server.url + (body.wallpaperSrc ?? ''))
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
  expect(Buffer.from(await shown.arrayBuffer()).equals(teal)).toBe(true)

  // A file in use cannot be claimed again, and a text is not a picture.
  expect(await use(ada, filename)).toFailWith('UPLOAD_INCOMPLETE')
  expect(await use(ada, await uploaded(ada, Buffer.from('a text'), 'text/plain'))).toFailWith('NOT_MEDIA')
  expect((await settingsOf(ada)).revision).toBe(1)

  const next = await use(ada, await uploaded(ada, navy, 'image/png'))
  expect(next.body.wallpaperSrc).not.toBe(body.wallpaperSrc)
  expect((await fetch(server.url + (body.wallpaperSrc ?? ''))).status).toBe(404)
  const none = await change(ada, { wallpaper: null })
  expect(none.body).toMatchObject({ wallpaper: null, wallpaperSrc: null })
  expect((await fetch(server.url + (next.body.wallpaperSrc ?? ''))).status).toBe(404)
})

test('DECK-02 a bitmap of Windows becomes the wallpaper', async () => {
  const ada = await given.person()
  const bitmap = Buffer.alloc(58)
  bitmap.write('BM')
  for (const [at, value] of Object.entries({ 10: 54, 14: 40, 18: 1, 22: 1, 26: 0x18_0001 }))
    bitmap.writeUInt32LE(value, Number(at))
  const filename = await uploaded(ada, bitmap, 'image/x-ms-bmp')
  const { body } = await change(ada, { wallpaper: { type: 'file', filename } })
  const shown = await fetch(server.url + (body.wallpaperSrc ?? ''))
  expect(shown.headers.get('content-type')).toBe('image/bmp')
  expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
})

test('RULE-80 concurrent changes with a stale revision or none wait for each other and block no other user', async () => {
  const ada = await given.person()
  const bob = await given.person()
  const filename = await uploaded(ada, await picture('teal'), 'image/png')
  expect(await change(ada, { wallpaper: { type: 'file', filename } })).toSucceed()
  // More calls than the pool has connections.
  const answers = await Promise.all([
    ...Array.from({ length: 15 }, (_, step) => change(ada, { brightness: step / 50 })),
    ...Array.from({ length: 15 }, () => ada.call(update, { body: {}, headers: { 'if-match': '"999"' } })),
    settingsOf(bob),
  ])
  const codes = answers.slice(0, 30).map((answer) => ('code' in answer ? answer.code : undefined))
  expect(codes).toEqual([...Array(15).fill(undefined), ...Array(15).fill('REVISION_CONFLICT')])
})

test('DECK-02 a picture of a project’s media is the wallpaper while the user may see it', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const { projectId } = await given.project(owner, { grants: [{ person: viewer, productRole: null }] })
  const params = { projectId }
  const file = await uploaded(owner, await picture('teal'), 'image/png', projectId)
  const { body: medium } = await owner.call(mediaEndpoints.create, { params, body: { file } })
  const wallpaper = { type: 'medium', medium: medium._id, project: projectId }

  const { body } = await change(owner, { wallpaper })
  expect(body.wallpaper).toEqual(wallpaper)
  expect((await fetch(server.url + (body.wallpaperSrc ?? ''))).status).toBe(200)
  expect(await change(viewer, { wallpaper })).toFailWith('FORBIDDEN')
  expect(await change(await given.person(), { wallpaper })).toFailWith('NOT_FOUND')
  expect(await change(owner, { wallpaper: { ...wallpaper, medium: projectId } })).toFailWith('NOT_FOUND')

  await db.updateTable('project').set({ owner_id: viewer.personId }).where('id', '=', projectId).execute()
  expect(await settingsOf(owner)).toMatchObject({ wallpaper, wallpaperSrc: null })
})

test('DECK-03 DEC-33 a slot has several serials, and a serial has one slot', async () => {
  const ada = await given.person()
  const mapping = { 0: ['AL01', 'AL02'], 15: ['CL-1'] }
  expect((await change(ada, { mapping: { ...mapping, 3: [] } })).body.mapping).toEqual(mapping)
  for (const twice of [{ 0: ['AL01'], 1: ['AL01'] }, { 0: ['AL01', 'AL01'] }]) {
    expect(await change(ada, { mapping: twice })).toFailWith('DECK_IN_TWO_SLOTS')
  }
  const many = Array.from({ length: 17 }, (_, n) => `AL${n}`)
  for (const wrong of [
    { 16: ['A'] },
    { '-1': ['A'] },
    { '01': ['A'] },
    { a: ['A'] },
    { 0: [''] },
    { 0: ['a b'] },
    { 0: many },
    { 0: 'A' },
  ]) {
    expect([wrong, (await change(ada, { mapping: wrong })).code]).toEqual([wrong, 'VALIDATION_FAILED'])
  }
  expect((await settingsOf(ada)).mapping).toEqual(mapping)
  // A new mapping moves it.
  expect((await change(ada, { mapping: { 1: ['AL01'], 0: ['AL02'] } })).body.mapping).toEqual({
    0: ['AL02'],
    1: ['AL01'],
  })
})

test('DEC-33 keys are changed individually, and an empty key is removed', async () => {
  const ada = await given.person()
  await change(ada, { keys: [key(1, 4, home, { label: ' Home ', icon: 'house' })] })
  await Promise.all([
    change(ada, { keys: [key(0, 12, null, { label: 'Hall' })] }),
    change(ada, { keys: [key(0, 2, home)] }),
    change(ada, { brightness: 0.5 }),
  ])
  expect(await settingsOf(ada)).toMatchObject({
    brightness: 0.5,
    keys: [
      key(0, 2, home),
      key(0, 12, null, { label: 'Hall' }),
      key(1, 4, home, { label: 'Home', icon: 'house' }),
    ],
  })
  expect((await change(ada, { keys: [key(0, 2, null), key(1, 4, null)] })).body.keys).toEqual([
    key(0, 12, null, { label: 'Hall' }),
  ])
})

test.each([
  ['an address elsewhere', key(0, 0, { type: 'url', url: 'https://example.org' })],
  ['an address elsewhere without its scheme', key(0, 0, { type: 'url', url: '//example.org' })],
  ['the same with a backslash', key(0, 0, { type: 'url', url: '/\\example.org' })],
  ['a script', key(0, 0, { type: 'url', url: 'javascript:alert(1)' })],
  ['a line end in an address', key(0, 0, { type: 'url', url: '/a\nb' })],
  ['a key outside every deck', key(0, 64, home)],
  ['an unknown slot', key(16, 0, home)],
  ['a fractional key', key(0, 1.5, home)],
  ['an unknown icon', key(0, 0, home, { icon: 'skull' as 'star' })],
  ['a label over the limit', key(0, 0, home, { label: 'x'.repeat(41) })],
  ['an unknown action', key(0, 0, { type: 'exec', command: 'rm' } as never)],
  ['an action with an undeclared field', key(0, 0, { ...home, as: 'root' } as never)],
])('RULE-54 a key with %s is rejected', async (_, wrong) => {
  const ada = await given.person()
  expect(await change(ada, { keys: [wrong] })).toFailWith('VALIDATION_FAILED')
})

test('RULE-54 undeclared settings are rejected', async () => {
  const ada = await given.person()
  for (const body of [{ wallpaperSrc: 'https://example.org/a.png' }, { revision: 3 }, { _id: ada.personId }])
    expect(await change(ada, body)).toFailWith('VALIDATION_FAILED')
})

test('DEC-41 a change of a stale revision is refused with the current settings', async () => {
  const ada = await given.person()
  const from = (revision: number, brightness: number) =>
    ada.call(update, { body: { brightness }, headers: { 'if-match': `"${revision}"` } })
  expect((await from(0, 0.5)).body.revision).toBe(1)
  const stale = await from(0, 0.2)
  expect(stale).toFailWith('REVISION_CONFLICT')
  expect(stale.body).toMatchObject({ detail: { current: { brightness: 0.5, keys: [], revision: 1 } } })
})

const pressedRows = (person: GivenPerson) =>
  db
    .selectFrom('audit')
    .select(['result', 'project_id', 'detail', 'address'])
    .where('event', '=', 'deck-key.pressed')
    .where('actor_id', '=', person.personId)
    .orderBy('id')
    .execute()

test('DEC-33 RULE-78 a key opens only targets that its user may open, and each press is audited', async () => {
  const owner = await given.person()
  const builder = await given.person()
  const viewer = await given.person()
  const stranger = await given.person()
  const { projectId } = await given.project(owner, {
    products: ['hall'],
    grants: [
      { person: builder, productRole: 'hall/builder' },
      { person: viewer, productRole: null },
    ],
  })
  const action: DeckAction = { type: 'app', app: 'build', project: projectId }
  const outcomes = []
  for (const person of [owner, builder, viewer, stranger]) {
    await change(person, { keys: [key(2, 7, action)] })
    const answer = await person.call(press, { body: { slot: 2, key: 7 } })
    outcomes.push(answer.code ?? answer.body)
  }
  const opened = { open: '/app/build', project: projectId, task: null }
  expect(outcomes).toEqual([opened, opened, 'FORBIDDEN', 'NOT_FOUND'])

  const detail = { slot: 2, key: 7, action }
  expect(await pressedRows(builder)).toMatchObject([{ result: 'success', project_id: projectId, detail }])
  expect(await pressedRows(viewer)).toMatchObject([
    { result: 'failure', project_id: projectId, detail: { ...detail, code: 'FORBIDDEN' } },
  ])

  // A lost grant applies to keys as well.
  await db.deleteFrom('project_grant').where('person_id', '=', builder.personId).execute()
  expect(await builder.call(press, { body: { slot: 2, key: 7 } })).toFailWith('NOT_FOUND')
})

test('DEC-33 DEC-26 a key aborts the newest task of its kind if the user may end it', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const stranger = await given.person()
  const { projectId } = await given.project(owner, {
    products: ['hall'],
    grants: [{ person: viewer, productRole: null }],
  })
  const params = { projectId }
  const abort: DeckAction = { type: 'task', verb: 'abort', task: 'hall/build', project: projectId }
  const people = [owner, viewer, stranger]
  for (const person of people)
    await change(person, {
      keys: [
        key(0, 0, abort),
        key(0, 1, { ...abort, verb: 'show' }),
        key(0, 2, { ...abort, verb: 'start', task: 'no-such-kind' }),
      ],
    })
  const presses = async (at: number) => {
    const codes = []
    for (const person of people) {
      const { code, body } = await person.call(press, { body: { slot: 0, key: at } })
      codes.push(code ?? body)
    }
    return codes
  }

  const { body: made } = await owner.call(taskTokenEndpoints.create, {
    params,
    body: { label: 'Builder', types: ['hall/*'] },
  })
  server.watchSecret(made.token)
  const create = async (type: string) => {
    const body = { type, title: 'Stand 7' }
    const answer = await server.call(taskDriverEndpoints.create, { params, body }, made.token)
    expect(answer).toSucceed()
    return answer.body.task._id
  }
  const older = await create('hall/build')
  const newer = await create('hall/build')
  await create('hall/builder')

  // The owner aborts the newest task, but the viewer may not abort it.
  expect(await presses(0)).toEqual([
    { open: null, project: projectId, task: newer },
    'FORBIDDEN',
    'NOT_FOUND',
  ])
  const stateOf = async (taskId: string) =>
    (await owner.call(taskEndpoints.read, { params: { projectId, taskId } })).body.isAborted
  expect([await stateOf(newer), await stateOf(older)]).toEqual([true, false])
  expect((await owner.call(press, { body: { slot: 0, key: 0 } })).body.task).toBe(older)
  expect(await presses(0)).toEqual(['NOTHING_TO_ABORT', 'NOTHING_TO_ABORT', 'NOT_FOUND'])

  const shown = { open: '/tasks', project: projectId, task: null }
  expect(await presses(1)).toEqual([shown, shown, 'NOT_FOUND'])
  expect(await presses(2)).toEqual(['UNKNOWN_TASK_TYPE', 'UNKNOWN_TASK_TYPE', 'NOT_FOUND'])
})

test('DEC-33 TASK-01 a key starts an export like its button, for users who may export', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const { projectId } = await given.project(owner, { grants: [{ person: viewer, productRole: null }] })
  const start: DeckAction = { type: 'task', verb: 'start', task: 'project-export', project: projectId }
  for (const person of [owner, viewer]) await change(person, { keys: [key(0, 0, start)] })
  expect(await viewer.call(press, { body: { slot: 0, key: 0 } })).toFailWith('FORBIDDEN')
  const { body } = await owner.call(press, { body: { slot: 0, key: 0 } })
  const { body: task } = await owner.call(taskEndpoints.read, {
    params: { projectId, taskId: body.task ?? '' },
  })
  expect(task).toMatchObject({ type: 'project-export', createdBy: { _id: owner.personId } })
  const exported = db.selectFrom('audit').select('actor_id').where('event', '=', 'project.exported')
  expect(await exported.where('project_id', '=', projectId).execute()).toEqual([{ actor_id: owner.personId }])
})

test('RULE-78 RULE-80 a press that cannot be recorded is answered immediately, and recorded when the database answers', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner)
  const start: DeckAction = { type: 'task', verb: 'start', task: 'project-export', project: projectId }
  await change(owner, { keys: [key(0, 0, start), key(0, 1, { ...start, task: 'no-such-kind' })] })
  const end = await failedWrites(db, 'insert on audit', { when: "new.event = 'deck-key.pressed'" })
  const pressed = await owner.call(press, { body: { slot: 0, key: 0 } })
  const refused = await owner.call(press, { body: { slot: 0, key: 1 } })
  expect(await pressedRows(owner)).toEqual([])
  await end()
  expect(pressed).toSucceed()
  expect(refused).toFailWith('UNKNOWN_TASK_TYPE')
  const { items } = (await owner.call(taskEndpoints.list, { params: { projectId } })).body
  expect(items).toMatchObject([{ _id: pressed.body.task }])
  await expect
    .poll(async () => (await pressedRows(owner)).map(({ result }) => result))
    .toEqual(['success', 'failure'])
})

test('RULE-80 a press that fails because of a database timeout does not also wait for its record', async () => {
  const ada = await given.person()
  const rights = { isRoot: false, scope: [], isRecent: false, otpEnabled: false }
  const names = { firstname: 'Ada', lastname: '', email: ada.email }
  const pressKey = createPressKey({
    act: () => Promise.reject(new AppError('DATABASE_UNAVAILABLE')),
    audit: { recordDone: () => new Promise(() => {}) },
    log: createLog('silent'),
  })
  const caller = { personId: ada.personId, sessionId: '', ...names, ...rights }
  await expect(pressKey({ caller, slot: 0, key: 0, address: '::1' }, home)).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  })
})

test('DEC-33 EDGE-01 a key opens an edge for users who may see it', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const { projectId } = await given.project(owner, { grants: [{ person: viewer, productRole: null }] })
  const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 7' } })
  server.watchSecret(body.code)
  const edge = body.edge._id
  const gone = '018f0000-0000-7000-8000-000000000000'
  for (const person of [owner, viewer])
    await change(person, {
      keys: [
        key(0, 0, { type: 'edge', edge, project: projectId }),
        key(0, 1, { type: 'edge', edge: gone, project: projectId }),
      ],
    })
  const pressBy = async (person: GivenPerson, at: number) => {
    const { code, body: pressed } = await person.call(press, { body: { slot: 0, key: at } })
    return code ?? pressed.open
  }
  expect([await pressBy(owner, 0), await pressBy(owner, 1), await pressBy(viewer, 0)]).toEqual([
    `/app/edges/edit/${edge}`,
    'NOT_FOUND',
    'FORBIDDEN',
  ])
})

test('DEC-33 EDGE-01 a key restarts the selected edge instance of its project, for users who may manage the edge', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const other = await given.person()
  const { projectId } = await given.project(owner, { products: ['edges'] })
  const { projectId: tour } = await given.project(other, {
    grants: [viewer, owner].map((person) => ({ person, productRole: null })),
  })
  const place = { projectId }
  const { body } = await owner.call(edgeEndpoints.enrol, { params: place, body: { label: 'Hall 7' } })
  server.watchSecret(body.code)
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
  server.watchSecret(redeemed.body.token)
  const agent = await connectAgent(server.url, { token: redeemed.body.token })
  onTestFinished(() => agent.ws.close())
  const player = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const
  agent.report(someReport({ instances: [player] }))
  const edgeId = body.edge._id
  const params = { ...place, edgeId }
  const instances = async () => (await owner.call(edgeEndpoints.read, { params })).body.instances
  await expect.poll(async () => (await instances()).length).toBe(1)
  const edge = (await instances())[0]?._id ?? ''
  await db.updateTable('edge_instance').set({ project_id: tour }).where('id', '=', edge).execute()
  const pressBy = async (person: GivenPerson, project: string) => {
    await change(person, { keys: [key(0, 0, { type: 'instance', edge, edgeId, project })] })
    return person.call(press, { body: { slot: 0, key: 0 } })
  }
  expect(await pressBy(viewer, tour)).toFailWith('NOT_FOUND')
  expect(await pressBy(owner, projectId)).toFailWith('NOT_FOUND')
  const pressed = await pressBy(owner, tour)
  expect(pressed.body).toMatchObject({ open: null, project: projectId })
  const { items } = (await owner.call(taskEndpoints.list, { params: place })).body
  expect(items).toMatchObject([{ _id: pressed.body.task, type: 'edge-restart', title: 'Player (Hall 7)' }])
})

test('DEC-33 ROLE-02 a key for a root app works only for root, and a key for a page works for every user', async () => {
  const [ada, root] = [await given.person(), await given.person({ isRoot: true })]
  for (const person of [ada, root])
    await change(person, {
      keys: [key(0, 0, { type: 'app', app: 'people', project: null }), key(0, 1, home)],
    })
  const pressBy = async (person: GivenPerson, at: number) => {
    const { code, body } = await person.call(press, { body: { slot: 0, key: at } })
    return code ?? body.open
  }
  expect([await pressBy(ada, 0), await pressBy(root, 0), await pressBy(ada, 1)]).toEqual([
    'FORBIDDEN',
    '/app/people',
    '/',
  ])
  expect(await pressBy(ada, 2)).toBe('KEY_WITHOUT_ACTION')
  // A key of another user's deck does not exist for the caller.
  expect(await (await given.person()).call(press, { body: { slot: 0, key: 1 } })).toFailWith(
    'KEY_WITHOUT_ACTION',
  )
})

test('RULE-50 calls without a session are rejected', async () => {
  expect(await server.call(read)).toFailWith('UNAUTHENTICATED')
  expect(await server.call(update, { body: {} })).toFailWith('UNAUTHENTICATED')
  expect(await server.call(press, { body: { slot: 0, key: 0 } })).toFailWith('UNAUTHENTICATED')
})
