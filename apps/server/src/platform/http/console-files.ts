import { readdir } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Language, languageOf } from '../language.ts'
import { createConsoleDocuments, type ScriptIntegrity } from './console-document.ts'
import { documentHeaders, integrityHeaders } from './security-headers.ts'

export interface ConsoleFilesOptions {
  /** The built console: `index.html`, `assets/` with hashed names, and some other files. */
  folder: string
  publicUrl: string
  serviceWorker: boolean
  styleHashes: readonly string[]
  fileOrigins?: readonly string[]
  /** Scripts of the installed extensions; a new object whenever they change. */
  extensionScripts: () => ScriptIntegrity
  /** Whether the installation has been set up, and its language. */
  installation: () => Promise<{ isSetUp: boolean; language: Language }>
}

/** A service worker that unregisters itself and deletes its caches. It replaces a withdrawn worker. */
const withdrawnWorker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
})()))
`

/** The page for pasted links. It is the set-up page while no root exists. */
const setupPath = '/bift'

const loopbackAliases = new Set(['127.0.0.1', '[::1]'])

/**
 * Serves the console. The files are listed at the start and looked up by name, so that no request path reaches the
 * file system. All other page addresses return the document, and the console's router handles them.
 */
export async function serveConsole(app: FastifyInstance, options: ConsoleFilesOptions): Promise<void> {
  const documentWith = await createConsoleDocuments(options.folder, options.publicUrl)
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
    // One canonical local origin, so that passkeys, allowed origins and links match. Behind a proxy the host can be a
    // loopback address, so this applies only to local installations.
    const host = request.headers.host ?? ''
    if (publicHost.hostname === 'localhost' && loopbackAliases.has(host.replace(/:\d+$/, ''))) {
      return reply.redirect(`${options.publicUrl}${url}`)
    }
    if (isFileAddress(path)) throw new AppError('NOT_FOUND')
    const { isSetUp, language } = await options.installation()
    if (!isSetUp && !/^bift(?:\/|$)/.test(path)) {
      return reply.header('cache-control', 'no-store').redirect(setupPath)
    }
    const { bodies, scriptHash } = await documentWith(
      options.extensionScripts(),
      isSetUp ? language : languageOf(request.headers['accept-language']),
    )
    const coding = codingFor(request.headers['accept-encoding'])
    return reply
      .headers(documentHeaders({ ...options, scriptHash, isUpgraded: !isPlainHttp(request.headers) }))
      .headers(integrityHeaders(request.headers['user-agent']))
      .headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
      .headers(coding === 'identity' ? {} : { 'content-encoding': coding })
      .type('text/html; charset=utf-8')
      .send(bodies[coding])
  })
}

/** Addresses in which an app, or the token of a link, may contain a dot. */
const mayContainDots = /^(?:app|bift)(?:\/|$)|^index\.html$/

/**
 * Returns whether an address without a file is that of a file: pages have no dots. A document would make a missing
 * script or picture look present, and scanners report `/.env` or `/wp-login.php` as found.
 */
const isFileAddress = (path: string) => /\.|%2e/i.test(path) && !mayContainDots.test(path)

/**
 * Returns whether a browser asks over plain http: it names the purpose of a request only at trustworthy addresses.
 * https://w3c.github.io/webappsec-fetch-metadata/#sec-fetch-mode-header
 */
const isPlainHttp = (headers: IncomingHttpHeaders) =>
  headers['sec-fetch-mode'] === undefined && !/\bhttps\b/.test(String(headers['x-forwarded-proto']))

/**
 * Returns path and query. A client may send an absolute URL, as for a proxy:
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
function ownPart(url: string): string {
  const part = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return part.startsWith('/') ? part : `/${part}`
}

/**
 * The public files of the folder. One lookup instead of a route per file, because thousands of routes would slow the
 * start by a second.
 */
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

/** Compressed variants, which are sent in place of their file, and files without use for a browser. */
const isHidden = /\.(?:br|gz|map)$|(?:^|\/)\./

/** Only the server reads these files. */
const ours = new Set(['index.html', 'build.json', 'import-map.json'])

export type ContentCoding = 'br' | 'gzip' | 'identity'

/** Returns the best coding that the client accepts; a weight of zero excludes a coding. */
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
