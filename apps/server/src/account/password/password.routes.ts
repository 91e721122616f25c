import { passwordEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { PasswordService } from './password.service.ts'

export function addPasswordRoutes(app: FastifyInstance, password: PasswordService): void {
  // The current password in the call can replace a recent sign-in, so the service decides.
  route(app, passwordEndpoints.change, { allow: signedIn }, async ({ caller, body, address, device }) => {
    await password.change(caller, body, { address, device })
    return true as const
  })
}
