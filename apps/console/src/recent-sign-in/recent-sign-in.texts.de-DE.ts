import type { texts } from './recent-sign-in.texts.ts'

export const deDE: typeof texts = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Dafür muss Ihre Anmeldung weniger als zehn Minuten zurückliegen. Ihre Eingaben bleiben erhalten.',
  methods: 'Bestätigen mit',
  password: 'Passwort',
  passkey: 'Passkey',
  otp: 'Einmalpasswort',
  passwordMissing: 'Geben Sie Ihr Passwort ein',
  otpMissing: 'Geben Sie ein Einmalpasswort ein',
  otpHint: 'Die sechs Ziffern, die Ihr Authenticator gerade anzeigt.',
  passkeyHint: 'Ihr Browser fragt nach dem Passkey dieses oder eines anderen Geräts.',
  passkeyFailed: 'Der Passkey wurde nicht verwendet. Versuchen Sie es erneut',
  noMethod: 'Ihr Konto hat kein Verfahren zum Bestätigen. Melden Sie sich ab und wieder an',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  cancel: 'Abbrechen',
  confirm: 'Bestätigen',
  askForPasskey: 'Passkey verwenden',
  confirming: 'Wird bestätigt',
  tryAgainIn: (seconds: number) => {
    if (seconds === 1) return 'Neuer Versuch in 1 Sekunde möglich'
    if (seconds < 120) return `Neuer Versuch in ${seconds} Sekunden möglich`
    return `Neuer Versuch in ${Math.ceil(seconds / 60)} Minuten möglich`
  },
}
