import { homeEndpoints, overviewEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { OrganisationService } from '../organisations/organisation.service.ts'
import { createHomeService, type HomeParts } from './home.service.ts'
import { createOverviewService } from './overview.service.ts'

interface HomeRoutesParts extends HomeParts {
  organisations: Pick<OrganisationService, 'read'>
}

/** Serves project homes and overviews. Each part of an answer enforces its own permissions. */
export function addHomeRoutes(app: FastifyInstance, { organisations, ...parts }: HomeRoutesParts): void {
  const home = createHomeService(parts)
  const overview = createOverviewService(parts)
  const allow = signedIn

  route(app, homeEndpoints.read, { allow }, ({ caller, params, language }) =>
    home(caller, params.projectId, language),
  )

  route(app, overviewEndpoints.read, { allow }, ({ caller, query, language }) =>
    overview(caller, { query, extent: {}, language }),
  )

  route(app, overviewEndpoints.ofOrganisation, { allow }, async ({ caller, params, query, language }) => {
    await organisations.read(caller, params.orgId)
    return overview(caller, { query, extent: { org: params.orgId }, language })
  })
}
