import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Rights } from './manifests/rights.ts'
import type { ExtensionState } from './packages/running.ts'

/** Serialises changes of extensions across all nodes. */
const lockKey = 'extensions'

export function createExtensionRepository(db: Db) {
  return {
    /** Acquires the lock until the end of the transaction. Returns false while another transaction holds it. */
    async tryLock(): Promise<boolean> {
      const { rows } = await sql<{ isLocked: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${lockKey}, 0)) as "isLocked"`.execute(db)
      return rows[0]?.isLocked === true
    },

    /** Returns the id of the current transaction, for {@link outcomeOf}. */
    async transactionId(): Promise<string> {
      const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
      return rows[0]?.id ?? ''
    },

    /** Returns the outcome of a transaction whose COMMIT had no answer. */
    async outcomeOf(transactionId: string): Promise<'committed' | 'aborted' | 'in progress' | undefined> {
      const { rows } = await sql<{ outcome: 'committed' | 'aborted' | 'in progress' }>`
        select pg_xact_status(${transactionId}::xid8) as outcome`.execute(db)
      return rows[0]?.outcome
    },

    async list(): Promise<ExtensionState[]> {
      return db
        .selectFrom('extension')
        .select([
          'id',
          'is_enabled as isEnabled',
          'digest',
          sql<Rights | null>`rights`.as('rights'),
          'backend_url as backendUrl',
          'backend_allows_http as backendAllowsHttp',
          'changed_at as changedAt',
        ])
        .execute()
    },

    /** `version` is the installed version and the rights that root allows; null for the bundled one. */
    async enable(id: string, version: { digest: string; rights: Rights } | null): Promise<void> {
      const values = {
        is_enabled: true,
        digest: version?.digest ?? null,
        rights: version && JSON.stringify(version.rights),
        changed_at: sql<Date>`now()`,
      }
      await db
        .insertInto('extension')
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },

    /** Keeps the version and its rights, so that the same version can be enabled again. */
    async disable(id: string): Promise<void> {
      const values = { is_enabled: false, changed_at: sql<Date>`now()` }
      await db
        .insertInto('extension')
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },

    /**
     * Changes only the address of the service. `isEnabled` is the current state, stored if the extension has no row
     * yet.
     */
    async setBackend(
      id: string,
      { url, allowsHttp }: { url: string | null; allowsHttp: boolean },
      isEnabled: boolean,
    ): Promise<void> {
      const values = { backend_url: url, backend_allows_http: allowsHttp }
      await db
        .insertInto('extension')
        .values({ id, is_enabled: isEnabled, digest: null, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },

    /** Returns the people whose scope contains roles of these products. */
    async holdersOf(skus: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct person_id as id from project_grant
        where split_part(product_role, '/', 1) = any(${skus})`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Returns the projects in which people hold one of these product roles. */
    async projectsWith(productRoles: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct project_id as id from project_grant where product_role = any(${productRoles}::text[])`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    },
  }
}
