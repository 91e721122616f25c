import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { type Invitation, invitationAction, invitationLifetime } from './invitation.ts'
import { invitationLetter } from './invitation-letter.ts'

export interface InvitationWriterParts {
  audit: AuditService
  mailer: Mailer
  issueLink: IssueLink
  /** Returns the language that an inviter chose. Not needed for invitations by the installation. */
  languageOf?: (personId: string, trx: Transaction<Database>) => Promise<Language | null>
}

interface NewInvitation {
  email: string
  data: Invitation
  /** Null when the installation itself invites. */
  by: { caller: Pick<Caller, 'personId' | 'firstname' | 'lastname'>; address: string } | null
  /** See `targetOf`. */
  target?: string
  /** The name of the place. */
  label?: string | undefined
  /** Additional data for the audit record. */
  detail: Record<string, unknown>
}

/** Writes an invitation: a link, a mail and an audit record in one transaction. */
export function createInvitationWriter({ audit, mailer, issueLink, languageOf }: InvitationWriterParts) {
  return async function writeInvitation(
    trx: Transaction<Database>,
    { email, data, by, target, label, detail }: NewInvitation,
  ): Promise<{ linkId: string; url: string }> {
    const { isRoot, projectId } = data
    const language = by === null ? null : ((await languageOf?.(by.caller.personId, trx)) ?? null)
    const inLanguage = language !== null && { language }
    const issued = await issueLink(trx, {
      action: invitationAction,
      email,
      personId: null,
      data: { ...data, ...inLanguage },
      ...(target !== undefined && { target }),
      createdBy: by?.caller.personId ?? null,
      lifetime: invitationLifetime,
    })
    const from = by && `${by.caller.firstname} ${by.caller.lastname}`
    const letter = invitationLetter({
      to: email,
      link: issued.url,
      from,
      isRoot,
      ...(label !== undefined && { place: label }),
    })
    await mailer.enqueue(trx, { ...letter, ...inLanguage })
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
