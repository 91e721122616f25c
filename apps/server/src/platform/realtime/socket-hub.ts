import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Build, type ClientMessage, limits, socketCloseCodes } from '@pult/contract'
import type { WebSocket } from 'ws'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { type ClientSocket, createClientSocket } from './client-socket.ts'
import type { Events } from './events.ts'
import { createHandshake, type UpgradeHandler } from './handshake.ts'
import { createStrangers, type Stranger, type StrangersLimits } from './strangers.ts'
import { createSubscriptions, type Subscriber, type TopicGuard } from './subscriptions.ts'

export interface SocketOwner {
  personId: string
  sessionId: string
}

/** The functions of the session room that the hub uses. */
export interface SocketSessions {
  /** Returns the owner of a token. A socket does not count as use of the session, which can still go idle. */
  authenticate(token: string): Promise<SocketOwner | null>
  /** Returns which of these sessions are open. */
  findOpen(sessionIds: string[]): Promise<string[]>
}

export interface SocketHubParts {
  server: Server
  allowedOrigins: readonly string[]
  build: Build
  sessions: SocketSessions
  events: Pick<Events, 'onGap' | 'listen' | 'position'>
  /** Permissions to read topics and events. */
  guard: TopicGuard
  /** Handlers of upgrade requests at other paths. */
  otherHandlers?: ReadonlyMap<string, UpgradeHandler>
  log: Log
  /** The network of a client, for the limit of unauthenticated sockets. */
  networkOf?: (request: IncomingMessage) => string
  strangersMax: StrangersLimits
  /** Milliseconds between two pings; tests use a shorter interval. */
  beat?: number
  /** Milliseconds until a socket must have sent its token. */
  authenticateWithin?: number
}

interface Guest extends Stranger {
  socket: ClientSocket
  /** Null until the token is accepted. */
  owner: SocketOwner | null
  /** The client as a subscriber. */
  subscriber: Subscriber | null
}

/** Limit per user and node: the tabs of several machines in a control room. */
const socketsPerPerson = 50

/** Milliseconds between two checks of the sessions: an ended session loses its sockets within a second. */
const sessionCheckInterval = 500

/** How long a stopping server waits for clients to confirm the close. */
const closeTimeout = 1000

/** The open sockets of this node and their owners. */
export function createSocketHub({
  server,
  allowedOrigins,
  build,
  sessions,
  events,
  guard,
  otherHandlers,
  log,
  networkOf = ({ socket }) => socket.remoteAddress ?? '',
  strangersMax,
  beat = 20_000,
  authenticateWithin = limits.socketAuthentication,
}: SocketHubParts) {
  const subscriptions = createSubscriptions({ events, guard, log })
  const guests = new Set<Guest>()
  const strangers = createStrangers(strangersMax)
  let isChecking = false

  const handshake = createHandshake({
    server,
    allowedOrigins,
    ...(otherHandlers !== undefined && { otherHandlers }),
    log,
    admits: (request) => strangers.admits(networkOf(request)),
    onSocket: accept,
  })
  const beatTimer = setInterval(keepAlive, beat).unref()
  const checkTimer = setInterval(() => void checkSessions(), sessionCheckInterval).unref()
  events.onGap(() => closeAll('Events were missed'))

  function accept(ws: WebSocket, duplex: Duplex, request: IncomingMessage): void {
    const socket = createClientSocket({
      ws,
      duplex,
      onMessage: (message) => {
        clearTimeout(authenticationTimer)
        hasSpoken = true
        return receive(guest, message)
      },
      onClose: () => {
        clearTimeout(authenticationTimer)
        guests.delete(guest)
        strangers.remove(guest)
        if (guest.subscriber !== null) subscriptions.leave(guest.subscriber)
      },
      onFault: (err) => log.error({ err }, 'a message on a socket failed'),
    })
    let hasSpoken = false
    const guest: Guest = {
      socket,
      owner: null,
      subscriber: null,
      network: networkOf(request),
      isIdle: () => !hasSpoken || !socket.isOpen(),
      drop: socket.drop,
    }
    const authenticationTimer = setTimeout(() => {
      close(guest, 'unauthenticated', 'Not signed in in time')
    }, authenticateWithin)
    guests.add(guest)
    strangers.add(guest)
  }

  async function receive(guest: Guest, message: ClientMessage): Promise<void> {
    if (message.type === 'auth') return authenticate(guest, message.token)
    const { subscriber } = guest
    if (subscriber === null) return close(guest, 'unauthenticated', 'Sign in first')
    switch (message.type) {
      case 'ping':
        return guest.socket.send({ type: 'pong' })
      case 'subscribe':
        return subscribe(guest, subscriber, message.topic)
      case 'unsubscribe':
        return subscriptions.unsubscribe(subscriber, message.topic)
    }
  }

  async function authenticate(guest: Guest, token: string): Promise<void> {
    const owner = await ownerOf(token)
    if (owner === 'unknown') return close(guest, 'tryAgainLater', 'The database is unavailable')
    if (owner === null) return close(guest, 'unauthenticated', 'Not signed in')
    if (guest.owner === null && !hasRoom(owner.personId)) {
      return close(guest, 'tooMany', 'Too many sockets')
    }
    if (guest.owner !== null && guest.owner.personId !== owner.personId) {
      return close(guest, 'unauthenticated', 'Signed in as another user')
    }
    guest.owner = owner
    strangers.remove(guest)
    guest.subscriber ??= { socket: guest.socket, personId: owner.personId }
    guest.socket.send({ type: 'ready', build })
  }

  async function subscribe(guest: Guest, subscriber: Subscriber, topic: string): Promise<void> {
    try {
      await subscriptions.subscribe(subscriber, topic)
    } catch (error) {
      if (!isOutage(error)) throw error
      close(guest, 'tryAgainLater', 'The database is unavailable')
    }
    // The client may have left during the query.
    if (!guests.has(guest)) subscriptions.leave(subscriber)
  }

  /** Returns the owner of a token, or 'unknown' during an outage of the database, which must not sign users out. */
  async function ownerOf(token: string): Promise<SocketOwner | null | 'unknown'> {
    try {
      return await sessions.authenticate(token)
    } catch (error) {
      if (isOutage(error)) return 'unknown'
      throw error
    }
  }

  /**
   * Returns whether a person may open another socket. The newest socket is rejected instead of closing the oldest:
   * tabs reconnect, and 51 tabs would close each other endlessly. A socket whose client disappeared, for example
   * after a change of networks, is closed to make room.
   */
  function hasRoom(personId: string): boolean {
    const present = [...guests].filter(({ owner, socket }) => owner?.personId === personId && socket.isOpen())
    if (present.length < socketsPerPerson) return true
    const gone = present.find(({ socket }) => socket.silence() > beat * 1.25)
    gone?.socket.drop()
    return gone !== undefined
  }

  /** Two unanswered pings close a socket: at most three intervals after the last activity. */
  function keepAlive(): void {
    for (const { socket } of guests) {
      if (socket.silence() > beat * 2) socket.drop()
      else socket.ping()
    }
  }

  async function checkSessions(): Promise<void> {
    const asked = new Set([...guests].flatMap(({ owner }) => (owner === null ? [] : [owner.sessionId])))
    if (isChecking || asked.size === 0) return
    isChecking = true
    try {
      const open = new Set(await sessions.findOpen([...asked]))
      closeSessions([...asked].filter((id) => !open.has(id)))
    } catch (err) {
      // Nothing is delivered during an outage, because all events come from the database.
      log.debug({ err }, 'the sessions of sockets could not be checked')
    } finally {
      isChecking = false
    }
  }

  function closeSessions(sessionIds: readonly string[]): void {
    const ended = new Set(sessionIds)
    for (const guest of guests) {
      if (guest.owner !== null && ended.has(guest.owner.sessionId)) {
        close(guest, 'unauthenticated', 'The session has ended')
      }
    }
  }

  function closeAll(reason: string): void {
    for (const guest of guests) close(guest, 'goingAway', reason)
  }

  function close({ socket }: Guest, code: keyof typeof socketCloseCodes, reason: string): void {
    socket.close(socketCloseCodes[code], reason)
  }

  return {
    /** Counts the authenticated sockets of this node. */
    open: () => [...guests].filter(({ owner }) => owner !== null).length,

    refusedOrigin: handshake.refusedOrigin,

    /** Closes the sockets of sessions that have ended. */
    closeSessions,

    /** Refuses new sockets and closes the open ones. */
    async close(): Promise<void> {
      clearInterval(beatTimer)
      clearInterval(checkTimer)
      closeAll('The server stops')
      await Promise.race([handshake.close(), sleep(closeTimeout, undefined, { ref: false })])
      for (const { socket } of guests) socket.drop()
    },
  }
}
const isOutage = (error: unknown) => error instanceof AppError && error.status === 503

export type SocketHub = ReturnType<typeof createSocketHub>
