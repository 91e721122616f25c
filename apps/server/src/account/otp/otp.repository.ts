import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { totpPeriod } from './totp.ts'

const saltBytes = 16

/** Number of used time steps that are known after the clock has stepped back. */
const stepsKept = 10

/** Time in which an enrolment must receive its first code. */
const isPendingOpen = sql<boolean>`pending_at > now() - interval '1 hour'`
const now = sql<Date>`now()`

export function createOtpRepository(db: Db) {
  async function addCodes(personId: string, codes: string[], isPending: boolean): Promise<void> {
    await db
      .insertInto('recovery_code')
      .values(
        codes.map((code) => {
          const salt = randomBytes(saltBytes)
          return {
            id: uuidv7(),
            person_id: personId,
            salt,
            hash: hashRecoveryCode(salt, code),
            is_pending: isPending,
          }
        }),
      )
      .execute()
  }

  const codesOf = (personId: string, isPending: boolean) =>
    db.deleteFrom('recovery_code').where('person_id', '=', personId).where('is_pending', '=', isPending)

  return {
    async read(personId: string) {
      return db
        .selectFrom('otp')
        .select((eb) => [
          'enabled_at',
          eb
            .selectFrom('recovery_code')
            .select((of) => of.fn.countAll<number>().as('count'))
            .whereRef('recovery_code.person_id', '=', 'otp.person_id')
            .where('is_pending', '=', false)
            .where('used_at', 'is', null)
            .as('codesLeft'),
        ])
        .where('person_id', '=', personId)
        .where('enabled_at', 'is not', null)
        .executeTakeFirst()
    },

    /** Returns the active seed, and the time for checking its codes. */
    async findSeed(personId: string) {
      return db
        .selectFrom('otp')
        .select(['seed', now.as('now')])
        .where('person_id', '=', personId)
        .where('seed', 'is not', null)
        .$narrowType<{ seed: Buffer }>()
        .executeTakeFirst()
    },

    /** Returns the pending seed while its enrolment has not expired. */
    async findPendingSeed(personId: string) {
      return db
        .selectFrom('otp')
        .select(['pending_seed as seed', now.as('now')])
        .where('person_id', '=', personId)
        .where(isPendingOpen)
        .$narrowType<{ seed: Buffer }>()
        .executeTakeFirst()
    },

    /** Replaces the pending seed and codes. The active ones remain. */
    async setPending(personId: string, seed: Buffer, codes: string[]): Promise<void> {
      const pending = { pending_seed: seed, pending_at: now }
      await db
        .insertInto('otp')
        .values({ person_id: personId, ...pending })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet(pending))
        .execute()
      await codesOf(personId, true).execute()
      await addCodes(personId, codes, true)
    },

    /** Activates the pending seed and marks the step of its first code as used. */
    async activatePending(personId: string, step: number): Promise<void> {
      await db
        .updateTable('otp')
        .set((eb) => ({
          seed: eb.ref('pending_seed'),
          last_step: step,
          used_steps: sql`array[${step}::int]`,
          enabled_at: now,
          pending_seed: null,
          pending_at: null,
        }))
        .where('person_id', '=', personId)
        .execute()
      await codesOf(personId, false).execute()
      await db
        .updateTable('recovery_code')
        .set({ is_pending: false })
        .where('person_id', '=', personId)
        .execute()
    },

    /** Activates a new seed immediately and deletes the old and the pending ones. */
    async replace(personId: string, seed: Buffer, codes: string[]): Promise<void> {
      await db
        .updateTable('otp')
        .set({ seed, last_step: null, used_steps: [], enabled_at: now, pending_seed: null, pending_at: null })
        .where('person_id', '=', personId)
        .execute()
      await db.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
      await addCodes(personId, codes, false)
    },

    async replaceCodes(personId: string, codes: string[]): Promise<void> {
      await codesOf(personId, false).execute()
      await addCodes(personId, codes, false)
    },

    /** Deletes the active and the pending factor. Returns whether one was active. */
    async remove(personId: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('otp')
        .where('person_id', '=', personId)
        .where('enabled_at', 'is not', null)
        .returning('person_id')
        .executeTakeFirst()
      return removed !== undefined
    },

    /**
     * Accepts each step once, and never an earlier one afterwards: RFC 6238 5.2. A used step of the future, when the
     * clocks of the server and the user were ahead, does not lock the user out until then; the last steps are known, so
     * that their codes do not work again when the clock is back.
     */
    async useStep(personId: string, step: number): Promise<boolean> {
      const used = await db
        .updateTable('otp')
        .set({
          last_step: step,
          used_steps: sql`(array_prepend(${step}::int, used_steps))[1:${stepsKept}::int]`,
        })
        .where('person_id', '=', personId)
        .where(
          sql<boolean>`(last_step is null or (${step} <> all(used_steps) and (last_step < ${step}
            or last_step > extract(epoch from now()) / ${totpPeriod}::int + 2)))`,
        )
        .returning('person_id')
        .executeTakeFirst()
      return used !== undefined
    },

    async listCodes(personId: string) {
      return db
        .selectFrom('recovery_code')
        .select(['id', 'salt', 'hash'])
        .where('person_id', '=', personId)
        .where('is_pending', '=', false)
        .execute()
    },

    /** Marks codes as used. Returns whether at least one was unused. */
    async useCodes(codeIds: readonly string[]): Promise<boolean> {
      const used = await db
        .updateTable('recovery_code')
        .set({ used_at: now })
        .where(sql<boolean>`id = any(${codeIds}::uuid[])`)
        .where('used_at', 'is', null)
        .returning('id')
        .execute()
      return used.length > 0
    },
  }
}
