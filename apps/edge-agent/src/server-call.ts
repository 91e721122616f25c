import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import type { ClientOptions } from 'ws'
import { followAuthorities } from './authorities.ts'
import { type Proxy, proxyFor } from './proxy.ts'

/*
 * The only two ways from the agent to its server: calls and sockets. Both use the proxy of the environment, and the
 * present content of NODE_EXTRA_CA_CERTS.
 */

interface Call {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** Calls the server as `fetch` does. A redirect is an answer: codes and tokens must reach only the server. */
export async function callServer(url: string, call: Call): Promise<Response> {
  followAuthorities()
  const proxy = proxyFor(new URL(url).origin)
  if (proxy === undefined) return fetch(url, { ...call, redirect: 'manual' })
  const socket = await proxy.open(call.signal)
  try {
    return await exchange(socket, url, call)
  } catch (error) {
    socket.destroy()
    throw proxy.faultOf(error)
  }
}

/** Statuses without a body. */
const empty = new Set([204, 205, 304])

async function exchange(socket: Socket, url: string, call: Call): Promise<Response> {
  const { method = 'GET', headers = {}, body, signal } = call
  const { host, pathname, search } = new URL(url)
  const request = requestHttp({
    createConnection: () => socket,
    method,
    path: pathname + search,
    headers: { ...headers, host },
    signal,
  })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  // From now on, the body of the answer reports each error.
  request.on('error', () => {})
  addAbortSignal(signal, answer)
  const status = answer.statusCode ?? 0
  const content = Readable.toWeb(answer) as ReadableStream
  return new Response(empty.has(status) ? null : content, { status, headers: headersOf(answer) })
}

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )

/** Milliseconds for the way through a proxy, if the socket has no limit. */
const usualTimeout = 10_000

/** Options of a socket to the server. */
export function socketOptions(server: string): ClientOptions {
  followAuthorities()
  const proxy = proxyFor(server)
  return proxy === undefined ? {} : { createConnection: connectionBy(proxy) }
}

/** Node calls it with its options and a callback. https://nodejs.org/api/http.html#agentcreateconnectionoptions-callback */
function connectionBy(proxy: Proxy) {
  const connect = (
    { timeout = usualTimeout }: { timeout?: number },
    onCreate: (error: Error | null, socket?: Socket) => void,
  ): void => {
    proxy.open(AbortSignal.timeout(timeout)).then(
      // The rest of the handshake has the same limit.
      (socket) => onCreate(null, socket.setTimeout(timeout)),
      (error: unknown) => onCreate(error as Error),
    )
  }
  return connect as unknown as NonNullable<ClientOptions['createConnection']>
}
