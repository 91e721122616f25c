import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fragment, Start } from '@pult/contract'
import type { ProxyOptions } from 'vite'
import { type DevelopedExtension, withDeveloped } from './developed-fragment.ts'
import { createDevelopedStores, storeCallOf } from './developed-store.ts'
import { developmentDocument } from './development-document.ts'
import { reactChunkModule, wantsProduction } from './development-react.ts'
import { developmentBase, sharedModulePath } from './places.ts'
import type { RunningConsole } from './running-console.ts'

export interface FrontParts {
  console: RunningConsole
  extension: () => Promise<DevelopedExtension>
}

interface Answer {
  status?: number
  headers: Record<string, string>
  body: string
}

/** Creates a handler for the requests that differ in development. It passes all others on to Vite or the console. */
export function createFront(given: FrontParts) {
  const parts = { ...given, stores: createDevelopedStores() }
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const found = await answer(request, parts).catch((error: unknown) =>
      failure(request, parts.console.url, error),
    )
    if (found === null) next()
    else
      response
        .writeHead(found.status ?? 200, { 'cache-control': 'no-store', ...found.headers })
        .end(found.body)
  }
}

interface Parts extends FrontParts {
  stores: ReturnType<typeof createDevelopedStores>
}

async function answer(request: IncomingMessage, parts: Parts): Promise<Answer | null> {
  const { pathname, search } = addressOf(request)
  if (pathname.startsWith(developmentBase)) return sharedModule(pathname, parts)
  if (passkeyStart.test(pathname)) return noPasskeys(parts)
  if (pathname.startsWith('/api/projects/')) return developedStore(request, parts)
  if (request.method !== 'GET') return null
  if (pathname.startsWith('/api/app-settings/')) return developedSettings(request, parts)
  if (pathname === '/sw.js') return { headers: javascript, body: withdrawnWorker }
  if (pathname === '/api/probe') return changedAnswer<Fragment[]>(request, parts, probed)
  if (pathname === '/api/start') return changedAnswer<Start>(request, parts, started)
  if (pathname.startsWith('/assets/')) return wantsProduction(search) ? null : reactChunk(pathname, parts)
  return isPage(request) ? page(parts) : null
}

/** Re-exports a shared module at an address that does not depend on the console's build. */
async function sharedModule(pathname: string, { console }: FrontParts): Promise<Answer | null> {
  const path = pathname.slice(developmentBase.length - 1)
  if (path === '/') return { status: 302, headers: { location: '/' }, body: '' }
  if (!path.startsWith(sharedModulePath('').replace(/\.js$/, ''))) return null
  const { imports } = await console.modules()
  const module = Object.keys(imports).find((name) => sharedModulePath(name) === path)
  if (module === undefined) return null
  return { headers: javascript, body: `export * from ${JSON.stringify(imports[module])}` }
}

async function reactChunk(pathname: string, { console }: FrontParts): Promise<Answer | null> {
  const { react } = await console.modules()
  return pathname === react.path ? { headers: javascript, body: reactChunkModule(react) } : null
}

async function page({ console }: FrontParts): Promise<Answer> {
  const { html } = await console.readDocument()
  return { headers: document, body: developmentDocument(html, `${developmentBase}@vite/client`) }
}

/**
 * Forwards the request to the console and adds the extension under development to the reply. Passes rejections on
 * unchanged.
 */
async function changedAnswer<Body>(
  request: IncomingMessage,
  { console, extension }: FrontParts,
  change: (body: Body, developed: DevelopedExtension, request: IncomingMessage) => Body,
): Promise<Answer> {
  const { authorization = '', 'accept-language': language = '' } = request.headers
  const reply = await console.ask(request.url ?? '', { authorization, 'accept-language': language })
  const body = await reply.text()
  if (!reply.ok) return { status: reply.status, headers: json, body }
  return {
    headers: json,
    body: JSON.stringify(change(JSON.parse(body) as Body, await extension(), request)),
  }
}

/** Answers store calls of an app that the server does not know. Other calls are passed on with their unread body. */
async function developedStore(request: IncomingMessage, parts: Parts): Promise<Answer | null> {
  const call = storeCallOf(addressOf(request).pathname)
  if (call === null || !(await parts.extension()).manifest.apps.some(({ id }) => id === call.app)) return null
  const { authorization = '' } = request.headers
  const list = `/api/projects/${call.projectId}/apps/${call.app}/store`
  const known = await parts.console.ask(list, { authorization })
  if (known.status !== 404) return null
  const { status, body } = await parts.stores(request, call)
  return { status, headers: json, body: JSON.stringify(body) }
}

/** Answers with the manifest's defaults while the server does not know the app. */
async function developedSettings(request: IncomingMessage, parts: Parts): Promise<Answer | null> {
  const { manifest } = await parts.extension()
  const { pathname } = addressOf(request)
  if (!manifest.apps.some(({ id }) => pathname === `/api/app-settings/${id}`)) return null
  const { authorization = '' } = request.headers
  if ((await parts.console.ask(request.url ?? '', { authorization })).status !== 404) return null
  const shown = (manifest.settings ?? []).filter(({ type }) => type !== 'secret')
  const values = Object.fromEntries(
    shown.map((setting) => [setting.id, ('default' in setting ? setting.default : undefined) ?? null]),
  ) as unknown
  return { headers: json, body: JSON.stringify({ values }) }
}

const probed = (fragments: Fragment[], developed: DevelopedExtension, request: IncomingMessage) =>
  withDeveloped(fragments, developed, addressOf(request).searchParams.has('project'))

const started = (start: Start, developed: DevelopedExtension): Start => ({
  ...start,
  fragments: start.project === null ? start.fragments : withDeveloped(start.fragments, developed, true),
  rootFragments: start.credentials.isRoot
    ? withDeveloped(start.rootFragments, developed, false)
    : start.rootFragments,
})

/** Rejects passkeys. They belong to an origin, so the server would reject a passkey of the development server. */
function noPasskeys({ console }: FrontParts): Answer {
  const message = `Passkeys work only at ${console.url}. Sign in with your password here.`
  return { status: 403, headers: json, body: JSON.stringify({ code: 'FORBIDDEN', message }) }
}

/** Replaces the service worker of the console. An older console's worker caches files, one of which differs here. */
const withdrawnWorker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.unregister()))
`

const passkeyStart = /^\/api\/(?:auth\/.+\/passkey|me\/account\/passkeys\/.+)\/options$/

function failure(request: IncomingMessage, url: string, error: unknown): Answer {
  const message = `${reasonOf(error, url)} Start one, or set PULT_CONSOLE to its address.`
  if (!isPage(request))
    return { status: 502, headers: json, body: JSON.stringify({ code: 'BACKEND_UNREACHABLE', message }) }
  return { status: 502, headers: { 'content-type': 'text/plain', refresh: '3' }, body: message }
}

/** Returns a message for an error. Only its cause contains the reason of a connection failure. */
function reasonOf(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return `No console answers at ${url} (${'code' in cause ? String(cause.code) : cause.message}).`
}

const isPage = ({ headers: { accept = '' }, url = '' }: IncomingMessage) =>
  accept.includes('text/html') && !/^\/(?:api|assets|extensions|icons)\//.test(url)

const addressOf = ({ url = '/' }: IncomingMessage) => new URL(url, 'http://front')

const json = { 'content-type': 'application/json' }
const javascript = { 'content-type': 'text/javascript' }
const document = { 'content-type': 'text/html; charset=utf-8' }

/** Returns a proxy that sends all requests and sockets outside Vite's base to the console. */
export const consoleProxy = (url: string): Record<string, ProxyOptions> => ({
  [`^(?!${developmentBase})`]: {
    target: url,
    changeOrigin: true,
    ws: true,
    configure: (proxy) => {
      // The server accepts sockets from its own origin and from programs without an origin. Pages of this server are as
      // trustworthy, so their origin is removed. Sockets of foreign pages keep theirs, and the server rejects them.
      proxy.on('proxyReqWs', (forwarded, { headers: { origin, host } }) => {
        if (origin === `http://${host}` || origin === `https://${host}`) forwarded.removeHeader('origin')
      })
    },
  },
})
