import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('unsaved-input', {
  leaveTitle: 'Leave without saving?',
  leaveText: 'Your changes on this page are not saved.',
  leaveUploadTitle: 'Interrupt the upload?',
  leaveUploadText: 'If you leave, the upload stops. Choose the same file again within a day to continue it.',
  leave: 'Leave',
  stay: 'Stay',
  leaveFailed: 'Leaving this page failed',
})
