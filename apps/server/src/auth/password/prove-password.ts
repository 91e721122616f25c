import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { Attempts } from '../attempts.ts'
import type { HashQueue } from './hash-queue.ts'

interface ProvePasswordParts {
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  hashes: HashQueue
}

/** Whether the password is that of a signed-in person. Each try counts as one of the login does. */
export function createProvePassword(_parts: ProvePasswordParts) {
  return async function provePassword(
    _person: { personId: string },
    _password: string,
    _address: string,
  ): Promise<boolean> {
    throw new Error('not built')
  }
}
export type ProvePassword = ReturnType<typeof createProvePassword>
