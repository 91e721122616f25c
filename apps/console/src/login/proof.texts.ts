import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    title: 'Login',
    chooseMethod: 'How do you want to sign in?',
    changeUsername: 'Change username',
    passkey: 'Passkey',
    passkeyWaiting: 'Please follow the instructions of your browser',
    passkeyCancelled: 'No passkey was used. Please try again, or sign in with your password',
    passkeyFailed: 'The browser could not use a passkey. Please sign in with your password',
    passkeysUnsupported: 'This browser does not support passkeys',
    passkeysNeedHttps: 'Passkeys need a secure connection (https)',
    password: 'Password',
    passwordMissing: 'Please enter your password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    otp: 'OTP',
    otpHint: 'The 6 digits that your authenticator shows',
    otpMissing: 'Please enter an OTP',
    abort: 'Abort',
    login: 'Login',
    signingIn: 'Signing in',
    forgotPassword: 'Forgot password',
    recoverAccount: 'Recover account',
    requestingMail: 'Requesting an e-mail',
    mailSent: 'E-Mail sent',
    resetMail: (username: string) =>
      `Please check your inbox. If ${username} belongs to an account, it gets an e-mail with a link that sets a new password.`,
    recoveryMail:
      'Please check your inbox. The e-mail has a link that sets up a new authenticator. Have one of your recovery codes ready.',
    mailHint: 'The link works for 30 minutes. No e-mail? Look in your spam folder as well.',
    backToLogin: 'Back to the login',
    mailFailed: 'An error occurred',
    back: 'Back',
  },
})
