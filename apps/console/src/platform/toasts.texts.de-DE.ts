import type { texts } from './toasts.texts.ts'

export const deDE: typeof texts = {
  notifications: 'Benachrichtigungen',
  closeNotification: 'Schließen',
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  undoFailed: 'Das ließ sich nicht rückgängig machen',
}
