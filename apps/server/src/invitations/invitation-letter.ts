import { type LetterPart, writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface InvitationLetter {
  to: string
  link: string
  /** The name of who invites; null when the installation itself does. */
  from: string | null
  isRoot: boolean
}

export function invitationLetter({ to, link, from, isRoot }: InvitationLetter): OutgoingMail {
  const german: LetterPart = {
    language: 'de',
    paragraphs: [
      'Hallo,',
      `${from === null ? 'du bist zu Pult eingeladen' : `${from} lädt dich zu Pult ein`}. ${isRoot ? 'Dein Konto darf alles verwalten (Root).' : 'Mit einem Konto kannst du dich dort anmelden.'}`,
    ],
    action: 'Einladung annehmen',
    note: `Der Link gilt 7 Tage, einmal und nur für ${to}. Wenn du nichts damit anfangen kannst, brauchst du nichts zu tun.`,
  }
  const english: LetterPart = {
    language: 'en',
    paragraphs: [
      'Hello,',
      `${from === null ? 'you are invited to Pult' : `${from} invites you to Pult`}. ${isRoot ? 'Your account may administer everything (root).' : 'An account lets you sign in there.'}`,
    ],
    action: 'Accept the invitation',
    note: `The link works for 7 days, once, and only for ${to}. If it means nothing to you, there is nothing you need to do.`,
  }
  return writeLetter({
    to,
    subject: 'Einladung zu Pult / Invitation to Pult',
    link,
    parts: [german, english],
  })
}
