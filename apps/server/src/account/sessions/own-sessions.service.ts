import type { SessionRecord } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { SessionService } from '../../auth/session/session.service.ts'

interface OwnSessionsParts {
  events: Events
  audit: AuditService
  sessions: SessionService
}

/** The sessions of one person, for that person and for root. */
export function createOwnSessions({ events, audit, sessions }: OwnSessionsParts) {
  const row = (caller: Caller, personId: string, address: string) => ({
    result: 'success' as const,
    actorId: caller.personId,
    target: personId,
    address,
  })

  return {
    /** Lists the open sessions: the current one, then the most recently used. */
    async list(personId: string, currentSessionId: string | null): Promise<SessionRecord[]> {
      const open = await sessions.openOf(personId)
      const records = open.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
        _id: id,
        userAgent,
        address,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isCurrent: id === currentSessionId,
      }))
      return records.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    },

    /** Throws NOT_FOUND unless it is an open session of this person. */
    async end(
      caller: Caller,
      { personId, sessionId }: { personId: string; sessionId: string },
      address: string,
    ): Promise<void> {
      await events.transaction(async (trx, emit) => {
        if (!(await sessions.end(trx, emit, { personId, sessionId }))) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'session.ended',
          ...row(caller, personId, address),
          detail: { session: sessionId },
        })
      })
    },

    async endAll(
      caller: Caller,
      { personId, exceptSessionId }: { personId: string; exceptSessionId: string | null },
      address: string,
    ): Promise<void> {
      await events.transaction(async (trx, emit) => {
        await sessions.endAll(trx, emit, { personId, exceptSessionId })
        await audit.within(trx).record({ event: 'sessions.ended', ...row(caller, personId, address) })
      })
    },
  }
}
export type OwnSessions = ReturnType<typeof createOwnSessions>
