import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'

export interface ReleaseKey {
  publicKey: Buffer
  /** Encrypted. */
  privateKey: Buffer
  /** The signed text that announces this key; null for the first. */
  announcement: { text: string; signature: string } | null
}

export function createReleaseKeyRepository(db: Db) {
  return {
    /** Serialises the creation of keys across all nodes. */
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('edge_release_key', 0))`.execute(db)
    },

    /** Returns all keys, oldest first. */
    async all(): Promise<ReleaseKey[]> {
      const rows = await db.selectFrom('edge_release_key').selectAll().orderBy('id').execute()
      return rows.map(({ public_key: publicKey, private_key: privateKey, announcement, signature }) => ({
        publicKey,
        privateKey,
        announcement: announcement === null || signature === null ? null : { text: announcement, signature },
      }))
    },

    async add({ publicKey, privateKey, announcement }: ReleaseKey): Promise<void> {
      await db
        .insertInto('edge_release_key')
        .values({
          id: uuidv7(),
          public_key: publicKey,
          private_key: privateKey,
          announcement: announcement?.text ?? null,
          signature: announcement?.signature ?? null,
        })
        .execute()
    },
  }
}
