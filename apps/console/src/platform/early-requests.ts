/** Requests and a socket that `public/first.js` opened before any module loaded. Each can be taken once. */
interface EarlyRequests {
  /** The token of all its requests. */
  token: string
  answers: Map<string, Answer>
  /** Milliseconds of `performance.now()`. */
  startedAt: number
  socket?: EarlySocket
}

/** A pending response. Only one caller reads it, because cloning a response is slow. */
export interface Answer {
  response: Promise<Response>
  /** Rejects when the request fails or the body is not JSON. */
  json: Promise<unknown>
}

/** A connection that authenticates with this token when it opens. */
export interface EarlySocket {
  socket: WebSocket
  token: string
  received: MessageEvent[]
  /** The new owner aborts it. From then on no message is added to `received`. */
  listening: AbortController
}

declare global {
  var pultEarlyRequests: EarlyRequests | undefined
}

/** After this time the start counts as interrupted, and its responses may be stale. Milliseconds. */
const maxAge = 10_000

/** Returns the response to a request of `first.js`. */
export function takeAnswer(method: string, address: string): Answer | undefined {
  const { answers, startedAt } = globalThis.pultEarlyRequests ?? {}
  const answer = method === 'GET' ? answers?.get(address) : undefined
  answers?.delete(address)
  return startedAt !== undefined && performance.now() < startedAt + maxAge ? answer : undefined
}

/** Returns a connection that is open or opening. */
export function takeSocket(): EarlySocket | undefined {
  const early = globalThis.pultEarlyRequests?.socket
  delete globalThis.pultEarlyRequests?.socket
  return early !== undefined && early.socket.readyState <= WebSocket.OPEN ? early : undefined
}

/** Discards everything if it belongs to another token: another tab has signed in since. */
export function keepEarlyRequestsOf(token: string): void {
  if (globalThis.pultEarlyRequests?.token !== token) discardEarlyRequests()
}

/** Discards everything, because the session has ended. */
export function discardEarlyRequests(): void {
  const socket = globalThis.pultEarlyRequests?.socket?.socket
  // Browsers log an error when a socket is closed before it opens.
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket?.close()
  globalThis.pultEarlyRequests = undefined
}
