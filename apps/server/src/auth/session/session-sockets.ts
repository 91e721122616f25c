import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { SocketHub, SocketSessions } from '#platform/realtime/socket-hub.ts'
import { createSessionRepository } from './session.repository.ts'
import { type SessionService, sessionTopic } from './session.service.ts'

const ended = z.object({ sessionIds: z.array(z.string()) })

/** The session functions that sockets use. */
export function createSocketSessions({ db, sessions }: { db: Db; sessions: SessionService }): SocketSessions {
  return {
    authenticate: (token) => sessions.authenticate(token, { isBackground: true }),

    findOpen: createSessionRepository(db).findOpen,
  }
}

/** Closes the sockets of ended sessions immediately on every node; the hub's own check finds the rest. */
export function closeSocketsOfEndedSessions(events: Events, hub: Pick<SocketHub, 'closeSessions'>): void {
  events.listen(({ topic, name, data }) => {
    if (topic === sessionTopic && name === 'ended') hub.closeSessions(ended.parse(data).sessionIds)
  })
}
