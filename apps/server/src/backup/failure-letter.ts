import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

interface FailureLetter {
  to: string
  publicUrl: string
  step: 'backup' | 'drill'
  reason: string
}

/** Writes the mail to a root about a failed backup or restore drill. */
export const failureLetter = ({ to, publicUrl, step, reason }: FailureLetter): OutgoingMail =>
  writeLetter({
    kind: 'backup-failed',
    to,
    link: `${publicUrl}/root`,
    parts: [
      {
        language: 'de',
        subject:
          step === 'backup'
            ? 'Die Sicherung von Pult ist fehlgeschlagen'
            : 'Die Sicherung von Pult ließ sich nicht wiederherstellen',
        paragraphs: [
          'Hallo,',
          step === 'backup'
            ? `die Sicherung Ihrer Pult-Installation ${publicUrl} ist fehlgeschlagen. Frühere Sicherungen bleiben erhalten.`
            : `die Sicherung Ihrer Pult-Installation ${publicUrl} wurde erstellt, ließ sich aber nicht zur Probe wiederherstellen.`,
          `Grund: ${reason}`,
        ],
        action: 'Sicherungen ansehen',
        note: 'Solange es nicht gelingt, erhalten Sie diese Nachricht einmal in der Woche.',
      },
      {
        language: 'en',
        subject: step === 'backup' ? 'The backup of Pult failed' : 'The backup of Pult could not be restored',
        paragraphs: [
          'Hello,',
          step === 'backup'
            ? `The backup of your Pult installation ${publicUrl} failed. Earlier backups remain.`
            : `The backup of your Pult installation ${publicUrl} was made, but it could not be restored on trial.`,
          `Reason: ${reason}`,
        ],
        action: 'Show backups',
        note: 'Until it succeeds, you get this message once a week.',
      },
    ],
  })
