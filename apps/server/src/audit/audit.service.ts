import type { Db } from '#platform/database/database.ts'
import { createAuditRepository } from './audit.repository.ts'

/** What rooms write down of what happens in them. A row is part of the transaction it is given, or stands alone. */
export function createAuditService(db: Db) {
  return {
    record: createAuditRepository(db).add,
    within: (trx: Db) => ({ record: createAuditRepository(trx).add }),
  }
}
export type AuditService = ReturnType<typeof createAuditService>
