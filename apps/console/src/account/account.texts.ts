import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('account', {
  title: 'Account',
  profile: 'Profile',
  emails: 'E-Mails',
  password: 'Password',
  passkeys: 'Passkeys',
  otp: 'OTP',
  sessions: 'Sessions',
  /** Keywords for the palette. */
  words: {
    profile: 'name account me',
    emails: 'mail address',
    password: 'change secret',
    passkeys: 'device security key',
    otp: 'two-factor 2fa authenticator recovery codes',
    sessions: 'devices sign out activity',
  },
})
