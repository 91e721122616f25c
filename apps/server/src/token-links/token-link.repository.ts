import type { TokenLinkAction } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { emailKey } from '../people/email-address.ts'
import type { NewTokenLink, StoredTokenLink } from './token-link.ts'

const keepFor = sql`interval '30 days'`
const sweepBatch = 1000

export function createTokenLinkRepository(db: Db) {
  const open = () => db.updateTable('token_link').where('used_at', 'is', null).where('voided_at', 'is', null)

  return {
    /** Ends the open links that it replaces: those of the same action, account and address. */
    async add(link: NewTokenLink, tokenHash: Buffer): Promise<string> {
      const key = emailKey(link.email)
      // Two at once for one owner come one after the other, so that the second ends the first.
      const owner = link.personId ?? key
      await sql`select pg_advisory_xact_lock(hashtextextended(${`token_link ${link.action} ${owner}`}, 0))`.execute(
        db,
      )
      const { replaces } = link
      await open()
        .set({ voided_at: sql<Date>`now()` })
        .where('action', '=', link.action)
        .where('person_id', 'is not distinct from', link.personId)
        .where((eb) =>
          eb.or([
            eb('email_key', '=', key),
            ...(replaces === undefined ? [] : [sql<boolean>`data @> ${JSON.stringify(replaces)}::jsonb`]),
          ]),
        )
        .execute()
      const id = uuidv7()
      await db
        .insertInto('token_link')
        .values({
          id,
          token_hash: tokenHash,
          action: link.action,
          person_id: link.personId,
          email: link.email,
          email_key: key,
          data: JSON.stringify(link.data),
          created_by: link.createdBy,
          expires_at: sql<Date>`now() + make_interval(secs => ${link.lifetime}::int)`,
        })
        .execute()
      return id
    },

    /** `isOpen` tells whether it could be used now, `isUsed` whether it has been. */
    async find(
      tokenHash: Buffer,
    ): Promise<(StoredTokenLink & { isOpen: boolean; isUsed: boolean }) | undefined> {
      const row = await db
        .selectFrom('token_link')
        .select([
          'id',
          'action',
          'email',
          'person_id',
          'data',
          'created_by',
          sql<boolean>`used_at is null and voided_at is null and expires_at > now()`.as('isOpen'),
          sql<boolean>`used_at is not null`.as('isUsed'),
        ])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return {
        id: row.id,
        action: row.action as TokenLinkAction,
        email: row.email,
        personId: row.person_id,
        data: row.data,
        createdBy: row.created_by,
        isOpen: row.isOpen,
        isUsed: row.isUsed,
      }
    },

    /** Ends the open links of an account: all of them, or those that were sent to one address. */
    async voidOf(personId: string, address?: string): Promise<void> {
      await open()
        .set({ voided_at: sql<Date>`now()` })
        .where('person_id', '=', personId)
        .$if(address !== undefined, (query) => query.where('email_key', '=', emailKey(address ?? '')))
        .execute()
    },

    /** Uses a link up. Of many at once one is told that it did. */
    async use(id: string): Promise<boolean> {
      const row = await open()
        .set({ used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

/** Links whose end is long past. */
export async function sweepTokenLinks(db: Kysely<Database>): Promise<void> {
  let deleted: bigint
  do {
    const result = await sql`
      delete from token_link where id in (
        select id from token_link where expires_at < now() - ${keepFor} limit ${sweepBatch}
      )`.execute(db)
    deleted = result.numAffectedRows ?? 0n
  } while (deleted >= sweepBatch)
}
