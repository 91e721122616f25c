import type { texts } from './unsaved-input.texts.ts'

export const en: typeof texts = {
  leaveTitle: 'Leave without saving?',
  leaveText: 'What you have changed on this page is not saved yet.',
  leave: 'Leave',
  stay: 'Stay',
  leaveFailed: 'This page cannot be left right now',
}
