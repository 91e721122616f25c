import { Socket } from 'node:net'
import { apiBase } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { IncomingMessage, ServerResponse } from './node-http.ts'

export interface SecurityHeaderOptions {
  publicUrl: string
  /** Hashes of the constant styles that a component library injects, as `'sha256-…'`. */
  styleHashes: readonly string[]
  /** Of a file store elsewhere, to which documents send files and from which they show them. */
  fileOrigins?: readonly string[]
}

const permissions = [
  'camera=()',
  'geolocation=()',
  'microphone=()',
  'payment=()',
  'usb=()',
  'hid=(self)',
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
].join(', ')

/** Of what helmet sets, that which every answer has. */
const commonHeaders = (isHttps: boolean) =>
  ({
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  }) satisfies HelmetOptions

/**
 * Documents get the strict policy: scripts come from our own paths and nothing can turn a string into code; Trusted
 * Types name one policy, which the console uses for the address of its service worker. A document with an import map
 * allows that by its hash.
 */
export function documentHeaders({
  publicUrl,
  styleHashes,
  fileOrigins = [],
  scriptHash,
}: SecurityHeaderOptions & { scriptHash?: string }): Record<string, string> {
  const isHttps = publicUrl.startsWith('https:')
  return {
    ...headersOf({
      ...commonHeaders(isHttps),
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      // Browsers keep origins apart by themselves now; asked to, Chromium starts a process once more for each visit.
      originAgentCluster: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'", ...(scriptHash === undefined ? [] : [scriptHash])],
          styleSrc: ["'self'", ...styleHashes],
          imgSrc: ["'self'", 'data:', 'blob:', ...fileOrigins],
          mediaSrc: ["'self'", ...fileOrigins],
          fontSrc: ["'self'"],
          connectSrc: ["'self'", ...fileOrigins],
          manifestSrc: ["'self'"],
          workerSrc: ["'self'"],
          formAction: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
          'require-trusted-types-for': ["'script'"],
          'trusted-types': ['pult'],
          ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
        },
      },
    }),
    'permissions-policy': permissions,
  }
}

/**
 * Has a document with an import map run no script whose digest the map does not know. Not in WebKit (Safari 26,
 * WebKitGTK 2.50), which looks at no map for what a module imports, and so would refuse all of that. It checks the
 * digests of the map nevertheless.
 */
export const integrityHeaders = (userAgent = ''): Record<string, string> =>
  /(?:Chrome|Firefox)\//.test(userAgent) ? { 'integrity-policy': 'blocked-destinations=(script)' } : {}

/** The headers of every answer. What programs read gets a policy that allows nothing at all. */
export function sendSecurityHeaders(app: FastifyInstance, options: SecurityHeaderOptions): void {
  const documents = documentHeaders(options)
  const data = {
    ...headersOf({
      ...commonHeaders(options.publicUrl.startsWith('https:')),
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      // The rest is for documents, or for browsers of the past.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
    // What a call answers is somebody's, and may differ the next time.
    'cache-control': 'no-store',
  }

  const isData = (url: string) => url.startsWith(`${apiBase}/`) && !url.startsWith(`${apiBase}/docs`)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isData(request.url) ? data : documents)
    done()
  })
}

/** What helmet would set on each answer is the same each time, so it is asked once. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
