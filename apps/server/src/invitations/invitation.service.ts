import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { parseEmailAddress } from '../people/email-address.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { type Invitation, invitationAction, invitationLifetime } from './invitation.ts'
import { invitationLetter } from './invitation-letter.ts'

interface InvitationServiceParts {
  db: Kysely<Database>
  audit: AuditService
  mailer: Mailer
  issueLink: IssueLink
}

export interface NewInvitation {
  email: string
  isRoot: boolean
  /** Null when the operator invites from the command line. */
  invitedBy: { personId: string; firstname: string; lastname: string; address: string } | null
}

export function createInvitationService({ db, audit, mailer, issueLink }: InvitationServiceParts) {
  return {
    /** Mails an invitation and answers its link, to be shown to the one who invites. */
    async invite({ email, isRoot, invitedBy }: NewInvitation): Promise<{ email: string; link: string }> {
      const to = parseEmailAddress(email)
      const data: Invitation = { isRoot, isFirstRoot: false }
      const from = invitedBy === null ? null : `${invitedBy.firstname} ${invitedBy.lastname}`
      return db.transaction().execute(async (trx) => {
        const { linkId, url } = await issueLink(trx, {
          action: invitationAction,
          email: to,
          personId: null,
          data,
          createdBy: invitedBy?.personId ?? null,
          lifetime: invitationLifetime,
        })
        await mailer.enqueue(trx, invitationLetter({ to, link: url, from, isRoot }))
        await audit.within(trx).record({
          event: 'invitation.created',
          result: 'success',
          ...(invitedBy === null ? {} : { actorId: invitedBy.personId, address: invitedBy.address }),
          target: to,
          detail: { link: linkId, isRoot },
        })
        return { email: to, link: url }
      })
    },
  }
}
export type InvitationService = ReturnType<typeof createInvitationService>
