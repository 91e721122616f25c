import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { HashQueue } from '../../auth/password/hash-queue.ts'
import type { ProvePassword } from '../../auth/password/prove-password.ts'
import type { Revoke } from '../../auth/revocation.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'

interface PasswordServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  hashes: HashQueue
  provePassword: ProvePassword
  notices: NoticeService
  revoke: Revoke
}

export function createPasswordService(_parts: PasswordServiceParts) {
  return {
    async change(
      _caller: Caller,
      _input: { oldPass?: string | undefined; newPass: string },
      _address: string,
    ): Promise<void> {
      throw new Error('not built')
    },
  }
}
export type PasswordService = ReturnType<typeof createPasswordService>
