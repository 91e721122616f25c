import { apiBase, type ClientMessage, type ServerMessage, serverMessage, socketPath } from '@pult/contract'
import { type ClientOptions, WebSocket } from 'ws'

export interface TestSocketOptions extends ClientOptions {
  /** Sent as the first message. */
  token?: string
  /** Replaces the contract's path. */
  path?: string
}

/** The client's side of a socket to a real server. Resolves when the handshake has ended, even if it failed. */
export async function openTestSocket(url: string, { token, path, ...options }: TestSocketOptions = {}) {
  const ws = new WebSocket(url.replace(/^http/, 'ws') + (path ?? apiBase + socketPath), options)
  const messages: ServerMessage[] = []
  const waiting: ((message: ServerMessage) => void)[] = []
  const openedAt = performance.now()

  ws.on('message', (data) => {
    const message = serverMessage.parse(JSON.parse((data as Buffer).toString()))
    messages.push(message)
    waiting.shift()?.(message)
  })
  ws.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string; after: number }>((resolve) => {
    ws.on('close', (code, reason) =>
      resolve({ code, reason: reason.toString(), after: performance.now() - openedAt }),
    )
  })
  /** The status of the HTTP answer: 101 for an opened socket. */
  const status = await new Promise<number>((resolve) => {
    ws.on('open', () => resolve(101))
    ws.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    ws.on('close', () => resolve(0))
  })

  const socket = {
    ws,
    status,
    messages,
    closed,
    isOpen: () => ws.readyState === ws.OPEN,
    send: (message: ClientMessage) => ws.send(JSON.stringify(message)),
    /** The next message, or the reason of the close. */
    next: async () =>
      Promise.race([
        new Promise<ServerMessage>((resolve) => waiting.push(resolve)),
        closed.then(({ code }) => ({ type: 'closed' as const, code })),
      ]),
    /** Sends a message. Returns the type of the next message, or the code that closed the socket. */
    async ask(message: ClientMessage): Promise<string | number> {
      const answer = socket.next()
      socket.send(message)
      const reply = await answer
      return reply.type === 'closed' ? reply.code : reply.type
    },
  }
  if (token !== undefined && status === 101) {
    const answer = await socket.ask({ type: 'auth', token })
    if (answer !== 'ready') throw new Error(`The socket was not accepted: ${answer}`)
  }
  return socket
}
export type TestSocket = Awaited<ReturnType<typeof openTestSocket>>
