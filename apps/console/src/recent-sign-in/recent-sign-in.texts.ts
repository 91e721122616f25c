import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('recent-sign-in', {
  title: 'Confirm that it is you',
  text: 'This action needs a sign-in within the last ten minutes. Your input is kept.',
  methods: 'Confirm by',
  password: 'Password',
  passkey: 'Passkey',
  otp: 'OTP',
  passwordMissing: 'Please enter your password',
  otpMissing: 'Please enter an OTP',
  otpHint: 'The six digits that your authenticator shows.',
  passkeyHint: 'Your browser asks for a passkey on this or another device.',
  passkeyFailed: 'The passkey was not used. Try again',
  noMethod: 'Your account has no method to confirm with. Sign out and in again',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  cancel: 'Cancel',
  confirm: 'Confirm',
  askForPasskey: 'Use passkey',
  confirming: 'Confirming',
  tryAgainIn: (seconds: number) => {
    if (seconds === 1) return 'Try again in 1 second'
    if (seconds < 120) return `Try again in ${seconds} seconds`
    return `Try again in ${Math.ceil(seconds / 60)} minutes`
  },
})
