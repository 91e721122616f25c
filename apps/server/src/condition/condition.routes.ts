import { conditionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { root, rootRecently } from '../auth/permissions.ts'
import type { ConditionService } from './condition.service.ts'

export function addConditionRoutes(app: FastifyInstance, condition: ConditionService): void {
  route(app, conditionEndpoints.read, { allow: root }, ({ language, reply }) =>
    condition.readFor(language, reply.request.raw),
  )
  route(app, conditionEndpoints.diagnostics, { allow: root }, () => condition.diagnostics())
  route(app, conditionEndpoints.putIntoService, { allow: rootRecently }, ({ caller, address }) =>
    condition.putIntoService(caller.personId, address),
  )
  route(app, conditionEndpoints.testMail, { allow: root }, ({ caller, address, language }) =>
    condition.testMail(caller.personId, address, language),
  )
}
