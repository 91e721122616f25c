import type { MailKind } from '@pult/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { hasCome } from '../database/clock.ts'
import type { Db } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { isInService } from '../database/in-service.ts'
import { keptFor } from '../database/retention.ts'
import type { Database } from '../database/schema.ts'

/** Longer than the longest delivery, and shorter than the job's timeout, so that its retry finds the mail unclaimed. */
const claim = sql`interval '25 seconds'`

/** Longer than the longest reply of a mail server to a whole mail. */
const extendedClaim = sql`interval '6 minutes'`

/**
 * A mail that is not accepted within this time expires. While the clock may be wrong, the attempts of half a day prove
 * that the time has passed: a clock that is ahead makes every mail old.
 */
const patience = sql`interval '3 days'`
const leastAttempts = sql`20`

/** The back-off equals the age of the mail, from 20 s up to 1 h. */
const longestPause = sql`interval '1 hour'`

/** Attempts after which a mail that the mail server repeatedly does not confirm is given up. */
const unclearMost = 3
/** The end of the error of such an attempt. */
export const unclearSign = ' after the whole mail'
const nextTry = sql<Date>`now() + greatest(interval '20 seconds', least(now() - created_at, ${longestPause}))`

/** The claim of a mail that may have been delivered lasts as long as a pause. */
const isUnclaimed = sql<boolean>`coalesce(${hasCome(sql`claimed_until`, longestPause)}, true)`

export interface ClaimedMail {
  content: Buffer
  createdAt: Date
}

export function createOutboxRepository(db: Db) {
  const open = (id: string) =>
    db.updateTable('mail').where('id', '=', id).where('sent_at', 'is', null).where('given_up_at', 'is', null)

  return {
    async add(kind: MailKind, content: Buffer): Promise<string> {
      const id = uuidv7()
      await db.insertInto('mail').values({ id, kind, content, last_error: null }).execute()
      return id
    },

    /** Records a mail that was delivered outside of the outbox. */
    async addSent(id: string, kind: MailKind): Promise<void> {
      const values = { id, kind, content: null, last_error: null, attempts: 1, sent_at: sql<Date>`now()` }
      await db.insertInto('mail').values(values).execute()
    },

    /**
     * Claims a mail for delivery. A claim in the row instead of a row lock: a transaction that stays open during the
     * SMTP dialogue would block everything that waits for transactions to end.
     */
    async claim(id: string): Promise<ClaimedMail | undefined> {
      const row = await open(id)
        .set({ claimed_until: sql<Date>`now() + ${claim}`, attempts: sql<number>`attempts + 1` })
        .where(isInService)
        .where(isUnclaimed)
        .where(sql<boolean>`coalesce(${hasCome(sql`next_try_at`, longestPause)}, true)`)
        .returning(['content', 'created_at'])
        .executeTakeFirst()
      return row?.content == null ? undefined : { content: row.content, createdAt: row.created_at }
    },

    /** Keeps other attempts away while the mail server decides about a whole mail. */
    async extendClaim(id: string): Promise<void> {
      await open(id)
        .set({ claimed_until: sql<Date>`now() + ${extendedClaim}` })
        .execute()
    },

    /**
     * Ends the back-off of all waiting mails within a minute. They are spread over it, because mail servers block
     * bursts, and each node that starts does this.
     */
    async retrySoon(): Promise<void> {
      await db
        .updateTable('mail')
        .set({ next_try_at: sql<Date>`now() + random() * interval '1 minute'` })
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .where(sql<boolean>`not ${hasCome(sql`(next_try_at - interval '1 minute')`, longestPause)}`)
        .execute()
    },

    async isOpen(id: string): Promise<boolean> {
      const row = await db
        .selectFrom('mail')
        .select('id')
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

    async markSent(id: string): Promise<void> {
      await open(id)
        .set({ sent_at: sql<Date>`now()`, content: null, claimed_until: null, last_error: null })
        .execute()
    },

    /**
     * Releases a mail for the next attempt, after a back-off if `isLater`, or expires it. `retrySoon` does not end the
     * back-off of a mail that may have been delivered, `isUnclear`. The refused recipient of an expired mail is kept.
     */
    async markFailed(
      id: string,
      {
        error,
        isLater,
        isUnclear,
        isPermanent,
        refused,
      }: {
        error: string
        isLater: boolean
        isUnclear: boolean
        isPermanent: boolean
        refused: string | null
      },
    ): Promise<{ isGivenUp: boolean }> {
      const isOld = sql`(created_at < now() - ${patience} and attempts >= ${leastAttempts})`
      // Each attempt without a confirmation may have delivered the mail.
      const isRepeated = sql`(attempts >= ${unclearMost} and last_error like ${`%${unclearSign}`})`
      const isFinal = isPermanent ? sql`true` : isUnclear ? sql`(${isOld} or ${isRepeated})` : isOld
      const row = await open(id)
        .set({
          claimed_until: isUnclear ? nextTry : null,
          next_try_at: isLater ? nextTry : null,
          last_error: error,
          given_up_at: sql<Date | null>`case when ${isFinal} then now() end`,
          refused_recipient: sql<string | null>`case when ${isFinal} then ${refused}::text end`,
          content: sql<Buffer | null>`case when ${isFinal} then null else content end`,
        })
        .returning('given_up_at')
        .executeTakeFirst()
      return { isGivenUp: row?.given_up_at != null }
    },

    async countUnsent(): Promise<number> {
      const { count } = await db
        .selectFrom('mail')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

/** Expires mails that no delivery holds. Part of the caller's transaction, if any. */
export async function expireOlder(
  db: Db,
  age: RawBuilder<unknown>,
  error: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update mail set given_up_at = now(), content = null, last_error = ${error}
    where sent_at is null and given_up_at is null and created_at < now() - ${age}
      and ${isUnclaimed}`.execute(db)
}

/**
 * Deletes the records of finished mails past their retention; their content is deleted earlier. Expires old mails that
 * no attempt has expired, such as those of a node that did not run, or whose job was lost.
 */
export async function sweepMails(db: Kysely<Database>): Promise<void> {
  await deleteInBatches(
    db,
    'mail',
    sql`(sent_at is not null or given_up_at is not null) and created_at < now() - ${keptFor('mails')}`,
  )
  await expireOlder(db, patience, sql`coalesce(last_error, 'EXPIRED: no attempt within three days')`)
}
