import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface RecoveryLetter {
  to: string
  link: string
}

export function passwordResetLetter({ to, link }: RecoveryLetter): OutgoingMail {
  return writeLetter({
    kind: 'password-reset',
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
        note: 'The link works for 30 minutes and once. If this was not you, no action is needed: your password does not change.',
      },
    ],
  })
}

export function otpRecoveryLetter({ to, link }: RecoveryLetter): OutgoingMail {
  return writeLetter({
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
          'someone entered your password and requested a new authenticator for your Pult account. Setting it up takes this link and a recovery code.',
        ],
        action: 'Start the recovery',
        note: 'The link works for 30 minutes and once. If this was not you, someone knows your password. Set a new one at once and do not share any recovery code.',
      },
    ],
  })
}
