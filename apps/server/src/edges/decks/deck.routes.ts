import { edgeDeckEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import type { DeckKeys } from './deck-keys.ts'

interface EdgeDeckRoutesParts {
  keys: DeckKeys
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

export function addEdgeDeckRoutes(app: FastifyInstance, { keys, allow }: EdgeDeckRoutesParts): void {
  const { read, manage } = allow

  route(app, edgeDeckEndpoints.read, { allow: read }, ({ params }) => keys.read(params))
  route(app, edgeDeckEndpoints.update, { allow: manage }, ({ params, body, revision, ...who }) =>
    keys.update(who, params, body, revision),
  )
  route(app, edgeDeckEndpoints.setPage, { allow: manage }, ({ params, body, revision, ...who }) =>
    keys.setPage(who, params, body, revision),
  )
}
