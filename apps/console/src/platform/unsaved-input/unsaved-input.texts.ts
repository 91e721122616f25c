import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('unsaved-input', {
  leaveTitle: 'Leave without saving?',
  leaveText: 'Your changes on this page are not saved.',
  leave: 'Leave',
  stay: 'Stay',
  leaveFailed: 'Leaving this page failed',
})
