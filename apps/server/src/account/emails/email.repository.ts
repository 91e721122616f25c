import { type Email, limits } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { emailKey } from '../../people/email-address.ts'

const resendLock = sql`make_interval(secs => ${limits.resendLock / 1000}::int)`

// Use the time of the statement: a transaction that waited for a lock began before the row was written.
const resendIn = sql<number>`case when verified_at is null
  then greatest(0, ceil(extract(epoch from verification_sent_at + ${resendLock} - statement_timestamp())))::int
  else 0 end`

const columns = ['id', 'email', 'is_default', 'created_at', 'verified_at', resendIn.as('resendIn')] as const

interface EmailRow {
  id: string
  email: string
  is_default: boolean
  created_at: Date
  verified_at: Date | null
  resendIn: number
}

const emailOf = (row: EmailRow): Email => ({
  _id: row.id,
  email: row.email,
  isDefault: row.is_default,
  createdAt: row.created_at.toISOString(),
  verifiedAt: row.verified_at?.toISOString() ?? null,
  resendIn: row.resendIn,
})

/**
 * A requested verification mail. The time, to the microsecond, distinguishes it from later requests for the same
 * address.
 */
export interface VerificationRequest {
  emailId: string
  requestedAt: string
}

export function createEmailRepository(db: Db) {
  const ofPerson = (personId: string) =>
    db.selectFrom('email').select(columns).where('person_id', '=', personId)

  const requested = ({ emailId, requestedAt }: VerificationRequest) =>
    sql<boolean>`id = ${emailId} and verified_at is null and verification_sent_at = ${requestedAt}::timestamptz`

  return {
    async listOf(personId: string): Promise<Email[]> {
      const rows = await ofPerson(personId)
        .orderBy('is_default', 'desc')
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(emailOf)
    },

    async find(personId: string, emailId: string): Promise<Email | undefined> {
      const row = await ofPerson(personId).where('id', '=', emailId).executeTakeFirst()
      return row && emailOf(row)
    },

    async has(personId: string, email: string): Promise<boolean> {
      const row = await ofPerson(personId).where('email_key', '=', emailKey(email)).executeTakeFirst()
      return row !== undefined
    },

    async countOf(personId: string): Promise<number> {
      const { count } = await db
        .selectFrom('email')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Adds an unverified address with the request for its first mail. */
    async add(personId: string, email: string): Promise<VerificationRequest> {
      return db
        .insertInto('email')
        .values({
          id: uuidv7(),
          person_id: personId,
          email,
          email_key: emailKey(email),
          verification_sent_at: sql<Date>`now()`,
        })
        .returning(['id as emailId', sql<string>`verification_sent_at::text`.as('requestedAt')])
        .executeTakeFirstOrThrow()
    },

    /** Claims the request in one statement, so that only one of several concurrent requests on any node succeeds. */
    async requestVerification(personId: string, emailId: string): Promise<VerificationRequest | undefined> {
      return db
        .updateTable('email')
        .set({ verification_sent_at: sql<Date>`now()` })
        .where('id', '=', emailId)
        .where('person_id', '=', personId)
        .where(sql<boolean>`coalesce(verification_sent_at <= now() - ${resendLock}, true)`)
        .returning(['id as emailId', sql<string>`verification_sent_at::text`.as('requestedAt')])
        .executeTakeFirst()
    },

    /** Returns the address of a request that is unanswered and has not been replaced by a newer one. */
    async findRequested(request: VerificationRequest) {
      return db
        .selectFrom('email')
        .select(['person_id as personId', 'email'])
        .where(requested(request))
        .executeTakeFirst()
    },

    /** Marks the mail as written by moving its time by one microsecond, so that the request is not found again. */
    async answerRequest(request: VerificationRequest): Promise<void> {
      await db
        .updateTable('email')
        .set({ verification_sent_at: sql<Date>`verification_sent_at + interval '1 microsecond'` })
        .where(requested(request))
        .execute()
    },

    /** Verifies the address. Returns false if the row is no longer the one that the link was made for. */
    async verify(claim: EmailClaim): Promise<boolean> {
      const row = await db
        .updateTable('email')
        .set({ verified_at: sql<Date>`now()` })
        .where('id', '=', claim.emailId)
        .where('person_id', '=', claim.personId)
        .where('email_key', '=', emailKey(claim.email))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async findClaim(claim: EmailClaim): Promise<Email | undefined> {
      const row = await ofPerson(claim.personId)
        .where('id', '=', claim.emailId)
        .where('email_key', '=', emailKey(claim.email))
        .executeTakeFirst()
      return row && emailOf(row)
    },

    async setDefault(personId: string, emailId: string): Promise<void> {
      const setWhere = (isDefault: boolean) =>
        db
          .updateTable('email')
          .set({ is_default: isDefault })
          .where('person_id', '=', personId)
          .where('is_default', '=', !isDefault)
      // Two statements, because the unique index on the default checks each row as it is written.
      await setWhere(false).execute()
      await setWhere(true).where('id', '=', emailId).execute()
    },

    async remove(personId: string, emailId: string): Promise<void> {
      await db.deleteFrom('email').where('person_id', '=', personId).where('id', '=', emailId).execute()
    },
  }
}

/** The address that a confirmation link is bound to. */
export interface EmailClaim {
  emailId: string
  personId: string
  email: string
}
