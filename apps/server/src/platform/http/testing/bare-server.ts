import type { FastifyInstance } from 'fastify'
import { createLog } from '../../log.ts'
import { createHttpServer, type HttpServerOptions } from '../server.ts'

/** The HTTP server without a room, a database and, unless it is told to, a port. */
export const bareServer = (options: Partial<HttpServerOptions> = {}): FastifyInstance =>
  createHttpServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    styleHashes: [],
    log: createLog('silent'),
    ...options,
  })
