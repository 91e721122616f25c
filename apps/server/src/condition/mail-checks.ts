import type { Condition } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'
import { mailRemedy } from '#platform/mail/mail-remedy.ts'

type Mail = NonNullable<Condition['mail']>
type Level = Condition['checks'][number]['level']
type Add = (id: string, level: Level, what: Sentence, fix: Sentence) => void

/** Adds a check for each problem of outgoing mail. */
export function checkMail(
  { server, trouble, waiting, refused, expired, failed, lastSent }: Mail,
  add: Add,
): void {
  if (server === null) {
    add(
      'mail.none',
      'warning',
      {
        de: 'No mail server is set: mails are only written to a folder',
        'de-DE': 'Es ist kein Mailserver eingestellt: E-Mails werden nur in einen Ordner geschrieben',
      },
      { de: 'Set SMTP_URL', 'de-DE': 'Setzen Sie SMTP_URL' },
    )
  }
  if (trouble) {
    add(
      'mail.stuck',
      'danger',
      {
        de: `${waiting === 1 ? '1 mail' : `${waiting} mails`} cannot be delivered: ${trouble.error}`,
        'de-DE': `${waiting === 1 ? '1 E-Mail kann' : `${waiting} E-Mails können`} nicht gesendet werden: ${trouble.error}`,
      },
      mailRemedy(trouble.error),
    )
  }
  if (refused.total > 0) {
    const { total, addresses } = refused
    const names = addresses.map(({ email, answer }) => `${email} (${answer})`).join(', ')
    const more = total - addresses.length
    add(
      'mail.refused',
      'warning',
      {
        de: `Mails to these addresses were rejected within the last seven days: ${names}${more > 0 ? ` and ${more} more` : ''}`,
        'de-DE': `In den letzten sieben Tagen wurden E-Mails an diese Adressen abgelehnt: ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
      },
      {
        de: 'Correct these addresses, or ask the operator of the mail server why it rejects them',
        'de-DE':
          'Berichtigen Sie diese Adressen, oder fragen Sie den Betreiber des Mailservers nach dem Grund',
      },
    )
  }
  const expiredMails: Sentence = {
    de: `${failed === 1 ? '1 mail' : `${failed} mails`} expired undelivered within the last seven days`,
    'de-DE': `${failed === 1 ? '1 E-Mail konnte' : `${failed} E-Mails konnten`} in den letzten sieben Tagen nicht zugestellt werden`,
  }
  if (expired) {
    add(
      'mail.failed',
      'danger',
      {
        de: `${expiredMails.de}, most recently: ${expired.error}`,
        'de-DE': `${expiredMails['de-DE']}, zuletzt: ${expired.error}`,
      },
      mailRemedy(expired.error),
    )
  } else if (failed > 0 && refused.total === 0) {
    add('mail.failed', 'warning', expiredMails, {
      de: 'The log of the server names the reply of the mail server for each',
      'de-DE': 'Das Protokoll des Servers nennt zu jeder die Antwort des Mailservers',
    })
  }
  if (server !== null && lastSent === null) {
    add(
      'mail.never',
      'warning',
      { de: 'No mail has been sent yet', 'de-DE': 'Es wurde noch keine E-Mail gesendet' },
      {
        de: 'Send a test mail from the Root page',
        'de-DE': 'Senden Sie auf der Seite Root eine Testmail',
      },
    )
  }
}
