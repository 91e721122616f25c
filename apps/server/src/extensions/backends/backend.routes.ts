import {
  apiBase,
  backendEndpoints,
  type ExtensionManifest,
  projectHeader,
  type SettingValue,
  settingsHeader,
} from '@pult/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { anyone, signedIn } from '../../auth/permissions.ts'
import { type FindProject, openedApp } from '../app-access.ts'
import type { ExtensionService } from '../extension.service.ts'
import type { ProductRegistry } from '../manifests/product-registry.ts'
import { backendAddress } from './backend-address.ts'
import { headersOfAnswer, headersOfCall } from './backend-headers.ts'
import type { ForwardedCall, Forwarder } from './forwarder.ts'
import type { IdentityService } from './identity.service.ts'

interface BackendRoutesParts {
  extensions: Pick<ExtensionService, 'backendOf'>
  products: ProductRegistry
  findProject: FindProject
  /** The values of the settings that apply to a call, with secrets. */
  readSettings: (
    manifest: ExtensionManifest,
    of: { projectId: string | null; personId: string },
  ) => Promise<Record<string, SettingValue | null>>
  identity: IdentityService
  forwarder: Forwarder
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const bodyBytesMost = 1024 * 1024

/** An authorised call before its body is read. */
interface CheckedCall {
  caller: Caller
  appId: string
  projectId: string | null
  /** The caller owns the project and so holds every role in it. */
  isOwner: boolean
  extensionId: string
  manifest: ExtensionManifest
  url: URL
  allowsHttp: boolean
}

/** Calls of apps to the services of their extensions. */
export function addBackendRoutes(app: FastifyInstance, parts: BackendRoutesParts): void {
  const { identity, forwarder } = parts
  route(app, backendEndpoints.keys, { allow: anyone }, ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return identity.publicKeys()
  })

  app.addHook('onClose', () => forwarder.stop())
  app.register(async (scope) => {
    // Pass bodies of every type unparsed: the service parses them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)

    const calls = new WeakMap<FastifyRequest, CheckedCall>()
    scope.route({
      method: methods,
      url: `${apiBase}/apps/:app/*`,
      exposeHeadRoute: false,
      bodyLimit: bodyBytesMost,
      config: { permission: 'users who may open the app' },
      schema: { hide: true },
      onRequest: async (request) => {
        const caller = await signedIn.decide(await app.authenticate(request), {})
        calls.set(request, await check(parts, caller, request))
      },
      handler: async (request, reply) => {
        const call = calls.get(request)
        if (call === undefined) throw new AppError('NOT_FOUND')
        return answerFrom(parts, call, request, reply)
      },
    })
  })
}

async function check(
  { extensions, products, findProject }: BackendRoutesParts,
  caller: Caller,
  request: FastifyRequest,
): Promise<CheckedCall> {
  const { app: appId = '' } = request.params as { app?: string }
  const header = request.headers[projectHeader]
  const projectId = header === undefined ? null : projectIn(header)
  const { project } = await openedApp({ findApp: products.findApp, findProject }, caller, {
    appId,
    projectId,
  })
  const backend = extensions.backendOf(appId)
  if (backend === undefined) throw new AppError('NOT_FOUND')
  if (backend.url === null) throw new AppError('BACKEND_MISSING')
  // Use the URL as sent: after decoding, a second parser could read it differently.
  const rest = request.url.replace(/^(?:https?:\/\/[^/]+)?(?:\/[^/?]*){3}\//i, '')
  const url = backendAddress(backend.url, rest)
  if (url === undefined) throw new AppError('NOT_FOUND')
  const isOwner = project?.owner === caller.personId
  return {
    caller,
    appId,
    projectId,
    isOwner,
    extensionId: backend.extensionId,
    manifest: backend.manifest,
    url,
    allowsHttp: backend.allowsHttp,
  }
}

async function answerFrom(
  { identity, forwarder, readSettings }: BackendRoutesParts,
  { caller, appId, projectId, isOwner, extensionId, manifest, url, allowsHttp }: CheckedCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = await identity.sign(
    {
      sub: caller.personId,
      name: `${caller.firstname} ${caller.lastname}`,
      app: appId,
      ...(projectId !== null && { project: projectId }),
      scope: caller.scope.filter((entry) => projectId !== null && entry.startsWith(`p-${projectId}/`)),
      owner: isOwner,
      root: caller.isRoot,
    },
    extensionId,
  )
  const values =
    manifest.settings === undefined
      ? null
      : await readSettings(manifest, { projectId, personId: caller.personId })
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const call: ForwardedCall = {
    app: appId,
    personId: caller.personId,
    url,
    allowsHttp,
    method: request.method,
    headers: {
      ...headersOfCall(request.headers),
      authorization: `Bearer ${token}`,
      ...(values && { [settingsHeader]: Buffer.from(JSON.stringify(values)).toString('base64url') }),
    },
    body: Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null,
    gone: gone.signal,
  }
  const answer = await forwarder.forward(call).catch((error: unknown) => {
    if (gone.signal.aborted) return undefined
    throw error
  })
  // The client has disconnected, so no answer is needed and no fault occurred.
  if (answer === undefined) return reply.hijack()
  const { status, headers, body } = answer
  if (status === 401) {
    body.on('error', () => {}).resume()
    // Forwarding the 401 would make the console end the user's own session.
    throw new AppError('BACKEND_REFUSED')
  }
  reply.code(status).headers(headersOfAnswer(headers))
  if (request.method !== 'HEAD' && status !== 204 && status !== 304) return reply.send(body)
  body.on('error', () => {}).resume()
  return reply.send()
}

/** Treats an invalid id as an unknown project. */
function projectIn(header: string | string[]): string {
  if (typeof header !== 'string' || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(header))
    throw new AppError('NOT_FOUND')
  return header
}
