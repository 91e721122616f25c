import { otpRecovery } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { parseBody, type TokenLinkActionHandler } from '../../token-links/token-link.action.ts'
import { type Attempts, secondFactorPolicy } from '../attempts.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { Revoke } from '../revocation.ts'
import { describeHolder, linkHolder } from './link-holder.ts'

interface OtpRecoveryActionParts {
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  otp: OtpService
  notices: NoticeService
  noticeLock: NoticeLock
  revoke: Revoke
}

/** Sets up a new authenticator. Requires the password, the mailed link and an unused recovery code. */
export function createOtpRecoveryAction(parts: OtpRecoveryActionParts): TokenLinkActionHandler {
  const { audit, people, attempts, otp, notices, noticeLock, revoke } = parts
  return {
    describe: (link) => describeHolder(people, link),

    async prepare(link, body, { address }) {
      const { codes } = parseBody(otpRecovery, body)
      const { id } = await linkHolder(people, link)
      const failures = await attempts.admit(secondFactorPolicy, id)

      return async (trx, emit) => {
        await linkHolder(people.within(trx), link)
        const enrolment = await otp.recover(trx, id, codes)
        const record = audit.within(trx).record
        const row = { target: id, address, detail: { link: link.id } }
        if (enrolment === null) {
          await record({ event: 'otp.recovered', result: 'failure', ...row })
          await noticeLock(secondFactorPolicy, failures, { personId: id, address }, trx)
          return new AppError('RECOVERY_CODE_NOT_VALID')
        }
        await attempts.within(trx).succeed(secondFactorPolicy, id)
        await revoke(trx, emit, { personId: id })
        await record({ event: 'otp.recovered', result: 'success', actorId: id, ...row })
        await notices.send(trx, id, { kind: 'otp-recovered' })
        return enrolment
      }
    },
  }
}
