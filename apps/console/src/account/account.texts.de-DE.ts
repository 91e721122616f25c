import type { texts } from './account.texts.ts'

export const deDE: typeof texts = {
  title: 'Konto',
  profile: 'Profil',
  emails: 'E-Mail-Adressen',
  password: 'Passwort',
  passkeys: 'Passkeys',
  otp: 'Einmalpasswort',
  sessions: 'Sitzungen',
  words: {
    profile: 'name konto ich',
    emails: 'mail adresse',
    password: 'kennwort ändern geheim',
    passkeys: 'gerät sicherheitsschlüssel',
    otp: 'zwei-faktor 2fa authenticator wiederherstellungscodes otp',
    sessions: 'geräte abmelden aktivität',
  },
}
