import type { PendingInvitation, SentInvitation } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Attempts } from '../auth/attempts.ts'
import { requireRecentSignIn } from '../auth/permissions.ts'
import { emailKey, parseEmailAddress } from '../people/email-address.ts'
import { type Invitation, type InvitedPlace, targetOf } from './invitation.ts'
import { countInvitation } from './invitation-limits.ts'
import { createPendingInvitations, type InvitationTarget } from './pending-invitations.repository.ts'
import { createInvitationWriter, type InvitationWriterParts } from './write-invitation.ts'

interface TargetInvitationsParts extends InvitationWriterParts {
  db: Kysely<Database>
  attempts: Attempts
  /** Without a mail server, root hands the link over. */
  hasMailServer: boolean
}

interface Origin {
  caller: Caller
  address: string
  /** For an invitation of a batch: runs in its transaction and counts against the batch policy. */
  batch?: (trx: Transaction<Database>) => Promise<void>
}

/** An invitation without a place has no label. */
type Target = InvitationTarget & { label?: string }

/** Manages invitations to a place. The routes have checked that the user may edit the place or is root. */
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
  ): Promise<SentInvitation> {
    // The task of a batch continues after its start, which has been checked. It returns no links.
    if (batch === undefined) requireRecentSignIn(caller)
    await batch?.(trx)
    await countInvitation(trx, attempts, { sender: caller.personId, email, isBatch: batch !== undefined })
    const isRoot = 'isRoot' in target && target.isRoot
    const { linkId, url } = await writeInvitation(trx, {
      email,
      data: { isRoot, isFirstRoot: false, ...(!hasMailServer && { isHandedOver: true }), ...placeOf(target) },
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
    if (invitation === undefined) throw new Error('The new invitation was not found')
    return {
      invitation,
      isMailed: hasMailServer,
      ...(!hasMailServer && caller.isRoot && batch === undefined && { link: url }),
    }
  }

  return {
    /** Return the expiring invitations of several projects, for their overview. */
    firstToExpire: pending.firstToExpire,
    expiringCounts: pending.expiringCounts,

    list: (place: InvitedPlace): Promise<PendingInvitation[]> => pending.listOf(targetOf(place)),

    async invite({ email, caller, address, batch, ...target }: Target & Origin & { email: string }) {
      const to = parseEmailAddress(email)
      return db.transaction().execute(async (trx) => {
        if (await createPendingInvitations(trx).belongs(emailKey(to), target))
          throw new AppError('ALREADY_MEMBER')
        return send(trx, to, target, { caller, address, ...(batch !== undefined && { batch }) })
      })
    },

    /** Creates a new link for seven more days and voids the old one. */
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
        // The new link grants the same as the old one.
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
export type { ExpiringInvitation } from './pending-invitations.repository.ts'
export type TargetInvitations = ReturnType<typeof createTargetInvitations>

/** Returns the fields of the link data that name the place. */
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
