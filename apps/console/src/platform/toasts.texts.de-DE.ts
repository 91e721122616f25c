import type { texts } from './toasts.texts.ts'

export const deDE: typeof texts = {
  notifications: 'Benachrichtigungen',
  closeNotification: 'Schließen',
}
