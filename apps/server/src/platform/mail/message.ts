import type { Delivery } from './mail.ts'

/** Returns the message for nodemailer. */
export function messageOf({ id, writtenAt, mail }: Delivery, from: string) {
  return {
    from,
    // nodemailer uses an object as it is, but would parse a string as a list of addresses.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: writtenAt,
    // Equal for each attempt, so that a mail that was sent twice can be recognised.
    messageId: `<${id}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
