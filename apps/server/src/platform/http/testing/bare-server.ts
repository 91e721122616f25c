import type { FastifyInstance } from 'fastify'
import { createLog } from '../../log.ts'
import { createHttpServer, type HttpServerOptions } from '../server.ts'

/** Creates the HTTP server without rooms, database and, by default, port. */
export const bareServer = (options: Partial<HttpServerOptions> = {}): FastifyInstance =>
  createHttpServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    styleHashes: [],
    log: createLog('silent'),
    ...options,
  })
