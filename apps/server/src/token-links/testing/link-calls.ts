import { loginEndpoints, type TokenLinkAction, tokenLinkEndpoints } from '@pult/contract'
import type { TestServer } from '@pult/testkit'
import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect } from 'vitest'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { hashToken } from '#platform/secrets.ts'
import { emailKey } from '../../people/email-address.ts'
import { createLinkIssuer } from '../issue-link.ts'

/** Helpers for tests of mailed links. */
export function linkCalls(server: TestServer) {
  const { db } = server
  const issue = createLinkIssuer(server.config)

  function tokenOf(link: string): string {
    const token = link.split('/bift/')[1] ?? ''
    server.watchSecret(token)
    return token
  }

  async function waitingForLocks(): Promise<number> {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  }

  const byPassword = (username: string, password: string) =>
    server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

  return {
    tokenOf,
    byPassword,

    /** Returns the voucher of a correct password for an account with a second factor. */
    async voucherOf({ email, password }: { email: string; password: string }): Promise<string> {
      const { body } = await byPassword(email, password)
      if (body.voucher === undefined) throw new Error('The account has no second factor')
      server.watchSecret(body.voucher)
      return body.voucher
    },

    preflight: (token: string) => server.call(tokenLinkEndpoints.preflight, { params: { token } }),

    redeem: (token: string, body: object, on = server) =>
      on.call(tokenLinkEndpoints.redeem, { params: { token }, body }),

    byOtp: (voucher: string, otp: string) =>
      server.call(loginEndpoints.login, { body: { type: 'otp', data: { voucher, otp } } }),

    /** Issues a link without a mail, for tests of the later steps; returns its token. */
    async issue(
      action: TokenLinkAction,
      { personId, email }: { personId: string | null; email: string },
      data: Record<string, unknown> = {},
    ): Promise<string> {
      const link = { action, email, personId, data, createdBy: null, lifetime: 1800, replaces: {} }
      const { url } = await db.transaction().execute((trx) => issue(trx, link))
      return tokenOf(url)
    },

    expire: (token: string, on: Db = db) =>
      on
        .updateTable('token_link')
        .set({ expires_at: sql<Date>`now() - interval '1 second'` })
        .where('token_hash', '=', hashToken(token))
        .execute(),

    /** Returns the lifetime of a link in seconds. */
    async lifetimeOf(token: string): Promise<number> {
      const { seconds } = await db
        .selectFrom('token_link')
        .select(sql<number>`extract(epoch from expires_at - created_at)::int`.as('seconds'))
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirstOrThrow()
      return seconds
    },

    disable: (personId: string, on: Db = db) =>
      on.updateTable('person').set({ disabled_at: sql<Date>`now()` }).where('id', '=', personId).execute(),

    async addAddress(personId: string, email: string, isVerified = true): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('email')
        .values({
          id,
          person_id: personId,
          email,
          email_key: emailKey(email),
          ...(isVerified ? { verified_at: sql<Date>`now()` } : {}),
        })
        .execute()
      return id
    },

    /** Holds the person row until the calls wait for it, makes a change, and releases the row. */
    async whileHeld<Answers extends Promise<unknown>[]>(
      personId: string,
      start: () => [...Answers],
      change: (trx: Transaction<Database>) => Promise<unknown> = async () => {},
    ) {
      const { calls } = await db.transaction().execute(async (trx) => {
        await trx.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
        const started = start()
        await expect.poll(waitingForLocks).toBe(started.length)
        await change(trx)
        // In an object, because returned promises would be awaited before the commit.
        return { calls: started }
      })
      return Promise.all(calls)
    },

    /** Resolves when all mails are sent and no job that sends one is open. */
    async allMailSent(): Promise<void> {
      const open = async () => {
        const { rows } = await sql`
          select 1 from pgboss.job where name = 'password-reset' and state <> 'completed'
          union all select 1 from mail where sent_at is null`.execute(db)
        return rows.length
      }
      await expect.poll(open).toBe(0)
    },
  }
}
