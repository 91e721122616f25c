import type { SessionRecord } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { SessionService } from '../../auth/session/session.service.ts'

interface OwnSessionsParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  sessions: SessionService
}

/** The sessions of one person, for that person and for root. */
export function createOwnSessions(_parts: OwnSessionsParts) {
  return {
    async list(_personId: string, _currentSessionId: string | null): Promise<SessionRecord[]> {
      throw new Error('not built')
    },
    /** NOT_FOUND when it is not an open session of this person. */
    async end(
      _caller: Caller,
      _which: { personId: string; sessionId: string },
      _address: string,
    ): Promise<void> {
      throw new Error('not built')
    },
    async endAll(
      _caller: Caller,
      _which: { personId: string; exceptSessionId: string | null },
      _address: string,
    ): Promise<void> {
      throw new Error('not built')
    },
  }
}
export type OwnSessions = ReturnType<typeof createOwnSessions>
