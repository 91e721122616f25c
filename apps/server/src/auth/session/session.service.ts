import type { Db, OpenDatabase } from '#platform/database/database.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import {
  createSessionReader,
  createSessionRepository,
  type SessionGrant,
  type SessionOrigin,
} from './session.repository.ts'

/** The topic that publishes ended sessions to all nodes, which close their sockets. */
export const sessionTopic = 'sessions'

interface SessionServiceParts {
  database: OpenDatabase
  events: Events
  audit: AuditService
  /** Returns the scope entries that the grants unfold to. */
  scopeOf: (grants: readonly SessionGrant[]) => string[]
}

export function createSessionService({ database, events, audit, scopeOf }: SessionServiceParts) {
  const sessions = createSessionRepository(database.db)
  const findByToken = createSessionReader(database, scopeOf)

  /** Concurrent calls of a session share one write. */
  const marking = new Map<string, Promise<void>>()
  function markFirstUse(tokenHash: Buffer): Promise<void> {
    const key = tokenHash.toString('base64')
    const marked =
      marking.get(key) ?? sessions.markFirstUse(tokenHash).finally(() => void marking.delete(key))
    marking.set(key, marked)
    return marked
  }

  async function announceEnd(emit: Emit, sessionIds: string[]): Promise<void> {
    if (sessionIds.length > 0) await emit({ topic: sessionTopic, name: 'ended', data: { sessionIds } })
  }

  return {
    /** Opens a session in the transaction that proved the identity. Returns its token. */
    async start(trx: Db, origin: SessionOrigin): Promise<string> {
      const token = newToken()
      await createSessionRepository(trx).add(origin, hashToken(token))
      return token
    },

    /**
     * Returns the caller of a token, or null. `isBackground` marks a call without user interaction, such as a poll:
     * it does not reset the idle time of the session.
     */
    async authenticate(token: string, { isBackground }: { isBackground: boolean }): Promise<Caller | null> {
      const tokenHash = hashToken(token)
      const found = await findByToken(tokenHash)
      if (found === undefined) return null
      if (found.isFirstUse) {
        const marked = markFirstUse(tokenHash)
        if (found.replacesAnother) await marked
        // Do not wait: all calls of a page after sign-in would contend for this row. The next call marks the session
        // if this update fails.
        else marked.catch(() => {})
      }
      if (found.isLastSeenStale && !isBackground) await sessions.markSeen(found.sessionId)
      return found
    },

    /** Issues a second token for the same session. The first one stays valid until the second is used. */
    async reissue(caller: Caller, token: string): Promise<string> {
      const successor = newToken()
      await sessions.addSuccessor(caller.sessionId, hashToken(successor), hashToken(token))
      return successor
    },

    openOf: sessions.openOf,

    async isOpen(trx: Db, sessionId: string): Promise<boolean> {
      return (await createSessionRepository(trx).findOpen([sessionId])).length > 0
    },

    /** Ends one session. Returns whether it was an open session of this person. */
    async end(trx: Db, emit: Emit, which: { personId: string; sessionId: string }): Promise<boolean> {
      const isEnded = await createSessionRepository(trx).endOne(which)
      if (isEnded) await announceEnd(emit, [which.sessionId])
      return isEnded
    },

    /** Ends the sessions of a person, in the transaction of the change that requires it. */
    async endAll(
      trx: Db,
      emit: Emit,
      which: { personId: string; exceptSessionId: string | null },
    ): Promise<void> {
      await announceEnd(emit, await createSessionRepository(trx).end(which))
    },

    async logout(caller: Caller, address: string): Promise<void> {
      await events.transaction(async (trx, emit) => {
        const ended = await createSessionRepository(trx).end({ sessionId: caller.sessionId })
        await audit.within(trx).record({
          event: 'session.ended',
          result: 'success',
          actorId: caller.personId,
          target: caller.sessionId,
          address,
        })
        await announceEnd(emit, ended)
      })
    },
  }
}
export type SessionService = ReturnType<typeof createSessionService>
