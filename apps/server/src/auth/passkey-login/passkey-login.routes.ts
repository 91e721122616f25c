import { passkeyLoginEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { withAhead } from '../ahead.ts'
import { anyone } from '../permissions.ts'
import type { PasskeyLoginService } from './passkey-login.service.ts'

export function addPasskeyLoginRoutes(app: FastifyInstance, passkeyLogin: PasskeyLoginService): void {
  route(app, passkeyLoginEndpoints.options, { allow: anyone }, ({ body, address }) =>
    passkeyLogin.start(body.username, address),
  )

  route(app, passkeyLoginEndpoints.verify, { allow: anyone }, async ({ body, address, userAgent, reply }) => {
    const { ahead, ...finished } = body
    return withAhead(reply.request, await passkeyLogin.finish({ ...finished, address, userAgent }), ahead)
  })
}
