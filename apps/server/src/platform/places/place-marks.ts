import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/*
 * The database knows the mark of each place that stores files or backups, so that an empty folder, for example one whose
 * disk is not mounted, is not taken for a new one.
 */

/** The place of the files, by no path: nodes may mount it at different ones. */
export const filesPlace = 'files'

/** Marks by place: `files`, or the path or address of backups. */
export type PlaceMarks = ReadonlyMap<string, string>

const undefinedTable = '42P01'

/** For a backup before an update, whose database lacks tables of this version. */
export function unlessTableIsMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === undefinedTable)) throw error
}

/** Reads the known marks. Before the migration that adds them, there are none. */
export async function readPlaceMarks(db: Kysely<Database>): Promise<PlaceMarks> {
  const rows = await db
    .selectFrom('place_mark')
    .select(['place', 'mark'])
    .execute()
    .catch(unlessTableIsMissing)
  return new Map(rows?.map(({ place, mark }) => [place, mark]))
}

/** Remembers the mark of a place, in place of its former one. */
export async function notePlaceMark(db: Kysely<Database>, place: string, mark: string): Promise<void> {
  await db
    .insertInto('place_mark')
    .values({ place, mark })
    .onConflict((conflict) => conflict.column('place').doUpdateSet({ mark, noted_at: sql`now()` }))
    .execute()
    .catch(unlessTableIsMissing)
}

/** The knowledge of the installation about its folder of files. */
export interface StoreNotes {
  /** `hasFiles`: the database lists stored files, so that the folder cannot be a new one. */
  read(): Promise<{ mark: string | undefined; hasFiles: boolean }>
  write(mark: string): Promise<void>
}

export function createStoreNotes(db: Kysely<Database>): StoreNotes {
  return {
    async read() {
      const [marks, file] = await Promise.all([
        readPlaceMarks(db),
        db
          .selectFrom('file')
          .select('id')
          .where('stored_at', 'is not', null)
          .where('released_at', 'is', null)
          .limit(1)
          .executeTakeFirst(),
      ])
      return { mark: marks.get(filesPlace), hasFiles: file !== undefined }
    },
    write: (mark) => notePlaceMark(db, filesPlace, mark),
  }
}
