import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import type { Attempts } from '../attempts.ts'
import type { Vouchers } from '../login/vouchers.ts'

export interface RecoveryServiceParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  vouchers: Vouchers
  mailer: Mailer
  jobs: Jobs
  issueLink: IssueLink
}

export function createRecoveryService(_parts: RecoveryServiceParts) {
  return {
    async requestPasswordReset(_username: string, _address: string): Promise<void> {
      throw new Error('not built')
    },
    async requestOtpRecovery(_voucher: string, _address: string): Promise<void> {
      throw new Error('not built')
    },
  }
}
export type RecoveryService = ReturnType<typeof createRecoveryService>
