import { type Kysely, sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { PeopleService } from '../people/people.service.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { isLinkOpen } from '../token-links/open-link.ts'
import { invitationAction, invitationLifetime } from './invitation.ts'

interface FirstRootParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  issueLink: IssueLink
  rootEmail: string
  publicUrl: string
  secrets: Pick<Secrets, 'mac'>
  /** Returns whether another node of the installation runs. */
  hasOtherNodes: () => Promise<boolean>
}

/**
 * Returns the link that creates the first root account, or null if a root exists. The link is printed instead of
 * mailed: access to the server's output is the proof. Voids the links of earlier starts, unless another node runs: then
 * all nodes print the same link, whose token derives from the secret.
 */
export function createFirstRootLink(parts: FirstRootParts) {
  const { db, audit, people, issueLink, rootEmail, secrets, hasOtherNodes } = parts
  const tokenOf = (linkId: string) => secrets.mac('first root link', linkId)

  return async function firstRootLink(): Promise<string | null> {
    if (await people.hasRoot()) return null
    const isShared = await hasOtherNodes()
    return db.transaction().execute(async (trx) => {
      await lockFirstRoot(trx)
      const known = isShared ? await findOpen(trx) : undefined
      if (known !== undefined) return `${parts.publicUrl}/bift/${tokenOf(known)}`
      const id = uuidv7()
      const { linkId, url } = await issueLink(trx, {
        id,
        token: tokenOf(id),
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

const lockFirstRoot = (trx: Transaction<Database>) =>
  sql`select pg_advisory_xact_lock(hashtextextended('first root', 0))`.execute(trx)

async function findOpen(trx: Transaction<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from token_link
    where action = ${invitationAction} and ${isLinkOpen}
      and data @> '{"isFirstRoot": true}' order by created_at desc limit 1`.execute(trx)
  return rows[0]?.id
}

/** Serialises concurrent redemptions: one creates the first root, and the others fail after it commits. */
export async function refuseSecondFirstRoot(
  trx: Transaction<Database>,
  people: PeopleService,
): Promise<void> {
  await lockFirstRoot(trx)
  if (await people.within(trx).hasRoot()) throw new AppError('LINK_NOT_VALID')
}
