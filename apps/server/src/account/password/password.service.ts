import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { forgetPasswordFailures, keepOnlyDevice } from '../../auth/known-devices.ts'
import type { Enqueue } from '../../auth/password/hash-queue.ts'
import { hashPassword } from '../../auth/password/password-hash.ts'
import { checkNewPassword } from '../../auth/password/password-policy.ts'
import type { AttemptOrigin, ProvePassword } from '../../auth/password/prove-password.ts'
import { requireRecentSignIn } from '../../auth/permissions.ts'
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
  /**
   * A current password in the body must be correct, even after a recent sign-in. It replaces a recent sign-in only
   * while no second factor is active.
   */
  async function checkEntitled(
    caller: Caller,
    oldPass: string | undefined,
    { device, ...row }: { target: string } & AttemptOrigin,
  ): Promise<void> {
    if (oldPass === undefined || caller.otpEnabled) requireRecentSignIn(caller)
    if (oldPass !== undefined && !(await provePassword(caller, oldPass, { address: row.address, device }))) {
      await audit.record({ event: 'password.changed', result: 'failure', ...row })
      throw new AppError('WRONG_PASSWORD')
    }
  }

  return {
    /**
     * Sets a new password and ends all other sessions. The change does not count as a sign-in: the old password
     * authorises only this call.
     */
    async change(
      caller: Caller,
      { oldPass, newPass }: PasswordChange,
      { address, device }: AttemptOrigin,
    ): Promise<void> {
      const { personId, sessionId } = caller
      const row = { target: personId, address }
      const person = await people.findById(personId)
      if (person === undefined) throw new AppError('UNAUTHENTICATED')
      await checkEntitled(caller, oldPass, { ...row, device })
      const { firstname, lastname } = person
      checkNewPassword(newPass, { firstname, lastname, emails: await people.emailsOf(personId) })
      const passwordHash = await hashes(() => hashPassword(newPass))

      await events.transaction(async (trx, emit) => {
        const peopleWithin = people.within(trx)
        await peopleWithin.lock(personId)
        await revoke(trx, emit, { personId, exceptSessionId: sessionId })
        const now = await peopleWithin.findById(personId)
        // A concurrent change replaced the password that was verified.
        if (oldPass !== undefined && now?.password_version !== person.password_version) {
          throw new AppError('WRONG_PASSWORD')
        }
        await peopleWithin.setPassword(personId, passwordHash)
        // The failures concern the former password; a required reset is now done.
        await forgetPasswordFailures(trx, personId)
        // A thief of the former password may have made a browser known.
        await keepOnlyDevice(trx, personId, device)
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
