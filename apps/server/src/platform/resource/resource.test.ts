import { apiBase, type ErrorReply, resource } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { uuidv7 } from 'uuidv7'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { Caller, Permission } from '../http/route.ts'
import { bareServer } from '../http/testing/bare-server.ts'
import { createLog } from '../log.ts'
import { createEvents } from '../realtime/events.ts'
import type { ResourceStore } from './resource.ts'
import { addResourceRoutes } from './resource-routes.ts'

/*
 * A resource unlike any room's: books on a shelf, kept in memory. It separates the behaviour of the scheme from that
 * of a room.
 */

const server = await testServer()
const { db, given } = server
const events = createEvents({ db, connection: server.testDatabase.connection, log: createLog('silent') })
await events.start()
afterAll(() => events.stop())

const book = z.object({
  _id: z.guid(),
  title: z.string(),
  tags: z.array(z.string()),
  copies: z.number(),
  revision: z.number(),
  updatedAt: z.string(),
  updatedBy: z.null(),
})
type Book = z.infer<typeof book>
const endpoints = resource('/shelves/:shelfId/books', {
  name: 'book',
  item: book,
  input: z.strictObject({ title: z.string() }),
  change: z.strictObject({ title: z.optional(z.string()), tags: z.optional(z.array(z.string())) }),
})

const allowed = (name: string, ...names: string[]): Permission<Caller> => ({
  name,
  decide(caller) {
    if (caller === null) throw new AppError('UNAUTHENTICATED')
    if (!names.includes(caller.firstname)) throw new AppError('FORBIDDEN')
    return caller
  },
})
const reader = allowed('reader', 'reader', 'writer', 'librarian')
const writer = allowed('writer', 'writer', 'librarian')
const librarian = allowed('librarian', 'librarian')

const shelves = new Map<string, Map<string, Book>>()
const actions: unknown[] = []

function storeOf(shelfId: string): ResourceStore<Book, { title: string }> {
  const books = shelves.get(shelfId) ?? new Map<string, Book>()
  return {
    list: async ({ search = '' }) => {
      const items = [...books.values()].filter(({ title }) => title.includes(search))
      return { items, total: items.length }
    },
    find: async (id) => books.get(id),
    lock: async () => {},
    add: async ({ title }) => {
      if (!shelves.has(shelfId)) return undefined
      const _id = uuidv7()
      books.set(_id, { _id, title, tags: [], copies: 1, revision: 1, updatedAt: '', updatedBy: null })
      return _id
    },
    update: async (id, changes) => {
      const before = books.get(id)
      if (before !== undefined) books.set(id, { ...before, ...changes, revision: before.revision + 1 })
    },
    remove: async (id) => void books.delete(id),
    removeAll: async () => {
      const { size } = books
      books.clear()
      return size
    },
  }
}

const { personId } = await given.person()
const app = bareServer()
/** A name with `long ago` stands for a session whose sign-in is old. */
app.authenticate = async ({ headers: { authorization = '' } }) => ({
  personId,
  sessionId: uuidv7(),
  isRoot: false,
  scope: [],
  isRecent: !authorization.endsWith('long ago'),
  otpEnabled: false,
  email: '',
  firstname: authorization.split(' ')[0] ?? '',
  lastname: '',
})
addResourceRoutes(app, endpoints, {
  db,
  events,
  store: (_db, { shelfId }) => storeOf(shelfId),
  allow: { read: reader, write: writer, removeAll: librarian },
  needsProof: ({ title }) => title !== undefined,
  commands: new Map([
    ['buy', { allow: librarian, run: ({ copies }, payload) => ({ copies: copies + Number(payload) }) }],
    ['praise', { allow: reader, run: ({ tags }) => ({ tags: [...tags, 'praised'] }) }],
  ]),
  collection: 'notes',
  topicOf: ({ shelfId }) => `/shelves/${shelfId}/books`,
  record: async (_trx, { verb, place, item, detail }) => {
    if (item?.title === 'Forbidden') throw new AppError('BUSY')
    actions.push([verb, place.shelfId, item?.title, detail])
  },
})

type Role = 'reader' | 'writer' | 'librarian' | 'none' | `${'writer' | 'librarian'} long ago`
async function call(role: Role, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) {
  const answer = await app.inject({
    method,
    url: `${apiBase}/shelves/${path}`,
    headers: { authorization: role },
    ...(payload !== undefined && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<Book & ErrorReply>() }
}

function givenShelf() {
  const shelfId = uuidv7()
  shelves.set(shelfId, new Map())
  return `${shelfId}/books`
}

const eventsOf = (path: string) =>
  db.selectFrom('event').select('data').where('topic', '=', `/shelves/${path}`).orderBy('id').execute()

test('API-23 seven calls serve a resource, and each change is published and audited', async () => {
  const path = givenShelf()
  const { body } = await call('writer', 'POST', path, { title: 'Emma' })
  expect(body).toMatchObject({ title: 'Emma', copies: 1, revision: 1 })
  const one = `${path}/${body._id}`
  expect(await call('reader', 'GET', one)).toEqual({ status: 200, body })
  expect((await call('reader', 'GET', `${path}?search=Em`)).body).toEqual({ items: [body], total: 1 })
  expect((await call('reader', 'GET', `${path}?search=Persuasion`)).body).toEqual({ items: [], total: 0 })
  expect((await call('writer', 'PUT', one, { tags: ['old'] })).body).toMatchObject({
    title: 'Emma',
    revision: 2,
  })
  // An equal list is not a change.
  expect((await call('writer', 'PUT', one, { tags: ['old'] })).body.revision).toBe(2)
  expect((await call('librarian', 'POST', `${one}/exec/buy`, { cmdPayload: 3 })).body.copies).toBe(4)
  expect((await call('writer', 'DELETE', one)).body).toBe(true)
  await call('writer', 'POST', path, { title: 'Persuasion' })
  expect((await call('librarian', 'DELETE', path)).body).toBe(true)
  expect((await call('reader', 'GET', path)).body).toEqual({ items: [], total: 0 })

  const shelfId = path.split('/')[0]
  expect(actions.filter((action) => (action as unknown[])[1] === shelfId)).toEqual([
    ['created', shelfId, 'Emma', {}],
    ['changed', shelfId, 'Emma', { fields: ['tags'] }],
    ['changed', shelfId, 'Emma', { fields: ['copies'] }],
    ['removed', shelfId, 'Emma', {}],
    ['created', shelfId, 'Persuasion', {}],
    ['removedAll', shelfId, undefined, { count: 1 }],
  ])
  expect((await eventsOf(path)).map(({ data }) => [data['op'], data['revision']])).toEqual([
    ['upsert', 1],
    ['upsert', 2],
    ['upsert', 3],
    ['remove', undefined],
    ['upsert', 1],
    ['remove', undefined],
  ])
})

test('RULE-56 each command and the deletion of all records has its own permission', async () => {
  const path = givenShelf()
  const { body } = await call('writer', 'POST', path, { title: 'Emma' })
  const one = `${path}/${body._id}`
  const statuses = async (method: 'POST' | 'DELETE' | 'PUT' | 'GET', to: string, payload?: object) => {
    const found: number[] = []
    for (const role of ['none', 'reader', 'writer', 'librarian'] as const) {
      found.push((await call(role, method, to, payload)).status)
    }
    return found
  }
  expect(await statuses('GET', one)).toEqual([403, 200, 200, 200])
  expect(await statuses('PUT', one, {})).toEqual([403, 403, 200, 200])
  expect(await statuses('POST', path, { title: 'New' })).toEqual([403, 403, 200, 200])
  expect(await statuses('POST', `${one}/exec/buy`, { cmdPayload: 1 })).toEqual([403, 403, 403, 200])
  expect(await statuses('POST', `${one}/exec/praise`, {})).toEqual([403, 200, 200, 200])
  for (const command of ['unknown', 'constructor', '__proto__', 'toString']) {
    expect(await statuses('POST', `${one}/exec/${command}`, {})).toEqual([403, 404, 404, 404])
  }
  expect(await statuses('DELETE', path)).toEqual([403, 403, 403, 200])
})

test('API-23 a change that cannot be audited is not published', async () => {
  const path = givenShelf()
  expect((await call('writer', 'POST', path, { title: 'Forbidden' })).body.code).toBe('BUSY')
  expect(await eventsOf(path)).toEqual([])
  const elsewhere = `${uuidv7()}/books`
  expect((await call('writer', 'POST', elsewhere, { title: 'Emma' })).body.code).toBe('NOT_FOUND')
})

test('RULE-15 deleting all records and changing a field of weight need a recent sign-in, after the permission', async () => {
  const path = givenShelf()
  const { body } = await call('writer', 'POST', path, { title: 'Emma' })
  const one = `${path}/${body._id}`
  const codeOf = async (role: Role, method: 'PUT' | 'DELETE', to: string, payload?: object) =>
    (await call(role, method, to, payload)).body.code
  expect(await codeOf('writer long ago', 'DELETE', path)).toBe('FORBIDDEN')
  expect(await codeOf('librarian long ago', 'DELETE', path)).toBe('RECENT_SIGN_IN_NEEDED')
  expect(await codeOf('writer long ago', 'PUT', one, { title: 'Persuasion', tags: ['new'] })).toBe(
    'RECENT_SIGN_IN_NEEDED',
  )
  expect((await call('reader', 'GET', path)).body).toEqual({ items: [body], total: 1 })
  // A field that is sent unchanged has no effect.
  expect((await call('writer long ago', 'PUT', one, { title: 'Emma', tags: ['new'] })).status).toBe(200)
  expect((await call('writer', 'PUT', one, { title: 'Persuasion' })).status).toBe(200)
})
