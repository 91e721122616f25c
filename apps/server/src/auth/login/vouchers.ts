import { type Kysely, sql } from 'kysely'
import { hasCome } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { hashToken, newToken } from '#platform/secrets.ts'

const triesMost = 5
const lifetime = sql`interval '5 minutes'`
const expiry = sql<Date>`now() + ${lifetime}`

/** Single-use vouchers that stand for a correct password until the second factor arrives (RULE-10). */
export function createVouchers(db: Db) {
  return {
    /** Issues a voucher in the transaction that verified the password. */
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

    /** Returns the user of an open voucher that has attempts left. Counts no attempt. */
    async find(voucher: string): Promise<{ personId: string } | undefined> {
      return open(db, voucher)
        .select('otp_voucher.person_id as personId')
        .where('otp_voucher.tries', '<', triesMost)
        .executeTakeFirst()
    },

    /** Counts an attempt before it is evaluated. Returns false once no attempts are left, even under concurrency. */
    async countAttempt(voucher: string): Promise<boolean> {
      const counted = await db
        .updateTable('otp_voucher')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashToken(voucher))
        .where('tries', '<', triesMost)
        .returning('tries')
        .executeTakeFirst()
      return counted !== undefined
    },

    /**
     * Consumes the voucher regardless of its attempts, because the current one is already counted. The caller has
     * locked the person row.
     */
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

/** Vouchers that are unused and unexpired, of enabled users whose password has not changed since. */
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
    .where(sql<boolean>`not ${hasCome(sql`otp_voucher.expires_at`, lifetime)}`)

/** Deletes expired vouchers. */
export async function sweepVouchers(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('otp_voucher').where('expires_at', '<', sql<Date>`now()`).execute()
}
