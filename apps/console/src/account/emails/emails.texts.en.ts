import type { texts } from './emails.texts.ts'

export const en: typeof texts = {
  title: 'E-mails',
  description: 'Sign in with any confirmed address. Mails go to the default one.',
  loadingFailed: 'Your addresses could not be loaded',
  newEmail: 'New e-mail address',
  add: 'Add',
  adding: 'Adding',
  added: 'Please check your inbox',
  addingFailed: 'Adding the e-mail address failed',
  isDefault: 'Default',
  verified: 'Verified',
  unverified: 'Not verified',
  verifiedAt: (instant: string) => `Verified ${instant}`,
  addedAt: (instant: string) => `Added ${instant}`,
  actionsOf: (email: string) => `Actions for ${email}`,
  resend: 'Resend verification',
  checkInbox: 'Check your inbox',
  resent: 'Confirmation e-mail sent',
  resentText: 'Please check your inbox',
  resendFailed: 'Sending the confirmation e-mail failed',
  makeDefault: 'Use as default',
  setDefaultQuestion: 'Use this address as default?',
  setDefaultText: (email: string) =>
    `Mails will go to ${email}. All your confirmed addresses will be told of the change.`,
  setDefaultFailed: 'Changing the default address failed',
  remove: 'Remove',
  removeQuestion: 'Remove this address?',
  removeText: (email: string) =>
    `You can no longer sign in with ${email}, and links that were sent to it stop working.`,
  removeFailed: 'Removing the address failed',
  cancel: 'Cancel',
}
