import type { texts } from './account.texts.ts'

export const deDE: typeof texts = {
  title: 'Konto',
  profile: 'Profil',
  emails: 'E-Mail-Adressen',
  password: 'Passwort',
  passkeys: 'Passkeys',
  otp: 'Einmalpasswort',
  sessions: 'Sitzungen',
}
