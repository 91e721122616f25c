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
 * Tells a person that nobody is let in any more until a reset. `failures` is what admitting the failed try answered: of
 * all tries one is the last that was let in, so that the mail is written once. Part of a transaction if one is given.
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
      await notices.send(within, personId, { kind: 'password-locked' })
    }
    await (trx === undefined ? db.transaction().execute(write) : write(trx))
  }
}
export type NoticeLock = ReturnType<typeof createLockNotice>
