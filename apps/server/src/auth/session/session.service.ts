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

/** The topic on which all nodes hear which sessions ended, to close their sockets. */
export const sessionTopic = 'sessions'

interface SessionServiceParts {
  database: OpenDatabase
  events: Events
  audit: AuditService
  /** The scope entries that grants unfold to. */
  scopeOf: (grants: readonly SessionGrant[]) => string[]
}

export function createSessionService({ database, events, audit, scopeOf }: SessionServiceParts) {
  const sessions = createSessionRepository(database.db)
  const findByToken = createSessionReader(database, scopeOf)

  /** Of calls that come at the same time one writes. */
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
    /** Opens a session and answers its token. Runs in the transaction of what proved the person's identity. */
    async start(trx: Db, origin: SessionOrigin): Promise<string> {
      const token = newToken()
      await createSessionRepository(trx).add(origin, hashToken(token))
      return token
    },

    /**
     * Who sent this token. `isBackground` is a call that nobody asked for, such as a poll: it does not keep the
     * session from going idle.
     */
    async authenticate(token: string, { isBackground }: { isBackground: boolean }): Promise<Caller | null> {
      const tokenHash = hashToken(token)
      const found = await findByToken(tokenHash)
      if (found === undefined) return null
      if (found.isFirstUse) {
        const marked = markFirstUse(tokenHash)
        if (found.replacesAnother) await marked
        // All that a page asks after a login would wait for this one row. Whatever call comes next marks what this one did not.
        else marked.catch(() => {})
      }
      if (found.isSeenLongAgo && !isBackground) await sessions.markSeen(found.sessionId)
      return found
    },

    /** A second token for the same session; the first goes on until this one is used. */
    async reissue(caller: Caller, token: string): Promise<string> {
      const successor = newToken()
      await sessions.addSuccessor(caller.sessionId, hashToken(successor), hashToken(token))
      return successor
    },

    openOf: sessions.openOf,

    async isOpen(trx: Db, sessionId: string): Promise<boolean> {
      return (await createSessionRepository(trx).findOpen([sessionId])).length > 0
    },

    /** Ends one session; answers whether it was an open one of this person. */
    async end(trx: Db, emit: Emit, which: { personId: string; sessionId: string }): Promise<boolean> {
      const isEnded = await createSessionRepository(trx).endOne(which)
      if (isEnded) await announceEnd(emit, [which.sessionId])
      return isEnded
    },

    /** Ends the sessions of a person, in the transaction of what makes that necessary. */
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
