import type { texts } from './toasts.texts.ts'

export const en: typeof texts = {
  notifications: 'Notifications',
  closeNotification: 'Close',
}
