import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { Notice } from './notice.ts'
import { noticeLetter } from './notice-letter.ts'

interface NoticeServiceParts {
  people: PeopleService
  mailer: Pick<Mailer, 'enqueue'>
  publicUrl: string
}

/** Sends notices about an account to all its verified addresses. */
export function createNoticeService({ people, mailer, publicUrl }: NoticeServiceParts) {
  /** Sends to one address only, in the transaction of the change. */
  function sendTo(trx: Transaction<Database>, to: string, notice: Notice): Promise<void> {
    return mailer.enqueue(trx, noticeLetter({ to, notice, publicUrl }))
  }

  return {
    sendTo,

    /**
     * Sends in the transaction of the change. `besides` are addresses that no longer belong to the person. The order
     * relative to a change of the default or a removal does not matter.
     */
    async send(
      trx: Transaction<Database>,
      personId: string,
      notice: Notice,
      besides: readonly string[] = [],
    ): Promise<void> {
      const addresses = new Set([...(await people.within(trx).verifiedEmailsOf(personId)), ...besides])
      for (const to of addresses) await sendTo(trx, to, notice)
    },
  }
}
export type NoticeService = ReturnType<typeof createNoticeService>
