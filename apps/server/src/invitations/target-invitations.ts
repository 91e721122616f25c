import type { PendingInvitation } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Attempts } from '../auth/attempts.ts'
import { emailKey, parseEmailAddress } from '../people/email-address.ts'
import { type anAccount, type Invitation, type InvitedPlace, targetOf } from './invitation.ts'
import { countInvitation } from './invitation-limits.ts'
import { createPendingInvitations } from './pending-invitations.repository.ts'
import { createInvitationWriter, type InvitationWriterParts } from './write-invitation.ts'

/** What an invitation gives: membership, a grant with a role, or an account alone. */
export type InvitationTarget =
  | { organisationId: string }
  | { projectId: string; productRole: string | null }
  | (typeof anAccount & { isRoot: boolean })

interface TargetInvitationsParts extends InvitationWriterParts {
  db: Kysely<Database>
  attempts: Attempts
  /** Without a mail server the one who invites hands the link over. */
  hasMailServer: boolean
}

interface Origin {
  caller: Caller
  address: string
  /** For one of many: part of its transaction, and counted by the window of batches. */
  batch?: (trx: Transaction<Database>) => Promise<void>
}
/** An account alone has no name. */
type Target = InvitationTarget & { label?: string }

/** Invitations by those who may edit the place they lead to, or by root: the caller has checked that. */
export function createTargetInvitations({ db, attempts, hasMailServer, ...parts }: TargetInvitationsParts) {
  const { audit } = parts
  const writeInvitation = createInvitationWriter(parts)
  const pending = createPendingInvitations(db)

  async function send(
    trx: Transaction<Database>,
    email: string,
    target: Target,
    { caller, address, batch }: Origin,
    replaces?: string,
  ): Promise<{ invitation: PendingInvitation; link?: string }> {
    await batch?.(trx)
    await countInvitation(trx, attempts, { sender: caller.personId, email, isBatch: batch !== undefined })
    const isRoot = 'isRoot' in target && target.isRoot
    const { linkId, url } = await writeInvitation(trx, {
      email,
      data: { isRoot, isFirstRoot: false, ...placeOf(target) },
      by: { caller, address },
      target: targetOf(target),
      label: target.label,
      detail: {
        ...('isRoot' in target ? { isRoot } : { to: targetOf(target) }),
        ...('projectId' in target && { productRole: target.productRole }),
        ...(replaces !== undefined && { replaces }),
      },
    })
    const invitation = await createPendingInvitations(trx).find(linkId, targetOf(target))
    if (invitation === undefined) throw new Error('An invitation that was just made is not there')
    return { invitation, ...(!hasMailServer && { link: url }) }
  }

  return {
    list: (place: InvitedPlace): Promise<PendingInvitation[]> => pending.listOf(targetOf(place)),

    async invite({ email, caller, address, batch, ...target }: Target & Origin & { email: string }) {
      const to = parseEmailAddress(email)
      return db.transaction().execute(async (trx) => {
        if (await createPendingInvitations(trx).belongs(emailKey(to), target))
          throw new AppError('ALREADY_MEMBER')
        return send(trx, to, target, { caller, address, ...(batch !== undefined && { batch }) })
      })
    },

    /** A new link for seven more days; the old one ends. */
    async resend({
      invitationId,
      caller,
      address,
      label,
      ...place
    }: InvitedPlace & Origin & { invitationId: string; label?: string }) {
      return db.transaction().execute(async (trx) => {
        const within = createPendingInvitations(trx)
        const invitation = await within.find(invitationId, targetOf(place))
        if (invitation === undefined) throw new AppError('NOT_FOUND')
        // What was promised goes along.
        const target: Target = { ...givenBy(place, invitation), ...(label !== undefined && { label }) }
        return send(trx, invitation.email, target, { caller, address }, invitationId)
      })
    },

    async revoke({
      invitationId,
      caller,
      address,
      ...place
    }: InvitedPlace & Origin & { invitationId: string }): Promise<void> {
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
          detail: { link: invitationId, ...(!('isAccountAlone' in place) && { to: targetOf(place) }) },
        })
      })
    },
  }
}
export type TargetInvitations = ReturnType<typeof createTargetInvitations>

/** What the link carries of a place. */
function placeOf(target: InvitationTarget): Partial<Invitation> {
  if ('organisationId' in target) return { organisationId: target.organisationId }
  if ('projectId' in target) return { projectId: target.projectId, productRole: target.productRole }
  return {}
}

function givenBy(
  place: InvitedPlace,
  { productRole, isRoot }: { productRole: string | null; isRoot: boolean },
): InvitationTarget {
  if ('organisationId' in place) return place
  return 'projectId' in place ? { ...place, productRole } : { ...place, isRoot }
}
