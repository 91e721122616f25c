import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../database/database.ts'
import type { Database } from '../database/schema.ts'

/** Longer than the longest delivery, and shorter than the job's own time, so that its next try finds the mail free. */
const claim = sql`interval '25 seconds'`

/** Whoever has not answered for so long is not going to. */
const patience = sql`interval '3 days'`

/** A server that refuses a mail is asked again after as long as the mail has waited: soon first, then ever less often. */
const nextTry = sql<Date>`now() + greatest(interval '20 seconds', least(now() - created_at, interval '1 hour'))`

const keepFor = sql`interval '30 days'`
const sweepBatch = 1000

export interface ClaimedMail {
  content: Buffer
  createdAt: Date
}

export function createOutboxRepository(db: Db) {
  const open = (id: string) =>
    db.updateTable('mail').where('id', '=', id).where('sent_at', 'is', null).where('given_up_at', 'is', null)

  return {
    async add(content: Buffer): Promise<string> {
      const id = uuidv7()
      await db.insertInto('mail').values({ id, content, last_error: null }).execute()
      return id
    },

    /**
     * Keeps a mail for the one who is going to send it. A claim in the row instead of a lock on it: a transaction that
     * stays open while a mail server thinks would hold up everybody who waits for transactions to end.
     */
    async claim(id: string): Promise<ClaimedMail | undefined> {
      const row = await open(id)
        .set({ claimed_until: sql<Date>`now() + ${claim}`, attempts: sql<number>`attempts + 1` })
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', sql<Date>`now()`)]))
        .where((eb) => eb.or([eb('next_try_at', 'is', null), eb('next_try_at', '<=', sql<Date>`now()`)]))
        .returning(['content', 'created_at'])
        .executeTakeFirst()
      return row?.content == null ? undefined : { content: row.content, createdAt: row.created_at }
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

    /** Frees a mail for the next try, or gives it up. */
    async markFailed(
      id: string,
      { error, isRefused }: { error: string; isRefused: boolean },
    ): Promise<{ isGivenUp: boolean }> {
      const row = await open(id)
        .set({
          claimed_until: null,
          next_try_at: isRefused ? nextTry : null,
          last_error: error,
          given_up_at: sql<Date | null>`case when created_at < now() - ${patience} then now() end`,
          content: sql<Buffer | null>`case when created_at < now() - ${patience} then null else content end`,
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

/** What became of a mail is kept for a while, without its content. */
export async function sweepMails(db: Kysely<Database>): Promise<void> {
  let deleted: bigint
  do {
    const result = await sql`
      delete from mail where id in (
        select id from mail
        where (sent_at is not null or given_up_at is not null) and created_at < now() - ${keepFor}
        limit ${sweepBatch}
      )`.execute(db)
    deleted = result.numAffectedRows ?? 0n
  } while (deleted >= sweepBatch)
}
