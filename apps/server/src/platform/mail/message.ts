import type { Delivery } from './mail.ts'
import type { Mailbox } from './mailbox.ts'

/** Returns the message for nodemailer. */
export function messageOf({ id, writtenAt, mail }: Delivery, from: Mailbox) {
  return {
    // nodemailer uses objects as they are, but would parse strings as lists of addresses.
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: writtenAt,
    // Equal for each attempt, so that a mail that was sent twice can be recognised.
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
