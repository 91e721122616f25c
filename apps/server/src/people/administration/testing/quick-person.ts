import type { TestServer } from '@pult/testkit'
import { hashToken, newToken } from '#platform/secrets.ts'
import { createSessionRepository } from '../../../auth/session/session.repository.ts'
import { createPeopleRepository } from '../../people.repository.ts'

let count = 0

/** Creates and signs in a person without hashing a password, which is slow. */
export async function quickPerson(
  { db, watchSecret }: Pick<TestServer, 'db' | 'watchSecret'>,
  { isRoot = false } = {},
) {
  count += 1
  const personId = await createPeopleRepository(db).add({
    firstname: 'Quick',
    lastname: `the ${count}th`,
    email: `quick${count}@example.org`,
    passwordHash: '',
    isRoot,
  })
  const token = newToken()
  watchSecret(token)
  await createSessionRepository(db).add({ personId, userAgent: '', address: '' }, hashToken(token))
  return { personId, token }
}
export type QuickPerson = Awaited<ReturnType<typeof quickPerson>>
