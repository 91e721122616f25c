import { limits, meEndpoints, profileEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server

const update = (person: GivenPerson, body: object) => person.call(profileEndpoints.update, { body })

async function namesOf(person: GivenPerson) {
  const { firstname, lastname } = (await person.call(meEndpoints.read)).body
  return { firstname, lastname }
}

const changesOf = ({ personId }: GivenPerson) =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'target', 'address', 'detail'])
    .where('event', '=', 'profile.changed')
    .where('target', '=', personId)
    .orderBy('id')
    .execute()

test('API-08 an update writes the fields of the body and returns the whole profile', async () => {
  const ada = await given.person()
  const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
  const first = await update(ada, { firstname: '  Augusta ' })
  expect(first).toSucceed()
  expect(first.body).toEqual({ firstname: 'Augusta', lastname: 'Lovelace' })
  const last = await update(ada, { lastname: 'Κινγκ-O’Hara' })
  expect(last.body).toEqual({ firstname: 'Augusta', lastname: 'Κινγκ-O’Hara' })
  expect((await update(ada, { firstname: 'Ada', lastname: 'Byron' })).body).toEqual({
    firstname: 'Ada',
    lastname: 'Byron',
  })
  expect(await namesOf(ada)).toEqual({ firstname: 'Ada', lastname: 'Byron' })
  expect(await namesOf(grace)).toEqual({ firstname: 'Grace', lastname: 'Hopper' })
})

test('API-08 the longest names fit into the index of the names, and longer ones are rejected', async () => {
  // Three bytes each, and with few repeats, which PostgreSQL would compress.
  const all = Array.from({ length: 0xd800 - 0x800 }, (_, place) =>
    String.fromCodePoint(0x800 + place),
  ).filter((each) => each === each.normalize())
  const [letters, marks] = [/^\p{sc=Hani}$/u, /^(?!\p{DI})\p{Mn}$/u].map((kind) =>
    all.filter((each) => kind.test(each)),
  )
  const some = (from: readonly string[] = [], count = 1) =>
    Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)] ?? '')
  const marked = (count: number) =>
    some(letters, limits.nameMax)
      .map((each) => each + some(marks, count).join(''))
      .join('')
      .normalize()
  const ada = await given.person()
  const longest = { firstname: marked(1), lastname: marked(1) }
  expect((await update(ada, longest)).body).toEqual(longest)
  const tooLong = { firstname: marked(3), lastname: marked(3) }
  expect(await update(ada, tooLong)).toFailWith('VALIDATION_FAILED')
})

test('API-08 concurrent updates of different fields both persist', async () => {
  const ada = await given.person()
  await Promise.all([update(ada, { firstname: 'Augusta' }), update(ada, { lastname: 'King' })])
  expect(await namesOf(ada)).toEqual({ firstname: 'Augusta', lastname: 'King' })
})

test('API-08 an empty update returns the profile and changes nothing', async () => {
  const ada = await given.person()
  const answer = await update(ada, {})
  expect(answer).toSucceed()
  expect(answer.body).toEqual({ firstname: 'Ada', lastname: 'Lovelace' })
  expect(await changesOf(ada)).toEqual([])
})

test('RULE-78 the audit record names the changed fields, actor and origin, but not the values', async () => {
  const ada = await given.person()
  await update(ada, { lastname: 'Byron' })
  await update(ada, { firstname: 'Augusta', lastname: 'King' })
  const rows = await changesOf(ada)
  expect(rows.map(({ detail }) => detail)).toEqual([
    { fields: ['lastname'] },
    { fields: ['firstname', 'lastname'] },
  ])
  for (const row of rows) {
    expect(row).toMatchObject({
      result: 'success',
      actor_id: ada.personId,
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    })
  }
})

test.each([
  ['a scope', { scope: ['root'] }],
  ['root', { isRoot: true }],
  ['a second factor', { otpEnabled: false }],
  ['an address', { email: 'evil@example.org' }],
  ['an id', { _id: '018f0000-0000-7000-8000-000000000000' }],
  ['a password', { password: 'a moth in relay 70' }],
  ['a column of the table', { password_version: 7 }],
])('RULE-54 a profile with %s is rejected as a whole', async (_, extra) => {
  const ada = await given.person()
  expect(await update(ada, { firstname: 'Augusta', ...extra })).toFailWith('VALIDATION_FAILED')
  expect(await namesOf(ada)).toEqual({ firstname: 'Ada', lastname: 'Lovelace' })
  expect(await changesOf(ada)).toEqual([])
})

test.each([
  ['a short first name', { firstname: 'A' }],
  ['a first name of spaces', { firstname: '     ' }],
  ['no last name', { lastname: '' }],
  ['null', { lastname: null }],
  ['a number', { firstname: 12 }],
  ['a name over the limit', { lastname: 'x'.repeat(limits.nameMax + 1) }],
  ['a line end', { lastname: 'Love\r\nlace' }],
  ['a NUL', { lastname: 'Love\u0000lace' }],
  ['half a character', { lastname: 'Love\ud800lace' }],
  ['a right-to-left override', { lastname: 'Love\u202elace' }],
  ['a list as the body', []],
])('API-08 %s is rejected', async (_, body) => {
  const ada = await given.person()
  expect(await update(ada, body)).toFailWith('VALIDATION_FAILED')
  expect(await namesOf(ada)).toEqual({ firstname: 'Ada', lastname: 'Lovelace' })
})

test('API-08 calls without a session are rejected', async () => {
  const body = { firstname: 'Grace' }
  expect(await server.call(profileEndpoints.update, { body })).toFailWith('UNAUTHENTICATED')
})
