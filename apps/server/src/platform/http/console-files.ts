import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { createConsoleDocuments, type ScriptIntegrity } from './console-document.ts'
import { documentHeaders, integrityHeaders } from './security-headers.ts'

export interface ConsoleFilesOptions {
  /** The built console: `index.html`, `assets/` with hashes in their names, and a few files beside. */
  folder: string
  publicUrl: string
  serviceWorker: boolean
  styleHashes: readonly string[]
  fileOrigins?: readonly string[]
  /** Scripts of the installed extensions; another object when they are others. */
  extensionScripts: () => ScriptIntegrity
}

/** Unregisters itself and drops its caches: what browsers get in place of the worker that was withdrawn. */
const withdrawnWorker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
})()))
`

const loopbackAliases = new Set(['127.0.0.1', '[::1]'])

/**
 * Serves the console. Its files are the ones found at the start, each under its own name, so that no path of a request
 * ever reaches the file system; every other address of a page gets the document, and the console's router the rest.
 */
export async function serveConsole(app: FastifyInstance, options: ConsoleFilesOptions): Promise<void> {
  const documentWith = await createConsoleDocuments(options.folder)
  const publicHost = new URL(options.publicUrl)

  if (!options.serviceWorker) {
    app.get('/sw.js', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/javascript').header('cache-control', 'no-store').send(withdrawnWorker),
    )
  }

  const files = await filesOf(options)
  await app.register(fastifyStatic, {
    root: options.folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const url = ownPart(request.url)
    const path = url.split('?', 1)[0]?.slice(1) ?? ''
    if (files.has(path)) return reply.sendFile(path)
    if (url === '/api' || url.startsWith('/api/') || url.startsWith('/assets/')) {
      throw new AppError('NOT_FOUND')
    }
    // One spelling of the local address, so that passkeys, allowed origins and links agree. Behind a proxy the host
    // may well be a loopback address, so this is for a local installation only.
    const host = request.headers.host ?? ''
    if (publicHost.hostname === 'localhost' && loopbackAliases.has(host.replace(/:\d+$/, ''))) {
      return reply.redirect(`${options.publicUrl}${url}`)
    }
    const { bodies, scriptHash } = await documentWith(options.extensionScripts())
    const coding = codingFor(request.headers['accept-encoding'])
    return reply
      .headers(documentHeaders({ ...options, scriptHash }))
      .headers(integrityHeaders(request.headers['user-agent']))
      .headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
      .headers(coding === 'identity' ? {} : { 'content-encoding': coding })
      .type('text/html; charset=utf-8')
      .send(bodies[coding])
  })
}

/** Path and query. A client may name the whole address, as one does for a proxy: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
function ownPart(url: string): string {
  const part = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return part.startsWith('/') ? part : `/${part}`
}

/** What of the folder everybody may have. Not a route each: thousands of them would cost the start a second. */
async function filesOf({ folder, serviceWorker }: ConsoleFilesOptions): Promise<ReadonlySet<string>> {
  const names = await readdir(folder, { recursive: true })
  return new Set(
    names
      .map((name) => name.replaceAll(sep, '/'))
      .filter((name) => isFile.test(name) && !isHidden.test(name) && !ours.has(name))
      .filter((name) => serviceWorker || name !== 'sw.js'),
  )
}

const isFile = /\.\w+$/

/** Sent in place of the file they are of, or of no use to a browser. */
const isHidden = /\.(?:br|gz|map)$|(?:^|\/)\./

/** The server reads these itself. */
const ours = new Set(['index.html', 'build.json', 'import-map.json'])

export type ContentCoding = 'br' | 'gzip' | 'identity'

/** The best of what the client says it takes; a coding with a weight of zero is one that it does not. */
export function codingFor(accepted: string | undefined): ContentCoding {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  )
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : 'identity'
}
