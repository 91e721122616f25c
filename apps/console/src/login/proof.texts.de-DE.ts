import type { texts } from './proof.texts.ts'

export const deDE: typeof texts = {
  title: 'Anmelden',
  chooseMethod: 'Wie möchten Sie sich anmelden?',
  changeUsername: 'Benutzernamen ändern',
  passkey: 'Passkey',
  passkeyWaiting: 'Folgen Sie den Anweisungen Ihres Browsers',
  passkeyCancelled:
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an',
  passkeyFailed: 'Der Browser konnte keinen Passkey verwenden. Melden Sie sich mit Ihrem Passwort an',
  passkeysUnsupported: 'Dieser Browser unterstützt keine Passkeys',
  passkeysNeedHostName: 'Passkeys funktionieren nicht unter einer IP-Adresse',
  passkeysNeedHttps: 'Passkeys brauchen eine sichere Verbindung (https)',
  password: 'Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  otp: 'Einmalpasswort',
  otpHint: 'Die 6 Ziffern, die Ihr Authenticator anzeigt',
  otpMissing: 'Geben Sie ein Einmalpasswort ein',
  abort: 'Abbrechen',
  login: 'Anmelden',
  signingIn: 'Anmeldung läuft',
  forgotPassword: 'Passwort vergessen',
  recoverAccount: 'Konto wiederherstellen',
  requestingMail: 'E-Mail wird angefordert',
  mailSent: 'E-Mail gesendet',
  resetMail: (username: string) =>
    `Gibt es ein Konto für ${username}, erhält es eine E-Mail mit einem Link für ein neues Passwort.`,
  recoveryMail:
    'Sehen Sie in Ihrem Postfach nach. Über den Link in der E-Mail richten Sie einen neuen Authenticator ein. Halten Sie einen Ihrer Wiederherstellungscodes bereit.',
  mailHint: 'Der Link gilt 30 Minuten. Keine E-Mail erhalten? Sehen Sie auch im Spam-Ordner nach.',
  backToLogin: 'Zurück zur Anmeldung',
  mailFailed: 'Ein Fehler ist aufgetreten',
  back: 'Zurück',
}
