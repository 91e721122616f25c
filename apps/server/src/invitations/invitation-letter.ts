import { type LetterPart, writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface InvitationLetter {
  to: string
  link: string
  /** The name of the inviting user; null when the installation invites. */
  from: string | null
  isRoot: boolean
  /** The organisation or project of the invitation; undefined for an account only. */
  place?: string
}

export function invitationLetter({ to, link, from, isRoot, place }: InvitationLetter): OutgoingMail {
  const [german, english] = purposeOf(isRoot, place)
  const germanPart: LetterPart = {
    language: 'de',
    subject: 'Einladung zu Pult',
    paragraphs: [
      'Hallo,',
      `${from === null ? 'Sie sind zu Pult eingeladen' : `${from} lädt Sie zu Pult ein`}. ${german}`,
    ],
    action: 'Einladung annehmen',
    note: `Der Link gilt 7 Tage, einmal und nur für ${to}. Wenn Sie nichts damit anfangen können, brauchen Sie nichts zu tun.`,
  }
  const englishPart: LetterPart = {
    language: 'en',
    subject: 'Invitation to Pult',
    paragraphs: [
      'Hello,',
      `${from === null ? 'you are invited to Pult' : `${from} invites you to Pult`}. ${english}`,
    ],
    action: 'Accept the invitation',
    note: `The link works for 7 days, once, and only for ${to}. If you did not expect it, no action is needed.`,
  }
  return writeLetter({
    kind: 'invitation',
    to,
    link,
    parts: [germanPart, englishPart],
  })
}

function purposeOf(isRoot: boolean, place: string | undefined): [german: string, english: string] {
  if (isRoot)
    return ['Ihr Konto darf alles verwalten (Root).', 'Your account may administer everything (root).']
  if (place === undefined)
    return ['Mit einem Konto können Sie sich dort anmelden.', 'An account lets you sign in there.']
  return [`Es geht um „${place}“.`, `It is about "${place}".`]
}
