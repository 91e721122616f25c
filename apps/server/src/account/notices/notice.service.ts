import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { Notice } from './notice.ts'
import { noticeLetter } from './notice-letter.ts'

interface NoticeServiceParts {
  people: PeopleService
  mailer: Mailer
  publicUrl: string
}

/** Tells a person at all their verified addresses what happened to their account. */
export function createNoticeService({ people, mailer, publicUrl }: NoticeServiceParts) {
  /** To one address alone. Part of the transaction of the change. */
  function sendTo(trx: Transaction<Database>, to: string, notice: Notice): Promise<void> {
    return mailer.enqueue(trx, noticeLetter({ to, notice, publicUrl }))
  }

  return {
    sendTo,

    /**
     * Part of the transaction of the change. `besides` are addresses that are the person's no more; before a default
     * changes or an address goes, or after, is all the same.
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
