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
  /** The database of this start; null while it is unknown. */
  let databaseId: string | null = null

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

  /**
   * Returns what distinguishes this database from one with the same records: the cluster, which its standbys share, and
   * the database in it. Null where the role may not read it.
   */
  async function readDatabaseId(): Promise<string | null> {
    const { rows } = await sql<{ id: string }>`
      select system_identifier || ' ' || oid as id from pg_control_system(), pg_database
      where datname = current_database()`
      .execute(db)
      .catch(() => ({ rows: [] }))
    return rows[0]?.id ?? null
  }

  return {
    read,

    /** Without the database, assumes that the set-up is complete. */
    readForDocument: (): Promise<InstallationState> =>
      read().catch(() => ({ isSetUp: true, language: 'de' as const })),

    /**
     * Stores the address and the database of this start. Ends the state of a copy if a restored installation starts at
     * its former address, or if that is unknown, and expires its old mails. With another address and another database
     * than before, the installation is a copy that other programs have made, such as pg_dump.
     */
    async noteAddress(publicUrl: string): Promise<void> {
      databaseId = await readDatabaseId()
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ isReleased: boolean }>`
          update installation i set
            is_copy = before.becomes_copy,
            public_url = case when before.becomes_copy then coalesce(i.public_url, ${publicUrl}) else ${publicUrl} end,
            database_id = case when before.becomes_copy then i.database_id
              else coalesce(${databaseId}, i.database_id) end
          from (
            select id, is_copy,
              coalesce(public_url <> ${publicUrl} and (is_copy or database_id <> ${databaseId}), false) as becomes_copy
            from installation for update
          ) before
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
        update installation i set is_copy = false, public_url = ${publicUrl},
          database_id = coalesce(${databaseId}, i.database_id)
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
