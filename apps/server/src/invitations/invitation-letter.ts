import { inert } from '#platform/mail/inert.ts'
import { type LetterPart, writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface InvitationLetter {
  to: string
  link: string
  /** The name of the inviting user; null when the installation invites. */
  from: string | null
  isRoot: boolean
  /** The organisation or project of the invitation; undefined if it only creates an account. */
  place?: string
}

export function invitationLetter(letter: InvitationLetter): OutgoingMail {
  const { to, link, isRoot } = letter
  const from = letter.from === null ? null : inert(letter.from)
  const [german, english] = purposeOf(isRoot, letter.place)
  const germanPart: LetterPart = {
    language: 'de',
    subject: 'Einladung zu Pult',
    paragraphs: [
      'Hallo,',
      `${from === null ? 'Sie sind zu Pult eingeladen' : `${from} lädt Sie zu Pult ein`}. ${german}`,
    ],
    action: 'Einladung annehmen',
    note: `Der Link gilt 7 Tage, nur einmal und nur für ${to}. Wenn Sie diese Einladung nicht erwartet haben, brauchen Sie nichts zu tun.`,
  }
  const englishPart: LetterPart = {
    language: 'en',
    subject: 'Invitation to Pult',
    paragraphs: [
      'Hello,',
      `${from === null ? 'You are invited to Pult' : `${from} has invited you to Pult`}. ${english}`,
    ],
    action: 'Accept the invitation',
    note: `The link is valid for 7 days and works once, only for ${to}. If you did not expect this invitation, no action is needed.`,
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
    return [
      'Mit Ihrem Konto können Sie die ganze Installation verwalten (Root).',
      'Your account can administer the whole installation (root).',
    ]
  if (place === undefined)
    return ['Legen Sie ein Konto an, um sich anzumelden.', 'Create an account to sign in.']
  return [`Die Einladung gilt für „${inert(place)}“.`, `The invitation is for "${inert(place)}".`]
}
