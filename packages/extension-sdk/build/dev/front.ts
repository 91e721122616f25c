import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fragment } from '@pult/contract'
import type { ProxyOptions } from 'vite'
import { type DevelopedExtension, withDeveloped } from './developed-fragment.ts'
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

/** Answers what has to be another for an extension that is developed. The rest is Vite's, or the console's own. */
export function createFront(parts: FrontParts) {
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

async function answer(request: IncomingMessage, parts: FrontParts): Promise<Answer | null> {
  const { pathname, search } = addressOf(request)
  if (pathname.startsWith(developmentBase)) return sharedModule(pathname, parts)
  if (passkeyStart.test(pathname)) return noPasskeys(parts)
  if (request.method !== 'GET') return null
  if (pathname === '/sw.js') return { headers: javascript, body: withdrawnWorker }
  if (pathname === '/api/probe') return probe(request, parts)
  if (pathname.startsWith('/assets/')) return wantsProduction(search) ? null : reactChunk(pathname, parts)
  return isPage(request) ? page(parts) : null
}

/** Hands a shared module on under an address that stays the same whatever the console's build is. */
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

async function probe(request: IncomingMessage, { console, extension }: FrontParts): Promise<Answer> {
  const { authorization = '', 'accept-language': language = '' } = request.headers
  const reply = await console.ask(request.url ?? '', { authorization, 'accept-language': language })
  const body = await reply.text()
  if (!reply.ok) return { status: reply.status, headers: json, body }
  const isForProject = addressOf(request).searchParams.has('project')
  const fragments = withDeveloped(JSON.parse(body) as Fragment[], await extension(), isForProject)
  return { headers: json, body: JSON.stringify(fragments) }
}

/** A passkey belongs to an origin: the browser would ask for one, and the server refuse what it brings. */
function noPasskeys({ console }: FrontParts): Answer {
  const message = `Passkeys work at ${console.url} only, which this page is not. Sign in with your password here.`
  return { status: 403, headers: json, body: JSON.stringify({ code: 'FORBIDDEN', message }) }
}

/** A worker would keep files of the console beyond this page, and one of them is another here. */
const withdrawnWorker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.unregister()))
`

const passkeyStart = /^\/api\/(?:auth\/.+\/passkey|me\/account\/passkeys\/.+)\/options$/

function failure(request: IncomingMessage, url: string, error: unknown): Answer {
  const message = `${reasonOf(error, url)} Start it, or say in PULT_CONSOLE where one runs.`
  if (!isPage(request))
    return { status: 502, headers: json, body: JSON.stringify({ code: 'BACKEND_UNREACHABLE', message }) }
  return { status: 502, headers: { 'content-type': 'text/plain', refresh: '3' }, body: message }
}

/** Why there was no connection stands in the cause alone. */
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

/** Everything that is not below Vite's own base goes to the console, sockets too. */
export const consoleProxy = (url: string): Record<string, ProxyOptions> => ({
  [`^(?!${developmentBase})`]: {
    target: url,
    changeOrigin: true,
    ws: true,
    configure: (proxy) => {
      // The server takes sockets of its own origin, and those of programs, which have none. This one's pages are as
      // good as its own; a foreign page that asks for a socket here is refused there.
      proxy.on('proxyReqWs', (forwarded, { headers: { origin, host } }) => {
        if (origin === `http://${host}` || origin === `https://${host}`) forwarded.removeHeader('origin')
      })
    },
  },
})
