import type { PeopleService } from '../../people/people.service.ts'
import { type Attempts, passwordPolicy } from '../attempts.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { Enqueue } from './hash-queue.ts'
import { dummyHash, verifyPassword } from './password-hash.ts'

interface ProvePasswordParts {
  noticeLock: NoticeLock
  people: PeopleService
  attempts: Attempts
  hashes: Enqueue
}

/** Whether the password is that of a signed-in person. Each try counts as one of the login does. */
export function createProvePassword({ noticeLock, people, attempts, hashes }: ProvePasswordParts) {
  return async function provePassword(
    { personId }: { personId: string },
    password: string,
    address: string,
  ): Promise<boolean> {
    // Counted when its turn has come: a try that the queue refuses was none.
    const { failures, isRight } = await hashes(async () => {
      const tries = await attempts.admit(passwordPolicy, personId)
      const person = await people.findById(personId)
      const stored = person?.disabled_at === null ? person.password_hash : null
      const matches = await verifyPassword(stored ?? (await dummyHash()), password)
      return { failures: tries, isRight: matches && stored !== null }
    })
    if (isRight) await attempts.succeed(passwordPolicy, personId)
    else await noticeLock(passwordPolicy, failures, { personId, address })
    return isRight
  }
}
export type ProvePassword = ReturnType<typeof createProvePassword>
