import { connect } from 'node:net'
import { apiBase, type ErrorReply, endpoint } from '@pult/contract'
import { uuidv7 } from 'uuidv7'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { type Caller, type Permission, route } from './route.ts'
import { bareServer } from './testing/bare-server.ts'

const anyone: Permission = { name: 'anyone', decide: (caller) => caller }
const signedIn: Permission<Caller> = {
  name: 'signed in',
  decide(caller) {
    if (caller === null) throw new AppError('UNAUTHENTICATED')
    return caller
  },
}

const greeting = z.object({ greeting: z.string(), deep: z.optional(z.object({ ends: z.boolean() })) })
const about = { summary: 'For a test.', reply: greeting } as const
const read = endpoint('GET', '/things/:thingId', about)
const search = endpoint('GET', '/things', {
  ...about,
  query: z.strictObject({ after: z.optional(z.guid()) }),
})
const write = endpoint('POST', '/things', { ...about, body: z.strictObject({ label: z.string() }) })
const ask = endpoint('POST', '/things/ask', about)

const hello = () => ({ greeting: 'hello' })

test('RULE-51 an invalid id in a path is an unknown record for every caller, before a handler runs', async () => {
  const app = bareServer()
  let asked = 0
  route(app, read, { allow: anyone }, () => {
    asked += 1
    return hello()
  })
  const statusOf = async (id: string) => (await app.inject(`${apiBase}/things/${id}`)).statusCode
  const known = uuidv7()
  expect(await statusOf(known)).toBe(200)
  for (const id of ['x', '1', `${known}0`, `0${known}`, known.slice(1), known.replaceAll('-', ''), '%00']) {
    expect([id, await statusOf(id)]).toEqual([id, 404])
  }
  expect(asked).toBe(1)
})

test('RULE-50 the caller is authenticated and authorised before the body is read', async () => {
  const app = bareServer()
  route(app, write, { allow: signedIn }, hello)
  for (const payload of ['{"label":', JSON.stringify({ label: 'x'.repeat(70_000) }), '{}']) {
    const answer = await app.inject({
      method: 'POST',
      url: `${apiBase}/things`,
      payload,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.json<ErrorReply>().code).toBe('UNAUTHENTICATED')
  }
})

test('RULE-50 a server without a session room authenticates no caller', async () => {
  const app = bareServer()
  route(app, read, { allow: signedIn }, hello)
  expect((await app.inject(`${apiBase}/things/${uuidv7()}`)).statusCode).toBe(401)
})

test('RULE-50 an asynchronous permission can refuse the call', async () => {
  const app = bareServer()
  const slow: Permission = {
    name: 'slow',
    async decide() {
      await new Promise((resolve) => setTimeout(resolve, 10))
      throw new AppError('FORBIDDEN')
    },
  }
  route(app, search, { allow: slow }, hello)
  expect((await app.inject(`${apiBase}/things`)).statusCode).toBe(403)
})

test.each(['after=x', 'after=', 'before=1', `after=${uuidv7()}&after=${uuidv7()}`])(
  'RULE-54 a query is as strict as a body: %s is rejected',
  async (query) => {
    const app = bareServer()
    route(app, search, { allow: anyone }, hello)
    const answer = await app.inject(`${apiBase}/things?${query}`)
    expect(answer.json<ErrorReply>().code).toBe('VALIDATION_FAILED')
    expect((await app.inject(`${apiBase}/things?after=${uuidv7()}`)).statusCode).toBe(200)
  },
)

test('RULE-54 a call without declared parameters refuses unknown ones, but a probe accepts those of its monitor', async () => {
  const app = bareServer()
  const alive = endpoint('GET', '/alive', about)
  route(app, ask, { allow: anyone }, hello)
  route(app, read, { allow: anyone }, hello)
  route(app, alive, { allow: anyone, isProbe: true }, hello)
  for (const [method, url] of [
    ['POST', `${apiBase}/things/ask`],
    ['GET', `${apiBase}/things/${uuidv7()}`],
  ] as const) {
    expect((await app.inject({ method, url })).statusCode).toBe(200)
    const refused = await app.inject({ method, url: `${url}?version=0.2.0` })
    expect(refused.json<ErrorReply>()).toMatchObject({
      code: 'VALIDATION_FAILED',
      issues: [{ message: expect.stringContaining('version') }],
    })
  }
  expect((await app.inject(`${apiBase}/alive?from=monitor`)).statusCode).toBe(200)
})

test('DEC-37 a validation error has the path of each field and a message', async () => {
  const app = bareServer()
  const deep = endpoint('POST', '/things/deep', {
    ...about,
    body: z.strictObject({
      list: z.array(z.strictObject({ label: z.string() })),
      name: z.string().check(z.minLength(3)),
    }),
  })
  route(app, deep, { allow: anyone }, hello)
  const answer = await app.inject({
    method: 'POST',
    url: `${apiBase}/things/deep`,
    payload: { list: [{ label: 'a' }, { label: 1 }], name: 'ab' },
  })
  expect(answer.json()).toEqual({
    code: 'VALIDATION_FAILED',
    message: 'The request is not valid',
    issues: [
      { path: ['list', '1', 'label'], message: expect.stringMatching(/\S/) },
      { path: ['name'], message: 'Too small: expected string to have >=3 characters' },
    ],
  })
})

test('RULE-54 a call without a body accepts none, an empty object or null', async () => {
  const app = bareServer()
  route(app, ask, { allow: anyone }, hello)
  const statusOf = async (payload: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await app.inject({ method: 'POST', url: `${apiBase}/things/ask`, payload, headers })).statusCode
  }
  for (const payload of ['', '{}', 'null']) expect([payload, await statusOf(payload)]).toEqual([payload, 200])
  for (const payload of ['{"all":true}', '[]', '1', 'true', '""']) {
    expect([payload, await statusOf(payload)]).toEqual([payload, 400])
  }
})

test('DEC-37 an answer contains only the fields of the contract', async () => {
  const app = bareServer()
  route(app, read, { allow: anyone }, () => ({
    greeting: 'hello',
    password_hash: '$argon2id$',
    deep: { ends: true, seed: 'secret' },
  }))
  const answer = await app.inject(`${apiBase}/things/${uuidv7()}`)
  expect(answer.json()).toEqual({ greeting: 'hello', deep: { ends: true } })
})

test('DEC-37 a nullable field is null or contains only the fields of the contract', async () => {
  const writer = z.object({ name: z.string() })
  const readNote = endpoint('GET', '/notes/:noteId', {
    summary: 'For a test.',
    reply: z.object({
      writer: z.nullable(writer),
      reader: z.nullable(writer),
      state: z.nullable(z.enum(['new', 'old'])),
      followed: z.nullable(z.guid()),
      replaced: z.nullable(z.guid()),
      size: z.union([z.number(), z.string()]),
      weight: z.nullable(z.union([z.number(), z.string()])),
      place: z.nullable(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('page'), page: z.number() }),
          z.object({ type: z.literal('end') }),
        ]),
      ),
      start: z.nullable(z.discriminatedUnion('type', [z.object({ type: z.literal('end') })])),
    }),
  })
  const app = bareServer()
  const note = {
    reader: null,
    state: null,
    followed: uuidv7(),
    replaced: null,
    size: 'large',
    weight: null,
    place: { type: 'page' as const, page: 4 },
    start: null,
  }
  route(app, readNote, { allow: anyone }, () => ({
    ...note,
    writer: { name: 'Ada', password_hash: '$argon2id$' },
  }))
  const answer = await app.inject(`${apiBase}/notes/${uuidv7()}`)
  expect(answer.json()).toEqual({ ...note, writer: { name: 'Ada' } })
})

test('RULE-08 the handler gets the canonical address and at most 300 characters of the user agent', async () => {
  const app = bareServer({ trustedProxies: ['127.0.0.1'] })
  const seen: unknown[] = []
  route(app, search, { allow: anyone }, ({ address, userAgent }) => {
    seen.push([address, userAgent])
    return hello()
  })
  const callWith = (headers: Record<string, string>) => app.inject({ url: `${apiBase}/things`, headers })
  await callWith({ 'x-forwarded-for': '::FFFF:192.0.2.7', 'user-agent': 'b'.repeat(400) })
  await callWith({ 'x-forwarded-for': 'somewhere', 'user-agent': '' })
  expect(seen).toEqual([
    ['192.0.2.7', 'b'.repeat(300)],
    ['127.0.0.1', ''],
  ])
})

test('a client without a user agent has an empty one', async () => {
  const app = bareServer()
  afterAll(() => app.close())
  const named = Promise.withResolvers<string>()
  route(app, search, { allow: anyone }, ({ userAgent }) => {
    named.resolve(userAgent)
    return hello()
  })
  const address = new URL(await app.listen({ port: 0, host: 'localhost' }))
  const socket = connect(Number(address.port), address.hostname.replace(/[[\]]/g, ''))
  socket.end(`GET ${apiBase}/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  expect(await named.promise).toBe('')
  socket.destroy()
})
