import { access, constants } from 'node:fs/promises'
import type { ReplyOf, setupEndpoints } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Language } from '#platform/language.ts'
import { readSpace } from '#platform/places/space.ts'

interface InstallationState {
  /** A root exists. */
  isSetUp: boolean
  language: Language
}

interface InstallationParts {
  db: Kysely<Database>
  dataFolder: string
  /** Treats the installation as set up although it has no root. */
  isSetUp?: boolean | undefined
}

/** The installation as a whole: whether it has been set up, and its language. */
export function createInstallationService({ db, dataFolder, isSetUp = false }: InstallationParts) {
  // The last root remains (RULE-55), and so does the language: once a root exists, a node never queries again.
  let settled: InstallationState | undefined

  async function read(): Promise<InstallationState> {
    if (settled !== undefined) return settled
    const { rows } = await sql<{ is_set_up: boolean; language: Language | null }>`
      select exists (select from person where is_root and disabled_at is null) as is_set_up,
        (select language from installation) as language
    `.execute(db)
    const state = {
      isSetUp: isSetUp || rows[0]?.is_set_up === true,
      language: rows[0]?.language ?? ('de' as const),
    }
    if (state.isSetUp) settled = state
    return state
  }

  return {
    read,

    /** Without the database, assumes that the set-up is complete. */
    readForDocument: (): Promise<InstallationState> =>
      read().catch(() => ({ isSetUp: true, language: 'de' as const })),

    async setLanguage(trx: Db, language: Language): Promise<void> {
      await trx.updateTable('installation').set({ language }).execute()
    },

    /** Returns the checks of the set-up page. */
    async check(): Promise<Pick<ReplyOf<typeof setupEndpoints.read>, 'database' | 'folder'>> {
      const [{ rows }, isWritable, free] = await Promise.all([
        sql<{ server_version: string }>`show server_version`.execute(db),
        access(dataFolder, constants.W_OK).then(
          () => true,
          () => false,
        ),
        readSpace(dataFolder).then(
          (space) => space.free,
          () => null,
        ),
      ])
      // Distributions add their own package's name to the version.
      const database = rows[0]?.server_version.split(' ')[0] ?? ''
      return { database, folder: { isWritable, free } }
    },
  }
}
export type InstallationService = ReturnType<typeof createInstallationService>
