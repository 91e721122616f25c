import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('recent-sign-in', {
  title: 'Please confirm that it is you',
  text: 'This needs a sign-in of the last ten minutes. What you have entered is kept.',
  methods: 'Confirm by',
  password: 'Password',
  passkey: 'Passkey',
  otp: 'OTP',
  passwordMissing: 'Please enter your password',
  otpMissing: 'Please enter an OTP',
  otpHint: 'The six digits that your authenticator shows now.',
  passkeyHint: 'Your browser asks for the passkey of this device or of another one.',
  passkeyFailed: 'The passkey was not used. Please try again',
  noMethod: 'There is nothing to confirm by. Please sign out and in again',
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
