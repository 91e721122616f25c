import { accessRequestEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { AccessRequestService } from './access-request.service.ts'

export function addAccessRequestRoutes(app: FastifyInstance, requests: AccessRequestService): void {
  const allow = signedIn

  route(app, accessRequestEndpoints.offer, { allow }, ({ caller, params, query, language }) =>
    requests.offer(caller, params.projectId, query, language),
  )

  route(app, accessRequestEndpoints.create, { allow }, async ({ caller, params, body, address }) => {
    await requests.create(caller, params.projectId, body, address)
    return true as const
  })

  route(app, accessRequestEndpoints.list, { allow }, async ({ caller, params }) => {
    const items = await requests.list(caller, params.projectId)
    return { items, total: items.length }
  })

  route(app, accessRequestEndpoints.decline, { allow }, async ({ caller, params, address }) => {
    await requests.decline(caller, params, address)
    return true as const
  })
}
