import { type Email, limits } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { emailKey } from '../../people/email-address.ts'

const resendLock = sql`make_interval(secs => ${limits.resendLock / 1000}::int)`

// By the time of the statement: a transaction that waited for another one began before what it reads was written.
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
 * A verification mail that was asked for: the moment it was, to the microsecond, tells it from a later one for the same
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

    /** An address that has to be verified, with the request for the first mail to it. */
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

    /** Of many requests at once, on whatever node, this statement lets one through. */
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

    /** Whose address a request is about, while nobody has answered it or asked anew. */
    async findRequested(request: VerificationRequest) {
      return db
        .selectFrom('email')
        .select(['person_id as personId', 'email'])
        .where(requested(request))
        .executeTakeFirst()
    },

    /** Says that the mail was written: a microsecond is nothing to those who wait, and the request is not found again. */
    async answerRequest(request: VerificationRequest): Promise<void> {
      await db
        .updateTable('email')
        .set({ verification_sent_at: sql<Date>`verification_sent_at + interval '1 microsecond'` })
        .where(requested(request))
        .execute()
    },

    /** Verifies the address, or answers that it is not the one any more that the link was made for. */
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
      // Two statements, because the index that allows one default looks at each row as it is written.
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
