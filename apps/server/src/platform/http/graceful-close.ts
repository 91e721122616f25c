import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Time for open calls to finish during a graceful shutdown. */
const patience = 3000

/** Time for the first call of a connection that a proxy has just opened. */
const firstCallPatience = 500

/**
 * Returns a function that closes the server: open calls may finish within a time limit. Connections that a browser
 * has preopened close earlier, because Node would wait for them.
 */
export function prepareClose(app: FastifyInstance): () => Promise<void> {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))

  return async () => {
    const impatience = setTimeout(() => app.server.closeAllConnections(), patience)
    const silence = setTimeout(() => {
      for (const socket of silent) socket.destroy()
    }, firstCallPatience)
    await app.close()
    clearTimeout(silence)
    clearTimeout(impatience)
  }
}
