import { edgeDeckEndpoints, ownEdgeDeckEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { recently, recentlySignedIn, requireRecentSignIn, signedIn } from '../../auth/permissions.ts'
import type { DeckKeys } from './deck-keys.ts'

interface EdgeDeckRoutesParts {
  keys: DeckKeys
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

export function addEdgeDeckRoutes(app: FastifyInstance, { keys, allow }: EdgeDeckRoutesParts): void {
  const { read, manage } = allow

  route(app, edgeDeckEndpoints.read, { allow: read }, ({ params }) => keys.read(params))
  route(app, edgeDeckEndpoints.update, { allow: manage }, ({ params, body, revision, ...who }) => {
    // Locking a deck, or taking its account away, gives no rights.
    if (typeof body.account === 'string' || body.isLocked === false) requireRecentSignIn(who.caller)
    return keys.update(who, params, body, revision)
  })
  route(app, edgeDeckEndpoints.setPage, { allow: recently(manage) }, ({ params, body, revision, ...who }) =>
    keys.setPage(who, params, body, revision),
  )

  route(app, ownEdgeDeckEndpoints.list, { allow: signedIn }, ({ caller }) => keys.listOwn(caller))
  route(app, ownEdgeDeckEndpoints.agree, { allow: recentlySignedIn }, async ({ params, ...who }) => {
    await keys.agree(who, params)
    return true as const
  })
  route(app, ownEdgeDeckEndpoints.withdraw, { allow: signedIn }, async ({ params, ...who }) => {
    await keys.withdraw(who, params)
    return true as const
  })
}
