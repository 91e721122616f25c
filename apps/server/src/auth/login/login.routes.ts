import { loginEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { withAhead } from '../ahead.ts'
import { anyone } from '../permissions.ts'
import type { LoginService } from './login.service.ts'

export function addLoginRoutes(app: FastifyInstance, login: LoginService): void {
  route(app, loginEndpoints.login, { allow: anyone }, async ({ body, address, userAgent, reply }) =>
    withAhead(
      reply.request,
      await (body.type === 'credentials'
        ? login.byPassword({ ...body.data, address, userAgent })
        : login.byOtp({ ...body.data, address, userAgent })),
      body.ahead,
    ),
  )
}
