import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('otp', {
  title: 'Two-factor authentication',
  description: 'A one-time password (OTP) from your phone, besides your password.',
  loadingFailed: 'Its state could not be loaded',
  retry: 'Try again',
  off: 'Two-factor authentication is off',
  offText:
    'With it, signing in by password also asks for a code from an app on your phone. Somebody who learns your password alone stays outside.',
  enable: 'Enable OTP',
  enabling: 'A secret is made',
  setUp: 'Set up two-factor authentication',
  nothingYet:
    'Nothing has changed yet. It starts when you enter a code in the last step, and you may leave until then.',
  scan: 'Scan the QR code',
  scanText:
    'Open an authenticator app on your phone, such as Aegis, 2FAS or Google Authenticator, and add an account with it.',
  qrCode: 'QR code of the secret',
  secret: 'No camera? Enter this secret',
  copySecret: 'Copy secret',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  openApp: 'Open in an authenticator app',
  keep: 'Keep the recovery codes',
  keepText:
    'They get you back in when the phone is lost. Each works once, and they are shown only now: keep them where the phone is not.',
  prove: 'Enter a code from the app',
  code: 'Code',
  codeMissing: 'Please enter an OTP',
  activate: 'Activate',
  activating: 'The code is checked',
  cancel: 'Cancel',
  activated: 'OTP activated',
  activatedText: 'Your other sessions have ended.',
  activationError: 'OTP activation error',
  on: 'Two-factor authentication is on',
  since: 'Since',
  onText: 'Signing in by password also asks for a code from your authenticator.',
  recoveryCodes: 'Recovery codes',
  codesLeft: (left: number, all: number) => `${left} of ${all} are left.`,
  codesLeftText: 'Each gets you back in once when your authenticator is not at hand.',
  fewCodes: (left: number) =>
    left === 0
      ? 'No recovery codes are left'
      : left === 1
        ? 'Only one recovery code is left'
        : `Only ${left} recovery codes are left`,
  fewCodesText: 'Without them a lost phone locks you out. Please regenerate them.',
  regenerate: 'Regenerate recovery codes',
  regenerating: 'Recovery codes are made',
  regenerateQuestion: 'Regenerate recovery codes?',
  regenerateText: 'You get ten new ones. Those that you have kept so far end at once.',
  confirmRegenerate: 'Regenerate',
  regenerationError: 'Recovery codes error',
  newCodes: 'Your new recovery codes',
  newCodesWarning: 'Keep them safe. They are shown only now, and the old ones have ended.',
  done: 'Done',
  disable: 'Disable two-factor authentication',
  disabling: 'Two-factor authentication is turned off',
  disableQuestion: 'Disable two-factor authentication?',
  disableWarning:
    'From then on your password alone is enough to sign in. The entry in your authenticator and your recovery codes end, and so do your other sessions.',
  confirmDisable: 'Disable',
  removed: 'OTP removed',
  removedText: 'Your other sessions have ended.',
  resetError: 'OTP reset error',
})
