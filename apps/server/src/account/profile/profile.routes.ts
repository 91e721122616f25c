import { profileEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { ProfileService } from './profile.service.ts'

export function addProfileRoutes(app: FastifyInstance, profile: ProfileService): void {
  route(app, profileEndpoints.update, { allow: signedIn }, ({ caller, body, address }) =>
    profile.update(caller, body, address),
  )
}
