import type { Events } from '#platform/realtime/events.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { EscalatingPolicy } from '../attempts.ts'

interface LockNoticeParts {
  events: Events
  audit: AuditService
  notices: NoticeService
}

/**
 * Tells a person that nobody is let in any more until a reset. `failures` is what admitting the failed try answered: of
 * all tries one is the last that was let in, so that the mail is written once.
 */
export function createLockNotice({ events, audit, notices }: LockNoticeParts) {
  return async function noticeLock(
    policy: EscalatingPolicy,
    failures: number,
    { personId, address }: { personId: string; address: string },
  ): Promise<void> {
    if (failures !== policy.most) return
    await events.transaction(async (trx) => {
      await audit.within(trx).record({
        event: 'password.locked',
        result: 'success',
        target: personId,
        address,
        detail: { by: policy.kind },
      })
      await notices.send(trx, personId, { kind: 'password-locked' })
    })
  }
}
