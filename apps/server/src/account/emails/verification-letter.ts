import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

/** Omits the name of the requesting user: that user chose it, and the recipient may not know them. */
export function verificationLetter({ to, link }: { to: string; link: string }): OutgoingMail {
  return writeLetter({
    kind: 'address-confirmation',
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: 'E-Mail-Adresse bestätigen',
        paragraphs: [
          'Hallo,',
          `die Adresse ${to} wurde zu einem Pult-Konto hinzugefügt. Bestätigen Sie, dass sie Ihnen gehört. Erst danach können Sie sie verwenden.`,
        ],
        action: 'Adresse bestätigen',
        note: 'Der Link gilt 24 Stunden; ein neuerer ersetzt ihn. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne Bestätigung gehört die Adresse zu keinem Konto.',
      },
      {
        language: 'en',
        subject: 'Confirm your e-mail address',
        paragraphs: [
          'Hello,',
          `The address ${to} was added to a Pult account. Confirm that it is yours. You can use it only after that.`,
        ],
        action: 'Confirm the address',
        note: 'The link is valid for 24 hours; a newer one replaces it. If this was not you, no action is needed: the address belongs to no account until it is confirmed.',
      },
    ],
  })
}
