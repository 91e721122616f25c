import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { ExtensionState } from './packages/running.ts'

/** One change of extensions at a time, in the whole installation. */
const lockKey = 'extensions'

export function createExtensionRepository(db: Db) {
  return {
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`.execute(db)
    },

    async list(): Promise<ExtensionState[]> {
      return db
        .selectFrom('extension')
        .select([
          'id',
          'is_enabled as isEnabled',
          'digest',
          'backend_url as backendUrl',
          'changed_at as changedAt',
        ])
        .execute()
    },

    async set(id: string, isEnabled: boolean, digest: string | null): Promise<void> {
      const values = { is_enabled: isEnabled, digest, changed_at: sql<Date>`now()` }
      await db
        .insertInto('extension')
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },

    /** Says nothing about whether it runs: where nothing was decided before, `isEnabled` is what held without a word. */
    async setBackend(id: string, backendUrl: string | null, isEnabled: boolean): Promise<void> {
      await db
        .insertInto('extension')
        .values({ id, is_enabled: isEnabled, digest: null, backend_url: backendUrl })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ backend_url: backendUrl }))
        .execute()
    },

    /** Those whose scope has entries from roles of these products. */
    async holdersOf(skus: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct person_id as id from project_grant
        where split_part(product_role, '/', 1) = any(${skus})`.execute(db)
      return rows.map(({ id }) => id)
    },
  }
}
