import { Socket } from 'node:net'
import { apiBase } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { IncomingMessage, ServerResponse } from './node-http.ts'

export interface SecurityHeaderOptions {
  publicUrl: string
  /** Hashes of the constant styles that a component library injects, as `'sha256-…'`. */
  styleHashes: readonly string[]
  /** The origins of an external file store, to which documents upload and from which they load files. */
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

/** Headers of all answers, by helmet. */
const commonHeaders = (isHttps: boolean) =>
  ({
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  }) satisfies HelmetOptions

/**
 * The strict policy of documents: scripts only from our own paths, and no evaluation of strings. Trusted Types allow
 * one policy, which the console uses for the URL of its service worker. The policy allows the import map of the
 * document by its hash.
 *
 * `isUpgraded` is false for a page over plain http although the public address is https. Upgraded, it could not load
 * the script that names the right address.
 */
export function documentHeaders({
  publicUrl,
  styleHashes,
  fileOrigins = [],
  scriptHash,
  isUpgraded = true,
}: SecurityHeaderOptions & { scriptHash?: string; isUpgraded?: boolean }): Record<string, string> {
  const isHttps = publicUrl.startsWith('https:')
  return {
    ...headersOf({
      ...commonHeaders(isHttps),
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
      // Browsers isolate origins by default now. With the header, Chromium would start another process for each
      // visit.
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
          ...(isHttps && isUpgraded ? { upgradeInsecureRequests: [] } : {}),
        },
      },
    }),
    'permissions-policy': permissions,
  }
}

/**
 * Prevents a document with an import map from running scripts that are not in the map. Not for WebKit (Safari 26,
 * WebKitGTK 2.50), which ignores the map for imported modules and would refuse them all. It still checks the map's
 * hashes.
 */
export const integrityHeaders = (userAgent = ''): Record<string, string> =>
  /(?:Chrome|Firefox)\//.test(userAgent) ? { 'integrity-policy': 'blocked-destinations=(script)' } : {}

/** Sets the headers of every answer. Answers for programs get a policy that allows nothing. */
export function sendSecurityHeaders(app: FastifyInstance, options: SecurityHeaderOptions): void {
  const documents = documentHeaders(options)
  const data = {
    ...headersOf({
      ...commonHeaders(options.publicUrl.startsWith('https:')),
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      // The other headers are for documents or for outdated browsers.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
    // Answers are personal and change.
    'cache-control': 'no-store',
  }

  const isData = (url: string) => url.startsWith(`${apiBase}/`) && !url.startsWith(`${apiBase}/docs`)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isData(request.url) ? data : documents)
    done()
  })
}

/** Computes helmet's constant headers once. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
