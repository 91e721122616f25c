import type { Delivery } from './mail.ts'

/** What nodemailer is given. */
export function messageOf({ id, writtenAt, mail }: Delivery, from: string) {
  return {
    from,
    // As an object, which is taken as it is; a string would be read as a list of addresses.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: writtenAt,
    // The same at each try, so that a mail which was sent twice can be recognised.
    messageId: `<${id}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
