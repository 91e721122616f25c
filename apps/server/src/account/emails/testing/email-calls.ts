import { setTimeout as delay } from 'node:timers/promises'
import { emailEndpoints, tokenLinkEndpoints } from '@pult/contract'
import type { TestServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { emailKey } from '../../../people/email-address.ts'

interface Account {
  personId: string
  token: string
}

const tokenOf = (link: string) => link.split('/bift/')[1] ?? ''

/**
 * Repeats a call while the server answers BUSY, as clients do. Hundreds of concurrent calls overload a small machine.
 */
export async function patiently<Answer extends { status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    await delay(300)
  }
}

/** Calls about addresses, on any node of an installation, and helpers that change times. */
export function emailCalls(server: TestServer) {
  const { db } = server

  async function list(person: Account) {
    const { body } = await server.call(emailEndpoints.list, {}, person.token)
    return body.items
  }

  return {
    list,

    add: (person: Account, email: unknown, on = server) =>
      on.call(emailEndpoints.create, { body: { email } }, person.token),

    remove: (person: Account, emailId: string, on = server) =>
      on.call(emailEndpoints.remove, { params: { emailId } }, person.token),

    resend: (person: Account, emailId: string, on = server) =>
      on.call(emailEndpoints.verify, { params: { emailId } }, person.token),

    setDefault: (person: Account, emailId: string, on = server) =>
      on.call(emailEndpoints.setDefault, { params: { emailId } }, person.token),

    preflight(link: string, as?: Pick<Account, 'token'>) {
      server.watchSecret(tokenOf(link))
      return server.call(tokenLinkEndpoints.preflight, { params: { token: tokenOf(link) } }, as?.token)
    },

    confirm(link: string, input: { body?: object; as?: Account; from?: string; on?: TestServer } = {}) {
      const { body = {}, as, from, on = server } = input
      server.watchSecret(tokenOf(link))
      const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
      return on.call(
        tokenLinkEndpoints.redeem,
        { params: { token: tokenOf(link) }, body, headers },
        as?.token,
      )
    },

    /** Inserts an address of a user. `age` is the time since it was added. */
    async givenEmail(
      { personId }: Account,
      email: string,
      { isVerified = true, age = 0 }: { isVerified?: boolean; age?: number } = {},
    ): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('email')
        .values({
          id,
          person_id: personId,
          email,
          email_key: emailKey(email),
          verified_at: isVerified ? sql<Date>`now()` : null,
          created_at: sql<Date>`now() - make_interval(secs => ${age}::int)`,
        })
        .execute()
      return id
    },

    /** Moves the time of the last verification mail into the past. */
    async letPass(emailId: string, seconds: number): Promise<void> {
      await db
        .updateTable('email')
        .set({
          verification_sent_at: sql<Date>`verification_sent_at - make_interval(secs => ${seconds}::int)`,
        })
        .where('id', '=', emailId)
        .execute()
    },

    async disable({ personId }: Account): Promise<void> {
      await db
        .updateTable('person')
        .set({ disabled_at: sql<Date>`now()` })
        .where('id', '=', personId)
        .execute()
    },

    /** Returns the audit records about a user's addresses, oldest first. */
    auditOf: ({ personId }: Account) =>
      db
        .selectFrom('audit')
        .select(['event', 'result', 'actor_id', 'address', 'detail'])
        .where('target', '=', personId)
        .where('event', 'like', 'email.%')
        .orderBy('id')
        .execute(),
  }
}
