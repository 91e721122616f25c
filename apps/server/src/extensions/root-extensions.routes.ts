import { Readable } from 'node:stream'
import { apiBase, rootExtensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { root, rootRecently } from '../auth/permissions.ts'
import type { ExtensionService } from './extension.service.ts'
import { archiveBytesMost, archiveTooLarge } from './packages/archive.ts'

export function addRootExtensionRoutes(app: FastifyInstance, extensions: ExtensionService): void {
  const allow = rootRecently
  const byOf = ({ caller, address }: { caller: Caller; address: string }) => ({
    actorId: caller.personId,
    address,
  })

  route(app, rootExtensionEndpoints.list, { allow: root }, async ({ language }) => {
    const items = await extensions.list(language)
    return { items, total: items.length }
  })

  route(app, rootExtensionEndpoints.enable, { allow }, async ({ params, body, ...call }) => {
    await extensions.enable(params.name, body, byOf(call))
    return true as const
  })

  route(app, rootExtensionEndpoints.disable, { allow }, async ({ params, ...call }) => {
    await extensions.disable(params.name, byOf(call))
    return true as const
  })

  route(app, rootExtensionEndpoints.setBackend, { allow }, async ({ params, body, ...call }) => {
    await extensions.setBackend(params.name, body, byOf(call))
    return true as const
  })

  route(app, rootExtensionEndpoints.removeVersion, { allow }, async ({ params, ...call }) => {
    await extensions.removeVersion(params.name, params.digest, byOf(call))
    return true as const
  })

  addInstallRoute(app, extensions)
}

/** An archive is not JSON, so this route has its own body parser. */
function addInstallRoute(app: FastifyInstance, extensions: ExtensionService): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/gzip', async (_request: unknown, body: Readable) => body)

    const callers = new WeakMap<object, Caller>()
    scope.put(`${apiBase}${rootExtensionEndpoints.list.path}`, {
      config: { permission: rootRecently.name },
      schema: {
        summary:
          'Installs an archive (.tgz) of an extension. The extension is disabled until root enables it.',
        description: `Allowed: ${rootRecently.name}.`,
        tags: ['apps'],
      },
      onRequest: async (request) => {
        callers.set(request, await rootRecently.decide(await app.authenticate(request), {}))
        if (Number(request.headers['content-length'] ?? 0) > archiveBytesMost)
          throw new AppError('BODY_TOO_LARGE', { message: archiveTooLarge })
      },
      handler: async (request, reply) => {
        const caller = callers.get(request)
        if (caller === undefined) throw new AppError('UNAUTHENTICATED')
        const by = { actorId: caller.personId, address: request.clientAddress }
        if (!(request.body instanceof Readable)) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
        // The unread rest of a body would keep the connection busy.
        return extensions.install({ archive: request.body }, by).finally(() => {
          if (!request.raw.readableEnded) reply.header('connection', 'close')
        })
      },
    })
  })
}
