import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { NoticeService } from '../account/notices/notice.service.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { EscalatingPolicy } from './attempts.ts'

interface LockNoticeParts {
  db: Kysely<Database>
  audit: AuditService
  notices: NoticeService
}

/**
 * Notifies a person by mail that their account is locked. `failures` is the count that `admit` returned for the failed
 * attempt. Only the last admitted attempt reaches the maximum, so the mail is written once. Runs in the given
 * transaction, if any.
 */
export function createLockNotice({ db, audit, notices }: LockNoticeParts) {
  return async function noticeLock(
    policy: EscalatingPolicy,
    failures: number,
    { personId, address }: { personId: string; address: string },
    trx?: Transaction<Database>,
  ): Promise<void> {
    if (failures !== policy.most) return
    const write = async (within: Transaction<Database>) => {
      await audit.within(within).record({
        event: 'password.locked',
        result: 'success',
        target: personId,
        address,
        detail: { by: policy.kind },
      })
      await notices.send(within, personId, {
        kind: policy.lockedCode === 'SECOND_FACTOR_LOCKED' ? 'second-factor-locked' : 'password-locked',
      })
    }
    await (trx === undefined ? db.transaction().execute(write) : write(trx))
  }
}
export type NoticeLock = ReturnType<typeof createLockNotice>
