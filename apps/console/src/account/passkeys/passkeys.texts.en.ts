import type { texts } from './passkeys.texts.ts'

export const en: typeof texts = {
  title: 'Passkeys',
  description: 'Sign in with the fingerprint, face or PIN of a device, without a password.',
  active: 'Active devices',
  label: 'Label',
  authenticator: 'Authenticator',
  createdAt: 'Created at',
  lastUsed: 'Last used',
  neverUsed: 'Never',
  actions: 'Actions',
  loadingFailed: 'Your passkeys could not be loaded',
  retry: 'Try again',
  none: 'No passkeys yet',
  noneText:
    'A passkey is a key that your device or password manager keeps for you. It replaces the password and the OTP, nobody can guess it, and it works on this site only.',
  noneNext: 'Register your first one below.',
  delete: (label: string) => `Delete ${label}`,
  deleteQuestion: 'Really delete?',
  deleteText: (label: string) =>
    `“${label}” will not sign you in any more. Your device may go on offering it until you remove it there as well.`,
  confirmDelete: 'Delete',
  cancel: 'Cancel',
  deleted: 'Passkey deleted',
  error: 'Passkey error',
  registration: 'Register a device',
  deviceLabel: 'Device label',
  deviceLabelHint: 'How you will recognize it in the list, at least 3 characters.',
  deviceLabelExample: (browser: string, system: string) => `${browser} on ${system}`,
  deviceLabelFallback: 'My device',
  register: 'Register passkey',
  follow: 'Your browser asks you now. Please follow what it says.',
  continue: 'Continue',
  oneMorePress: 'Your browser wants one more press of the button before it goes on.',
  added: 'Passkey added',
  addedAlready: 'This device already keeps a passkey of your account',
  notFinished:
    'Nothing was added: the request was cancelled, took too long, or the device did not recognize you',
  notAble: 'This device cannot keep a passkey. It needs a fingerprint, a face or a PIN to be set up first',
  wrongAddress: (host: string) => `The browser does not allow passkeys at the address ${host}`,
  failed: 'The passkey could not be created. Please try again, or try another device',
  insecure: 'Passkeys need https',
  insecureText: (origin: string) =>
    `This page was opened at ${origin}, and browsers offer passkeys on encrypted pages only. Please ask the people who run this installation for its https address.`,
  unsupported: 'This browser does not know passkeys',
  unsupportedText:
    'Please open this page in a current version of Chrome, Edge, Firefox or Safari to register one.',
}
