import { acceptance, registration } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Emit } from '#platform/realtime/events.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { Enqueue } from '../auth/password/hash-queue.ts'
import { hashPassword } from '../auth/password/password-hash.ts'
import { checkNewPassword } from '../auth/password/password-policy.ts'
import type { SessionService } from '../auth/session/session.service.ts'
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
  hashes: Enqueue
  sessions: SessionService
  organisations: Pick<OrganisationService, 'addMember'>
  grants: Pick<GrantService, 'accept'>
  /** Tells people that what they may do has changed. */
  announceAccess: (emit: Emit, personIds: Iterable<string>) => Promise<void>
}

/** Accepting an invitation: somebody new registers, somebody who has an account accepts signed in with it. */
export function createInvitationAction({
  audit,
  people,
  hashes,
  sessions,
  organisations,
  grants,
  announceAccess,
}: InvitationActionParts): TokenLinkActionHandler {
  /** The account that the invited address belongs to. */
  async function accountOf(link: StoredTokenLink) {
    if (invitationOf(link).isFirstRoot && (await people.hasRoot())) throw new AppError('LINK_NOT_VALID')
    return people.findByVerifiedEmail(link.email)
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

  /** What the invitation leads to beside the account. The place may be gone meanwhile: then there is the account alone. */
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
    person: NewPerson,
    call: RedeemCall,
  ): Promise<{ token: string }> {
    if (invitationOf(link).isFirstRoot) await refuseSecondFirstRoot(trx, people)
    const personId = await people.within(trx).add(person).catch(refuseTakenAddress)
    const { userAgent, address } = call
    await join(trx, emit, link, { personId, address })
    await record(trx, link, personId, call)
    return { token: await sessions.start(trx, { personId, userAgent, address }) }
  }

  async function accept(
    trx: Transaction<Database>,
    emit: Emit,
    link: StoredTokenLink,
    personId: string,
    call: RedeemCall,
  ): Promise<Record<string, never>> {
    const { isRoot, isFirstRoot } = invitationOf(link)
    if (isFirstRoot) await refuseSecondFirstRoot(trx, people)
    if (isRoot) {
      await people.within(trx).makeRoot(personId)
      await announceAccess(emit, [personId])
    }
    await join(trx, emit, link, { personId, address: call.address })
    await record(trx, link, personId, call)
    return {}
  }

  return {
    async describe(link) {
      const account = await accountOf(link)
      const user = account === undefined ? null : { firstname: account.firstname, lastname: account.lastname }
      return { email: link.email, user }
    },

    async prepare(link, body, call) {
      const account = await accountOf(link)
      if (account !== undefined) {
        if (call.caller?.personId !== account.id) throw new AppError('SIGN_IN_TO_ACCEPT')
        parseBody(acceptance, body)
        return (trx, emit) => accept(trx, emit, link, account.id, call)
      }

      const { firstname, lastname, password } = parseBody(registration, body)
      checkNewPassword(password, { firstname, lastname, emails: [link.email] })
      const person = {
        firstname,
        lastname,
        email: link.email,
        isRoot: invitationOf(link).isRoot,
        passwordHash: await hashes(() => hashPassword(password)),
      }
      return (trx, emit) => register(trx, emit, link, person, call)
    },
  }
}

/** Somebody else has verified the address in the meantime. */
function refuseTakenAddress(error: unknown): never {
  throw violatedConstraint(error) === 'email_verified' ? new AppError('SIGN_IN_TO_ACCEPT') : error
}
