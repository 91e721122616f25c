import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { type Invitation, invitationAction, invitationLifetime } from './invitation.ts'
import { invitationLetter } from './invitation-letter.ts'

export interface InvitationWriterParts {
  audit: AuditService
  mailer: Mailer
  issueLink: IssueLink
}

interface NewInvitation {
  email: string
  data: Invitation
  /** Null when the installation itself invites. */
  by: { caller: Pick<Caller, 'personId' | 'firstname' | 'lastname'>; address: string } | null
  /** See `targetOf`. */
  target?: string
  /** The name of the place that it leads to. */
  label?: string | undefined
  /** What the audit log keeps beside the link. */
  detail: Record<string, unknown>
}

/** An invitation is a link, a letter and a line in the audit log, in one transaction. */
export function createInvitationWriter({ audit, mailer, issueLink }: InvitationWriterParts) {
  return async function writeInvitation(
    trx: Transaction<Database>,
    { email, data, by, target, label, detail }: NewInvitation,
  ): Promise<{ linkId: string; url: string }> {
    const { isRoot, projectId } = data
    const issued = await issueLink(trx, {
      action: invitationAction,
      email,
      personId: null,
      data,
      ...(target !== undefined && { target }),
      createdBy: by?.caller.personId ?? null,
      lifetime: invitationLifetime,
    })
    const from = by && `${by.caller.firstname} ${by.caller.lastname}`
    await mailer.enqueue(
      trx,
      invitationLetter({
        to: email,
        link: issued.url,
        from,
        isRoot,
        ...(label !== undefined && { place: label }),
      }),
    )
    await audit.within(trx).record({
      event: 'invitation.created',
      result: 'success',
      ...(by !== null && { actorId: by.caller.personId, address: by.address }),
      target: email,
      ...(projectId !== undefined && { projectId }),
      detail: { link: issued.linkId, ...detail },
    })
    return issued
  }
}
