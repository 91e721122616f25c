import { meEndpoints, sessionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../permissions.ts'
import { isBackground, tokenOf } from './bearer.ts'
import { credentialsOf } from './credentials.ts'
import type { SessionService } from './session.service.ts'

export function addSessionRoutes(app: FastifyInstance, sessions: SessionService): void {
  app.authenticate = async (request) => {
    const token = tokenOf(request)
    return token === undefined ? null : sessions.authenticate(token, { isBackground: isBackground(request) })
  }

  route(app, sessionEndpoints.reissue, { allow: signedIn }, async ({ caller, reply }) => {
    const token = tokenOf(reply.request)
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    return { token: await sessions.reissue(caller, token), credentials: credentialsOf(caller) }
  })

  route(app, sessionEndpoints.logout, { allow: signedIn }, async ({ caller, address }) => {
    await sessions.logout(caller, address)
    return true as const
  })

  route(app, meEndpoints.read, { allow: signedIn }, ({ caller }) => credentialsOf(caller))
}
