import type { Kysely, Transaction } from 'kysely'
import { violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Language } from '#platform/language.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import { linkLifetime } from './recovery.ts'
import { passwordResetLetter } from './recovery-letters.ts'

interface ResetJobParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  mailer: Mailer
  jobs: Jobs
  issueLink: IssueLink
}

interface ResetRequest {
  requestId: string
  username: string
  /** The network address of the request. */
  address: string
  /** The language of the page, for accounts without a chosen one. */
  language: Language
}

/** The encrypted form in the queue: the database must not reveal the usernames of requests. */
interface ResetJob {
  requestId: string
  sealedUsername: string
  address: string
  language: Language
}

const jobName = 'password-reset'

/**
 * Mails a link if the username is a verified address of an enabled user. Returns the function that enqueues a
 * request.
 */
export function defineResetJob({ db, audit, people, secrets, mailer, jobs, issueLink }: ResetJobParts) {
  async function sendLink({ requestId, username, address, language }: ResetRequest): Promise<void> {
    const person = await people.findByVerifiedEmail(username)
    if (person === undefined || person.disabled_at !== null) return
    await db.transaction().execute(async (trx) => {
      // The entered address may differ from the verified one in spelling. Always mail the verified one.
      const verified = await people.within(trx).verifiedEmailsOf(person.id)
      const to = verified.find((email) => emailKey(email) === emailKey(username))
      if (to === undefined) return
      const { linkId, url } = await issueLink(trx, {
        id: requestId,
        action: 'user:reset-password',
        email: to,
        personId: person.id,
        data: {},
        createdBy: null,
        lifetime: linkLifetime,
        replaces: {},
      })
      await mailer.enqueue(trx, passwordResetLetter({ to, link: url, language }))
      await audit.within(trx).record({
        event: 'password.reset-requested',
        result: 'success',
        target: person.id,
        address,
        detail: { link: linkId, about: to },
      })
    })
  }

  async function run({ requestId, sealedUsername, address, language }: ResetJob): Promise<'done'> {
    const username = secrets.open(jobName, Buffer.from(sealedUsername, 'base64'))
    try {
      await sendLink({ requestId, username, address, language })
    } catch (error) {
      // A previous run created the link, but its node died before it marked the job as done.
      if (violatedConstraint(error) !== 'token_link_pkey') throw error
    }
    return 'done'
  }

  jobs.define(jobName, run, { retryDelay: 10, retryLimit: 20, longest: 30, pollInterval: 2, parallel: 2 })

  return async function ask(trx: Transaction<Database>, request: ResetRequest): Promise<void> {
    const { requestId, username, address, language } = request
    const sealedUsername = secrets.seal(jobName, username).toString('base64')
    await jobs.send(
      trx,
      jobName,
      { requestId, sealedUsername, address, language } satisfies ResetJob,
      requestId,
    )
  }
}
