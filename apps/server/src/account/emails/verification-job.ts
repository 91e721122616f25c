import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import type { NoticeService } from '../notices/notice.service.ts'
import { createEmailRepository, type VerificationRequest } from './email.repository.ts'
import { verificationLetter } from './verification-letter.ts'

interface VerificationJobParts {
  db: Kysely<Database>
  people: PeopleService
  mailer: Mailer
  jobs: Jobs
  issueLink: IssueLink
  notices: NoticeService
}

const jobName = 'email-verification'

/** Lifetime of a confirmation link in seconds. */
export const linkLifetime = 24 * 3600

/**
 * Writes to an added address: a confirmation link or, if another user has verified the address, a notice. The job
 * decides this instead of the call, whose answer and duration must not reveal it. Returns the function that enqueues a
 * request.
 */
export function defineVerificationJob(parts: VerificationJobParts) {
  const { db, people, mailer, jobs, issueLink, notices } = parts

  async function write(request: VerificationRequest): Promise<'done'> {
    const asked = await createEmailRepository(db).findRequested(request)
    if (asked === undefined) return 'done'
    await db.transaction().execute(async (trx) => {
      const emails = createEmailRepository(trx)
      const peopleWithin = people.within(trx)
      await peopleWithin.lock(asked.personId)
      // The job may run again after its node died. If the mail was already written, skip it.
      if ((await emails.findRequested(request)) === undefined) return
      const { personId, email } = asked
      const owner = await peopleWithin.findByVerifiedEmail(email)
      if (owner === undefined) {
        const { url } = await issueLink(trx, {
          action: 'user:email-confirmation',
          email,
          personId,
          data: { emailId: request.emailId },
          createdBy: personId,
          lifetime: linkLifetime,
        })
        await mailer.enqueue(trx, verificationLetter({ to: email, link: url }))
      } else {
        // The entered address may differ from the verified one in spelling. Always mail the verified one.
        const verified = await peopleWithin.verifiedEmailsOf(owner.id)
        const own = verified.find((other) => emailKey(other) === emailKey(email))
        if (own !== undefined) await notices.sendTo(trx, own, { kind: 'email-claimed', email: own })
      }
      await emails.answerRequest(request)
    })
    return 'done'
  }

  jobs.define(jobName, write, {
    retryDelay: 10,
    // Retry for the lifetime of the link.
    retryLimit: linkLifetime / 10,
    longest: 30,
    pollInterval: 2,
    parallel: 2,
  })

  return (trx: Transaction<Database>, request: VerificationRequest): Promise<void> =>
    jobs.send(trx, jobName, request)
}
