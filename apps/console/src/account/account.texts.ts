import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    title: 'Account',
    profile: 'Profile',
    emails: 'E-Mails',
    password: 'Password',
    passkeys: 'Passkeys',
    otp: 'OTP',
    sessions: 'Sessions',
  },
})
