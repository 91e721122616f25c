import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TokenLinkActionHandler } from '../../token-links/token-link.action.ts'

interface EmailConfirmationActionParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
}

export function createEmailConfirmationAction(_parts: EmailConfirmationActionParts): TokenLinkActionHandler {
  return {
    async describe() {
      throw new Error('not built')
    },
    async prepare() {
      throw new Error('not built')
    },
  }
}
