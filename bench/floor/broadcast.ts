import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { WebSocketServer } from 'ws'

interface Storage {
  pool: pg.Pool
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
}

const channel = 'broadcast'

/**
 * Adds calls that send a message with the same fields to every open socket, serialised once. The first sends it
 * immediately. With a database, another one first checks the session, writes a row, and waits for a notification of
 * PostgreSQL, which would also reach the sockets of other processes.
 */
export async function addBroadcast(app: FastifyInstance, storage?: Storage): Promise<void> {
  const sockets = new WebSocketServer({ server: app.server, path: '/ws', perMessageDeflate: false })
  let seq = 0

  function broadcast(id: string): void {
    seq += 1
    const data = { collection: 'organisations', op: 'upsert', id }
    const message = { type: 'event', topic: 'organisations', seq, id: seq, name: 'change', data }
    const text = JSON.stringify(message)
    for (const socket of sockets.clients) socket.send(text)
  }

  app.post<{ Body: { id: string } }>('/broadcast', (request) => {
    broadcast(request.body.id)
    return true
  })

  if (storage === undefined) return
  const { pool, isSignedIn } = storage
  const listener = await pool.connect()
  listener.on('notification', ({ payload = '' }) => broadcast(payload))
  await listener.query(`listen ${channel}`)

  app.post<{ Body: { id: string } }>('/broadcast/stored', async (request, reply) => {
    if (!(await isSignedIn(request))) return reply.code(401).send({})
    await pool.query({
      name: 'store',
      text: `with written as (
          insert into record select $1 on conflict (id) do update set revision = record.revision + 1 returning id
        ) select pg_notify('${channel}', id::text) from written`,
      values: [request.body.id],
    })
    return true
  })
}
