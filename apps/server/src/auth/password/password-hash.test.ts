import { hash } from '@node-rs/argon2'
import { loginEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { createPeopleRepository } from '../../people/people.repository.ts'
import { hashPassword, isWeakerHash, verifyPassword } from './password-hash.ts'

const server = await testServer()
const { given, db } = server

const storedHash = (personId: string) =>
  db
    .selectFrom('person')
    .select('password_hash')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
    .then(({ password_hash }) => password_hash ?? '')

const login = (username: string, password: string) =>
  server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

test('RULE-01 passwords are hashed with argon2id at m=19456, t=2, p=1', async () => {
  const stored = await hashPassword('a moth in relay 70')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(isWeakerHash(stored)).toBe(false)
  expect(await hashPassword('a moth in relay 70')).not.toBe(stored)
})

test.each([
  ['less memory', '$argon2id$v=19$m=19455,t=2,p=1$c2FsdHNhbHQ$aGFzaA'],
  ['fewer passes', '$argon2id$v=19$m=19456,t=1,p=1$c2FsdHNhbHQ$aGFzaA'],
  ['another algorithm', '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA'],
  ['another format', '$2b$12$aaaaaaaaaaaaaaaaaaaaaa'],
])('RULE-01 a hash with %s counts as weaker', (_, stored) => {
  expect(isWeakerHash(stored)).toBe(true)
})

test('RULE-01 a correct sign-in rehashes a weaker hash, a wrong one does not', async () => {
  const ada = await given.person()
  const weak = await hash(ada.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await db.updateTable('person').set({ password_hash: weak }).where('id', '=', ada.personId).execute()

  expect(await login(ada.email, 'wrong password')).toFailWith('INVALID_CREDENTIALS')
  expect(await storedHash(ada.personId)).toBe(weak)

  expect(await login(ada.email, ada.password)).toSucceed()
  const rewritten = await storedHash(ada.personId)
  expect(isWeakerHash(rewritten)).toBe(false)
  expect(await verifyPassword(rewritten, ada.password)).toBe(true)

  expect(await login(ada.email, ada.password)).toSucceed()
  expect(await storedHash(ada.personId)).toBe(rewritten)
})

test('RULE-01 a concurrently changed password is not rehashed', async () => {
  const ada = await given.person()
  const before = await storedHash(ada.personId)
  const changed = await hashPassword('another one entirely')
  const people = createPeopleRepository(db)
  await people.replacePasswordHash(ada.personId, before, changed)
  await people.replacePasswordHash(ada.personId, before, await hashPassword(ada.password))
  expect(await storedHash(ada.personId)).toBe(changed)
})
