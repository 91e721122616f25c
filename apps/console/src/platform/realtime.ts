import {
  apiBase,
  type Build,
  type ClientMessage,
  meEndpoints,
  serverMessage,
  socketCloseCodes,
  socketPath,
} from '@pult/contract'
import { api } from './api.ts'
import { takeSocket } from './head-start.ts'
import { reconnectDelay } from './reconnect-delay.ts'
import { identifySession, session } from './session.ts'
import { storage } from './storage.ts'
import { createStore } from './store.ts'
import { createTopics, type TopicListener } from './topics.ts'

const pingEvery = 25_000
/** Silence for longer than this after a ping means that the connection is dead, whatever the socket says. */
const pongPatience = 10_000

export type Connection = 'closed' | 'connecting' | 'ready'

/** The live connection to the server. It comes back by itself until it is closed. */
export const connection = createStore<Connection>('closed')

/** The build of the server, told anew at each connection. */
export const serverBuild = createStore<Build | null>(null)

const topics = createTopics(send)

let socket: WebSocket | null = null
let wanted = false
let failures = 0
let retryTimer = 0
let pingTimer = 0
let silenceTimer = 0
/** The token that this socket was authenticated with. */
let sentToken: string | null = null

export function openRealtime(): void {
  if (wanted) return
  wanted = true
  failures = 0
  connect()
}

/**
 * Hears what a topic of the contract tells, across reconnects and from now on, whether there is a connection yet or not.
 * Returns how to stop listening.
 *
 * @example useEffect(() => subscribe(`/projects/${projectId}/notes`, () => void refetch()), [projectId, refetch])
 */
export function subscribe(topic: string, listener: TopicListener): () => void {
  return topics.subscribe(topic, listener)
}

function closeRealtime(): void {
  wanted = false
  drop()
}

function connect(): void {
  clearTimeout(retryTimer)
  if (!wanted || socket !== null || !navigator.onLine) return
  connection.set('connecting')
  const early = takeSocket()
  const opened =
    early?.socket ?? new WebSocket(new URL(apiBase + socketPath, location.origin.replace(/^http/, 'ws')))
  socket = opened
  if (early === undefined) opened.addEventListener('open', authenticate)
  else sentToken = early.token
  early?.listening.abort()
  opened.addEventListener('message', ({ data }) => receive(String(data)))
  for (const { data } of early?.heard ?? []) receive(String(data))
  opened.addEventListener('close', ({ code }) => {
    if (socket === opened) void recover(code)
  })
}

function authenticate(): void {
  sentToken = storage.token.read()
  if (sentToken !== null) send({ type: 'auth', token: sentToken })
}

function receive(data: string): void {
  expectSilence()
  const parsed = serverMessage.safeParse(parseJson(data))
  // A newer server may say more than this page knows.
  if (!parsed.success) return
  if (parsed.data.type === 'ready') {
    failures = 0
    serverBuild.set(parsed.data.build)
    connection.set('ready')
    topics.connected()
    // While it was on its way the token was reissued.
    if (sentToken !== storage.token.read()) authenticate()
  } else {
    topics.receive(parsed.data)
  }
}

async function recover(code: number): Promise<void> {
  drop()
  if (!wanted) return
  connection.set('connecting')
  if (code === socketCloseCodes.unauthenticated) await askWhoWeAre()
  retryTimer = window.setTimeout(connect, reconnectDelay(failures++))
}

/** An answer that nobody is signed in ends the session inside `api`; every other failure leaves it to the next try. */
async function askWhoWeAre(): Promise<void> {
  try {
    identifySession(await api(meEndpoints.read, { background: true }))
  } catch {
    // The next try tells.
  }
}

function drop(): void {
  clearTimeout(retryTimer)
  clearInterval(pingTimer)
  clearTimeout(silenceTimer)
  const dropped = socket
  socket = null
  sentToken = null
  dropped?.close()
  topics.disconnected()
  connection.set('closed')
}

function ping(): void {
  if (socket?.readyState !== WebSocket.OPEN) return
  send({ type: 'ping' })
  clearTimeout(silenceTimer)
  silenceTimer = window.setTimeout(() => void recover(socketCloseCodes.goingAway), pongPatience)
}

function expectSilence(): void {
  clearTimeout(silenceTimer)
  clearInterval(pingTimer)
  pingTimer = window.setInterval(ping, pingEvery)
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

session.subscribe(() => {
  const { status } = session.get()
  if (status === 'signed-out') closeRealtime()
  // A reissue, here or in another tab: the socket goes on with the token of today.
  else if (status === 'signed-in' && connection.get() === 'ready' && sentToken !== storage.token.read()) {
    authenticate()
  }
})
addEventListener('online', reconnectNow)
addEventListener('offline', () => {
  if (wanted) drop()
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && wanted) reconnectNow()
})
