import type { Db } from '#platform/database/database.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import { emailKey } from '../people/email-address.ts'

/**
 * Invitations are mails to strangers. These policies limit them per sender, and per recipient address for all
 * senders.
 */
export const senderPolicy: WindowPolicy = { kind: 'invitation-sender', most: 50, seconds: 3600 }
/** A batch is a deliberate action, so its limit is the maximum length of one list. */
export const batchPolicy: WindowPolicy = { kind: 'invitation-batch', most: 5000, seconds: 86_400 }
export const recipientPolicy: WindowPolicy = { kind: 'invitation-recipient', most: 5, seconds: 3600 }

/** Counts an invitation in its transaction, so that an unsent one does not count. */
export async function countInvitation(
  trx: Db,
  attempts: Attempts,
  { sender, email, isBatch }: { sender: string; email: string; isBatch: boolean },
): Promise<void> {
  const counted = attempts.within(trx)
  await counted.admitInWindow(isBatch ? batchPolicy : senderPolicy, sender)
  await counted.admitInWindow(recipientPolicy, emailKey(email))
}
