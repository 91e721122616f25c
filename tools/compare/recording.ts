import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  type Build,
  type ClientMessage,
  type Fragment,
  positionHeader,
  type ServerMessage,
} from '@pult/contract'
import { WebSocketServer } from 'ws'
import type { ExtensionCode } from './servers.ts'

/*
 * Browsers open an address in front of the server. While recording, it passes all requests on and stores the replies of
 * the API. Afterwards it answers the API from the recording, and only the files come from the server of each commit.
 * Playwright can intercept requests as well, but then loads every file again for each page.
 */

/** The header in which pages name their state. */
export const stateHeader = 'x-compare-state'

interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface Recording {
  /** When the recording of each state began, in milliseconds since 1970. */
  times: Map<string, number>
  /** The last reply to each request, by state. */
  replies: Map<string, Map<string, Reply>>
  /** The last reply to each request in any state. */
  latest: Map<string, Reply>
}

export const emptyRecording = (): Recording => ({ times: new Map(), replies: new Map(), latest: new Map() })

/** Pages show their build, which differs between commits. */
const build: Build = { version: '0.0.0', timestamp: '2026-01-01T00:00:00.000Z', commit: '000000000000' }

export interface Front {
  /** Requests without a recorded reply, each once. */
  notRecorded: ReadonlySet<string>
  stop(): Promise<void>
}

export interface FrontParts {
  /** The port at which it listens, and that of the server behind it. */
  frontPort: number
  port: number
  recording: Recording
  /** Extensions of the server. With them the front answers from the recording, without them it records. */
  code?: ReadonlyMap<string, ExtensionCode>
}

/** Listens at the address that browsers open. */
export async function openFront({ frontPort, port, recording, code }: FrontParts): Promise<Front> {
  const notRecorded = new Set<string>()
  const tokens = createTokens()
  const server = createServer((incoming, outgoing) => {
    const send = ({ status, headers, body }: Reply) =>
      outgoing.writeHead(status, { ...headers, [positionHeader]: position }).end(body)
    answer(incoming).then(send, (error: unknown) => send(json(502, { message: String(error) })))
  })
  const sockets = new WebSocketServer({ server, path: '/api/ws' })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const reply = replyTo(JSON.parse(data.toString()) as ClientMessage)
      if (reply !== null) socket.send(JSON.stringify(reply))
    })
  })

  async function answer(incoming: IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    if (!pathname.startsWith('/api/')) return withoutBuild(await passOn(incoming))
    if (pathname === '/api/build') return json(200, build)
    const state = String(incoming.headers[stateHeader])
    const key = keyOf(incoming)
    if (code === undefined) {
      const reply = await passOn(incoming)
      const replies = recording.replies.get(state) ?? new Map<string, Reply>()
      recording.replies.set(state, replies.set(key, reply))
      recording.latest.set(key, reply)
      return reply
    }
    const recorded = recording.replies.get(state)?.get(key) ?? recording.latest.get(key)
    if (recorded === undefined) {
      notRecorded.add(`${state}: ${key}`)
      return json(599, { code: 'NOT_RECORDED', message: 'Not recorded' })
    }
    const date = new Date(recording.times.get(state) ?? 0).toUTCString()
    return withCode({ ...recorded, headers: { ...recorded.headers, date } }, pathname, code)
  }

  async function passOn(incoming: IncomingMessage): Promise<Reply> {
    const { [stateHeader]: _, ...headers } = incoming.headers
    const outgoing = request({
      port,
      host: 'localhost',
      method: incoming.method,
      path: incoming.url,
      headers: { ...tokens.lasting(headers), 'accept-encoding': 'identity' },
    })
    outgoing.end(await buffer(incoming))
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = await buffer(reply)
    tokens.learn(incoming, body)
    return { status: reply.statusCode ?? 502, headers: ownHeaders(reply.headers), body }
  }

  server.listen(frontPort, 'localhost')
  await once(server, 'listening')
  return {
    notRecorded,
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Identifies a request. Replies contain texts in the language of the console; a browser sends other languages for pictures. */
function keyOf({ method, url, headers }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://localhost')
  searchParams.sort()
  const language = headers['accept-language'] ?? ''
  return [
    /^(?:\*|de-DE)$/.test(language) ? language : '',
    method,
    `${pathname}?${searchParams.toString()}`,
    headers.range,
  ]
    .filter(Boolean)
    .join(' ')
}

/** All recorded replies are as new as the topics. */
const position = 'recording 0'

/** Answers as the server does, but publishes no events, because their time varies. */
function replyTo(message: ClientMessage): ServerMessage | null {
  if (message.type === 'auth') return { type: 'ready', build }
  if (message.type === 'ping') return { type: 'pong' }
  return message.type === 'subscribe' ? { type: 'subscribed', topic: message.topic, at: position } : null
}

/** Each page load renews its token, and the use of the new one ends the old one, with which the next page begins. */
function createTokens() {
  const originals = new Map<string, string>()
  const tokenIn = ({ authorization }: IncomingHttpHeaders) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  return {
    /** Returns the headers with the token of the sign-in. */
    lasting(headers: IncomingHttpHeaders): IncomingHttpHeaders {
      const original = originals.get(tokenIn(headers) ?? '')
      return original === undefined ? headers : { ...headers, authorization: `Bearer ${original}` }
    },
    learn({ url, headers }: IncomingMessage, body: Buffer): void {
      const used = tokenIn(headers)
      if (url !== '/api/auth/reissue' || used === undefined) return
      const { token } = JSON.parse(body.toString()) as { token?: string }
      if (token !== undefined) originals.set(token, originals.get(used) ?? used)
    },
  }
}

/** Headers that describe a connection or a body as it was sent. */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding|content-length|date)$/

function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

const json = (status: number, body: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(body)),
})

function withoutBuild(reply: Reply): Reply {
  if (reply.headers['content-type']?.startsWith('text/html') !== true) return reply
  const { version, timestamp, commit } = build
  const html = reply.body
    .toString()
    .replace(/(<meta name="pult-build" content=")[^"]*/, `$1${version} ${timestamp} ${commit}`)
  return { ...reply, body: Buffer.from(html) }
}

/** Replaces the addresses of the recorded extensions by those of the server behind the front. */
function withCode(reply: Reply, pathname: string, code: ReadonlyMap<string, ExtensionCode>): Reply {
  if (reply.status !== 200 || !/^\/api\/(?:start|probe)$/.test(pathname)) return reply
  const renewed = (fragments: Fragment[]) =>
    fragments.map((fragment) => ({ ...fragment, ...code.get(fragment.id) }))
  const body = JSON.parse(reply.body.toString()) as
    | Fragment[]
    | { fragments: Fragment[]; rootFragments: Fragment[] }
  const replaced = Array.isArray(body)
    ? renewed(body)
    : { ...body, fragments: renewed(body.fragments), rootFragments: renewed(body.rootFragments) }
  return { ...reply, body: Buffer.from(JSON.stringify(replaced)) }
}
