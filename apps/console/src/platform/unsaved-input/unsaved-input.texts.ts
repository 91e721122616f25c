import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('unsaved-input', {
  leaveTitle: 'Leave without saving?',
  leaveText: 'What you have changed on this page is not saved yet.',
  leave: 'Leave',
  stay: 'Stay',
  leaveFailed: 'This page cannot be left right now',
})
