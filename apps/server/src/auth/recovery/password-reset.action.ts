import { passwordReset } from '@pult/contract'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { parseBody, type TokenLinkActionHandler } from '../../token-links/token-link.action.ts'
import { forgetPasswordFailures, keepOnlyDevice } from '../known-devices.ts'
import type { Enqueue } from '../password/hash-queue.ts'
import { hashPassword } from '../password/password-hash.ts'
import { checkNewPassword } from '../password/password-policy.ts'
import type { Revoke } from '../revocation.ts'
import { describeHolder, linkHolder } from './link-holder.ts'

interface PasswordResetActionParts {
  audit: AuditService
  people: PeopleService
  hashes: Enqueue
  notices: NoticeService
  revoke: Revoke
}

/** Sets a new password by a mailed link. It opens no session, and the next sign-in still needs the second factor. */
export function createPasswordResetAction(parts: PasswordResetActionParts): TokenLinkActionHandler {
  const { audit, people, hashes, notices, revoke } = parts
  return {
    describe: (link) => describeHolder(people, link),

    async prepare(link, body, { address, device }) {
      const { password } = parseBody(passwordReset, body)
      const { id, firstname, lastname } = await linkHolder(people, link)
      checkNewPassword(password, { firstname, lastname, emails: await people.emailsOf(id) })
      const passwordHash = await hashes(() => hashPassword(password))

      return async (trx, emit) => {
        const peopleWithin = people.within(trx)
        await linkHolder(peopleWithin, link)
        await peopleWithin.setPassword(id, passwordHash)
        await revoke(trx, emit, { personId: id })
        // Failures of the second factor remain: access to the mailbox must not give more attempts at it.
        await forgetPasswordFailures(trx, id)
        // A reset may follow a theft of the password, whose user must not keep a known device.
        await keepOnlyDevice(trx, id, device)
        await audit.within(trx).record({
          event: 'password.reset',
          result: 'success',
          actorId: id,
          target: id,
          address,
          detail: { link: link.id },
        })
        await notices.send(trx, id, { kind: 'password-reset' })
        return {}
      }
    },
  }
}
