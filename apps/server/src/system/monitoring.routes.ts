import { timingSafeEqual } from 'node:crypto'
import { apiBase } from '@pult/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { isFromThisMachine, isLoopbackUrl } from '#platform/http/client-address.ts'
import { hashToken } from '#platform/secrets.ts'
import type { HealthService } from './health.service.ts'
import type { MetricsService } from './metrics.service.ts'

const permission = 'METRICS_TOKEN, or without a public address this machine'

const wrongToken = 'Send the value of METRICS_TOKEN in the header "Authorization: Bearer …"'
const withoutToken =
  'Set METRICS_TOKEN, and send it as a bearer token. Without it, only this machine may read this, and no caller if PULT_URL is a public address'

interface MonitorSettings {
  token: string | undefined
  publicUrl: string
}

/**
 * Admits the holder of METRICS_TOKEN. Without the setting it admits requests from this machine while the installation
 * has no public address. A public address leads through a proxy, whose requests cannot be distinguished from those of a program.
 */
function createMonitorCheck({ token, publicUrl }: MonitorSettings) {
  const expected = token === undefined ? undefined : hashToken(`Bearer ${token}`)
  const isLocal = isLoopbackUrl(publicUrl)
  return ({ headers, raw }: FastifyRequest): void => {
    const isAdmitted =
      expected === undefined
        ? isLocal && isFromThisMachine(raw)
        : timingSafeEqual(hashToken(headers.authorization ?? ''), expected)
    if (isAdmitted) return
    throw new AppError('UNAUTHENTICATED', { message: expected === undefined ? withoutToken : wrongToken })
  }
}

export function addMonitoringRoutes(
  app: FastifyInstance,
  { metrics, health, ...settings }: { metrics: MetricsService; health: HealthService } & MonitorSettings,
): void {
  const admit = createMonitorCheck(settings)
  app.route({
    method: 'GET',
    url: `${apiBase}/health`,
    config: { permission },
    schema: {
      summary:
        'The health of each part: `ok`, `warn` or `fail`. For people and dashboards; load balancers use `ready`.',
      description: `Allowed: ${permission}.`,
      tags: ['health'],
    },
    onRequest: async (request) => admit(request),
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await health()),
  })
  app.route({
    method: 'GET',
    url: `${apiBase}/metrics`,
    config: { permission },
    schema: {
      summary: 'The metrics of this node, as Prometheus reads them.',
      description: `Allowed: ${permission}.`,
      tags: ['metrics'],
    },
    onRequest: async (request) => admit(request),
    handler: async (_request, reply) => {
      const { type, text } = await metrics.read()
      return reply.headers({ 'content-type': type, 'cache-control': 'no-store' }).send(text)
    },
  })
}
