import { tokenLinkEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'
import type { TokenLinkService } from './token-link.service.ts'

export function addTokenLinkRoutes(app: FastifyInstance, tokenLinks: TokenLinkService): void {
  route(app, tokenLinkEndpoints.preflight, { allow: anyone }, ({ params, caller, address }) =>
    tokenLinks.preflight(params.token, { caller, address }),
  )

  route(app, tokenLinkEndpoints.redeem, { allow: anyone }, ({ params, body, ...call }) =>
    tokenLinks.redeem(params.token, body, call),
  )
}
