import { rootExtensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { root, rootRecently } from '../auth/permissions.ts'
import type { ExtensionService } from './extension.service.ts'

export function addRootExtensionRoutes(app: FastifyInstance, extensions: ExtensionService): void {
  route(app, rootExtensionEndpoints.list, { allow: root }, async () => {
    const items = await extensions.list()
    return { items, total: items.length }
  })

  route(app, rootExtensionEndpoints.enable, { allow: rootRecently }, async ({ caller, params, address }) => {
    await extensions.enable(params.name, { actorId: caller.personId, address })
    return true as const
  })

  route(app, rootExtensionEndpoints.disable, { allow: rootRecently }, async ({ caller, params, address }) => {
    await extensions.disable(params.name, { actorId: caller.personId, address })
    return true as const
  })
}
