import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('otp', {
  title: 'Two-factor authentication',
  description: 'A one-time password (OTP) from your phone in addition to your password.',
  loadingFailed: 'The state of two-factor authentication could not be loaded',
  retry: 'Try again',
  off: 'Two-factor authentication is off',
  offText:
    'When it is on, signing in with your password also requires a code from an app on your phone. Your password alone is then not enough to sign in.',
  enable: 'Enable OTP',
  enabling: 'Creating a secret',
  setUp: 'Set up two-factor authentication',
  nothingYet:
    'Nothing has changed yet. Two-factor authentication starts when you enter a code in the last step; you can cancel until then.',
  scan: 'Scan the QR code',
  scanText:
    'Open an authenticator app on your phone, such as Aegis, 2FAS or Google Authenticator, and add an account with it.',
  qrCode: 'QR code of the secret',
  secret: 'No camera? Enter this secret',
  copySecret: 'Copy secret',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  openApp: 'Open in an authenticator app',
  keep: 'Save the recovery codes',
  keepText:
    'They let you sign in if you lose your phone. Each code works once, and they are shown only now. Keep them apart from your phone.',
  prove: 'Enter a code from the app',
  code: 'Code',
  codeMissing: 'Please enter an OTP',
  activate: 'Activate',
  activating: 'Checking the code',
  cancel: 'Cancel',
  activated: 'OTP activated',
  activatedText: 'Your other sessions have ended.',
  activationError: 'OTP activation error',
  on: 'Two-factor authentication is on',
  since: 'Since',
  onText: 'Signing in with your password also requires a code from your authenticator.',
  recoveryCodes: 'Recovery codes',
  codesLeft: (left: number, all: number) => `${left} of ${all} are left.`,
  codesLeftText: 'Each code replaces your authenticator once.',
  fewCodes: (left: number) =>
    left === 0
      ? 'No recovery codes are left'
      : left === 1
        ? 'Only one recovery code is left'
        : `Only ${left} recovery codes are left`,
  fewCodesText: 'Without them you cannot sign in if you lose your phone. Regenerate them.',
  regenerate: 'Regenerate recovery codes',
  regenerating: 'Creating recovery codes',
  regenerateQuestion: 'Regenerate recovery codes?',
  regenerateText: 'You get ten new codes. The previous ones stop working immediately.',
  confirmRegenerate: 'Regenerate',
  regenerationError: 'Recovery codes error',
  newCodes: 'Your new recovery codes',
  newCodesWarning: 'Keep them safe. They are shown only now, and the old ones no longer work.',
  done: 'Done',
  disable: 'Disable two-factor authentication',
  disabling: 'Turning off two-factor authentication',
  disableQuestion: 'Disable two-factor authentication?',
  disableWarning:
    'Your password alone will be enough to sign in. The entry in your authenticator and your recovery codes stop working, and you are signed out everywhere else.',
  confirmDisable: 'Disable',
  removed: 'OTP removed',
  removedText: 'Your other sessions have ended.',
  resetError: 'OTP reset error',
})
