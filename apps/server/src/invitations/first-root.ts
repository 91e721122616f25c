import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { PeopleService } from '../people/people.service.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { invitationAction, invitationLifetime } from './invitation.ts'

interface FirstRootParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  issueLink: IssueLink
  rootEmail: string
}

/**
 * Makes the link by which the first root account comes into being, or answers null when there is a root. A link of an
 * earlier start ends. It is printed and not mailed: whoever can read the server's output may set it up.
 */
export function createFirstRootLink({ db, audit, people, issueLink, rootEmail }: FirstRootParts) {
  return async function firstRootLink(): Promise<string | null> {
    if (await people.hasRoot()) return null
    return db.transaction().execute(async (trx) => {
      const { linkId, url } = await issueLink(trx, {
        action: invitationAction,
        email: rootEmail,
        personId: null,
        data: { isRoot: true, isFirstRoot: true },
        createdBy: null,
        lifetime: invitationLifetime,
        replaces: { isFirstRoot: true },
      })
      await audit.within(trx).record({
        event: 'invitation.created',
        result: 'success',
        target: rootEmail,
        detail: { link: linkId, isRoot: true, isFirstRoot: true },
      })
      return url
    })
  }
}

/** Of several at once, one becomes the first root: the others wait here until that is decided. */
export async function refuseSecondFirstRoot(
  trx: Transaction<Database>,
  people: PeopleService,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first root', 0))`.execute(trx)
  if (await people.within(trx).hasRoot()) throw new AppError('LINK_NOT_VALID')
}
