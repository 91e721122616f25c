import {
  apiBase,
  type Build,
  type ClientMessage,
  meEndpoints,
  serverMessage,
  socketCloseCodes,
  socketPath,
  systemEndpoints,
} from '@pult/contract'
import { api } from './api.ts'
import { ApiError } from './api-error.ts'
import { takeSocket } from './early-requests.ts'
import { reconnectDelay } from './reconnect-delay.ts'
import { identifySession, session } from './session.ts'
import { storage } from './storage.ts'
import { createStore } from './store.ts'
import { createTopics, type TopicListener } from './topics.ts'

const pingEvery = 25_000
/** Timeout after a connection attempt or a ping. A silent server counts as unreachable. Milliseconds. */
const answerTimeout = 10_000
/** A connection that ends sooner counts as a failed attempt. Milliseconds. */
const wellAfter = 60_000
/** Pause between checks of the server while the browser reports that it is offline. Milliseconds. */
const checkInterval = 5000

/** The close code of a socket that never opened or was cut off. */
const noHandshake = 1006

/** `offline`: the last attempt got no response. Attempts continue. */
export type Connection = 'closed' | 'connecting' | 'offline' | 'ready'

/** Time of the next connection attempt, in epoch milliseconds of this computer. It may be in the past. */
export const nextAttempt = createStore(0)

/** The state of the socket. It reconnects until it is closed. */
export const connection = createStore<Connection>('closed')

/** The build of the server, which it sends on each connection. */
export const serverBuild = createStore<Build | null>(null)

const topics = createTopics(send)

let socket: WebSocket | null = null
let isEnabled = false
let failures = 0
let retryTimer = 0
let pingTimer = 0
let silenceTimer = 0
let checkTimer = 0
/** Whether the server has sent anything on this socket. */
let isAnswered = false
/** The token that authenticated this socket. */
let sentToken: string | null = null

export function openRealtime(): void {
  if (isEnabled) return
  isEnabled = true
  failures = 0
  connect()
}

/**
 * Subscribes to a topic of the contract, across reconnects. Can be called before the socket is connected. Returns the
 * unsubscribe function.
 *
 * @example useEffect(() => subscribe(`/projects/${projectId}/notes`, () => void refetch()), [projectId, refetch])
 */
export function subscribe(topic: string, listener: TopicListener): () => void {
  return topics.subscribe(topic, listener)
}

function closeRealtime(): void {
  isEnabled = false
  drop('closed')
}

function connect(): void {
  clearTimeout(retryTimer)
  if (!isEnabled || socket !== null) return
  if (connection.get() === 'closed') connection.set('connecting')
  const early = takeSocket()
  const opened =
    early?.socket ?? new WebSocket(new URL(apiBase + socketPath, location.origin.replace(/^http/, 'ws')))
  socket = opened
  isAnswered = false
  expectAnswer()
  if (early === undefined) opened.addEventListener('open', authenticate)
  else sentToken = early.token
  early?.listening.abort()
  opened.addEventListener('message', ({ data }) => receive(String(data)))
  for (const { data } of early?.received ?? []) receive(String(data))
  opened.addEventListener('close', ({ code }) => {
    // Without a closing handshake the server counts as unreachable, unless it has sent a message before.
    if (socket === opened) void recover(code, isAnswered || code !== noHandshake)
  })
}

function expectAnswer(): void {
  clearTimeout(silenceTimer)
  silenceTimer = window.setTimeout(() => void recover(noHandshake, false), answerTimeout)
}

function authenticate(): void {
  sentToken = storage.token.read()
  if (sentToken !== null) send({ type: 'auth', token: sentToken })
}

function receive(data: string): void {
  isAnswered = true
  clearTimeout(silenceTimer)
  clearInterval(pingTimer)
  pingTimer = window.setInterval(ping, pingEvery)
  const parsed = serverMessage.safeParse(parseJson(data))
  // A newer server may send messages unknown to this page.
  if (!parsed.success) return
  if (parsed.data.type === 'ready') {
    serverBuild.set(parsed.data.build)
    connection.set('ready')
    topics.connected()
    // The token was reissued during authentication.
    if (sentToken !== storage.token.read()) authenticate()
  } else {
    topics.receive(parsed.data)
  }
}

async function recover(code: number, hasAnswered: boolean): Promise<void> {
  // The last attempt led to this connection.
  if (connection.get() === 'ready' && Date.now() - nextAttempt.get() > wellAfter) failures = 0
  drop(hasAnswered ? 'connecting' : 'offline')
  if (code === socketCloseCodes.unauthenticated) await identifyUser()
  // Browsers hide why a handshake failed. A call shows whether a proxy requests a sign-in.
  else if (!hasAnswered && code === noHandshake)
    api(systemEndpoints.live, { background: true }).catch(() => {})
  const delay = reconnectDelay(failures++)
  nextAttempt.set(Date.now() + delay)
  retryTimer = window.setTimeout(connect, delay)
}

/** `api` ends the session if the token is rejected. After any other failure the next attempt decides. */
async function identifyUser(): Promise<void> {
  try {
    identifySession(await api(meEndpoints.read, { background: true }))
  } catch {
    // The next attempt reports it.
  }
}

function drop(next: Connection): void {
  clearTimeout(retryTimer)
  clearInterval(pingTimer)
  clearTimeout(silenceTimer)
  const dropped = socket
  socket = null
  sentToken = null
  dropped?.close()
  topics.disconnected()
  connection.set(next)
}

function ping(): void {
  if (socket?.readyState !== WebSocket.OPEN) return
  send({ type: 'ping' })
  expectAnswer()
}

function send(message: ClientMessage): void {
  socket?.send(JSON.stringify(message))
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function reconnectNow(): void {
  failures = 0
  if (socket === null) connect()
  else ping()
}

/** An open socket does not detect a lost network. A call does. */
async function checkServer(): Promise<void> {
  clearTimeout(checkTimer)
  try {
    await api(systemEndpoints.build, { background: true })
    // The browser may report the loss before calls fail.
    if (!navigator.onLine)
      checkTimer = window.setTimeout(() => isEnabled && void checkServer(), checkInterval)
  } catch (error) {
    if (isUnreachable(error) && socket !== null) await recover(noHandshake, false)
  }
}

const isUnreachable = (error: unknown) => error instanceof ApiError && error.code === 'NETWORK'

session.subscribe(() => {
  const { status } = session.get()
  if (status === 'signed-out') closeRealtime()
  // The token was reissued, here or in another tab. The socket authenticates again with the new one.
  else if (status === 'signed-in' && connection.get() === 'ready' && sentToken !== storage.token.read()) {
    authenticate()
  }
})
// DEC-48: the browser's network events only trigger a check of the server.
addEventListener('online', () => isEnabled && reconnectNow())
addEventListener('offline', () => isEnabled && void checkServer())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && isEnabled) reconnectNow()
})
