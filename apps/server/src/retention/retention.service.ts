import type { BodyOf, retentionEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { createRetentionRepository } from './retention.repository.ts'

interface RetentionParts {
  db: Kysely<Database>
  audit: Pick<AuditService, 'within'>
}

/** Reads and changes the retention of records. The routes have checked the caller. */
export function createRetentionService({ db, audit }: RetentionParts) {
  const repository = createRetentionRepository(db)
  return {
    async read() {
      const [parts, archive] = await Promise.all([repository.parts(), repository.archive()])
      return { parts, archive }
    },

    async change(
      days: BodyOf<typeof retentionEndpoints.change>,
      by: { actorId: string; address: string },
    ): Promise<void> {
      const given = Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined))
      await db.transaction().execute(async (trx) => {
        const changes = await createRetentionRepository(trx).change(given)
        const changed = changes.filter(({ from, to }) => from !== to)
        if (changed.length === 0) return
        const of = (side: 'from' | 'to') =>
          Object.fromEntries(changed.map((change) => [change.part, change[side]]))
        await audit.within(trx).record({
          event: 'retention.changed',
          result: 'success',
          ...by,
          detail: { ...of('to'), from: of('from') },
        })
      })
    },
  }
}
export type RetentionService = ReturnType<typeof createRetentionService>
