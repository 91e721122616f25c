import type { Kysely } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'

/** What stands for a right password until the second factor is there: RULE-10 says what it may. */
export function createVouchers(_db: Db) {
  return {
    /** Answers the new voucher. Part of the transaction that proved the password. */
    async issue(_trx: Db, _person: { id: string; passwordVersion: number }): Promise<string> {
      throw new Error('not built')
    },

    /** Whose open voucher this is; counts nothing. Its tries are not used up and its password is the present one. */
    async find(_voucher: string): Promise<{ personId: string } | undefined> {
      throw new Error('not built')
    },
  }
}
export type Vouchers = ReturnType<typeof createVouchers>

export async function sweepVouchers(_db: Kysely<Database>): Promise<void> {}
