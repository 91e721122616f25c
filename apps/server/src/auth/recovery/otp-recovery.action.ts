import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TokenLinkActionHandler } from '../../token-links/token-link.action.ts'
import type { Attempts } from '../attempts.ts'
import type { Revoke } from '../revocation.ts'

interface OtpRecoveryActionParts {
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  otp: OtpService
  notices: NoticeService
  revoke: Revoke
}

export function createOtpRecoveryAction(_parts: OtpRecoveryActionParts): TokenLinkActionHandler {
  return {
    async describe() {
      throw new Error('not built')
    },
    async prepare() {
      throw new Error('not built')
    },
  }
}
