import type { Kysely } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Language } from '#platform/language.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import type { Attempts } from '../attempts.ts'
import type { KnownDevices } from '../known-devices.ts'
import { createVouchers, type Vouchers } from '../login/vouchers.ts'
import type { AttemptOrigin } from '../password/prove-password.ts'
import { linkLifetime, otpRecoveryPolicy, recoveryNetworkPolicy, resetPolicy } from './recovery.ts'
import { otpRecoveryLetter } from './recovery-letters.ts'
import { defineResetJob } from './reset-job.ts'

export interface RecoveryServiceParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  devices: KnownDevices
  vouchers: Vouchers
  mailer: Mailer
  jobs: Jobs
  issueLink: IssueLink
}

export function createRecoveryService(parts: RecoveryServiceParts) {
  const { db, audit, people, secrets, attempts, devices, vouchers, mailer, issueLink } = parts
  const sendResetJob = defineResetJob(parts)

  return {
    /**
     * Requests a mail with a link that sets a new password. A job looks up the user later, so that neither the answer
     * nor its time reveals whether the account exists.
     */
    async requestPasswordReset(username: string, origin: AttemptOrigin, language: Language): Promise<void> {
      const { address } = origin
      await attempts.admitInWindow(recoveryNetworkPolicy, await devices.originOf(origin))
      await attempts.admitInWindow(resetPolicy, secrets.fingerprint('username', emailKey(username)))
      await db.transaction().execute(async (trx) => {
        const requestId = uuidv7()
        await sendResetJob(trx, { requestId, username, address, language })
        await audit.within(trx).record({
          event: 'password.reset-requested',
          result: 'success',
          address,
          detail: { request: requestId },
        })
      })
    },

    /**
     * Mails a link that takes a recovery code to the holder of a voucher, which stays valid. An account without a
     * verified address gets no mail and the same answer.
     */
    async requestOtpRecovery(voucher: string, origin: AttemptOrigin, language: Language): Promise<void> {
      const { address } = origin
      await attempts.admitInWindow(recoveryNetworkPolicy, await devices.originOf(origin))
      const holder = await vouchers.find(voucher)
      if (holder === undefined) {
        await audit.record({ event: 'otp.recovery-requested', result: 'failure', address })
        throw new AppError('VOUCHER_NOT_VALID')
      }
      const { personId } = holder
      await attempts.admitInWindow(otpRecoveryPolicy, personId)
      await db.transaction().execute(async (trx) => {
        const peopleWithin = people.within(trx)
        await peopleWithin.lock(personId)
        // A change of the sign-in may have voided vouchers and links concurrently.
        const person = await peopleWithin.findById(personId)
        if (person === undefined || (await createVouchers(trx).find(voucher)) === undefined) {
          throw new AppError('VOUCHER_NOT_VALID')
        }
        const [email] = await peopleWithin.verifiedEmailsOf(personId)
        if (email === undefined) return
        const { linkId, url } = await issueLink(trx, {
          action: 'user:otp-recovery',
          email,
          personId,
          data: {},
          createdBy: null,
          lifetime: linkLifetime,
          replaces: {},
        })
        await mailer.enqueue(trx, otpRecoveryLetter({ to: email, link: url, language }))
        await audit.within(trx).record({
          event: 'otp.recovery-requested',
          result: 'success',
          target: personId,
          address,
          detail: { link: linkId, about: email },
        })
      })
    },
  }
}
export type RecoveryService = ReturnType<typeof createRecoveryService>
