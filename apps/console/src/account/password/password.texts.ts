import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('password', {
  title: 'Password / Set new password',
  description: 'You are signed out everywhere else.',
  currentPassword: 'Current password',
  currentPasswordHint: 'Not needed within ten minutes of signing in.',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  confirmation: 'Confirm new password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  newPasswordMissing: 'Please enter a new password',
  newPasswordTooShort: 'Should have at least length of 8',
  confirmationMissing: 'Please enter your new password again',
  confirmationDiffers: 'Passwords do not match',
  save: 'Set new password',
  saving: 'Setting new password',
  changed: 'Password changed',
  changedText: 'You have successfully set a new password',
  changeError: 'Password change error',
})
