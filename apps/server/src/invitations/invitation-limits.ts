import type { Db } from '#platform/database/database.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import { emailKey } from '../people/email-address.ts'

/** Invitations are mails to strangers: so many one person may send, and one address may get whoever sends them. */
export const senderPolicy: WindowPolicy = { kind: 'invitation-sender', most: 50, seconds: 3600 }
export const recipientPolicy: WindowPolicy = { kind: 'invitation-recipient', most: 5, seconds: 3600 }

/** Part of the transaction that invites: an invitation that is not going to be sent does not count. */
export async function countInvitation(
  trx: Db,
  attempts: Attempts,
  { sender, email }: { sender: string; email: string },
): Promise<void> {
  const counted = attempts.within(trx)
  await counted.admitInWindow(senderPolicy, sender)
  await counted.admitInWindow(recipientPolicy, emailKey(email))
}
