import { organisationEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { recentlySignedIn, requireRecentSignIn, signedIn } from '../auth/permissions.ts'
import type { TargetInvitations } from '../invitations/target-invitations.ts'
import type { OrganisationService } from './organisation.service.ts'

interface OrganisationRoutesParts {
  organisations: OrganisationService
  invitations: TargetInvitations
}

export function addOrganisationRoutes(
  app: FastifyInstance,
  { organisations, invitations }: OrganisationRoutesParts,
): void {
  const allow = signedIn
  route(app, organisationEndpoints.list, { allow }, ({ caller, query }) => organisations.list(caller, query))

  route(app, organisationEndpoints.create, { allow }, ({ caller, body, address, idempotencyKey }) =>
    organisations.create(caller, body, { address, idempotencyKey }),
  )

  route(app, organisationEndpoints.read, { allow }, ({ caller, params }) =>
    organisations.read(caller, params.orgId),
  )

  route(app, organisationEndpoints.update, { allow }, ({ caller, params, body, address, revision }) => {
    if (body.owner !== undefined) requireRecentSignIn(caller)
    return organisations.update(caller, params.orgId, body, { address, revision })
  })

  route(
    app,
    organisationEndpoints.remove,
    { allow: recentlySignedIn },
    async ({ caller, params, address }) => {
      await organisations.remove(caller, params.orgId, address)
      return true as const
    },
  )

  route(app, organisationEndpoints.members, { allow }, async ({ caller, params }) => {
    const items = await organisations.members(caller, params.orgId)
    return { items, total: items.length }
  })

  route(app, organisationEndpoints.removeMember, { allow }, async ({ caller, params, address }) => {
    await organisations.removeMember(caller, params.orgId, params.personId, address)
    return true as const
  })

  route(app, organisationEndpoints.invitations, { allow }, async ({ caller, params }) => {
    await organisations.checkEdited(caller, params.orgId)
    const items = await invitations.list({ organisationId: params.orgId })
    return { items, total: items.length }
  })

  route(app, organisationEndpoints.invite, { allow }, async ({ caller, params, body, address }) => {
    const { label } = await organisations.checkEdited(caller, params.orgId)
    const target = { organisationId: params.orgId, label }
    return invitations.invite({ ...target, email: body.email, caller, address })
  })

  route(app, organisationEndpoints.resendInvitation, { allow }, async ({ caller, params, address }) => {
    const { label } = await organisations.checkEdited(caller, params.orgId)
    const target = { organisationId: params.orgId, label }
    return invitations.resend({ ...target, invitationId: params.invitationId, caller, address })
  })

  route(app, organisationEndpoints.revokeInvitation, { allow }, async ({ caller, params, address }) => {
    await organisations.checkEdited(caller, params.orgId)
    const target = { organisationId: params.orgId }
    await invitations.revoke({ ...target, invitationId: params.invitationId, caller, address })
    return true as const
  })
}
