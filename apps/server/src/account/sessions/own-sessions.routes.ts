import { ownSessionEndpoints, rootSessionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { route } from '#platform/http/route.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { root, signedIn } from '../../auth/permissions.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { OwnSessions } from './own-sessions.service.ts'

interface OwnSessionRoutesParts {
  ownSessions: OwnSessions
  audit: AuditService
  people: PeopleService
}

export function addOwnSessionRoutes(
  app: FastifyInstance,
  { ownSessions, audit, people }: OwnSessionRoutesParts,
): void {
  route(app, ownSessionEndpoints.list, { allow: signedIn }, async ({ caller }) => {
    const items = await ownSessions.list(caller.personId, caller.sessionId)
    return { items, total: items.length }
  })

  route(app, ownSessionEndpoints.end, { allow: signedIn }, async ({ caller, params, address }) => {
    await ownSessions.end(caller, { personId: caller.personId, sessionId: params.sessionId }, address)
    return true as const
  })

  route(app, ownSessionEndpoints.endOthers, { allow: signedIn }, async ({ caller, address }) => {
    const { personId, sessionId } = caller
    await ownSessions.endAll(caller, { personId, exceptSessionId: sessionId }, address)
    return true as const
  })

  route(app, ownSessionEndpoints.activity, { allow: signedIn }, ({ caller, query }) =>
    audit.activityOf(caller.personId, query.after),
  )

  async function existing(personId: string): Promise<string> {
    if ((await people.findById(personId)) === undefined) throw new AppError('NOT_FOUND')
    return personId
  }

  route(app, rootSessionEndpoints.list, { allow: root }, async ({ caller, params }) => {
    const items = await ownSessions.list(await existing(params.personId), caller.sessionId)
    return { items, total: items.length }
  })

  route(app, rootSessionEndpoints.endAll, { allow: root }, async ({ caller, params, address }) => {
    const personId = await existing(params.personId)
    await ownSessions.endAll(caller, { personId, exceptSessionId: null }, address)
    return true as const
  })

  route(app, rootSessionEndpoints.end, { allow: root }, async ({ caller, params, address }) => {
    await ownSessions.end(caller, params, address)
    return true as const
  })
}
