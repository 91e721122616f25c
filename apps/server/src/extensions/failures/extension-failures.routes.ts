import { extensionFailureEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { ExtensionService } from '../extension.service.ts'
import type { ExtensionFailures } from './extension-failures.ts'

interface ExtensionFailureRoutesParts {
  extensions: Pick<ExtensionService, 'running'>
  failures: Pick<ExtensionFailures, 'count'>
}

export function addExtensionFailureRoutes(
  app: FastifyInstance,
  { extensions, failures }: ExtensionFailureRoutesParts,
): void {
  route(app, extensionFailureEndpoints.report, { allow: signedIn }, async ({ params: { name }, body }) => {
    const runs = extensions.running().some(({ id, version }) => id === name && version === body.version)
    // An open page may still run the version before an update.
    if (!runs) throw new AppError('NOT_FOUND')
    await failures.count(name, body)
    return true as const
  })
}
