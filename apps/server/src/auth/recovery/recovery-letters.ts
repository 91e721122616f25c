import type { Language } from '#platform/language.ts'
import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface RecoveryLetter {
  to: string
  link: string
  /** The language of the page that has asked for the letter, for accounts without a chosen one. */
  language: Language
}

/** The default language is that of pages whose reader has chosen none. */
const inLanguage = (letter: OutgoingMail, language: Language): OutgoingMail =>
  language === 'de' ? letter : { ...letter, language }

export function passwordResetLetter({ to, link, language }: RecoveryLetter): OutgoingMail {
  const letter = writeLetter({
    kind: 'password-reset',
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: 'Neues Passwort für Pult',
        paragraphs: [
          'Hallo,',
          'für Ihr Pult-Konto wurde ein neues Passwort angefordert. Über den Link können Sie es festlegen. Dabei enden alle Sitzungen.',
        ],
        action: 'Neues Passwort festlegen',
        note: 'Der Link gilt 30 Minuten und nur einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt unverändert.',
      },
      {
        language: 'en',
        subject: 'New password for Pult',
        paragraphs: [
          'Hello,',
          'A new password was requested for your Pult account. Use the link to set it. This ends all sessions.',
        ],
        action: 'Set a new password',
        note: 'The link is valid for 30 minutes and works once. If this was not you, no action is needed: your password does not change.',
      },
    ],
  })
  return inLanguage(letter, language)
}

export function otpRecoveryLetter({ to, link, language }: RecoveryLetter): OutgoingMail {
  const letter = writeLetter({
    kind: 'second-factor-recovery',
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: 'Zwei-Faktor-Authentifizierung wiederherstellen',
        paragraphs: [
          'Hallo,',
          'jemand hat Ihr Passwort eingegeben und möchte für Ihr Pult-Konto einen neuen Authenticator einrichten. Dafür sind dieser Link und einer Ihrer Wiederherstellungscodes nötig.',
        ],
        action: 'Wiederherstellung beginnen',
        note: 'Der Link gilt 30 Minuten und nur einmal. Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Legen Sie sofort ein neues fest, und geben Sie keinen Wiederherstellungscode weiter.',
      },
      {
        language: 'en',
        subject: 'Recover two-factor authentication',
        paragraphs: [
          'Hello,',
          'Your password was entered, and a new authenticator was requested for your Pult account. Setting it up requires this link and a recovery code.',
        ],
        action: 'Start the recovery',
        note: 'The link is valid for 30 minutes and works once. If this was not you, another person knows your password. Set a new one immediately and do not share any recovery codes.',
      },
    ],
  })
  return inLanguage(letter, language)
}
