import { tokenLinkEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'
import type { TokenLinkService } from './token-link.service.ts'

export function addTokenLinkRoutes(app: FastifyInstance, tokenLinks: TokenLinkService): void {
  route(app, tokenLinkEndpoints.preflight, { allow: anyone }, ({ params, address }) =>
    tokenLinks.preflight(params.token, address),
  )

  route(app, tokenLinkEndpoints.redeem, { allow: anyone }, ({ params, body, caller, address, userAgent }) =>
    tokenLinks.redeem(params.token, body, { caller, address, userAgent }),
  )
}
