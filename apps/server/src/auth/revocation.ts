import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Emit } from '#platform/realtime/events.ts'
import { voidLinks } from '../token-links/void-links.ts'
import type { SessionService } from './session/session.service.ts'

/**
 * Ends everything else that could act for a person, because how they sign in has changed: sessions with their sockets,
 * vouchers, links on their way, ceremonies under way. Part of the transaction of the change.
 */
export function createRevocation({ sessions }: { sessions: SessionService }) {
  return async function revoke(
    trx: Transaction<Database>,
    emit: Emit,
    /** The session that made the change goes on; without it none does. */
    { personId, exceptSessionId = null }: { personId: string; exceptSessionId?: string | null },
  ): Promise<void> {
    // Of two changes at once the first ends the session of the second, which then changes nothing any more.
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
