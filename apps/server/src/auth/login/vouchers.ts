import { type Kysely, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { hashToken, newToken } from '#platform/secrets.ts'

const triesMost = 5
const expiry = sql<Date>`now() + interval '5 minutes'`

/** What stands for a right password until the second factor is there: RULE-10 says what it may. */
export function createVouchers(db: Db) {
  return {
    /** Answers the new voucher. Part of the transaction that proved the password. */
    async issue(trx: Db, person: { id: string; passwordVersion: number }): Promise<string> {
      const voucher = newToken()
      await trx
        .insertInto('otp_voucher')
        .values({
          token_hash: hashToken(voucher),
          person_id: person.id,
          password_version: person.passwordVersion,
          expires_at: expiry,
        })
        .execute()
      return voucher
    },

    /** Whose open voucher this is; counts nothing. Its tries are not used up and its password is the present one. */
    async find(voucher: string): Promise<{ personId: string } | undefined> {
      return open(db, voucher)
        .select('otp_voucher.person_id as personId')
        .where('otp_voucher.tries', '<', triesMost)
        .executeTakeFirst()
    },

    /** Counts a try before it is made; of many at once as many are told that they may as there are tries left. */
    async countTry(voucher: string): Promise<boolean> {
      const counted = await db
        .updateTable('otp_voucher')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashToken(voucher))
        .where('tries', '<', triesMost)
        .returning('tries')
        .executeTakeFirst()
      return counted !== undefined
    },

    /** Uses it up, whatever its tries: the last of them was counted. The person's row is to be locked before. */
    async use(trx: Db, voucher: string): Promise<boolean> {
      const used = await trx
        .updateTable('otp_voucher')
        .set({ used_at: sql<Date>`now()` })
        .where('token_hash', 'in', open(trx, voucher).select('otp_voucher.token_hash'))
        .returning('token_hash')
        .executeTakeFirst()
      return used !== undefined
    },
  }
}
export type Vouchers = ReturnType<typeof createVouchers>

/** Not used, not expired, of somebody who may sign in and whose password has not been changed since. */
const open = (db: Db, voucher: string) =>
  db
    .selectFrom('otp_voucher')
    .innerJoin('person', (join) =>
      join
        .onRef('person.id', '=', 'otp_voucher.person_id')
        .onRef('person.password_version', '=', 'otp_voucher.password_version')
        .on('person.disabled_at', 'is', null),
    )
    .where('otp_voucher.token_hash', '=', hashToken(voucher))
    .where('otp_voucher.used_at', 'is', null)
    .where('otp_voucher.expires_at', '>', sql<Date>`now()`)

/** Vouchers that nobody can use any more. */
export async function sweepVouchers(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('otp_voucher').where('expires_at', '<', sql<Date>`now()`).execute()
}
