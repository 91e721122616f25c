import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('toasts', {
  notifications: 'Notifications',
  closeNotification: 'Close',
  undo: 'Undo',
  undone: 'Undone',
  undoFailed: 'Undo failed',
  storageBlocked: 'Your browser blocks site data',
  sessionInMemory: 'You stay signed in until you close this page or reload it yourself.',
  storageFull: 'Your browser’s storage is full',
  draftsInMemory: 'Drafts are lost when you close this page.',
})
