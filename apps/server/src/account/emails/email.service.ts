import { type Email, limits } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Attempts, WindowPolicy } from '../../auth/attempts.ts'
import { emailKey, parseEmailAddress } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import { voidLinks } from '../../token-links/void-links.ts'
import type { NoticeService } from '../notices/notice.service.ts'
import { createEmailRepository } from './email.repository.ts'
import { defineVerificationJob } from './verification-job.ts'

interface EmailServiceParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  mailer: Mailer
  jobs: Jobs
  issueLink: IssueLink
  notices: NoticeService
}

/** Limits of verification mails per requesting user, and per address across all users. */
export const personMailPolicy: WindowPolicy = { kind: 'verification-person', most: 20, seconds: 3600 }
export const addressMailPolicy: WindowPolicy = { kind: 'verification-address', most: 5, seconds: 3600 }

export function createEmailService(parts: EmailServiceParts) {
  const { db, audit, people, attempts, notices } = parts
  const requestMail = defineVerificationJob(parts)

  /** Counts a mail in the transaction that requests it, so that a rolled-back request does not count. */
  async function countMail(trx: Transaction<Database>, personId: string, email: string): Promise<void> {
    const counted = attempts.within(trx)
    await counted.admitInWindow(personMailPolicy, personId)
    await counted.admitInWindow(addressMailPolicy, emailKey(email))
  }

  /** Serialises the changes of one user to their addresses. */
  function change<Result>(
    { personId }: Caller,
    work: (trx: Transaction<Database>, emails: ReturnType<typeof createEmailRepository>) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction().execute(async (trx) => {
      await people.within(trx).lock(personId)
      return work(trx, createEmailRepository(trx))
    })
  }

  const row = ({ personId }: Caller, email: string, address: string) => ({
    result: 'success' as const,
    actorId: personId,
    target: personId,
    address,
    detail: { about: email },
  })

  return {
    list: (personId: string): Promise<Email[]> => createEmailRepository(db).listOf(personId),

    /**
     * Behaves the same for every address, including those that another user has verified. A job looks that up later
     * and writes only to the address itself.
     */
    async add(caller: Caller, text: string, address: string): Promise<Email> {
      const { personId } = caller
      const email = parseEmailAddress(text)
      return change(caller, async (trx, emails) => {
        if (await emails.has(personId, email)) throw new AppError('EMAIL_ADDED_ALREADY')
        if ((await emails.countOf(personId)) >= limits.emailsMax) throw new AppError('TOO_MANY_EMAILS')
        await countMail(trx, personId, email)
        const request = await emails.add(personId, email)
        await requestMail(trx, request)
        await audit.within(trx).record({ event: 'email.added', ...row(caller, email, address) })
        await notices.send(trx, personId, { kind: 'email-added', email })
        return found(await emails.find(personId, request.emailId))
      })
    },

    /** Voids the links that were sent to the address. A verified address also receives a notice. */
    async remove(caller: Caller, emailId: string, address: string): Promise<void> {
      const { personId } = caller
      await change(caller, async (trx, emails) => {
        const { email, isDefault, verifiedAt } = found(await emails.find(personId, emailId))
        if (isDefault) throw new AppError('EMAIL_IS_DEFAULT')
        await voidLinks(trx, personId, email)
        await emails.remove(personId, emailId)
        await audit.within(trx).record({ event: 'email.removed', ...row(caller, email, address) })
        const besides = verifiedAt === null ? [] : [email]
        await notices.send(trx, personId, { kind: 'email-removed', email }, besides)
      })
    },

    async sendVerification({ personId }: Caller, emailId: string): Promise<Email> {
      return db.transaction().execute(async (trx) => {
        const emails = createEmailRepository(trx)
        const request = await emails.requestVerification(personId, emailId)
        const email = found(await emails.find(personId, emailId))
        if (email.verifiedAt !== null) throw new AppError('EMAIL_VERIFIED_ALREADY')
        if (request === undefined) {
          throw new AppError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, email.resendIn) })
        }
        await countMail(trx, personId, email.email)
        await requestMail(trx, request)
        return email
      })
    },

    async setDefault(caller: Caller, emailId: string, address: string): Promise<Email> {
      const { personId } = caller
      return change(caller, async (trx, emails) => {
        const { email, isDefault, verifiedAt, ...rest } = found(await emails.find(personId, emailId))
        if (verifiedAt === null) throw new AppError('EMAIL_NOT_VERIFIED')
        if (!isDefault) {
          await emails.setDefault(personId, emailId)
          await audit.within(trx).record({ event: 'email.default-changed', ...row(caller, email, address) })
          await notices.send(trx, personId, { kind: 'default-email-changed', email })
        }
        return { ...rest, email, verifiedAt, isDefault: true }
      })
    },
  }
}
export type EmailService = ReturnType<typeof createEmailService>

/** Addresses of other users return 404, like addresses that do not exist. */
function found(email: Email | undefined): Email {
  if (email === undefined) throw new AppError('NOT_FOUND')
  return email
}
