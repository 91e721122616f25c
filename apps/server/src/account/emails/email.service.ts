import type { Email } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { IssueLink } from '../../token-links/issue-link.ts'
import type { NoticeService } from '../notices/notice.service.ts'

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

export function createEmailService(_parts: EmailServiceParts) {
  return {
    async list(_personId: string): Promise<Email[]> {
      throw new Error('not built')
    },
    async add(_caller: Caller, _email: string, _address: string): Promise<Email> {
      throw new Error('not built')
    },
    async remove(_caller: Caller, _emailId: string, _address: string): Promise<void> {
      throw new Error('not built')
    },
    async sendVerification(_caller: Caller, _emailId: string): Promise<Email> {
      throw new Error('not built')
    },
    async setDefault(_caller: Caller, _emailId: string, _address: string): Promise<Email> {
      throw new Error('not built')
    },
  }
}
export type EmailService = ReturnType<typeof createEmailService>
