/**
 * What `public/first.js` has begun, most often before any of this code was there: the calls with which a start begins, by
 * their addresses, and the live connection. Each is handed out once.
 */
interface HeadStart {
  answers: Map<string, Answer>
  /** By the page's clock. */
  begun: number
  socket?: EarlySocket
}

/** Read once, by who has asked: a response that several read has to be copied. */
export interface Answer {
  response: Promise<Response>
  /** Rejects when the answer is none, or cannot be read. */
  json: Promise<unknown>
}

/** A connection that authenticates itself with this token as soon as it is open. */
export interface EarlySocket {
  socket: WebSocket
  token: string
  heard: MessageEvent[]
  /** Ends with whoever takes over: nothing is added to `heard` then. */
  listening: AbortController
}

/** What has come with a token, by the address that it answers. */
export type Ahead = Readonly<Record<string, unknown>>

declare global {
  var pultHeadStart: HeadStart | undefined
  /** The addresses that a start after a login asks first. Missing where the browser keeps nothing. */
  var pultFirstQuestions: (() => string[]) | undefined
  /** Begins for a token that has just been issued. Missing where the browser keeps nothing. */
  var pultBegin: ((token: string, ahead: Ahead | undefined) => void) | undefined
  /** Opens what a start needs while a token is on its way. Missing where the browser keeps nothing. */
  var pultExpect: (() => void) | undefined
}

/** After that a start has been interrupted, and what was true when it began may not be. Milliseconds. */
const longest = 10_000

/** An answer that is on its way already. */
export function takeAnswer(method: string, address: string): Answer | undefined {
  const { answers, begun } = globalThis.pultHeadStart ?? {}
  const answer = method === 'GET' ? answers?.get(address) : undefined
  answers?.delete(address)
  return begun !== undefined && performance.now() < begun + longest ? answer : undefined
}

/** A connection that is open or about to be. */
export function takeSocket(): EarlySocket | undefined {
  const early = globalThis.pultHeadStart?.socket
  delete globalThis.pultHeadStart?.socket
  return early !== undefined && early.socket.readyState <= WebSocket.OPEN ? early : undefined
}

/** The latest, and the token that it came with. */
let brought: { token: string; ahead: Ahead } | undefined

/** What a start asks first, for a sign-in to answer with its token. */
export const firstQuestions = (): string[] =>
  // What stands in the browser's storage may be anything.
  (globalThis.pultFirstQuestions?.() ?? []).filter((address) => address.length <= 200)

export function keepAhead(token: string, ahead: Ahead = {}): void {
  brought = { token, ahead }
}

/** What came with the token with which this page has started; undefined when that did not come. */
export const readAhead = (address: string): unknown => brought?.ahead[address]

/** All that a start asks, and that did not come with the token, is on its way before the page has done anything else. */
export function beginHeadStart(token: string): void {
  const ahead = brought?.token === token ? brought.ahead : undefined
  forgetHeadStart()
  globalThis.pultBegin?.(token, ahead)
  if (ahead !== undefined) brought = { token, ahead }
}

/** Somebody proves who they are: when that is done the connections are open. */
export function expectHeadStart(): void {
  globalThis.pultExpect?.()
}

/** It is of somebody who is not signed in any more. */
export function forgetHeadStart(): void {
  const socket = globalThis.pultHeadStart?.socket?.socket
  // Browsers complain of one that is closed before it was open.
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket?.close()
  globalThis.pultHeadStart = undefined
  brought = undefined
}
