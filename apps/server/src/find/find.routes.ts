import { findEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { FindService } from './find.service.ts'

export function addFindRoutes(app: FastifyInstance, find: FindService): void {
  route(app, findEndpoints.find, { allow: signedIn }, ({ caller, query }) => find.find(caller, query))
}
