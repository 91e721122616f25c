import type { Locale } from '#platform/locale.ts'

/*
 * The texts of the set-up page in every language. They are not a catalogue, because the page changes its language
 * without a reload, which would empty the password. Only this page loads them.
 */

/** The default mixes languages: English like the page for pasted links, and German like the registration. */
const de = {
  title: 'Set up Pult',
  claim: 'Set up the control desk for your edges.',
  claimText:
    'This installation has no root account yet. The person who sets it up becomes root and can invite others.',
  checks: 'Checks of this machine',
  database: (version: string) => `Database ready, PostgreSQL ${version}`,
  folder: (free: string | null) =>
    free === null ? 'Data folder writable' : `Data folder writable, ${free} free`,
  folderFull: (free: string) => `Data folder has only ${free} left`,
  folderReadOnly: 'Data folder not writable: files and mails cannot be stored',
  https: 'Connection encrypted with https',
  httpsHere: 'No https: passkeys work on this machine only',
  httpsMissing: 'No https: passkeys stay off until https is set up',
  hostNameMissing: 'Passkeys stay off: they need https and a host name, not an IP address',
  page: 'Language of this page',
  version: (version: string) => `Version ${version}`,

  linkTitle: 'Open the set-up link',
  linkText:
    'Pult printed it in the terminal where it was started; with systemd or a container it is in the log. Each start prints a new one until a root exists.',
  link: 'Set-up link',
  linkMissing: 'Paste the link',
  linkWrong: 'This is not a link to this console',
  linkOver: 'This link is no longer valid. Pult has printed a newer one, or prints one at its next start.',
  open: 'Open',

  restore: 'Restore a backup instead',
  restoreTitle: 'Restore a backup',
  restoreText:
    'The backup replaces this empty installation. Every byte of it is checked before anything changes.',
  archive: 'Backup',
  noArchives: 'There is no backup here yet',
  copyInto: 'Copy the folders “archives” and “files” of the former installation’s backup folder into',
  copySteps: [
    'Copy the whole backup folder of the former installation to this machine, with its folders “archives” and “files”. A bucket needs no copy.',
    'Set BACKUP_FOLDER to the copy, or to the bucket as s3://bucket/prefix, and restart Pult.',
    'Open the new set-up link that the start prints, and restore the backup here.',
  ],
  lookAgain: 'Look again',
  tryAgain: 'Try again',
  key: 'Private key of the emergency sheet',
  keyText:
    'Both lines: AGE-SECRET-KEY-1… and PULT-SIGNER-… They are used once and not stored. A backup that is not encrypted needs only the second.',
  restoreNow: 'Restore',
  restoring: 'The backup is being restored',
  restoringText:
    'The server checks the backup, restores it and starts again. This takes several minutes for large backups. Keep this page open.',
  restoreFailed: 'The restore failed, and nothing has changed',
  restored: 'The backup has been restored',
  restoredText: 'Sign in with an account of the former installation.',
  back: 'Back',

  overTitle: 'This installation has been set up',
  overText: 'The first account exists already. Sign in with yours, or ask for an invitation.',
  toLogin: 'To the login',

  form: 'de',
  path: 'Schritte der Einrichtung',
  firstProject: 'Erstes Projekt',
  firstEdge: 'Erstes Edge',
  account: 'Ihr Konto',
  accountText: 'Dieses Konto verwaltet die Installation (Root).',
  firstname: 'Vorname',
  lastname: 'Nachname',
  email: 'E-Mail',
  emailText: 'Mit dieser Adresse melden Sie sich an. Sie kommt mit dem Link.',
  password: 'Passwort',
  confirmation: 'Passwort bestätigen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  nameTooShort: 'Mindestens 2 Zeichen',
  passwordRule: 'Mindestens 8 Zeichen',
  passwordsDiffer: 'Passwörter stimmen nicht überein',
  passwordsMatch: 'Passwörter stimmen überein',
  strength: { weak: 'Schwach', fair: 'Mittel', good: 'Gut', strong: 'Stark' },
  installation: 'Sprache der Installation',
  installationText: 'Gilt vor der Anmeldung und in E-Mails, solange eine Person keine eigene wählt.',
  standard: 'Standard (Englisch und Deutsch)',
  create: 'Account erstellen',
  creating: 'Account wird erstellt',
  hasAccount: 'Ich habe schon einen Account',
}
export type SetupWords = typeof de

const en: SetupWords = {
  ...de,
  toLogin: 'Go to sign-in',
  form: 'en',
  path: 'Steps of the set-up',
  firstProject: 'First project',
  firstEdge: 'First edge',
  account: 'Your account',
  accountText: 'This account administers the installation (root).',
  firstname: 'First name',
  lastname: 'Last name',
  email: 'E-mail address',
  emailText: 'You sign in with this address. It comes with the link.',
  password: 'Password',
  confirmation: 'Confirm password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  nameTooShort: 'At least 2 characters',
  passwordRule: 'At least 8 characters',
  passwordsDiffer: 'Passwords do not match',
  passwordsMatch: 'Passwords match',
  strength: { weak: 'Weak', fair: 'Fair', good: 'Good', strong: 'Strong' },
  installation: 'Language of this installation',
  installationText: 'Used before sign-in and in e-mails, unless a person chooses another.',
  standard: 'Standard (English and German)',
  create: 'Create account',
  creating: 'Creating the account',
  hasAccount: 'I already have an account',
}

const deDE: SetupWords = {
  ...de,
  title: 'Pult einrichten',
  claim: 'Richten Sie das Pult für Ihre Edges ein.',
  claimText:
    'Diese Installation hat noch keinen Root. Wer sie einrichtet, wird Root und kann andere einladen.',
  checks: 'Prüfungen dieses Rechners',
  database: (version) => `Datenbank bereit, PostgreSQL ${version}`,
  folder: (free) => (free === null ? 'Datenordner beschreibbar' : `Datenordner beschreibbar, ${free} frei`),
  folderFull: (free) => `Im Datenordner sind nur noch ${free} frei`,
  folderReadOnly: 'Datenordner nicht beschreibbar: Dateien und E-Mails lassen sich nicht speichern',
  https: 'Verbindung mit https verschlüsselt',
  httpsHere: 'Kein https: Passkeys funktionieren nur auf diesem Rechner',
  httpsMissing: 'Kein https: Ohne https bleiben Passkeys aus',
  hostNameMissing: 'Passkeys bleiben aus: Sie brauchen https und einen Hostnamen statt einer IP-Adresse',
  page: 'Sprache dieser Seite',
  linkTitle: 'Einrichtungslink öffnen',
  linkText:
    'Pult hat ihn im Terminal ausgegeben, in dem es gestartet wurde; mit systemd oder im Container steht er im Log. Jeder Start gibt einen neuen aus, bis es einen Root gibt.',
  link: 'Einrichtungslink',
  linkMissing: 'Fügen Sie den Link ein',
  linkWrong: 'Das ist kein Link zu dieser Konsole',
  linkOver:
    'Dieser Link gilt nicht mehr. Pult hat einen neueren ausgegeben oder gibt beim nächsten Start einen aus.',
  open: 'Öffnen',
  restore: 'Stattdessen eine Sicherung wiederherstellen',
  restoreTitle: 'Sicherung wiederherstellen',
  restoreText:
    'Die Sicherung ersetzt diese leere Installation. Jedes Byte wird geprüft, bevor sich etwas ändert.',
  archive: 'Sicherung',
  noArchives: 'Hier liegt noch keine Sicherung',
  copyInto:
    'Kopieren Sie die Ordner „archives“ und „files“ aus dem Sicherungsordner der früheren Installation nach',
  copySteps: [
    'Kopieren Sie den ganzen Sicherungsordner der früheren Installation auf diesen Rechner, mit den Ordnern „archives“ und „files“. Aus einem Bucket müssen Sie nichts kopieren.',
    'Setzen Sie BACKUP_FOLDER auf die Kopie, oder als s3://bucket/prefix auf den Bucket, und starten Sie Pult neu.',
    'Öffnen Sie den neuen Einrichtungslink, den der Start ausgibt, und stellen Sie die Sicherung hier wieder her.',
  ],
  lookAgain: 'Erneut suchen',
  tryAgain: 'Erneut versuchen',
  key: 'Privater Schlüssel vom Notfallblatt',
  keyText:
    'Beide Zeilen: AGE-SECRET-KEY-1… und PULT-SIGNER-… Sie werden einmal verwendet und nicht gespeichert. Eine unverschlüsselte Sicherung braucht nur die zweite.',
  restoreNow: 'Wiederherstellen',
  restoring: 'Die Sicherung wird wiederhergestellt',
  restoringText:
    'Der Server prüft die Sicherung, stellt sie wieder her und startet neu. Das dauert bei großen Sicherungen mehrere Minuten. Lassen Sie diese Seite offen.',
  restoreFailed: 'Die Wiederherstellung ist fehlgeschlagen, nichts wurde geändert',
  restored: 'Die Sicherung ist wiederhergestellt',
  restoredText: 'Melden Sie sich mit einem Konto der früheren Installation an.',
  back: 'Zurück',

  overTitle: 'Diese Installation ist eingerichtet',
  overText:
    'In der Zwischenzeit wurde das erste Konto erstellt. Melden Sie sich mit Ihrem an, oder lassen Sie sich einladen.',
  toLogin: 'Zur Anmeldung',
  email: 'E-Mail-Adresse',
  passwordsDiffer: 'Die Passwörter stimmen nicht überein',
  passwordsMatch: 'Die Passwörter stimmen überein',
  create: 'Konto erstellen',
  creating: 'Konto wird erstellt',
  hasAccount: 'Ich habe schon ein Konto',
}

export const setupWords: Record<Locale, SetupWords> = { de, en, 'de-DE': deDE }
