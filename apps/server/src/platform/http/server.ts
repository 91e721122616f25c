import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { apiBase, errors, limits } from '@pult/contract'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import { AppError } from '../app-error.ts'
import { asWork } from '../database/pool-shares.ts'
import { type Log, printable } from '../log.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import { isSocketRequest } from '../realtime/handshake.ts'
import { type RequestContext, readTraceparent, runForRequest } from '../request-context.ts'
import type { Tracing } from '../tracing.ts'
import { addressOf, canonicalAddress, type UnreadableHop, untrustedProxyOf } from './client-address.ts'
import { answer, answerErrors } from './error-handler.ts'
import { writeJson } from './json-writer.ts'
import { kindOfCall } from './kind-of-call.ts'
import { createServer } from './node-http.ts'
import { boundPipelining, createCallsInProgress } from './requests-in-flight.ts'
import { sendSecurityHeaders } from './security-headers.ts'

export interface HttpServerOptions {
  publicUrl: string
  trustedProxies: string[]
  styleHashes: readonly string[]
  log: Log
  /** Logs a line for each request. */
  accessLog?: boolean
  metrics?: RequestMetrics
  /** Returns whether the disk is so full that the database can hardly write. */
  isDiskFull?: () => boolean
  tracing?: Tracing | undefined
}

const jsonDepthMax = 24

/** Milliseconds for the header of a request to arrive, and again for its body. */
const arrivalTimeout = 30_000

/** Limit of trusted proxies whose unreadable addresses are logged, one line each. */
const warnedProxiesMax = 20

/** Limit of the characters of an unreadable address that root sees. */
const shownHopMax = 100

/** Pages and extensions of version 2.4 and earlier call these addresses of root's invitations. */
const formerInvitations = /^\/api\/apps\/root\/people\/invitations(?=[/?]|$)/

/** Creates Node's server. The time limit of a whole request is set below, where its route is known. */
function createNodeServer(handle: RequestListener) {
  const server = createServer(
    {
      // Some clients offer HTTP/2 by an upgrade; only requests to the socket path are upgraded.
      shouldUpgradeCallback: isSocketRequest,
      headersTimeout: arrivalTimeout,
      requestTimeout: 0,
      keepAliveTimeout: 72_000,
    },
    boundPipelining(handle),
  )
  return server.setTimeout(0)
}

/**
 * Returns a readable form of the unreadable address of a page, such as that of a link that was cut off within a `%20`:
 * the console then shows its page for unknown addresses. Returns undefined for calls, whose clients expect an error.
 */
function readableAddress({ method, url = '/', headers }: IncomingMessage): string | undefined {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? []
  const isPage = method === 'GET' && (headers.accept ?? '').includes('text/html')
  if (!isPage || !/^\/(?![/\\])/.test(path) || path.startsWith(`${apiBase}/`)) return undefined
  return path.replaceAll('%', '%25') + query
}

/** Creates a Fastify server with strict input validation and minimal output. Rooms add their routes to it. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  z.config(z.locales.en())
  const { log } = options
  const app = fastify({
    logger: false,
    genReqId: () => uuidv7(),
    serverFactory: createNodeServer,
    rewriteUrl: ({ url = '/' }) => url.replace(formerInvitations, '/api/apps/root/invitations'),
    bodyLimit: limits.jsonBodyBytes,
    routerOptions: { maxParamLength: 256 },
    // Requests on open connections are answered during a graceful shutdown, and their connections then close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, { raw }, reply) => {
      const readable = readableAddress(raw)
      if (readable === undefined) answer(reply, new AppError('VALIDATION_FAILED'))
      else reply.header('cache-control', 'no-store').redirect(readable)
    },
  })

  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith(`${apiBase}/`) && config?.permission === undefined) {
      throw new Error(`The route ${String(method)} ${url} declares no permission`)
    }
  })
  app.decorate('routeTable', [])
  app.decorate('callsInProgress', createCallsInProgress())
  app.decorate('untrustedProxy', null)
  app.decorate('unreadableHop', null)
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw, options.trustedProxies, (unreadable) => warnOfHop(this.raw, unreadable))
    },
  })
  app.decorate('authenticate', async () => null)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(writeJson)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => parseJson(text),
  )

  /**
   * Logs the first untrusted proxy, and keeps the latest for root. Any client of this network can send the headers of a
   * proxy, but root's own request comes through the real one.
   */
  function warnOfProxy(request: IncomingMessage): void {
    const proxy = untrustedProxyOf(request, options.trustedProxies)
    if (proxy === undefined) return
    const isFirst = app.untrustedProxy === null
    app.untrustedProxy = { address: proxy, seenAt: new Date().toISOString() }
    if (!isFirst) return
    log.warn(
      { proxy },
      'an untrusted proxy forwards requests, so all its clients share one rate limit: check the setting TRUSTED_PROXIES',
    )
  }

  const warnedProxies = new Set<string>()

  /**
   * Logs the first unreadable address from each peer, because clients can invent the proxies before it, and keeps the
   * latest for root.
   */
  function warnOfHop({ socket }: IncomingMessage, { hop, proxy }: UnreadableHop): void {
    const peer = canonicalAddress(socket.remoteAddress ?? '') ?? ''
    const shown = printable(hop).slice(0, shownHopMax)
    app.unreadableHop = { proxy: peer, hop: shown, seenAt: new Date().toISOString() }
    if (warnedProxies.has(peer) || warnedProxies.size === warnedProxiesMax) return
    warnedProxies.add(peer)
    log.warn(
      { peer, proxy, value: printable(hop) },
      'a trusted proxy sends no readable client address in X-Forwarded-For, so its clients share one rate limit: see docs/operations/reverse-proxy.md',
    )
  }

  // For load balancers that check any address: HAProxy's default is `OPTIONS / HTTP/1.0`.
  app.options('*', { schema: { hide: true } }, (_request, reply) => reply.code(204).send())

  const contexts = new WeakMap<FastifyRequest, RequestContext>()
  const runCall = (request: FastifyRequest, context: RequestContext, work: () => void) =>
    asWork(kindOfCall(request.method, request.routeOptions.url), () => runForRequest(context, work))
  app.addHook('onRequest', (request, _reply, done) => {
    // A client that is already gone has no address and reads no answer. Node keeps the address from here on.
    if (request.raw.socket.remoteAddress === undefined) request.raw.destroy()
    // RFC 9112 3.2. Node keeps the first one, and a proxy may have used the other.
    else if (hostHeaders(request.raw.rawHeaders) > 1)
      done(new AppError('VALIDATION_FAILED', { message: 'The request must have one Host header' }))
    else done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    const received = readTraceparent(request.headers.traceparent)
    const context = { id: request.id, trace: options.tracing?.begin(received) ?? received }
    contexts.set(request, context)
    reply.header('x-request-id', request.id)
    runCall(request, context, done)
  })
  // The body arrives in events of the connection, outside the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context === undefined) done()
    else runCall(request, context, done)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    done()
    if (request.routeOptions.config.hasSlowBody !== true) limitArrival(request.raw)
    warnOfProxy(request.raw)
  })
  answerErrors(app, log, options.isDiskFull ?? (() => false))
  sendSecurityHeaders(app, options)

  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { id, method } = request
    // The route pattern, because a path can contain a secret, such as the token of a link.
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime } = reply
    options.metrics?.observe({ method, route, status, seconds: elapsedTime / 1000 })
    const context = contexts.get(request)
    if (context?.trace?.isSampled === true)
      options.tracing?.end(context, {
        parent: request.headers.traceparent,
        method,
        route,
        status,
        elapsedTime,
      })
    const level = options.accessLog === true ? 'info' : 'debug'
    if (!log.isLevelEnabled(level)) return
    log[level]({
      request: id,
      method,
      route,
      status,
      milliseconds: Math.round(elapsedTime),
      ...(options.accessLog === true && { address: request.clientAddress }),
    })
  })
  return app
}

const hostHeaders = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length

/** Limits how long a client that sends its body byte by byte can hold a connection. */
function limitArrival(message: IncomingMessage): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = message.headers
  if (length === '0' && encoding === undefined) return
  const late = setTimeout(() => message.destroy(), arrivalTimeout)
  message.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
}

/** Answers invalid HTTP, which never reaches a route, in the usual format. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({ code: 'VALIDATION_FAILED', message: errors.VALIDATION_FAILED.message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('VALIDATION_FAILED', { message: 'The body is not valid JSON' })
  }
  if (isDeeperThan(value, jsonDepthMax)) {
    throw new AppError('VALIDATION_FAILED', { message: 'The body is nested too deeply' })
  }
  // Only an escape can produce a lone surrogate, which PostgreSQL rejects in JSON.
  if (/\\ud[89a-f]/i.test(text) && !isWellFormed(value)) {
    throw new AppError('VALIDATION_FAILED', { message: 'The body contains a lone surrogate' })
  }
  return value
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormed)
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1))
}
