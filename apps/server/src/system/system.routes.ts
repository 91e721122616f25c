import { type Build, systemEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'
import type { Readiness } from './readiness.ts'

interface SystemParts {
  build: Build
  readiness: Pick<Readiness, 'read'>
  /** Returns whether the server is about to stop. */
  isStopping: () => boolean
  contactUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
}

export function addSystemRoutes(app: FastifyInstance, parts: SystemParts): void {
  const { build, readiness, isStopping, contactUrl, privacyUrl, imprintUrl } = parts
  route(app, systemEndpoints.build, { allow: anyone }, () => build)
  route(app, systemEndpoints.live, { allow: anyone, isProbe: true }, () => ({ status: 'ok' as const }))
  route(app, systemEndpoints.ready, { allow: anyone, isProbe: true }, async () => {
    if (isStopping()) throw new AppError('BUSY')
    const unready = await readiness.read()
    if (unready !== null) throw new AppError(unready.code, { retryAfter: 2 })
    return { status: 'ok' as const }
  })
  route(app, systemEndpoints.settings, { allow: anyone }, () => ({ contactUrl, privacyUrl, imprintUrl }))
}
