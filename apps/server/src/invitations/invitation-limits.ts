import type { Db } from '#platform/database/database.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import { emailKey } from '../people/email-address.ts'

/** Invitations are mails to strangers: so many one person may send, and one address may get whoever sends them. */
export const senderPolicy: WindowPolicy = { kind: 'invitation-sender', most: 50, seconds: 3600 }
/** Who sends a list of people to be invited has thought about it once; a list has at most so many. */
export const batchPolicy: WindowPolicy = { kind: 'invitation-batch', most: 5000, seconds: 86_400 }
export const recipientPolicy: WindowPolicy = { kind: 'invitation-recipient', most: 5, seconds: 3600 }

/** Part of the transaction that invites: an invitation that is not going to be sent does not count. */
export async function countInvitation(
  trx: Db,
  attempts: Attempts,
  { sender, email, isBatch }: { sender: string; email: string; isBatch: boolean },
): Promise<void> {
  const counted = attempts.within(trx)
  await counted.admitInWindow(isBatch ? batchPolicy : senderPolicy, sender)
  await counted.admitInWindow(recipientPolicy, emailKey(email))
}
