import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { SocketHub, SocketSessions } from '#platform/realtime/socket-hub.ts'
import { type SessionService, sessionTopic } from './session.service.ts'

/** What `findByToken` of the repository asks of a session, of many at once. */
const idleEnd = sql`interval '12 hours'`

const ended = z.object({ sessionIds: z.array(z.string()) })

/** What sockets need to know of sessions. */
export function createSocketSessions({ db, sessions }: { db: Db; sessions: SessionService }): SocketSessions {
  return {
    authenticate: (token) => sessions.authenticate(token, { isBackground: true }),

    /** One read for all sockets of a node: it runs more than once a second. */
    async findOpen(sessionIds) {
      const { rows } = await sql<{ id: string }>`
        select s.id from session s join person p on p.id = s.person_id
        where s.id = any(${sessionIds}::uuid[])
          and s.ended_at is null and s.expires_at > now() and s.last_seen_at > now() - ${idleEnd}
          and p.disabled_at is null`.execute(db)
      return rows.map(({ id }) => id)
    },
  }
}

/** Closes the sockets of ended sessions at once on every node; the hub's own check finds the rest. */
export function closeSocketsOfEndedSessions(events: Events, hub: Pick<SocketHub, 'closeSessions'>): void {
  events.listen(({ topic, name, data }) => {
    if (topic === sessionTopic && name === 'ended') hub.closeSessions(ended.parse(data).sessionIds)
  })
}
