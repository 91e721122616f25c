import { sql, type Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../audit/audit.service.ts'
import {
  type Attempts,
  ceremonyPolicy,
  createAttempts,
  passkeyPolicy,
  passwordPolicy,
  secondFactorPolicy,
} from './attempts.ts'
import { forgetPasswordFailures } from './known-devices.ts'

const policies = [passwordPolicy, secondFactorPolicy]

/** Returns the people who must wait, or need a reset, before their next attempt. */
export function lockedAmong(
  attempts: Pick<Attempts, 'blockedAmong'>,
  personIds: readonly string[],
): Promise<Set<string>> {
  return attempts.blockedAmong(policies, personIds)
}

/** Resets all failures of an account, so that a locked user can try again. */
export async function forgetFailures(trx: Transaction<Database>, personId: string): Promise<void> {
  await forgetPasswordFailures(trx, personId)
  await createAttempts(trx).succeed(secondFactorPolicy, personId)
  await sql`
    delete from attempt where key in (
      select kind || ':' || id from session, unnest(${[passkeyPolicy.kind, ceremonyPolicy.kind]}::text[]) kind
      where person_id = ${personId}
    )`.execute(trx)
  // The windows of the account's browsers.
  await trx.deleteFrom('attempt').where('key', 'like', `%:known:${personId}`).execute()
}

/** Unlocks an account. The actor is a root; without an actor it is the operator's command line. */
export async function unlock(
  trx: Transaction<Database>,
  audit: Pick<AuditService, 'within'>,
  { personId, ...by }: { personId: string; actorId?: string; address?: string },
): Promise<void> {
  await forgetFailures(trx, personId)
  await audit.within(trx).record({ event: 'password.unlocked', result: 'success', target: personId, ...by })
}
