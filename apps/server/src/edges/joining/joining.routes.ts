import { edgeKeyEndpoints, edgeRequestEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { recently, requireRecentSignIn } from '../../auth/permissions.ts'
import type { EdgeService } from '../edge.service.ts'

interface JoiningRoutesParts {
  edges: Pick<EdgeService, 'keys' | 'joining'>
  /** Permission to manage the edges of a project. */
  allow: { manage: Permission<Caller> }
}

export function addJoiningRoutes(
  app: FastifyInstance,
  { edges: { keys, joining }, allow: { manage } }: JoiningRoutesParts,
): void {
  route(app, edgeKeyEndpoints.list, { allow: manage }, ({ params }) => keys.list(params.projectId))
  route(
    app,
    edgeKeyEndpoints.create,
    { allow: recently(manage) },
    ({ params, body, idempotencyKey, ...who }) => keys.create(who, params.projectId, body, idempotencyKey),
  )
  route(app, edgeKeyEndpoints.revoke, { allow: manage }, async ({ params, ...who }) => {
    await keys.revoke(who, params.projectId, params.keyId)
    return true as const
  })

  route(app, edgeRequestEndpoints.list, { allow: manage }, ({ params, query }) =>
    joining.list(params.projectId, query.state === 'refused'),
  )
  route(app, edgeRequestEndpoints.decide, { allow: manage }, ({ params, body, ...who }) => {
    // The approved machine becomes an edge, as with a code.
    if (body.decision !== 'refuse') requireRecentSignIn(who.caller)
    return joining.decide(who, params.projectId, body)
  })
}
