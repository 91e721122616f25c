import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** What somebody decided about an extension. */
export interface ExtensionState {
  id: string
  isEnabled: boolean
  /** The digest that was enabled. */
  digest: string | null
  changedAt: Date
}

export function createExtensionRepository(db: Db) {
  return {
    async list(): Promise<ExtensionState[]> {
      return db
        .selectFrom('extension')
        .select(['id', 'is_enabled as isEnabled', 'digest', 'changed_at as changedAt'])
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
  }
}
