import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Build, type ClientMessage, limits, socketCloseCodes } from '@pult/contract'
import type { WebSocket } from 'ws'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { type ClientSocket, createClientSocket } from './client-socket.ts'
import type { Events } from './events.ts'
import { createHandshake, type SocketDoor } from './handshake.ts'
import { createSubscriptions, type Subscriber, type TopicGuard } from './subscriptions.ts'

export interface SocketOwner {
  personId: string
  sessionId: string
}

/** What the hub asks the room that knows sessions. */
export interface SocketSessions {
  /** Whom a token speaks for. A socket is no use of the session: it still goes idle. */
  authenticate(token: string): Promise<SocketOwner | null>
  /** Which of these sessions are still in force. */
  findOpen(sessionIds: string[]): Promise<string[]>
}

export interface SocketHubParts {
  server: Server
  allowedOrigins: readonly string[]
  build: Build
  sessions: SocketSessions
  events: Pick<Events, 'onGap' | 'listen'>
  /** Who may hear what. */
  guard: TopicGuard
  /** Who answers requests for sockets at other addresses. */
  otherDoors?: ReadonlyMap<string, SocketDoor>
  log: Log
  /** Milliseconds between two pings; tests have no time. */
  beat?: number
}

interface Guest {
  socket: ClientSocket
  /** Null until the token was accepted. */
  owner: SocketOwner | null
  /** As the subscriptions know it. */
  subscriber: Subscriber | null
}

/** Of one person on one node. */
const socketsPerPerson = 10

/** A session that expired or was ended by whatever means loses its sockets within a second. */
const sessionCheckInterval = 500

/** How long a stopping server waits for clients to confirm the close. */
const closeTimeout = 1000

/** The sockets that are open on this node, and who they belong to. */
export function createSocketHub({
  server,
  allowedOrigins,
  build,
  sessions,
  events,
  guard,
  otherDoors,
  log,
  beat = 20_000,
}: SocketHubParts) {
  const subscriptions = createSubscriptions({ events, guard, log })
  const guests = new Set<Guest>()
  let isChecking = false

  const handshake = createHandshake({
    server,
    allowedOrigins,
    ...(otherDoors !== undefined && { otherDoors }),
    log,
    onSocket: accept,
  })
  const beatTimer = setInterval(keepAlive, beat).unref()
  const checkTimer = setInterval(() => void checkSessions(), sessionCheckInterval).unref()
  events.onGap(() => closeAll('Events were missed'))

  function accept(ws: WebSocket, duplex: Duplex): void {
    const socket = createClientSocket({
      ws,
      duplex,
      onMessage: (message) => {
        clearTimeout(authenticationTimer)
        return receive(guest, message)
      },
      onClose: () => {
        clearTimeout(authenticationTimer)
        guests.delete(guest)
        if (guest.subscriber !== null) subscriptions.leave(guest.subscriber)
      },
      onFault: (err) => log.error({ err }, 'a message on a socket failed'),
    })
    const guest: Guest = { socket, owner: null, subscriber: null }
    const authenticationTimer = setTimeout(() => {
      close(guest, 'unauthenticated', 'Not signed in in time')
    }, limits.socketAuthentication)
    guests.add(guest)
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
    if (owner === 'unknown') return close(guest, 'tryAgainLater', 'The database is away')
    if (owner === null) return close(guest, 'unauthenticated', 'Not signed in')
    if (guest.owner === null && !hasRoom(owner.personId)) {
      return close(guest, 'tooMany', 'Too many sockets')
    }
    if (guest.owner !== null && guest.owner.personId !== owner.personId) {
      return close(guest, 'unauthenticated', 'Signed in as somebody else')
    }
    guest.owner = owner
    guest.subscriber ??= { socket: guest.socket, personId: owner.personId }
    guest.socket.send({ type: 'ready', build })
  }

  async function subscribe(guest: Guest, subscriber: Subscriber, topic: string): Promise<void> {
    try {
      await subscriptions.subscribe(subscriber, topic)
    } catch (error) {
      if (!isAway(error)) throw error
      close(guest, 'tryAgainLater', 'The database is away')
    }
    // It may have gone while the database was asked.
    if (!guests.has(guest)) subscriptions.leave(subscriber)
  }

  /** Whom a token speaks for; unknown while the database is away, which must not sign anybody out. */
  async function ownerOf(token: string): Promise<SocketOwner | null | 'unknown'> {
    try {
      return await sessions.authenticate(token)
    } catch (error) {
      if (isAway(error)) return 'unknown'
      throw error
    }
  }

  /**
   * Whether a person may have one socket more. The newest is refused rather than the oldest closed: tabs reconnect, and
   * eleven of them would close each other in turn for ever. One whose client is gone without a word, such as after a
   * change of networks, gives way.
   */
  function hasRoom(personId: string): boolean {
    const present = [...guests].filter(({ owner, socket }) => owner?.personId === personId && socket.isOpen())
    if (present.length < socketsPerPerson) return true
    const gone = present.find(({ socket }) => socket.silence() > beat * 1.25)
    gone?.socket.drop()
    return gone !== undefined
  }

  /** Two pings without an answer are the end: at most three beats after the last sign of life. */
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
      // Nothing is delivered while the database is away, since all of it comes from there.
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
    /** Closes the sockets of sessions that have ended. */
    closeSessions,

    /** Refuses new sockets and closes those that are open. */
    async close(): Promise<void> {
      clearInterval(beatTimer)
      clearInterval(checkTimer)
      closeAll('The server stops')
      await Promise.race([handshake.close(), sleep(closeTimeout, undefined, { ref: false })])
      for (const { socket } of guests) socket.drop()
    },
  }
}
const isAway = (error: unknown) => error instanceof AppError && error.status === 503

export type SocketHub = ReturnType<typeof createSocketHub>
