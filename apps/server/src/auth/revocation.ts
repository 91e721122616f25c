import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Emit } from '#platform/realtime/events.ts'
import { voidLinks } from '../token-links/void-links.ts'
import type { SessionService } from './session/session.service.ts'

/**
 * Ends everything that can act for a person after a change to their sign-in: sessions with their sockets, vouchers,
 * open links and ceremonies. Runs in the transaction of the change.
 */
export function createRevocation({ sessions }: { sessions: SessionService }) {
  return async function revoke(
    trx: Transaction<Database>,
    emit: Emit,
    /** Ends all sessions of the user except the one that made the change. */
    { personId, exceptSessionId = null }: { personId: string; exceptSessionId?: string | null },
  ): Promise<void> {
    // The first of two concurrent changes ends the session of the second, which must then have no effect.
    if (exceptSessionId !== null && !(await sessions.isOpen(trx, exceptSessionId))) {
      throw new AppError('UNAUTHENTICATED')
    }
    await trx.deleteFrom('otp_voucher').where('person_id', '=', personId).execute()
    await trx.deleteFrom('passkey_challenge').where('person_id', '=', personId).execute()
    await voidLinks(trx, personId)
    await sessions.endAll(trx, emit, { personId, exceptSessionId })
  }
}
export type Revoke = ReturnType<typeof createRevocation>
