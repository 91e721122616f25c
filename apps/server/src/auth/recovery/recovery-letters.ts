import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface RecoveryLetter {
  to: string
  link: string
}

export function passwordResetLetter({ to, link }: RecoveryLetter): OutgoingMail {
  return writeLetter({
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: 'Neues Passwort für Pult',
        paragraphs: [
          'Hallo,',
          'für Ihr Pult-Konto wurde ein neues Passwort angefordert. Über den Link können Sie es festlegen; dabei enden alle Sitzungen.',
        ],
        action: 'Neues Passwort festlegen',
        note: 'Der Link gilt 30 Minuten und nur einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
      },
      {
        language: 'en',
        subject: 'New password for Pult',
        paragraphs: [
          'Hello,',
          'a new password was requested for your Pult account. The link lets you set it; all sessions will end.',
        ],
        action: 'Set a new password',
        note: 'The link works for 30 minutes and once. If this was not you, there is nothing you need to do: your password stays as it is.',
      },
    ],
  })
}

export function otpRecoveryLetter({ to, link }: RecoveryLetter): OutgoingMail {
  return writeLetter({
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
          'somebody entered your password and wants to set up a new authenticator for your Pult account. This takes the link and one of your recovery codes.',
        ],
        action: 'Start the recovery',
        note: 'The link works for 30 minutes and once. If this was not you, somebody knows your password: set a new one at once, and give no recovery code away.',
      },
    ],
  })
}
