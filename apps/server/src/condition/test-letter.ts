import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

/** Writes the mail that a root sends to their own address to test delivery. */
export function testLetter({ to, publicUrl }: { to: string; publicUrl: string }): OutgoingMail {
  return writeLetter({
    kind: 'test',
    to,
    link: `${publicUrl}/root`,
    parts: [
      {
        language: 'de',
        subject: 'Testmail von Pult',
        paragraphs: [
          'Hallo,',
          'diese Mail ist angekommen: Der Mailversand Ihrer Pult-Installation funktioniert.',
        ],
        action: 'Zustand der Installation öffnen',
        note: 'Sie haben diese Mail auf der Root-Seite angefordert.',
      },
      {
        language: 'en',
        subject: 'Test mail from Pult',
        paragraphs: ['Hello,', 'This mail has arrived: your Pult installation can send mail.'],
        action: 'Open the condition of the installation',
        note: 'You requested this mail on the root page.',
      },
    ],
  })
}
