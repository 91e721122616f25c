import { access, constants } from 'node:fs/promises'
import type { ReplyOf, setupEndpoints } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Language } from '#platform/language.ts'
import { expireRestoredMails } from '#platform/mail/restored-mails.ts'
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

    /**
     * Stores the address of this start. Ends the state of a copy if a restored installation starts at its former
     * address, or if that is unknown, and expires its old mails.
     */
    async noteAddress(publicUrl: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ isReleased: boolean }>`
          update installation i set
            is_copy = i.is_copy and coalesce(i.public_url <> ${publicUrl}, false),
            public_url = case when i.is_copy then coalesce(i.public_url, ${publicUrl}) else ${publicUrl} end
          from (select id, is_copy from installation for update) before
          where i.id = before.id returning before.is_copy and not i.is_copy as "isReleased"`.execute(trx)
        if (rows[0]?.isReleased === true) await expireRestoredMails(trx)
      })
    },

    /**
     * Puts a copy into service at this address, and expires its old mails. Returns the address of the original;
     * undefined if it is no copy.
     */
    async putIntoService(trx: Db, publicUrl: string): Promise<string | undefined> {
      const { rows } = await sql<{ original: string }>`
        update installation i set is_copy = false, public_url = ${publicUrl}
        from (select id, public_url from installation where is_copy for update) before
        where i.id = before.id returning before.public_url as original`.execute(trx)
      if (rows.length > 0) await expireRestoredMails(trx)
      return rows[0]?.original
    },

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
