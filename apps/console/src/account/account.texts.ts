import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('account', {
  title: 'Account',
  profile: 'Profile',
  emails: 'E-Mails',
  password: 'Password',
  passkeys: 'Passkeys',
  otp: 'OTP',
  sessions: 'Sessions',
})
