import { apiBase, socketPath } from '@pult/contract'
import { WebSocket } from 'ws'

/** An event about a changed record. */
export interface ReceivedChange {
  /** Index of the receiving client. */
  client: number
  /** Id of the record. */
  id: string
  /** Time by `performance.now()`. */
  at: number
}

export interface Clients {
  /** Closed clients, with the close code. */
  closed: ReadonlyMap<number, number>
  close(): void
}

/** Any other event. */
export interface ReceivedEvent {
  name: string
  data: Record<string, unknown>
  /** Time by `performance.now()`. */
  at: number
}

interface Listeners {
  /** Called for every received change. */
  onChange?: (change: ReceivedChange) => void
  /** Called for every other event. */
  onEvent?: (event: ReceivedEvent) => void
}

interface Options extends Listeners {
  url: string
}

/** Number of concurrent connection attempts, because a listening socket has a short queue. */
const batch = 50
const patience = 20_000

/** Opens sockets like consoles, each authenticated and subscribed to the given topics or those of its client. */
export function openPultClients(
  options: Options,
  tokens: readonly string[],
  topics: readonly string[] | ((client: number) => readonly string[]),
): Promise<Clients> {
  return openClients(`${options.url}${apiBase}${socketPath}`, tokens.length, options, (ws, client) => {
    const waiting = new Set(typeof topics === 'function' ? topics(client) : topics)
    ws.send(JSON.stringify({ type: 'auth', token: tokens[client] }))
    for (const topic of waiting) ws.send(JSON.stringify({ type: 'subscribe', topic }))
    return (message) => {
      if (message.type === 'refused')
        throw new Error(`The server refused a socket the topic ${message.topic}`)
      if (message.type === 'subscribed') waiting.delete(message.topic ?? '')
      return waiting.size === 0
    }
  })
}

/** Opens sockets to the floor, which requires no authentication. */
export function openFloorClients({ url, ...listeners }: Options, count: number): Promise<Clients> {
  return openClients(`${url}/ws`, count, listeners, () => () => true)
}

type Greeting = (ws: WebSocket, client: number) => (message: Message) => boolean
interface Message {
  type: string
  topic?: string
  name?: string
  data?: Record<string, unknown>
}

async function openClients(
  url: string,
  count: number,
  { onChange, onEvent }: Listeners,
  greet: Greeting,
): Promise<Clients> {
  const sockets: WebSocket[] = []
  const closed = new Map<number, number>()

  function open(client: number): Promise<void> {
    const ws = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false })
    sockets[client] = ws
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('A socket was not ready in time')), patience)
      const settle = (end: () => void) => {
        clearTimeout(timer)
        end()
      }
      let isReady: ((message: Message) => boolean) | undefined
      ws.on('open', () => {
        isReady = greet(ws, client)
        if (isReady({ type: 'open' })) settle(resolve)
      })
      ws.on('message', (data) => {
        const at = performance.now()
        const message = JSON.parse((data as Buffer).toString()) as Message
        if (message.type === 'event') {
          const { name = '', data: content = {} } = message
          if (name === 'change')
            onChange?.({ client, id: typeof content['id'] === 'string' ? content['id'] : '', at })
          else onEvent?.({ name, data: content, at })
          return
        }
        try {
          if (isReady?.(message)) settle(resolve)
        } catch (error) {
          settle(() => reject(error instanceof Error ? error : new Error(String(error))))
        }
      })
      ws.on('error', (error) => settle(() => reject(error)))
      ws.on('close', (code) => {
        closed.set(client, code)
        settle(() => reject(new Error(`A socket was closed with ${code}`)))
      })
    })
  }

  for (let first = 0; first < count; first += batch) {
    const clients = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index)
    await Promise.all(clients.map(open))
  }
  return {
    closed,
    close: () => {
      for (const ws of sockets) ws.terminate()
    },
  }
}
