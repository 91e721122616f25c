import type { texts } from './login.texts.ts'

export const deDE: typeof texts = {
  title: 'Anmelden',
  username: 'Benutzername / E-Mail-Adresse',
  usernameMissing: 'Bitte geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein',
  next: 'Weiter',
  loading: 'Wird geladen',
  notLoaded: 'Der Server ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung',
  signingIn: 'Anmeldung läuft',
  tryAgainIn: (time: string) => `Neuer Versuch in ${time} möglich`,
  tryAgainNow: 'Sie können es jetzt erneut versuchen',
  seconds: (count: number) => (count === 1 ? '1 Sekunde' : `${count} Sekunden`),
  minutes: (count: number) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  passkeyNotAccepted:
    'Dieser Passkey wurde nicht akzeptiert. Bitte versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an',
}
