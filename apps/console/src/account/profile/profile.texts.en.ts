import type { texts } from './profile.texts.ts'

export const en: typeof texts = {
  title: 'Profile',
  description: 'Your name, as the people you work with see it.',
  firstname: 'First name',
  lastname: 'Last name',
  tooShort: 'Please enter at least 2 characters',
  save: 'Save',
  saving: 'Saving',
  updated: 'Profile updated',
  updateError: 'Updating the profile failed',
}
