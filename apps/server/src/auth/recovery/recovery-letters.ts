import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface RecoveryLetter {
  to: string
  link: string
}

export function passwordResetLetter({ to, link }: RecoveryLetter): OutgoingMail {
  return writeLetter({
    to,
    subject: 'Neues Passwort für Pult / New password for Pult',
    link,
    parts: [
      {
        language: 'de',
        paragraphs: [
          'Hallo,',
          'für dein Pult-Konto wurde ein neues Passwort angefordert. Mit dem Link kannst du es setzen; alle Sitzungen werden dabei beendet.',
        ],
        action: 'Neues Passwort setzen',
        note: 'Der Link gilt 30 Minuten und einmal. Wenn du das nicht warst, brauchst du nichts zu tun: dein Passwort bleibt, wie es ist.',
      },
      {
        language: 'en',
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
    subject: 'Zwei-Faktor-Anmeldung wiederherstellen / Recover two-factor authentication',
    link,
    parts: [
      {
        language: 'de',
        paragraphs: [
          'Hallo,',
          'jemand hat dein Passwort eingegeben und möchte für dein Pult-Konto einen neuen Authenticator einrichten. Dafür braucht es diesen Link und einen deiner Wiederherstellungscodes.',
        ],
        action: 'Wiederherstellung beginnen',
        note: 'Der Link gilt 30 Minuten und einmal. Wenn du das nicht warst, kennt jemand dein Passwort: setze gleich ein neues, und gib keinen Wiederherstellungscode weiter.',
      },
      {
        language: 'en',
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
