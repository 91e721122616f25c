import type { ToastMessage } from '@pult/ui'
import { messageOf } from './api-error.ts'
import { createStore } from './store.ts'

/** Short messages at the edge of the console, which leave by themselves. Their code is not part of the first load. */
export const notify = {
  info: (title: string, text?: string) => showMessage({ tone: 'info', title, text }),
  success: (title: string, text?: string) => showMessage({ tone: 'success', title, text }),
  warning: (title: string, text?: string) => showMessage({ tone: 'warning', title, text }),
  /** The title says what failed, the error why. */
  error: (title: string, error: unknown) => showMessage({ tone: 'danger', title, text: messageOf(error) }),
}

/** Turns true with the first message. */
export const hasNotified = createStore(false)

/** See {@link notify}. */
export function showMessage(message: ToastMessage): void {
  hasNotified.set(true)
  void import('./toaster.ts').then(({ toaster }) => toaster.add(message)).catch(reportError)
}
