import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('passkeys', {
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
    'Your device or password manager stores a passkey for you. It replaces your password and the OTP, cannot be guessed, and works on this site only.',
  noneNext: 'Register your first one below.',
  delete: (label: string) => `Delete ${label}`,
  deleteQuestion: 'Really delete?',
  deleteText: (label: string) =>
    `You can no longer sign in with “${label}”. Your device may keep offering it until you remove it there as well.`,
  confirmDelete: 'Delete',
  cancel: 'Cancel',
  deleted: 'Passkey deleted',
  error: 'Passkey error',
  registration: 'Register a device',
  deviceLabel: 'Device label',
  deviceLabelHint: 'Shown in the list. At least 3 characters.',
  deviceLabelExample: (browser: string, system: string) => `${browser} on ${system}`,
  deviceLabelFallback: 'My device',
  register: 'Register passkey',
  follow: 'Follow the prompt in your browser.',
  continue: 'Continue',
  oneMorePress: 'Press the button again to continue.',
  added: 'Passkey added',
  addedAlready: 'This device already has a passkey for your account',
  notFinished:
    'Nothing was added: the request was cancelled, took too long, or the device did not recognise you',
  notAble: 'This device cannot store a passkey. Set up a fingerprint, a face or a PIN on it first',
  wrongAddress: (host: string) => `The browser does not allow passkeys at the address ${host}`,
  failed: 'The passkey could not be created. Try again or use another device',
  obstacles: {
    insecure: {
      title: 'Passkeys need https',
      text: (origin: string) =>
        `This page was opened at ${origin}, and browsers offer passkeys only on encrypted pages. Ask the operator of this installation for its https address.`,
    },
    'no-host-name': {
      title: 'Passkeys need a host name',
      text: (origin: string) =>
        `This page was opened at ${origin}, and browsers offer no passkeys at IP addresses. Ask the operator of this installation for an https address with a host name.`,
    },
    unsupported: {
      title: 'This browser does not support passkeys',
      text: (_origin: string): string =>
        'Open this page in a current version of Chrome, Edge, Firefox or Safari to register one.',
    },
  },
})
