import type { texts } from './toasts.texts.ts'

export const deDE: typeof texts = {
  notifications: 'Benachrichtigungen',
  closeNotification: 'Schließen',
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  undoFailed: 'Das ließ sich nicht rückgängig machen',
  storageBlocked: 'Ihr Browser blockiert Websitedaten',
  sessionInMemory: 'Sie bleiben angemeldet, bis Sie diese Seite schließen oder selbst neu laden.',
  storageFull: 'Der Speicher Ihres Browsers ist voll',
  draftsInMemory: 'Entwürfe gehen verloren, wenn Sie diese Seite schließen.',
}
