import type { TokenLinkAction } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { emailKey } from '../people/email-address.ts'
import { isLinkOpen } from './open-link.ts'
import type { NewTokenLink, StoredTokenLink } from './token-link.ts'

const keepFor = sql`interval '30 days'`
const sweepBatch = 1000

type LinkOwner = Pick<StoredTokenLink, 'action' | 'personId' | 'email'>

export function createTokenLinkRepository(db: Db) {
  const open = () => db.updateTable('token_link').where('used_at', 'is', null).where('voided_at', 'is', null)

  /**
   * Serialises changes to the links of one owner. Locks the person row before any link: changes to the sign-in also
   * lock it before they void the person's links.
   */
  async function lockOwner({ action, personId, email }: LinkOwner): Promise<void> {
    await (personId === null
      ? sql`select pg_advisory_xact_lock(hashtextextended(${`token_link ${action} ${emailKey(email)}`}, 0))`
      : sql`select from person where id = ${personId} for update`
    ).execute(db)
  }

  return {
    /** Adds a link and voids the open links that it replaces: those of the same action, account and address. */
    async add(link: NewTokenLink, tokenHash: Buffer): Promise<string> {
      await lockOwner(link)
      const key = emailKey(link.email)
      const { replaces, target = '' } = link
      await open()
        .set({ voided_at: sql<Date>`now()` })
        .where('action', '=', link.action)
        .where('person_id', 'is not distinct from', link.personId)
        .where('target', '=', target)
        .where((eb) =>
          eb.or([
            eb('email_key', '=', key),
            ...(replaces === undefined ? [] : [sql<boolean>`data @> ${JSON.stringify(replaces)}::jsonb`]),
          ]),
        )
        .execute()
      const id = link.id ?? uuidv7()
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
          target,
          created_by: link.createdBy,
          expires_at: sql<Date>`now() + make_interval(secs => ${link.lifetime}::int)`,
        })
        .execute()
      return id
    },

    /** Finds a link by its token. `isOpen`: it can be redeemed now; `isUsed`: it was redeemed. */
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
          isLinkOpen.as('isOpen'),
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

    /** Voids the open links of an account: all of them, or those sent to one address. */
    async voidOf(personId: string, address?: string): Promise<void> {
      await open()
        .set({ voided_at: sql<Date>`now()` })
        .where('person_id', '=', personId)
        .$if(address !== undefined, (query) => query.where('email_key', '=', emailKey(address ?? '')))
        .execute()
    },

    /** Voids the open links that an account has created. */
    async voidCreatedBy(personId: string): Promise<void> {
      await open().set({ voided_at: sql<Date>`now()` }).where('created_by', '=', personId).execute()
    },

    /** Consumes a link. Returns true to exactly one of several concurrent calls. */
    async use(link: StoredTokenLink): Promise<boolean> {
      if (link.personId !== null) await lockOwner(link)
      const row = await db
        .updateTable('token_link')
        .set({ used_at: sql<Date>`now()` })
        .where('id', '=', link.id)
        .where(isLinkOpen)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Undoes the use of a link, in the transaction that used it. */
    async reopen(link: StoredTokenLink): Promise<void> {
      await db.updateTable('token_link').set({ used_at: null }).where('id', '=', link.id).execute()
    },
  }
}

/** Deletes links long after their end. */
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
