import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('toasts', {
  notifications: 'Notifications',
  closeNotification: 'Close',
  undo: 'Undo',
  undone: 'Undone',
  undoFailed: 'Undo failed',
})
