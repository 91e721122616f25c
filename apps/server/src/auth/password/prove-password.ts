import type { PeopleService } from '../../people/people.service.ts'
import { type Attempts, passwordPolicy } from '../attempts.ts'
import { deviceAttempt, type KnownDevices } from '../known-devices.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { Enqueue } from './hash-queue.ts'
import { dummyHash, verifyPassword } from './password-hash.ts'

interface ProvePasswordParts {
  noticeLock: NoticeLock
  people: PeopleService
  attempts: Attempts
  devices: KnownDevices
  hashes: Enqueue
}

/** The origin of an attempt: the network address and, if the browser has one, its device secret. */
export interface AttemptOrigin {
  address: string
  device: string | undefined
}

/** Verifies the password of a signed-in user. Each attempt counts like a sign-in. */
export function createProvePassword({ noticeLock, people, attempts, devices, hashes }: ProvePasswordParts) {
  return async function provePassword(
    { personId }: { personId: string },
    password: string,
    { address, device }: AttemptOrigin,
  ): Promise<boolean> {
    const { policy, subject } =
      device !== undefined && (await devices.isOf(personId, device))
        ? deviceAttempt(personId, device)
        : { policy: passwordPolicy, subject: personId }
    // Counted inside the queue: an attempt that the queue rejects does not count.
    const { failures, isRight } = await hashes(async () => {
      const tries = await attempts.admit(policy, subject)
      const person = await people.findById(personId)
      const stored = person?.disabled_at === null ? person.password_hash : null
      const matches = await verifyPassword(stored ?? (await dummyHash()), password)
      return { failures: tries, isRight: matches && stored !== null }
    })
    if (isRight) await attempts.succeed(policy, subject)
    else await noticeLock(policy, failures, { personId, address })
    return isRight
  }
}
export type ProvePassword = ReturnType<typeof createProvePassword>
