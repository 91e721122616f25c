import type { ToastMessage } from '@pult/ui'
import { messageOf } from './api-error.ts'
import { isCancelled } from './recent-sign-in.ts'
import { createStore } from './store.ts'

/**
 * Notifications at the edge of the console. All but errors disappear automatically. Their code is not part of the first
 * load.
 */
export const notify = {
  info: (title: string, text?: string) => showMessage({ tone: 'info', title, text }),
  success: (title: string, text?: string) => showMessage({ tone: 'success', title, text }),
  warning: (title: string, text?: string) => showMessage({ tone: 'warning', title, text }),
  /**
   * The title names the failed action, the error gives the reason. It stays until it is closed, unless `isBrief`: the
   * page shows the error as well. A cancelled step-up authentication is not reported.
   */
  error: (title: string, error: unknown, { isBrief = false } = {}) => {
    if (!isCancelled(error)) showMessage({ tone: 'danger', title, text: messageOf(error), isBrief }, error)
  },
}

/** True after the first notification. */
export const hasNotified = createStore(false)

/** See {@link notify}. A refusal that a role would resolve offers "Ask for access". */
export function showMessage(message: ToastMessage, error?: unknown): void {
  hasNotified.set(true)
  void import('./toaster.ts').then(({ addMessage }) => addMessage(message, error)).catch(reportError)
}
