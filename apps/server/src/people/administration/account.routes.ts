import { rootPeopleEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { OwnSessions } from '../../account/sessions/own-sessions.service.ts'
import { root, rootRecently } from '../../auth/permissions.ts'
import { anAccount } from '../../invitations/invitation.ts'
import type { TargetInvitations } from '../../invitations/target-invitations.ts'
import type { AccountService } from './account.service.ts'

interface AccountRoutesParts {
  accounts: AccountService
  ownSessions: Pick<OwnSessions, 'endAll'>
  otp: Pick<OtpService, 'reset'>
  invitations: TargetInvitations
}

export function addAccountRoutes(
  app: FastifyInstance,
  { accounts, ownSessions, otp, invitations }: AccountRoutesParts,
): void {
  const people = rootPeopleEndpoints
  route(app, people.list, { allow: root }, ({ query }) => accounts.list(query))

  route(app, people.read, { allow: root }, ({ params }) => accounts.read(params.personId))

  route(app, people.belongings, { allow: root }, ({ params }) => accounts.belongings(params.personId))

  route(app, people.update, { allow: rootRecently }, ({ caller, params, body, address, revision }) =>
    accounts.update(caller, params.personId, body, { address, revision }),
  )

  route(app, people.remove, { allow: rootRecently }, async ({ caller, params, address }) => {
    await accounts.remove(caller, params.personId, address)
    return true as const
  })

  route(app, people.endSessions, { allow: root }, async ({ caller, params, address }) => {
    const { _id: personId } = await accounts.read(params.personId)
    await ownSessions.endAll(caller, { personId, exceptSessionId: null }, address)
    return true as const
  })

  route(app, people.unlock, { allow: rootRecently }, async ({ caller, params, address }) => {
    await accounts.unlock(caller, params.personId, address)
    return true as const
  })

  route(app, people.confirmEmail, { allow: rootRecently }, async ({ caller, params, address }) => {
    await accounts.confirmEmail(caller, params.personId, address)
    return true as const
  })

  route(app, people.resetSecondFactor, { allow: rootRecently }, async ({ caller, params, address }) => {
    await otp.reset(caller, params.personId, address)
    return true as const
  })

  route(app, people.invitations, { allow: root }, async () => {
    const items = await invitations.list(anAccount)
    return { items, total: items.length }
  })

  route(app, people.invite, { allow: rootRecently }, ({ caller, body, address }) => {
    const { email, isRoot = false } = body
    return invitations.invite({ ...anAccount, isRoot, email, caller, address })
  })

  route(app, people.resendInvitation, { allow: rootRecently }, ({ caller, params, address }) =>
    invitations.resend({ ...anAccount, ...params, caller, address }),
  )

  route(app, people.revokeInvitation, { allow: root }, async ({ caller, params, address }) => {
    await invitations.revoke({ ...anAccount, ...params, caller, address })
    return true as const
  })
}
