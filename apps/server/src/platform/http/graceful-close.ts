import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long calls under way may take to end when the server stops. */
const patience = 3000

/**
 * Answers how to close: calls under way may end, within bounds. A browser keeps connections ready on which it has said
 * nothing yet, and for which Node would wait; those end at once.
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
    for (const socket of silent) socket.destroy()
    await app.close()
    clearTimeout(impatience)
  }
}
