import { passkeyLoginEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { anyone } from '../permissions.ts'
import type { PasskeyLoginService } from './passkey-login.service.ts'

export function addPasskeyLoginRoutes(app: FastifyInstance, passkeyLogin: PasskeyLoginService): void {
  route(app, passkeyLoginEndpoints.options, { allow: anyone }, ({ body, address, device }) =>
    passkeyLogin.start(body.username, { address, device }),
  )

  route(app, passkeyLoginEndpoints.verify, { allow: anyone }, ({ body, address, userAgent, device }) =>
    passkeyLogin.finish({ ...body, address, userAgent, device }),
  )
}
