import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('emails', {
  title: 'E-Mails',
  description: 'Sign in with any confirmed address. E-mails go to the default address.',
  loadingFailed: 'Your addresses could not be loaded',
  newEmail: 'New e-mail address',
  add: 'Add',
  adding: 'Adding',
  added: 'Please check your inbox',
  addingFailed: 'Adding new email failed',
  isDefault: 'Default',
  verified: 'Verified',
  unverified: 'Not verified',
  verifiedAt: 'Verified',
  addedAt: 'Added',
  actionsOf: (email: string) => `Actions for ${email}`,
  resend: 'Resend verification',
  checkInbox: 'Check your inbox',
  resent: 'Confirmation E-Mail sent',
  resentText: 'Please check your inbox',
  resendFailed: 'Sending the confirmation e-mail failed',
  makeDefault: 'Use as default',
  setDefaultQuestion: 'Use this address as default?',
  setDefaultText: (email: string) =>
    `E-mails will go to ${email}. All your confirmed addresses are notified.`,
  setDefaultFailed: 'Changing the default address failed',
  remove: 'Remove',
  removeQuestion: 'Remove this address?',
  removeText: (email: string) =>
    `You can no longer sign in with ${email}, and links sent to it stop working.`,
  removed: 'E-mail address removed',
  cancel: 'Cancel',
})
