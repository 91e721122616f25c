import type { PendingInvitation } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { emailKey, parseEmailAddress } from '../people/email-address.ts'
import type { IssueLink } from '../token-links/issue-link.ts'
import { type Invitation, invitationAction, invitationLifetime, targetOf } from './invitation.ts'
import { invitationLetter } from './invitation-letter.ts'
import { createPendingInvitations } from './pending-invitations.repository.ts'

/** Where an invitation leads. */
export type InvitationTarget = { organisationId: string } | { projectId: string; productRole: string | null }

interface TargetInvitationsParts {
  db: Kysely<Database>
  audit: AuditService
  mailer: Mailer
  issueLink: IssueLink
  /** Without a mail server the one who invites hands the link over. */
  hasMailServer: boolean
}

type Origin = { caller: Caller; address: string }
type Target = InvitationTarget & { label: string }
type PlaceOf = { organisationId: string } | { projectId: string }

/** Invitations to an organisation or a project, by those who may edit it: the caller has checked that. */
export function createTargetInvitations({
  db,
  audit,
  mailer,
  issueLink,
  hasMailServer,
}: TargetInvitationsParts) {
  const pending = createPendingInvitations(db)

  async function send(
    trx: Transaction<Database>,
    email: string,
    target: Target,
    { caller, address }: Origin,
  ): Promise<{ invitation: PendingInvitation; link?: string }> {
    const data: Invitation = {
      isRoot: false,
      isFirstRoot: false,
      ...('organisationId' in target
        ? { organisationId: target.organisationId }
        : { projectId: target.projectId, productRole: target.productRole }),
    }
    const { linkId, url } = await issueLink(trx, {
      action: invitationAction,
      email,
      personId: null,
      data,
      target: targetOf(target),
      createdBy: caller.personId,
      lifetime: invitationLifetime,
    })
    const from = `${caller.firstname} ${caller.lastname}`
    await mailer.enqueue(
      trx,
      invitationLetter({ to: email, link: url, from, isRoot: false, place: target.label }),
    )
    await audit.within(trx).record({
      event: 'invitation.created',
      result: 'success',
      actorId: caller.personId,
      target: email,
      ...('projectId' in target && { projectId: target.projectId }),
      address,
      detail: { link: linkId, to: targetOf(target) },
    })
    const invitation = await createPendingInvitations(trx).find(linkId, targetOf(target))
    if (invitation === undefined) throw new Error('An invitation that was just made is not there')
    return { invitation, ...(!hasMailServer && { link: url }) }
  }

  return {
    list: (place: PlaceOf): Promise<PendingInvitation[]> => pending.listOf(targetOf(place)),

    async invite({ email, caller, address, ...target }: Target & Origin & { email: string }) {
      const to = parseEmailAddress(email)
      return db.transaction().execute(async (trx) => {
        if (await createPendingInvitations(trx).belongs(emailKey(to), target))
          throw new AppError('ALREADY_MEMBER')
        return send(trx, to, target, { caller, address })
      })
    },

    /** A new link for seven more days; the old one ends. */
    async resend({
      invitationId,
      caller,
      address,
      label,
      ...place
    }: PlaceOf & Origin & { invitationId: string; label: string }) {
      return db.transaction().execute(async (trx) => {
        const within = createPendingInvitations(trx)
        const invitation = await within.find(invitationId, targetOf(place))
        if (invitation === undefined) throw new AppError('NOT_FOUND')
        const target = 'organisationId' in place ? place : { ...place, productRole: invitation.productRole }
        return send(trx, invitation.email, { ...target, label }, { caller, address })
      })
    },

    async revoke({
      invitationId,
      caller,
      address,
      ...place
    }: PlaceOf & Origin & { invitationId: string }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const email = await createPendingInvitations(trx).revoke(invitationId, targetOf(place))
        if (email === undefined) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'invitation.revoked',
          result: 'success',
          actorId: caller.personId,
          target: email,
          ...('projectId' in place && { projectId: place.projectId }),
          address,
          detail: { link: invitationId, to: targetOf(place) },
        })
      })
    },
  }
}
export type TargetInvitations = ReturnType<typeof createTargetInvitations>
