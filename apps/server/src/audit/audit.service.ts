import type { Activity, AuditRow } from '@pult/contract'
import type { Db } from '#platform/database/database.ts'
import { createAuditRepository, recordForEach } from './audit.repository.ts'
import { type AuditFileFormat, fileText } from './audit-file.ts'
import { type AuditFilter, type AuditScope, createAuditLog } from './audit-log.repository.ts'

/** One page of what happened to an account. */
export interface ActivityPage {
  items: Activity[]
  total: number
  totalIsCapped?: boolean
  next?: string
}

const pageSize = 20

/** Above it counting takes longer than anybody cares for the number. */
const countedMost = 10_000

/** What rooms write down of what happens in them. A row is part of the transaction it is given, or stands alone. */
export function createAuditService(db: Db) {
  const repository = createAuditRepository(db)
  const log = createAuditLog(db)

  /** Each slice is read when the one before is wanted no more: whoever stops asking stops the reading. */
  async function* slices(
    from: typeof log,
    scope: AuditScope,
    filter: AuditFilter,
  ): AsyncGenerator<AuditRow[]> {
    let after: string | undefined
    do {
      const { rows, next } = await from.slice(scope, filter, after)
      yield rows
      after = next
    } while (after !== undefined)
  }

  return {
    list: log.list,

    /** All rows that match as the text of a file, the newest first, read as they are asked for. */
    file: (scope: AuditScope, filter: AuditFilter, format: AuditFileFormat) =>
      fileText(format, slices(log, scope, filter)),

    record: repository.add,
    recordForEach,
    /** `file` reads the rows as the transaction sees them. */
    within: (trx: Db) => ({
      record: createAuditRepository(trx).add,
      file: (scope: AuditScope, filter: AuditFilter, format: AuditFileFormat) =>
        fileText(format, slices(createAuditLog(trx), scope, filter)),
    }),

    /**
     * What the person did and what was done to their account, the newest first. `after` is the last row of the page
     * before; one that is not the person's is followed by nothing.
     */
    async activityOf(personId: string, after: string | undefined): Promise<ActivityPage> {
      const [rows, count] = await Promise.all([
        repository.activityOf(personId, { after, most: pageSize + 1 }),
        repository.countActivityOf(personId, countedMost + 1),
      ])
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      return {
        items: page.map(({ id, at, ...shown }) => ({ _id: id, at: at.toISOString(), ...shown })),
        total: Math.min(count, countedMost),
        ...(count > countedMost ? { totalIsCapped: true } : {}),
        ...(last === undefined ? {} : { next: last.id }),
      }
    },
  }
}
export type { AuditEvent } from './audit.repository.ts'
export type AuditService = ReturnType<typeof createAuditService>
