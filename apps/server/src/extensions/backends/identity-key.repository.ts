import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'

/** A key signs for 90 days and is published one day longer: tokens live for a minute, but services cache keys. */
const usedFor = sql`interval '90 days'`
const publishedFor = sql`interval '91 days'`

export interface IdentityKey {
  id: string
  publicKey: Record<string, unknown>
  /** Encrypted. */
  privateKey: Buffer
  /** The time of the database in whole seconds. */
  now: number
}

export function createIdentityKeyRepository(db: Db) {
  return {
    /** Serialises the creation of keys across all nodes. */
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('identity_key', 0))`.execute(db)
    },

    async current(): Promise<IdentityKey | undefined> {
      const { rows } = await sql<IdentityKey>`
        select id, public_key as "publicKey", private_key as "privateKey",
          floor(extract(epoch from now()))::float8 as now
        from identity_key where created_at > now() - ${usedFor}
        order by created_at desc, id desc limit 1`.execute(db)
      return rows[0]
    },

    /** Returns the keys of tokens that may still be valid. */
    async published(): Promise<Pick<IdentityKey, 'id' | 'publicKey'>[]> {
      const { rows } = await sql<Pick<IdentityKey, 'id' | 'publicKey'>>`
        select id, public_key as "publicKey" from identity_key
        where created_at > now() - ${publishedFor} order by created_at desc, id desc`.execute(db)
      return rows
    },

    async add(publicKey: Record<string, unknown>, privateKey: Buffer, id = uuidv7()): Promise<void> {
      await db
        .insertInto('identity_key')
        .values({ id, public_key: JSON.stringify(publicKey), private_key: privateKey })
        .execute()
    },
  }
}

/** Deletes keys that are no longer published. */
export async function sweepIdentityKeys(db: Db): Promise<void> {
  await sql`delete from identity_key where created_at < now() - ${publishedFor}`.execute(db)
}
