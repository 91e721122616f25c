import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Db, OpenDatabase } from '#platform/database/database.ts'
import { keptFor } from '#platform/database/retention.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import type { Log } from '#platform/log.ts'
import type { AuditService } from '../audit.service.ts'
import { type ArchiveHeader, createArchiveWriter, type FileToVerify } from './archive-format.ts'

interface ArchiveParts {
  driver: Pick<FileDriver, 'write'>
  newFilename: () => string
  audit: Pick<AuditService, 'within'>
  log: Log
  /** Limit of entries per file. One statement deletes them from the database. */
  entriesMost?: number
}

const pageSize = 1000

/** Limit of files per run. The runs of the next hours continue with a backlog. */
const filesPerRun = 20

const fileBytesMost = 2 ** 40

interface Place {
  at: string
  id: string
}

/**
 * Moves old entries of the audit log to the archive: writes them to a file in the file store, and deletes them in the
 * transaction that adds the file's row. A process that dies before leaves bytes without a row, which the clean-up job
 * deletes. Entries are archived in whole weeks, so that a quiet installation has few files.
 */
export function createAuditArchive({ driver, newFilename, audit, log, entriesMost = 50_000 }: ArchiveParts) {
  /** Returns false when there is nothing to archive. */
  async function archiveNext(db: OpenDatabase['db']): Promise<boolean> {
    const { until, ...header } = await readStart(db)
    const first = await pageAfter(db, undefined, until, 1)
    if (first.length === 0) return false

    const writer = createArchiveWriter(header)
    let firstAt: string | undefined
    let last: Place | undefined
    async function* text() {
      yield writer.head
      for (let left = entriesMost; left > 0; ) {
        const rows = await pageAfter(db, last, until, Math.min(left, pageSize))
        if (rows.length === 0) break
        yield rows.map(({ entry }) => writer.add(entry)).join('')
        firstAt ??= rows[0]?.at
        last = rows.at(-1)
        left -= rows.length
      }
      yield writer.end()
    }
    const filename = newFilename()
    const compressed = createGzip()
    // Passes a failure of the source to the reader.
    pipeline(Readable.from(text()), compressed, () => {})
    const written = await driver.write(filename, compressed, {
      contentType: 'application/gzip',
      most: fileBytesMost,
      tooLong: () => new AppError('DISK_FULL'),
    })

    const { number, digest, entries } = writer.summary()
    await db.transaction().execute(async (trx) => {
      const file = {
        id: uuidv7(),
        filename,
        project_id: null,
        person_id: null,
        readers: 'person' as const,
        name: nameOf(number),
        content_type: 'application/gzip',
        ...written,
        stored_at: sql<Date>`now()`,
        claimed_at: sql<Date>`now()`,
      }
      await trx.insertInto('file').values(file).execute()
      // The unique number admits one of two nodes that archive concurrently.
      await sql`
        insert into audit_archive (number, file_id, digest, entries, first_at, last_at)
        values (${number}, ${file.id}, decode(${digest}, 'hex'), ${entries}, ${firstAt}::timestamptz, ${last?.at}::timestamptz)`.execute(
        trx,
      )
      const { numAffectedRows } = await sql`
        delete from audit where (at, id) <= (${last?.at}::timestamptz, ${last?.id}::uuid)`.execute(trx)
      if (numAffectedRows !== BigInt(entries))
        throw new Error(`${numAffectedRows} entries would be deleted, ${entries} were archived`)
      await audit.within(trx).record({
        event: 'audit.archived',
        result: 'success',
        detail: { number, entries, digest, until: last?.at },
      })
    })
    log.info({ number, entries, digest }, 'audit entries were archived')
    return true
  }

  return {
    /** Archives the entries past the retention period; runs every hour on one node. */
    async archiveAudit(db: OpenDatabase['db']): Promise<void> {
      for (let files = 0; files < filesPerRun; files += 1) if (!(await archiveNext(db))) return
    },
  }
}

/** Returns the file name of an archive, for downloads and folders. */
export const nameOf = (number: number) => `audit-${String(number).padStart(6, '0')}.ndjson.gz`

async function readStart(db: Db): Promise<ArchiveHeader & { until: Date }> {
  const { rows } = await sql<{ number: number; previous: string | null; until: Date }>`
    select coalesce(last.number, 0) + 1 as number, encode(last.digest, 'hex') as previous,
      date_trunc('week', now() - ${keptFor('audit')}, 'UTC') as until
    from (select 1) one
    left join (select number, digest from audit_archive order by number desc limit 1) last on true`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the query of the archive returned no row')
  return row
}

/** Returns the oldest entries after a place, with times as text with microseconds. */
async function pageAfter(db: Db, after: Place | undefined, until: Date, most: number) {
  const begins =
    after === undefined ? sql`true` : sql`(at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<Place & { entry: string }>`
    select at::text as at, id, to_jsonb(a)::text as entry from audit a
    where at < ${until} and ${begins} order by a.at, a.id limit ${most}`.execute(db)
  return rows
}

/** The files that the database knows, oldest first. */
export async function listArchive(
  db: Db,
  driver: Pick<FileDriver, 'read'>,
): Promise<Required<FileToVerify>[]> {
  const { rows } = await sql<{ number: number; digest: string; entries: number; filename: string }>`
    select a.number, encode(a.digest, 'hex') as digest, a.entries, f.filename
    from audit_archive a join file f on f.id = a.file_id order by a.number`.execute(db)
  return rows.map(({ filename, ...known }) => ({
    name: nameOf(known.number),
    open: () => driver.read(filename),
    known,
  }))
}
