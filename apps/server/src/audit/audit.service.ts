import type { Activity } from '@pult/contract'
import type { Db } from '#platform/database/database.ts'
import { createAuditRepository } from './audit.repository.ts'

/** One page of what happened to an account. */
export interface ActivityPage {
  items: Activity[]
  total: number
  totalIsCapped?: boolean
  next?: string
}

/** What rooms write down of what happens in them. A row is part of the transaction it is given, or stands alone. */
export function createAuditService(db: Db) {
  return {
    record: createAuditRepository(db).add,
    within: (trx: Db) => ({ record: createAuditRepository(trx).add }),
    /** What the person did and what was done to their account, the newest first. */
    async activityOf(_personId: string, _after: string | undefined): Promise<ActivityPage> {
      throw new Error('not built')
    },
  }
}
export type AuditService = ReturnType<typeof createAuditService>
