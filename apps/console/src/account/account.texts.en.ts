import type { texts } from './account.texts.ts'

export const en: typeof texts = {
  title: 'Account',
  profile: 'Profile',
  emails: 'E-mails',
  password: 'Password',
  passkeys: 'Passkeys',
  otp: 'OTP',
  sessions: 'Sessions',
}
