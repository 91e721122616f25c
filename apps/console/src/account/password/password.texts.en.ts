import type { texts } from './password.texts.ts'

export const en: typeof texts = {
  tab: 'Password',
  title: 'Password / Set a new password',
  description: 'All your other sessions end with it. This one goes on.',
  currentPassword: 'Current password',
  currentPasswordHint: 'Not needed within ten minutes of signing in.',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  confirmation: 'Confirm new password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  newPasswordMissing: 'Please enter a new password',
  newPasswordTooShort: 'Please use at least 8 characters',
  confirmationMissing: 'Please enter your new password again',
  confirmationDiffers: 'Passwords do not match',
  save: 'Set the new password',
  saving: 'Setting the new password',
  changed: 'Password changed',
  changedText: 'You have successfully set a new password',
  changeError: 'Changing the password failed',
}
