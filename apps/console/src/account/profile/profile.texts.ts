import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('profile', {
  title: 'Profile',
  description: 'Your name as shown to other people.',
  firstname: 'First name',
  lastname: 'Last name',
  tooShort: 'Should have at least length of 2',
  save: 'Save',
  saving: 'Saving',
  updated: 'Profile updated',
  updateError: 'Profile update error',
})
