import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { createAttempts, passwordPolicy } from '../../auth/attempts.ts'
import type { Enqueue } from '../../auth/password/hash-queue.ts'
import { hashPassword } from '../../auth/password/password-hash.ts'
import { checkNewPassword } from '../../auth/password/password-policy.ts'
import type { ProvePassword } from '../../auth/password/prove-password.ts'
import type { Revoke } from '../../auth/revocation.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'

interface PasswordServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  hashes: Enqueue
  provePassword: ProvePassword
  notices: NoticeService
  revoke: Revoke
}

interface PasswordChange {
  oldPass?: string | undefined
  newPass: string
}

export function createPasswordService({
  events,
  audit,
  people,
  hashes,
  provePassword,
  notices,
  revoke,
}: PasswordServiceParts) {
  /** An old password that is sent has to be right, however recent the sign-in is. */
  async function checkEntitled(
    caller: Caller,
    oldPass: string | undefined,
    row: { target: string; address: string },
  ): Promise<void> {
    if (oldPass === undefined) {
      if (!caller.isRecent) throw new AppError('RECENT_SIGN_IN_NEEDED')
    } else if (!(await provePassword(caller, oldPass, row.address))) {
      await audit.record({ event: 'password.changed', result: 'failure', ...row })
      throw new AppError('WRONG_PASSWORD')
    }
  }

  return {
    /**
     * Sets a new password; the session that did it is the one that goes on. It does not count as a new sign-in: who
     * sends the old password proves it for this call alone.
     */
    async change(caller: Caller, { oldPass, newPass }: PasswordChange, address: string): Promise<void> {
      const { personId, sessionId } = caller
      const row = { target: personId, address }
      const person = await people.findById(personId)
      if (person === undefined) throw new AppError('UNAUTHENTICATED')
      await checkEntitled(caller, oldPass, row)
      const { firstname, lastname } = person
      checkNewPassword(newPass, { firstname, lastname, emails: await people.emailsOf(personId) })
      const passwordHash = await hashes(() => hashPassword(newPass))

      await events.transaction(async (trx, emit) => {
        const peopleWithin = people.within(trx)
        await peopleWithin.lock(personId)
        await revoke(trx, emit, { personId, exceptSessionId: sessionId })
        const now = await peopleWithin.findById(personId)
        // What was proved is no longer the password.
        if (oldPass !== undefined && now?.password_version !== person.password_version) {
          throw new AppError('WRONG_PASSWORD')
        }
        await peopleWithin.setPassword(personId, passwordHash)
        // Failures were about the password of before: one that needed a reset has got it.
        await createAttempts(trx).succeed(passwordPolicy, personId)
        await audit.within(trx).record({
          event: 'password.changed',
          result: 'success',
          actorId: personId,
          ...row,
        })
        await notices.send(trx, personId, { kind: 'password-changed' })
      })
    },
  }
}
export type PasswordService = ReturnType<typeof createPasswordService>
