import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'

/** Sends a message with the same fields to every open socket, serialised once. */
export function addBroadcast(app: FastifyInstance): void {
  const sockets = new WebSocketServer({ server: app.server, path: '/ws', perMessageDeflate: false })
  let seq = 0

  app.post<{ Body: { id: string } }>('/broadcast', (request) => {
    seq += 1
    const data = { collection: 'organisations', op: 'upsert', id: request.body.id }
    const message = { type: 'event', topic: 'organisations', seq, id: seq, name: 'change', data }
    const text = JSON.stringify(message)
    for (const socket of sockets.clients) socket.send(text)
    return true
  })
}
