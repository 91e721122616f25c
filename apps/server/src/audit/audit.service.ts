import type { Activity, AuditRow } from '@pult/contract'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { HeavyReads } from '#platform/database/replicas.ts'
import type { Log } from '#platform/log.ts'
import { isTransient, whenAnswered } from '#platform/transient.ts'
import { createAuditRepository, type AuditRow as NewAuditRow, recordForEach } from './audit.repository.ts'
import { type AuditFileFormat, fileText } from './audit-file.ts'
import { type AuditFilter, type AuditLog, type AuditScope, createAuditLog } from './audit-log.repository.ts'
import { createProjectActivity } from './project-activity.ts'
import { type RecordEntry, readRecordEntries } from './record-entries.ts'

/** One page of the events of an account. */
export interface ActivityPage {
  items: Activity[]
  total: number
  totalIsCapped?: boolean
  next?: string
}

const pageSize = 20

/** Counts end here, because counting more rows takes longer than an exact number is worth. */
const countedMost = 10_000

/** Writes audit records for all rooms. A record is part of the given transaction, or commits on its own. */
export function createAuditService(db: Db, reads: HeavyReads = { run: (work) => work(db) }) {
  const repository = createAuditRepository(db)
  /** Resolves after all retries of records, which run one after another. */
  let repeating: Promise<void> = Promise.resolve()
  /** The log, read on a replica if there is one. */
  const onReplica: Pick<AuditLog, 'list' | 'slice'> = {
    list: (...query) => reads.run((from) => createAuditLog(from).list(...query)),
    slice: (...query) => reads.run((from) => createAuditLog(from).slice(...query)),
  }

  /** Reads the log in slices on demand: when the consumer stops, the reading stops. */
  async function* slices(
    from: Pick<AuditLog, 'slice'>,
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
    list: onReplica.list,
    /** Recent activity in projects. */
    activity: createProjectActivity(db),

    /** The newest actions on one record of a project. */
    entriesOf: (
      of: { room: string; target: string; projectId: string },
      most: number,
    ): Promise<RecordEntry[]> => readRecordEntries(db, of, most),

    /** Yields all matching rows as the text of a file, newest first, read on demand. */
    file: (scope: AuditScope, filter: AuditFilter, format: AuditFileFormat) =>
      fileText(format, slices(onReplica, scope, filter)),

    record: repository.add,
    recordForEach,

    /**
     * Records an action that has already happened. An error would make the client repeat the action, so this never
     * rejects. It makes one attempt, and repeats it in the background while the database does not answer.
     */
    async recordDone(log: Log, row: NewAuditRow): Promise<void> {
      const id = uuidv7()
      const record = () => repository.add({ id, ...row })
      const lost = (err: unknown) => log.error({ err, event: row.event }, 'an audit record was lost')
      await record().catch((error: unknown) => {
        if (!isTransient(error)) return lost(error)
        repeating = repeating.then(() => whenAnswered(record)).catch(lost)
      })
    },

    /** `file` reads the rows from the snapshot of the transaction. */
    within: (trx: Db) => ({
      record: createAuditRepository(trx).add,
      file: (scope: AuditScope, filter: AuditFilter, format: AuditFileFormat) =>
        fileText(format, slices(createAuditLog(trx), scope, filter)),
    }),

    /**
     * Returns actions by the person and on their account, newest first. `after` is the last row of the previous page;
     * the page after an unknown row is empty.
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
