/**
 * What `public/first.js` has begun before any of this code was there: the calls with which a start begins, by their
 * addresses, and the live connection. Each is handed out once.
 */
interface HeadStart {
  answers: Map<string, Promise<Response>>
  socket?: EarlySocket
}

/** A connection that authenticates itself with this token as soon as it is open. */
export interface EarlySocket {
  socket: WebSocket
  token: string
  heard: MessageEvent[]
  /** Ends with whoever takes over: nothing is added to `heard` then. */
  listening: AbortController
}

declare global {
  var pultHeadStart: HeadStart | undefined
}

/** After that a start has been interrupted, and what was true when it began may not be. Milliseconds. */
const longest = 10_000

/** An answer that is on its way already. */
export function takeAnswer(method: string, address: string): Promise<Response> | undefined {
  const answers = globalThis.pultHeadStart?.answers
  const answer = method === 'GET' ? answers?.get(address) : undefined
  answers?.delete(address)
  return performance.now() < longest ? answer : undefined
}

/** A connection that is open or about to be. */
export function takeSocket(): EarlySocket | undefined {
  const early = globalThis.pultHeadStart?.socket
  delete globalThis.pultHeadStart?.socket
  return early !== undefined && early.socket.readyState <= WebSocket.OPEN ? early : undefined
}

/** It is of somebody who is not signed in any more. */
export function forgetHeadStart(): void {
  const socket = globalThis.pultHeadStart?.socket?.socket
  // Browsers complain of one that is closed before it was open.
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket?.close()
  globalThis.pultHeadStart = undefined
}
