import type { Condition } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'

type Mail = NonNullable<Condition['mail']>
type Level = Condition['checks'][number]['level']
type Add = (id: string, level: Level, what: Sentence, fix: Sentence) => void

/** Remedies of faults of the mail server, by their texts: `CODES COMMAND: REPLY`. The first match applies. */
const remedies: [RegExp, Sentence][] = [
  [
    /^EAUTH/,
    {
      de: 'Check the user and the password in SMTP_URL. Many providers require an app password: see docs/operations/mail.md',
      'de-DE':
        'Prüfen Sie Konto und Passwort in SMTP_URL. Viele Anbieter verlangen ein App-Passwort: siehe docs/operations/mail.md',
    },
  ],
  [
    /^\w+ (?:EHLO|HELO)/,
    {
      de: 'The mail server rejects the name of this machine. Set PULT_URL to the public host name, or add ?name=HOSTNAME to SMTP_URL',
      'de-DE':
        'Der Mailserver lehnt den Namen dieser Maschine ab. Setzen Sie PULT_URL auf den öffentlichen Hostnamen, oder ergänzen Sie SMTP_URL um ?name=HOSTNAME',
    },
  ],
  [
    /^EENVELOPE MAIL FROM: 530/,
    {
      de: 'The mail server requires a sign-in: add user and password to SMTP_URL',
      'de-DE': 'Der Mailserver verlangt eine Anmeldung: Ergänzen Sie SMTP_URL um Konto und Passwort',
    },
  ],
  [
    /^EENVELOPE MAIL FROM/,
    {
      de: 'Set MAIL_FROM to an address from which the mail server lets this account send',
      'de-DE': 'Setzen Sie MAIL_FROM auf eine Adresse, mit der dieses Konto beim Mailserver senden darf',
    },
  ],
  [
    /WRONG_VERSION_NUMBER|^ETIMEDOUT.*Greeting never received/i,
    {
      de: 'Use smtps:// for port 465 and smtp:// for other ports in SMTP_URL',
      'de-DE': 'Verwenden Sie in SMTP_URL smtps:// für Port 465 und smtp:// für andere Ports',
    },
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/,
    {
      de: 'Use the host name of the certificate in SMTP_URL, and name the certificate authority in NODE_EXTRA_CA_CERTS: see docs/operations/mail.md',
      'de-DE':
        'Verwenden Sie in SMTP_URL den Hostnamen des Zertifikats, und nennen Sie die Zertifizierungsstelle in NODE_EXTRA_CA_CERTS: siehe docs/operations/mail.md',
    },
  ],
  [
    /after the whole mail$/,
    {
      de: 'The mail server does not confirm mails, which may therefore arrive several times. Ask its operator for the reason',
      'de-DE':
        'Der Mailserver bestätigt E-Mails nicht, die deshalb mehrfach ankommen können. Fragen Sie seinen Betreiber nach dem Grund',
    },
  ],
  [
    /^(?:EDNS|ESOCKET|ETIMEDOUT)/,
    {
      de: 'Check host and port of SMTP_URL, and whether a firewall blocks them',
      'de-DE': 'Prüfen Sie Host und Port in SMTP_URL, und ob eine Firewall sie sperrt',
    },
  ],
  [
    /: [45]\d\d/,
    {
      de: 'Ask the operator of the mail server for the reason of its reply: see docs/operations/mail.md',
      'de-DE':
        'Fragen Sie den Betreiber des Mailservers nach dem Grund seiner Antwort: siehe docs/operations/mail.md',
    },
  ],
]

const generalRemedy: Sentence = {
  de: 'Check SMTP_URL and the mail server, then send a test mail from the Root page',
  'de-DE': 'Prüfen Sie SMTP_URL und den Mailserver, und senden Sie auf der Seite Root eine Testmail',
}

/** Returns the remedy of a fault of the mail server. */
export const mailRemedy = (fault: string): Sentence =>
  remedies.find(([pattern]) => pattern.test(fault))?.[1] ?? generalRemedy

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
        'de-DE': 'Kein Mailserver ist eingestellt: E-Mails werden nur in einen Ordner geschrieben',
      },
      { de: 'Set SMTP_URL', 'de-DE': 'Setzen Sie SMTP_URL' },
    )
  }
  if (trouble) {
    add(
      'mail.stuck',
      'danger',
      {
        de: `${waiting} mails cannot be delivered: ${trouble.error}`,
        'de-DE': `${waiting} E-Mails können nicht gesendet werden: ${trouble.error}`,
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
        de: `Mails were refused within seven days to ${names}${more > 0 ? ` and ${more} more` : ''}`,
        'de-DE': `In sieben Tagen wurden E-Mails abgelehnt an ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
      },
      {
        de: 'Correct these addresses, or ask the operator of the mail server why it refuses them',
        'de-DE':
          'Berichtigen Sie diese Adressen, oder fragen Sie den Betreiber des Mailservers nach dem Grund',
      },
    )
  }
  if (expired) {
    add(
      'mail.failed',
      'danger',
      {
        de: `${failed} mails expired undelivered within seven days, most recently: ${expired.error}`,
        'de-DE': `${failed} E-Mails konnten in sieben Tagen nicht zugestellt werden, zuletzt: ${expired.error}`,
      },
      mailRemedy(expired.error),
    )
  } else if (failed > 0 && refused.total === 0) {
    add(
      'mail.failed',
      'warning',
      {
        de: `${failed} mails expired undelivered within seven days`,
        'de-DE': `${failed} E-Mails konnten in sieben Tagen nicht zugestellt werden`,
      },
      {
        de: 'The log of the server names the reply of the mail server for each',
        'de-DE': 'Das Protokoll des Servers nennt zu jeder die Antwort des Mailservers',
      },
    )
  }
  if (server !== null && lastSent === null) {
    add(
      'mail.never',
      'warning',
      { de: 'No mail has been sent yet', 'de-DE': 'Noch keine E-Mail wurde gesendet' },
      {
        de: 'Send a test mail from the Root page',
        'de-DE': 'Senden Sie auf der Seite Root eine Testmail',
      },
    )
  }
}
