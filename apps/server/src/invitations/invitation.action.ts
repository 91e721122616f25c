import { acceptance, firstRootRegistration, type Redemption, registration } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { Emit } from '#platform/realtime/events.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { Enqueue } from '../auth/password/hash-queue.ts'
import { hashPassword } from '../auth/password/password-hash.ts'
import { checkNewPassword } from '../auth/password/password-policy.ts'
import type { SessionService } from '../auth/session/session.service.ts'
import type { InstallationService } from '../installation/installation.service.ts'
import type { OrganisationService } from '../organisations/organisation.service.ts'
import type { NewPerson, PeopleService } from '../people/people.service.ts'
import type { GrantService } from '../projects/grants/grant.service.ts'
import { parseBody, type RedeemCall, type TokenLinkActionHandler } from '../token-links/token-link.action.ts'
import type { StoredTokenLink } from '../token-links/token-link.ts'
import { refuseSecondFirstRoot } from './first-root.ts'
import { invitationOf, targetOf } from './invitation.ts'

interface InvitationActionParts {
  audit: AuditService
  people: PeopleService
  installation: Pick<InstallationService, 'setLanguage'>
  hashes: Enqueue
  sessions: SessionService
  organisations: Pick<OrganisationService, 'addMember'>
  grants: Pick<GrantService, 'accept'>
  /** Publishes a change of permissions to the people it concerns. */
  announceAccess: (emit: Emit, personIds: Iterable<string>) => Promise<void>
}

/** Accepts an invitation: a new user registers, an existing user accepts when signed in. */
export function createInvitationAction({
  audit,
  people,
  installation,
  hashes,
  sessions,
  organisations,
  grants,
  announceAccess,
}: InvitationActionParts): TokenLinkActionHandler {
  /**
   * Returns the account that the invited address belongs to. A mailed link reaches the real owner of the address, so
   * an account that has not verified the address counts only if it is the caller's own.
   */
  async function accountOf(link: StoredTokenLink, caller: Caller | null) {
    const { isFirstRoot, isHandedOver } = invitationOf(link)
    if (isFirstRoot && (await people.hasRoot())) throw new AppError('LINK_NOT_VALID')
    const [verified, signingIn] = await Promise.all([
      people.findByVerifiedEmail(link.email),
      people.findByUsername(link.email),
    ])
    return verified ?? (isHandedOver || signingIn?.id === caller?.personId ? signingIn : undefined)
  }

  async function record(
    trx: Transaction<Database>,
    link: StoredTokenLink,
    personId: string,
    call: RedeemCall,
  ): Promise<void> {
    const { isRoot, organisationId, projectId } = invitationOf(link)
    await audit.within(trx).record({
      event: 'invitation.redeemed',
      result: 'success',
      actorId: personId,
      target: personId,
      ...(projectId !== undefined && { projectId }),
      address: call.address,
      detail: {
        link: link.id,
        invitedBy: link.createdBy,
        isRoot,
        ...(organisationId !== undefined && { to: targetOf({ organisationId }) }),
        ...(projectId !== undefined && { to: targetOf({ projectId }) }),
      },
    })
  }

  /**
   * Adds the membership or grant of the invitation. If the place was deleted concurrently, only the account is
   * created.
   */
  async function join(
    trx: Transaction<Database>,
    emit: Emit,
    link: StoredTokenLink,
    { personId, address }: { personId: string; address: string },
  ): Promise<void> {
    const { organisationId: orgId, projectId, productRole = null } = invitationOf(link)
    if (orgId !== undefined) await organisations.addMember(trx, emit, { orgId, personId, address })
    if (projectId !== undefined) await grants.accept(trx, emit, { projectId, personId, productRole, address })
  }

  async function register(
    trx: Transaction<Database>,
    emit: Emit,
    link: StoredTokenLink,
    { person, language }: { person: NewPerson; language: Language | undefined },
    call: RedeemCall,
  ): Promise<Redemption> {
    if (invitationOf(link).isFirstRoot) await refuseSecondFirstRoot(trx, people)
    const personId = await people.within(trx).add(person).catch(refuseTakenAddress)
    if (language !== undefined) await installation.setLanguage(trx, language)
    const { userAgent, address, device } = call
    await join(trx, emit, link, { personId, address })
    await record(trx, link, personId, call)
    return { token: await sessions.start(trx, { personId, userAgent, address, device }), ...projectOf(link) }
  }

  async function accept(
    trx: Transaction<Database>,
    emit: Emit,
    link: StoredTokenLink,
    personId: string,
    call: RedeemCall,
  ): Promise<Redemption> {
    const { isRoot, isFirstRoot, isHandedOver } = invitationOf(link)
    if (isFirstRoot) await refuseSecondFirstRoot(trx, people)
    if (!isHandedOver) await people.within(trx).verifyEmail(personId, link.email).catch(refuseTakenAddress)
    if (isRoot) {
      await people.within(trx).makeRoot(personId)
      await announceAccess(emit, [personId])
    }
    await join(trx, emit, link, { personId, address: call.address })
    await record(trx, link, personId, call)
    return projectOf(link)
  }

  return {
    async describe(link, caller) {
      const { isFirstRoot, language } = invitationOf(link)
      const account = await accountOf(link, caller)
      const isOwn = account !== undefined && account.id === caller?.personId
      return {
        email: link.email,
        user: isOwn ? { firstname: account.firstname, lastname: account.lastname } : null,
        ...(isFirstRoot && { isFirstRoot }),
        ...(language !== undefined && { language }),
      }
    },

    async prepare(link, body, call) {
      const account = await accountOf(link, call.caller)
      if (account !== undefined) {
        if (call.caller?.personId !== account.id) throw new AppError('SIGN_IN_TO_ACCEPT')
        parseBody(acceptance, body)
        return (trx, emit) => accept(trx, emit, link, account.id, call)
      }

      const { isFirstRoot, isHandedOver, isRoot } = invitationOf(link)
      const { firstname, lastname, password, language } = isFirstRoot
        ? parseBody(firstRootRegistration, body)
        : { ...parseBody(registration, body), language: undefined }
      checkNewPassword(password, { firstname, lastname, emails: [link.email] })
      const person = {
        firstname,
        lastname,
        email: link.email,
        isVerified: isHandedOver !== true,
        isRoot,
        passwordHash: await hashes(() => hashPassword(password)),
      }
      return (trx, emit) => register(trx, emit, link, { person, language }, call)
    },
  }
}

/** Returns the part of the reply that names the project to open. */
function projectOf(link: StoredTokenLink): Pick<Redemption, 'projectId'> {
  const { projectId } = invitationOf(link)
  return projectId === undefined ? {} : { projectId }
}

/** Maps the error that occurs if another account takes the address concurrently. */
function refuseTakenAddress(error: unknown): never {
  const constraint = violatedConstraint(error)
  const isTaken = constraint === 'email_verified' || constraint === 'email_unverified_sign_in'
  throw isTaken ? new AppError('SIGN_IN_TO_ACCEPT') : error
}
