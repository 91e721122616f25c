import { confirmEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../permissions.ts'
import type { ConfirmService } from './confirm.service.ts'

export function addConfirmRoutes(app: FastifyInstance, confirm: ConfirmService): void {
  route(app, confirmEndpoints.methods, { allow: signedIn }, ({ caller }) => confirm.methods(caller))

  route(app, confirmEndpoints.passkeyOptions, { allow: signedIn }, ({ caller }) =>
    confirm.startPasskey(caller),
  )

  route(app, confirmEndpoints.confirm, { allow: signedIn }, async ({ caller, body, address, device }) => {
    await confirm.confirm(caller, body, { address, device })
    return true as const
  })
}
