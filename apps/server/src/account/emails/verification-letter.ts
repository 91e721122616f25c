import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

/** Contains no name: the requesting user chooses it, and the recipient may not know them. */
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
          `die Adresse ${to} wurde zu einem Pult-Konto hinzugefügt. Bestätigen Sie, dass sie Ihnen gehört: Erst dann zählt sie.`,
        ],
        action: 'Adresse bestätigen',
        note: 'Der Link gilt 24 Stunden; ein neuerer ersetzt ihn. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne Bestätigung gehört die Adresse niemandem.',
      },
      {
        language: 'en',
        subject: 'Confirm your e-mail address',
        paragraphs: [
          'Hello,',
          `the address ${to} was added to a Pult account. Confirm that it is yours: it counts only then.`,
        ],
        action: 'Confirm the address',
        note: 'The link works for 24 hours; a newer one replaces it. If this was not you, no action is needed: the address belongs to no account until it is confirmed.',
      },
    ],
  })
}
