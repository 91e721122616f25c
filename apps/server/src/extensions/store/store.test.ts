import { randomBytes } from 'node:crypto'
import {
  type CollectionChange,
  limits,
  projectEndpoints,
  rootExtensionEndpoints,
  rootGrantEndpoints,
  type ServerMessage,
  storeEndpoints,
} from '@pult/contract'
import { extensionFolder, type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { recordLimits } from '#platform/database/record-quota.ts'
import { openTestSocket } from '#platform/realtime/test-socket.ts'

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
    apps: [app('build', { role: 'build' }), app('lobby'), app('people', { productSku: 'root' })],
  },
}
const server = await testServer({ extensionsFolder: await extensionFolder({ hall }) })
const second = await testServer({ besides: server, extensionsFolder: await extensionFolder({ hall }) })
const { given, db } = server
const owner = await given.person({ firstname: 'Olga' })
const builder = await given.person({ firstname: 'Bob' })
const orgOwner = await given.person()
const stranger = await given.person()
const root = await given.person({ isRoot: true })
const org = await given.organisation(orgOwner, { members: [stranger] })
const { projectId, grantIds } = await given.project(owner, {
  org,
  products: ['hall'],
  grants: [{ person: builder, productRole: 'hall/builder' }],
})
const other = await given.project(owner, { products: ['hall'] })

const place = { projectId, app: 'build' }
const { list, read, write, remove } = storeEndpoints
interface Options {
  by?: GivenPerson
  at?: { projectId: string; app: string }
  revision?: number
}
const ifMatch = (revision: number | undefined) => ({
  ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } }),
})
const put = (key: string, value: unknown, { by = builder, at = place, revision }: Options = {}) =>
  by.call(write, { params: { ...at, key }, body: { value }, ...ifMatch(revision) })
const get = (key: string, { by = builder, at = place }: Options = {}) =>
  by.call(read, { params: { ...at, key } })
const drop = (key: string, { by = builder, at = place, revision }: Options = {}) =>
  by.call(remove, { params: { ...at, key }, body: {}, ...ifMatch(revision) })
const keys = async (prefix?: string, { by = builder, at = place }: Options = {}) =>
  (await by.call(list, { params: at, ...(prefix !== undefined && { query: { prefix } }) })).body.items.map(
    ({ key }) => key,
  )

afterEach(() => db.deleteFrom('app_store').execute())

test('values are any JSON with author and time, separate per app and project', async () => {
  for (const value of [null, false, 0, 'text', [1, [2]], { a: { b: ['ü', '\u{1F511}'] } }]) {
    expect((await put('settings', value)).body.value).toEqual(value)
    expect((await get('settings', { by: owner })).body.value).toEqual(value)
  }
  const { body, headers } = await get('settings')
  expect(body).toMatchObject({
    key: 'settings',
    revision: 6,
    updatedBy: { _id: builder.personId, firstname: 'Bob' },
  })
  expect(headers.get('etag')).toBe('"6"')
  // An equal value is not a change.
  expect((await put('settings', body.value, { by: owner })).body).toMatchObject({ revision: 6 })

  expect(await get('settings', { by: owner, at: { ...place, app: 'lobby' } })).toFailWith('NOT_FOUND')
  expect(await get('settings', { by: owner, at: { ...place, projectId: other.projectId } })).toFailWith(
    'NOT_FOUND',
  )
  expect(await drop('settings')).toSucceed()
  expect(await drop('settings')).toFailWith('NOT_FOUND')
  expect(await get('settings')).toFailWith('NOT_FOUND')
})

test('a prefix matches literally', async () => {
  for (const key of ['a', 'a_b', 'axb', 'a:1', 'A', 'b.a', 'a-b']) await put(key, 1)
  expect(await keys()).toEqual(['A', 'a', 'a-b', 'a:1', 'a_b', 'axb', 'b.a'])
  expect(await keys('a')).toEqual(['a', 'a-b', 'a:1', 'a_b', 'axb'])
  expect(await keys('a_')).toEqual(['a_b'])
  expect(await keys('b.')).toEqual(['b.a'])
  for (const prefix of ['%', '\\', "'", '']) {
    const answer = await builder.call(list, { params: place, query: { prefix } })
    expect([prefix, answer.code]).toEqual([prefix, 'VALIDATION_FAILED'])
  }
})

test('DEC-41 a write to a stale revision is refused, and revision 0 means that no value exists', async () => {
  expect((await put('key', 1, { revision: 0 })).body.revision).toBe(1)
  expect(await put('key', 2, { revision: 0 })).toFailWith('REVISION_CONFLICT')
  expect((await put('key', 2, { revision: 1 })).body.revision).toBe(2)
  const stale = await put('key', 3, { revision: 1, by: owner })
  expect(stale).toFailWith('REVISION_CONFLICT')
  expect(stale.body).toMatchObject({ detail: { current: { value: 2, revision: 2 } } })
  expect(await drop('key', { revision: 1 })).toFailWith('REVISION_CONFLICT')
  expect(await put('gone', 1, { revision: 4 })).toFailWith('NOT_FOUND')
  expect(await drop('key', { revision: 2 })).toSucceed()

  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put('race', n, { revision: 0 })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the number and size of an app’s values in a project are limited', async () => {
  const largest = 'x'.repeat(limits.storeValueBytes - 2)
  expect(await put('large', largest)).toSucceed()
  expect(await put('large', `${largest}x`)).toFailWith('BODY_TOO_LARGE')
  expect(await put('large', 'ü'.repeat(limits.storeValueBytes / 2))).toFailWith('BODY_TOO_LARGE')
  const nothing = await builder.call(write, { params: { ...place, key: 'nothing' }, body: {} })
  expect(nothing).toFailWith('VALIDATION_FAILED')
  for (const key of ['a b', 'ü', '%', 'x'.repeat(101), "a'b"])
    expect([key, (await put(key, 1)).code]).toEqual([key, 'VALIDATION_FAILED'])

  const rows = Array.from({ length: limits.storeKeysMax - 3 }, (_, index) => ({
    project_id: projectId,
    app: 'build',
    key: `k${index}`,
    value: '1',
  }))
  await db.insertInto('app_store').values(rows).execute()
  const more = await Promise.all(Array.from({ length: 4 }, (_, index) => put(`m${index}`, 1)))
  expect(more.map(({ code }) => code).filter((code) => code !== undefined)).toEqual([
    'STORE_FULL',
    'STORE_FULL',
  ])
  expect(await put('large', 'less')).toSucceed()
  expect(await put('elsewhere', 1, { by: owner, at: { ...place, app: 'lobby' } })).toSucceed()
})

test('the values of all apps in a project share a limit that concurrent writes do not exceed', async () => {
  // Digits that PostgreSQL cannot compress.
  await sql`
    insert into app_store (project_id, app, key, value)
    select ${projectId}, 'other ' || n / 1000, 'k' || n, to_jsonb((
      select string_agg(md5(random()::text || m || n), '') from generate_series(1, 1023) m))
    from generate_series(1, ${recordLimits.storeBytesMax / limits.storeValueBytes - 3}::int) n`.execute(db)
  const used = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select sum(pg_column_size(value)) as bytes from app_store where project_id = ${projectId}`.execute(db)
    return rows[0]?.bytes ?? 0
  }
  const before = await used()
  expect(before).toBeGreaterThan(recordLimits.storeBytesMax / 2)
  const large = () => randomBytes(limits.storeValueBytes / 2 - 8).toString('hex')
  const writes = Math.ceil((recordLimits.storeBytesMax - before) / (limits.storeValueBytes - 20)) + 5
  const answers = await inWaves(writes, (index) =>
    put(`large${index}`, large(), { by: owner, at: { ...place, app: index % 2 === 0 ? 'build' : 'lobby' } }),
  )
  expect(answers.map(({ code }) => code)).toContain('STORE_FULL')
  expect(await used()).toBeLessThanOrEqual(recordLimits.storeBytesMax)
  expect(await put('large0', 'less', { by: owner })).toSucceed()
  expect(await put('elsewhere', 1, { by: owner, at: { ...place, projectId: other.projectId } })).toSucceed()
})

test('RULE-52 a user who loses the role or the app is refused on the next call, and values are deleted with their project', async () => {
  const { projectId: shortLived, grantIds: ids } = await given.project(owner, {
    products: ['hall'],
    grants: [{ person: builder, productRole: 'hall/builder' }],
  })
  const at = { projectId: shortLived, app: 'build' }
  expect(await put('key', 1, { at })).toSucceed()
  const params = { projectId: shortLived, grantId: ids[0] ?? '' }
  await root.call(rootGrantEndpoints.update, { params, body: { productRole: null } })
  for (const answer of [await get('key', { at }), await put('key', 2, { at }), await drop('key', { at })])
    expect(answer).toFailWith('FORBIDDEN')
  expect(await put('key', 2, { at, by: owner })).toSucceed()
  await owner.call(projectEndpoints.update, { params: { projectId: shortLived }, body: { products: [] } })
  expect(await get('key', { at, by: owner })).toFailWith('FORBIDDEN')

  await owner.call(projectEndpoints.remove, { params: { projectId: shortLived } })
  expect(await get('key', { at, by: owner })).toFailWith('NOT_FOUND')
  expect(await db.selectFrom('app_store').select('key').execute()).toEqual([])
})

const opened: { ws: { terminate(): void } }[] = []
afterEach(() => {
  for (const { ws } of opened.splice(0)) ws.terminate()
})
const topic = `/projects/${projectId}/apps/build/store`
async function listen(person: GivenPerson, to = topic) {
  const socket = await openTestSocket(second.url, { token: person.token })
  opened.push(socket)
  const answer = await socket.ask({ type: 'subscribe', topic: to })
  const isEvent = (message: ServerMessage) => message.type === 'event'
  const changes = () => socket.messages.filter(isEvent).map(({ data }) => data as CollectionChange)
  return { answer, changes, messages: socket.messages, ask: socket.ask }
}

test('RULE-50 the topic of a store is open only to users who may open the app in the project', async () => {
  const answers = []
  for (const person of [builder, owner, root, orgOwner, stranger]) answers.push((await listen(person)).answer)
  expect(answers).toEqual(['subscribed', 'subscribed', 'subscribed', 'refused', 'refused'])
  // An app without a role is open to all readers of the project; a root app has no store in a project.
  const lobby = `/projects/${projectId}/apps/lobby/store`
  expect((await listen(orgOwner, lobby)).answer).toBe('subscribed')
  expect((await listen(stranger, lobby)).answer).toBe('refused')
  for (const [appId, id] of [
    ['people', projectId],
    ['nothing', projectId],
    ['lobby', '018f0000-0000-7000-8000-000000000000'],
  ] as const)
    expect((await listen(root, `/projects/${id}/apps/${appId}/store`)).answer).toBe('refused')
})

test('RULE-52 changes reach every node, and no user without the role', async () => {
  const [ofBuilder, ofOwner] = [await listen(builder), await listen(owner)]
  await put('key', 1)
  await put('key', 2)
  await drop('key')
  const change = { collection: 'store', id: 'key' }
  const all = [
    { ...change, op: 'upsert', revision: 1 },
    { ...change, op: 'upsert', revision: 2 },
    { ...change, op: 'remove' },
  ]
  await expect.poll(ofBuilder.changes).toEqual(all)
  await expect.poll(ofOwner.changes).toEqual(all)

  const params = { projectId, grantId: grantIds[0] ?? '' }
  await root.call(rootGrantEndpoints.update, { params, body: { productRole: null } })
  await put('key', 3, { by: owner })
  await expect.poll(() => ofOwner.changes().length).toBe(4)
  await expect.poll(() => ofBuilder.messages.at(-1)?.type).toBe('ended')
  expect(ofBuilder.changes()).toHaveLength(3)
  await root.call(rootGrantEndpoints.update, { params, body: { productRole: 'hall/builder' } })
})

test('RULE-52 disabling an extension is published to consoles and affected users after every node has read it', async () => {
  const news = await listen(stranger, 'extensions')
  const access = await listen(builder, 'me')
  await access.ask({ type: 'subscribe', topic: 'extensions' })
  // Events about earlier changes of grants may arrive late.
  const changesFrom = (id: string) => {
    const changes = access.changes()
    return changes.slice(changes.findIndex((change) => change.id === id))
  }
  const accessOfStranger = await listen(stranger, 'me')
  await put('key', 1)
  const disabled = await root.call(rootExtensionEndpoints.disable, { params: { name: 'hall' }, body: {} })
  expect(disabled).toSucceed()
  expect(await get('key', { by: owner })).toFailWith('NOT_FOUND')
  await expect.poll(news.changes).toEqual([{ id: 'hall', version: null }])
  expect(news.messages.at(-1)).toMatchObject({ name: 'extension:changed' })
  await expect
    .poll(() => changesFrom('hall'))
    .toEqual([
      { id: 'hall', version: null },
      { collection: 'credentials', op: 'upsert', id: builder.personId },
    ])
  const onSecond = await second.call(list, { params: place }, builder.token)
  expect(onSecond).toFailWith('NOT_FOUND')

  await root.call(rootExtensionEndpoints.enable, { params: { name: 'hall' }, body: {} })
  await expect.poll(news.changes).toHaveLength(2)
  expect(news.changes()[1]).toEqual({ id: 'hall', version: '1.0.0' })
  // Consoles of other users receive no event.
  expect(accessOfStranger.changes()).toEqual([])
  expect((await get('key', { by: owner })).body.value).toBe(1)
})
