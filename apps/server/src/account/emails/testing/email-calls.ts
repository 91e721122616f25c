import { setTimeout as delay } from 'node:timers/promises'
import { emailEndpoints, tokenLinkEndpoints } from '@pult/contract'
import type { TestServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { emailKey } from '../../../people/email-address.ts'

interface Somebody {
  personId: string
  token: string
}

const tokenOf = (link: string) => link.split('/bift/')[1] ?? ''

/** Asks again while the server is too busy to answer, as a client does: a small machine is, when hundreds ask at once. */
export async function patiently<Answer extends { status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    await delay(300)
  }
}

/** The calls about addresses, on any node of one installation, and what time and the past do to them. */
export function emailCalls(server: TestServer) {
  const { db } = server

  async function list(person: Somebody) {
    const { body } = await server.call(emailEndpoints.list, {}, person.token)
    return body.items
  }

  return {
    list,

    add: (person: Somebody, email: unknown, on = server) =>
      on.call(emailEndpoints.create, { body: { email } }, person.token),

    remove: (person: Somebody, emailId: string, on = server) =>
      on.call(emailEndpoints.remove, { params: { emailId } }, person.token),

    resend: (person: Somebody, emailId: string, on = server) =>
      on.call(emailEndpoints.verify, { params: { emailId } }, person.token),

    setDefault: (person: Somebody, emailId: string, on = server) =>
      on.call(emailEndpoints.setDefault, { params: { emailId } }, person.token),

    preflight(link: string, on = server) {
      server.watchSecret(tokenOf(link))
      return on.call(tokenLinkEndpoints.preflight, { params: { token: tokenOf(link) } })
    },

    confirm(link: string, input: { body?: object; as?: Somebody; from?: string; on?: TestServer } = {}) {
      const { body = {}, as, from, on = server } = input
      server.watchSecret(tokenOf(link))
      const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
      return on.call(
        tokenLinkEndpoints.redeem,
        { params: { token: tokenOf(link) }, body, headers },
        as?.token,
      )
    },

    /** An address that a person has had for as long as it takes. */
    async givenEmail(
      { personId }: Somebody,
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

    /** So many seconds go by since the last verification mail. */
    async letPass(emailId: string, seconds: number): Promise<void> {
      await db
        .updateTable('email')
        .set({
          verification_sent_at: sql<Date>`verification_sent_at - make_interval(secs => ${seconds}::int)`,
        })
        .where('id', '=', emailId)
        .execute()
    },

    async disable({ personId }: Somebody): Promise<void> {
      await db
        .updateTable('person')
        .set({ disabled_at: sql<Date>`now()` })
        .where('id', '=', personId)
        .execute()
    },

    /** What is written down of a person's addresses, the oldest first. */
    auditOf: ({ personId }: Somebody) =>
      db
        .selectFrom('audit')
        .select(['event', 'result', 'actor_id', 'address', 'detail'])
        .where('target', '=', personId)
        .where('event', 'like', 'email.%')
        .orderBy('id')
        .execute(),
  }
}
