import { retentionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { root, rootRecently } from '../auth/permissions.ts'
import type { RetentionService } from './retention.service.ts'

export function addRetentionRoutes(app: FastifyInstance, retention: RetentionService): void {
  route(app, retentionEndpoints.read, { allow: root }, () => retention.read())

  route(app, retentionEndpoints.change, { allow: rootRecently }, async ({ caller, body, address }) => {
    await retention.change(body, { actorId: caller.personId, address })
    return true as const
  })
}
