import { loginEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { anyone } from '../permissions.ts'
import type { LoginService } from './login.service.ts'

export function addLoginRoutes(app: FastifyInstance, login: LoginService): void {
  route(app, loginEndpoints.login, { allow: anyone }, ({ body, address, userAgent, device }) =>
    body.type === 'credentials'
      ? login.byPassword({ ...body.data, address, userAgent, device })
      : login.byOtp({ ...body.data, address, userAgent, device }),
  )
}
