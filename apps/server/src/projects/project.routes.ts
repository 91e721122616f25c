import { type Project, productEndpoints, projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { recentlySignedIn, requireRecentSignIn, root, rootRecently, signedIn } from '../auth/permissions.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { TargetInvitations } from '../invitations/target-invitations.ts'
import type { OrganisationService } from '../organisations/organisation.service.ts'
import type { PeopleService } from '../people/people.service.ts'
import { explainAccess } from './effective-access.ts'
import type { GrantService } from './grants/grant.service.ts'
import type { ProjectService } from './project.service.ts'
import { verifyProject } from './verify-project.ts'

interface ProjectRoutesParts {
  projects: ProjectService
  grants: GrantService
  invitations: TargetInvitations
  organisations: OrganisationService
  people: PeopleService
  products: ProductRegistry
}

export function addProjectRoutes(app: FastifyInstance, parts: ProjectRoutesParts): void {
  const { projects, organisations, people, products } = parts
  const allow = signedIn
  route(app, productEndpoints.list, { allow }, ({ language }) => {
    const items = products.list(language)
    return { items, total: items.length }
  })

  route(app, projectEndpoints.list, { allow }, ({ caller, query }) => projects.list(caller, query))

  route(app, projectEndpoints.create, { allow }, ({ caller, body, address, idempotencyKey }) =>
    projects.create(caller, body, { address, idempotencyKey }),
  )

  route(app, projectEndpoints.read, { allow }, ({ caller, params }) =>
    projects.read(caller, params.projectId),
  )

  route(app, projectEndpoints.update, { allow }, ({ caller, params, body, address, revision }) => {
    // A change of the organisation gives its owner control of the project.
    if (body.org !== undefined) requireRecentSignIn(caller)
    return projects.update(caller, params.projectId, body, { address, revision })
  })

  route(app, projectEndpoints.remove, { allow: recentlySignedIn }, async ({ caller, params, address }) => {
    await projects.remove(caller, params.projectId, address)
    return true as const
  })

  route(app, projectEndpoints.verify, { allow }, async ({ caller, params, language }) => {
    const project = await projects.read(caller, params.projectId)
    const owner = await people.findById(project.owner)
    return verifyProject(project, {
      products,
      language,
      isOwnerActive: owner?.disabled_at === null,
      isOwnerInOrganisation:
        project.org === null ||
        owner?.is_root === true ||
        (await organisations.isMember(project.org, project.owner)),
    })
  })

  route(app, projectEndpoints.setDefault, { allow }, ({ caller, params }) =>
    projects.setDefault(caller, params.projectId),
  )

  addGrantRoutes(app, parts)
  addInvitationRoutes(app, parts)
}

function addGrantRoutes(
  app: FastifyInstance,
  { projects, grants, organisations, people, products }: ProjectRoutesParts,
) {
  route(app, rootGrantEndpoints.ofPerson, { allow: root }, async ({ params }) => {
    const items = await grants.listOf(params.personId)
    return { items, total: items.length }
  })

  route(
    app,
    projectEndpoints.changeProductRole,
    { allow: signedIn },
    async ({ caller, params, body, address }) => {
      await projects.checkOwned(caller, params.projectId)
      requireRecentSignIn(caller)
      return grants.setProductRole(caller, params, body.productRole, address)
    },
  )

  /** Root may ask about every user, other callers only about users related to the project or its organisation. */
  async function isAskable(caller: Caller, { _id, org }: Project, personId: string): Promise<boolean> {
    return (
      caller.isRoot ||
      (await projects.readersAmong([_id], [personId])).has(_id) ||
      (org !== null && (await organisations.isMember(org, personId)))
    )
  }

  route(app, projectEndpoints.access, { allow: signedIn }, async ({ caller, params, query, language }) => {
    const project = await projects.checkEdited(caller, params.projectId)
    const person = await people.findById(params.personId)
    if (person === undefined || !(await isAskable(caller, project, person.id)))
      throw new AppError('NOT_FOUND')
    return explainAccess(products, {
      language,
      person: {
        id: person.id,
        name: `${person.firstname} ${person.lastname}`,
        isRoot: person.is_root,
        isDisabled: person.disabled_at !== null,
      },
      project,
      organisationOwner: project.org === null ? null : await organisations.ownerOf(project.org),
      ...query,
    })
  })

  route(app, rootGrantEndpoints.add, { allow: rootRecently }, async ({ caller, params, body, address }) => {
    await projects.read(caller, params.projectId)
    return grants.add(caller, params.projectId, body.user, address)
  })

  route(
    app,
    rootGrantEndpoints.update,
    { allow: rootRecently },
    async ({ caller, params, body, address }) => {
      await projects.read(caller, params.projectId)
      return grants.setProductRole(caller, params, body.productRole, address)
    },
  )

  route(
    app,
    rootGrantEndpoints.setRoles,
    { allow: rootRecently },
    async ({ caller, params, body, address }) => {
      await projects.read(caller, params.projectId)
      const items = await grants.setRoles(caller, params, body.productRoles, address)
      return { items, total: items.length }
    },
  )

  route(app, rootGrantEndpoints.remove, { allow: rootRecently }, async ({ caller, params, address }) => {
    await projects.read(caller, params.projectId)
    await grants.remove(caller, params, address)
    return true as const
  })
}

function addInvitationRoutes(app: FastifyInstance, { projects, invitations, products }: ProjectRoutesParts) {
  const allow = signedIn
  route(app, projectEndpoints.invitations, { allow }, async ({ caller, params }) => {
    await projects.checkOwned(caller, params.projectId)
    const items = await invitations.list({ projectId: params.projectId })
    return { items, total: items.length }
  })

  route(app, projectEndpoints.invite, { allow }, async ({ caller, params, body, address }) => {
    const project = await projects.checkOwned(caller, params.projectId)
    const { email, productRole } = body
    if (!products.hasRole(productRole, project.products)) throw new AppError('UNKNOWN_PRODUCT_ROLE')
    const target = { projectId: project._id, productRole, label: project.label }
    return invitations.invite({ ...target, email, caller, address })
  })

  route(app, projectEndpoints.resendInvitation, { allow }, async ({ caller, params, address }) => {
    const { label } = await projects.checkOwned(caller, params.projectId)
    return invitations.resend({ ...params, label, caller, address })
  })

  route(app, projectEndpoints.revokeInvitation, { allow }, async ({ caller, params, address }) => {
    await projects.checkOwned(caller, params.projectId)
    await invitations.revoke({ ...params, caller, address })
    return true as const
  })
}
