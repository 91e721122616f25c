import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { type Attempts, createAttempts, passwordPolicy, secondFactorPolicy } from './attempts.ts'

const policies = [passwordPolicy, secondFactorPolicy]

/** Of these people, those who have to wait, or need a reset, before another try is let in. */
export function lockedAmong(
  attempts: Pick<Attempts, 'blockedAmong'>,
  personIds: readonly string[],
): Promise<Set<string>> {
  return attempts.blockedAmong(policies, personIds)
}

/** Forgets the failures of passwords and second factors alike, so that somebody who was locked out may try again. */
export async function forgetFailures(trx: Transaction<Database>, personId: string): Promise<void> {
  const attempts = createAttempts(trx)
  for (const policy of policies) await attempts.succeed(policy, personId)
}

/** Lets somebody try again who was locked out: root does, or without an actor the operator's command line. */
export async function unlock(
  trx: Transaction<Database>,
  audit: Pick<AuditService, 'within'>,
  { personId, ...by }: { personId: string; actorId?: string; address?: string },
): Promise<void> {
  await forgetFailures(trx, personId)
  await audit.within(trx).record({ event: 'password.unlocked', result: 'success', target: personId, ...by })
}
