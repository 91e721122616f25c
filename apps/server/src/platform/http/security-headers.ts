import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityHeaderOptions {
  publicUrl: string
  /** Hashes of the constant styles that a component library injects, as `'sha256-…'`. */
  styleHashes: readonly string[]
}

/**
 * The headers of every answer. Scripts come from our own files only and nothing can turn a string into code:
 * Trusted Types name one policy, which the console uses for the address of its service worker.
 */
export async function sendSecurityHeaders(
  app: FastifyInstance,
  options: SecurityHeaderOptions,
): Promise<void> {
  const isHttps = options.publicUrl.startsWith('https:')
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...options.styleHashes],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
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
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), hid=(self), publickey-credentials-get=(self), publickey-credentials-create=(self)',
    )
  })
}
