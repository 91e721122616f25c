import type { ExtensionFailure } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/** Parts of one version whose failures are counted. */
const partsMost = 50

interface Reported {
  version: string
  part: string
  message: string
}

/** Counts failures of the code of extensions in browsers, by version and part. */
export function createExtensionFailures(db: Kysely<Database>) {
  return {
    async count(extension: string, { version, part, message }: Reported): Promise<void> {
      await sql`
        insert into extension_failure (extension, version, part, message)
        select ${extension}, ${version}, ${part}, ${message}
        from extension_failure where extension = ${extension} and version = ${version}
        having count(*) < ${partsMost}::int or bool_or(part = ${part})
        on conflict (extension, version, part) do update
          set message = excluded.message, last_at = now(), count = least(extension_failure.count, 999999999) + 1`.execute(
        db,
      )
    },

    /** Returns the failures of all versions, the latest first, by extension and version. */
    async read(): Promise<(extension: string, version: string) => ExtensionFailure[]> {
      const { rows } = await sql<
        Omit<ExtensionFailure, 'firstAt' | 'lastAt'> & {
          extension: string
          version: string
          firstAt: Date
          lastAt: Date
        }
      >`
        select extension, version, part, message, count, first_at as "firstAt", last_at as "lastAt"
        from extension_failure order by last_at desc, part`.execute(db)
      const failures = Map.groupBy(rows, ({ extension, version }) => `${extension} ${version}`)
      return (extension, version) =>
        (failures.get(`${extension} ${version}`) ?? []).map(({ part, message, count, firstAt, lastAt }) => ({
          part,
          message,
          count,
          firstAt: firstAt.toISOString(),
          lastAt: lastAt.toISOString(),
        }))
    },
  }
}
export type ExtensionFailures = ReturnType<typeof createExtensionFailures>

/** Deletes failures that have not occurred for a month. */
export async function sweepExtensionFailures(db: Kysely<Database>): Promise<void> {
  await sql`delete from extension_failure where last_at < now() - interval '30 days'`.execute(db)
}
