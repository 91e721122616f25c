import type { Sentence } from '../language.ts'

/** Remedies of faults of the mail server, by their texts: `CODES COMMAND: REPLY`. The first match applies. */
const remedies: [RegExp, Sentence][] = [
  [
    /^EAUTH[^:]*: 4\d\d/,
    {
      de: 'The mail server accepts no sign-in of this account for now. Check whether other programs use the account, and ask the provider for its limit of sign-ins',
      'de-DE':
        'Der Mailserver nimmt zurzeit keine Anmeldung dieses Kontos an. Prüfen Sie, ob andere Programme das Konto verwenden, und fragen Sie den Anbieter nach seiner Grenze für Anmeldungen',
    },
  ],
  [
    /^EAUTH/,
    {
      de: 'Check the user and the password in SMTP_URL. Many providers require an app password: see docs/operations/mail.md',
      'de-DE':
        'Prüfen Sie Konto und Passwort in SMTP_URL. Viele Anbieter verlangen ein App-Passwort: siehe docs/operations/mail.md',
    },
  ],
  [
    /^\w+ (?:EHLO|HELO)|RCPT TO: .*\bhelo\b/i,
    {
      de: 'The mail server rejects the name of this machine. Set PULT_URL to an address with the public host name, or add ?name=HOSTNAME to SMTP_URL',
      'de-DE':
        'Der Mailserver lehnt den Namen dieser Maschine ab. Setzen Sie PULT_URL auf eine Adresse mit dem öffentlichen Hostnamen, oder ergänzen Sie SMTP_URL um ?name=HOSTNAME',
    },
  ],
  [
    /^EENVELOPE (?:MAIL FROM|RCPT TO): 530/,
    {
      de: 'The mail server requires encryption or a sign-in: use smtps://, or add user and password to SMTP_URL',
      'de-DE':
        'Der Mailserver verlangt Verschlüsselung oder eine Anmeldung: Verwenden Sie smtps://, oder ergänzen Sie SMTP_URL um Konto und Passwort',
    },
  ],
  [
    /RCPT TO: .*\brelay/i,
    {
      de: 'The mail server does not relay mails of this machine: add user and password to SMTP_URL, or add the machine to the networks that may relay',
      'de-DE':
        'Der Mailserver leitet E-Mails dieser Maschine nicht weiter: Ergänzen Sie SMTP_URL um Konto und Passwort, oder erlauben Sie dem Mailserver, für diese Maschine weiterzuleiten',
    },
  ],
  [
    /^EENVELOPE (?:MAIL FROM|RCPT TO: (?:553|.*\bsender address))/i,
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
    /^EXPIRED/,
    {
      de: 'The mails were too old to be of use. Repeat what caused them, such as an invitation',
      'de-DE': 'Die E-Mails waren zu alt, um zu nützen. Wiederholen Sie ihren Anlass, etwa eine Einladung',
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
