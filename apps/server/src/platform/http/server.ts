import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { apiBase, errors, limits } from '@pult/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { isSocketRequest } from '../realtime/handshake.ts'
import { answer, answerErrors } from './error-handler.ts'
import { writeJson } from './json-writer.ts'
import { sendSecurityHeaders } from './security-headers.ts'

export interface HttpServerOptions {
  publicUrl: string
  trustedProxies: string[]
  styleHashes: readonly string[]
  log: Log
}

const jsonDepthMax = 24

/** Milliseconds in which the head of a request has to arrive, and then its body. */
const arrivalTimeout = 30_000

/** A Fastify that is strict about what comes in and sparing with what goes out; rooms add their routes to it. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  z.config(z.locales.en())
  const { log } = options
  const app = fastify({
    logger: false,
    // Some clients ask every server for HTTP/2 by an upgrade; only ours at the socket's path is one.
    // The time for a whole request is limited below, where it is known which one it is.
    http: { shouldUpgradeCallback: isSocketRequest, headersTimeout: arrivalTimeout },
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: limits.jsonBodyBytes,
    routerOptions: { maxParamLength: 256 },
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, _request, reply) => void answer(reply, new AppError('VALIDATION_FAILED')),
  })

  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith(`${apiBase}/`) && config?.permission === undefined) {
      throw new Error(`The route ${String(method)} ${url} declares no permission`)
    }
  })
  app.decorate('routeTable', [])
  app.decorate('authenticate', async () => null)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(writeJson)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => parseJson(text),
  )

  app.addHook('onRequest', (request, _reply, done) => {
    done()
    if (request.routeOptions.config.takesItsTime !== true) limitArrival(request.raw)
  })
  answerErrors(app, log)
  sendSecurityHeaders(app, options)

  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (!log.isLevelEnabled('debug')) return
    // The pattern of the route, because a path can be a secret: the token of a link is part of it.
    log.debug({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    })
  })
  return app
}

/** Who sends a body byte by byte keeps a connection busy for a while only. */
function limitArrival(message: IncomingMessage): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = message.headers
  if (length === '0' && encoding === undefined) return
  const late = setTimeout(() => message.destroy(), arrivalTimeout)
  message.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
}

/** What is no HTTP request never reaches a route; it gets the same kind of answer. */
function refuseUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return
  const body = JSON.stringify({ code: 'VALIDATION_FAILED', message: errors.VALIDATION_FAILED.message })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
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
  // Only an escape can be half a character, which the database takes into no JSON.
  if (/\\ud[89a-f]/i.test(text) && !isWellFormed(value)) {
    throw new AppError('VALIDATION_FAILED', { message: 'The body has half a character' })
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
