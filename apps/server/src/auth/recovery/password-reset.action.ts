import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TokenLinkActionHandler } from '../../token-links/token-link.action.ts'
import type { Attempts } from '../attempts.ts'
import type { HashQueue } from '../password/hash-queue.ts'
import type { Revoke } from '../revocation.ts'

interface PasswordResetActionParts {
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  hashes: HashQueue
  notices: NoticeService
  revoke: Revoke
}

export function createPasswordResetAction(_parts: PasswordResetActionParts): TokenLinkActionHandler {
  return {
    async describe() {
      throw new Error('not built')
    },
    async prepare() {
      throw new Error('not built')
    },
  }
}
