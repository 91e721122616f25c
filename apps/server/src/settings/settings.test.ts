import { type CollectionChange, settingsEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'

const server = await testServer()
const { given } = server
const { read, update } = settingsEndpoints

const ifMatch = (revision: number) => ({ headers: { 'if-match': `"${revision}"` } })

test('DEC-28 DEC-35 DEC-50 the account stores language, appearance, density and notices as separate fields', async () => {
  const [ada, bob] = [await given.person(), await given.person()]
  const untouched = {
    language: null,
    theme: null,
    density: 'comfortable',
    taskNoticeScope: 'mine',
    hidesFirstSteps: false,
    homeCards: { order: [], hidden: [] },
    notifications: { created: true, finished: true, rejected: true, timedOut: true, aborted: true },
    revision: 0,
    updatedAt: null,
  }
  expect((await ada.call(read)).body).toEqual(untouched)
  await Promise.all([
    ada.call(update, { body: { theme: 'dark' } }),
    ada.call(update, { body: { density: 'compact' } }),
    ada.call(update, { body: { language: 'de-DE' } }),
    ada.call(update, { body: { notifications: { created: false } } }),
    ada.call(update, { body: { notifications: { aborted: false } } }),
    ada.call(update, { body: { taskNoticeScope: 'all' } }),
  ])
  const { body, headers } = await server.call(read, {}, await ada.openSession())
  expect(body).toMatchObject({
    theme: 'dark',
    density: 'compact',
    language: 'de-DE',
    taskNoticeScope: 'all',
    notifications: { created: false, finished: true, rejected: true, timedOut: true, aborted: false },
    revision: 6,
    updatedAt: expect.stringMatching(/Z$/) as string,
  })
  expect(headers.get('etag')).toBe('"6"')
  expect((await bob.call(read)).body).toEqual(untouched)
  expect((await ada.call(update, { body: { theme: 'dark', notifications: {} } })).body.revision).toBe(6)
})

test('DEC-41 a change of a stale revision is refused with the current settings', async () => {
  const ada = await given.person()
  expect((await ada.call(update, { body: { theme: 'dark' }, ...ifMatch(0) })).body.revision).toBe(1)
  const stale = await ada.call(update, { body: { theme: 'light' }, ...ifMatch(0) })
  expect(stale).toFailWith('REVISION_CONFLICT')
  expect(stale.body).toMatchObject({ detail: { current: { theme: 'dark', revision: 1 } } })
  expect((await ada.call(read)).body.theme).toBe('dark')
  const race = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      ada.call(update, { body: { theme: n % 2 === 0 ? 'light' : 'system' }, ...ifMatch(1) }),
    ),
  )
  expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('DEC-35 RULE-61 a change is published to the user’s other browsers, even on another node, and to no other user', async () => {
  const second = await testServer({ besides: server })
  const [ada, bob] = [await given.person(), await given.person()]
  const clients = await Promise.all(
    [ada, bob].map(async ({ token }) => {
      const socket = await openTestSocket(second.url, { token })
      expect(await socket.ask({ type: 'subscribe', topic: 'settings' })).toBe('subscribed')
      const changes = () =>
        socket.messages.flatMap((message) =>
          message.type === 'event' ? [message.data as CollectionChange] : [],
        )
      return { socket, changes }
    }),
  )
  const [adas, bobs] = clients
  await ada.call(update, { body: { theme: 'dark' } })
  await bob.call(update, { body: { theme: 'light' } })
  await expect.poll(() => bobs?.changes().length).toBe(1)
  await expect
    .poll(() => adas?.changes())
    .toMatchObject([{ collection: 'settings', op: 'upsert', id: 'console', revision: 1 }])
  for (const { socket } of clients) socket.ws.close()
})

test.each([
  ['no theme', { theme: null }],
  ['another theme', { theme: 'sepia' }],
  ['another density', { density: 'dense' }],
  ['a notification that is not a boolean', { notifications: { created: 'no' } }],
  ['an unknown notification', { notifications: { mail: true } }],
  ['an unknown task notice scope', { taskNoticeScope: 'others' }],
  ['another language', { language: 'fr' }],
  ['a revision', { revision: 7 }],
  ['a person', { person_id: '018f0000-0000-7000-8000-000000000000' }],
])('RULE-54 %s is rejected', async (_, body) => {
  const ada = await given.person()
  expect(await ada.call(update, { body })).toFailWith('VALIDATION_FAILED')
  expect((await ada.call(read)).body.revision).toBe(0)
})

test('RULE-50 calls without a session are rejected', async () => {
  expect(await server.call(read)).toFailWith('UNAUTHENTICATED')
  expect(await server.call(update, { body: { theme: 'dark' } })).toFailWith('UNAUTHENTICATED')
})
