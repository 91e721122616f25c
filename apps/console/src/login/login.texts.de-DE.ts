import type { texts } from './login.texts.ts'

export const deDE: typeof texts = {
  title: 'Anmelden',
  username: 'Benutzername / E-Mail-Adresse',
  usernameMissing: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein',
  next: 'Weiter',
  loading: 'Wird geladen',
  notLoaded: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung',
  signingIn: 'Anmeldung läuft',
  tryAgainIn: (time: string) => `Neuer Versuch in ${time} möglich`,
  tryAgainNow: 'Sie können es jetzt erneut versuchen',
  seconds: (count: number) => (count === 1 ? '1 Sekunde' : `${count} Sekunden`),
  minutes: (count: number) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  passkeyNotAccepted:
    'Dieser Passkey wurde nicht akzeptiert. Versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an',
}
