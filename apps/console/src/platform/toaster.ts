import { limits } from '@pult/contract'
import { createToaster, type ToastMessage } from '@pult/ui'
import { ApiError } from './api-error.ts'

/** The notifications of `ToastRegion`. Add to it through `notify`. */
export const toaster = createToaster({
  durationMs: limits.notificationDuration,
  actionDurationMs: limits.actionNotificationDuration,
})

/** Shows a message. If a role would allow the failed action, it offers "Ask for access". */
export async function addMessage(message: ToastMessage, error: unknown): Promise<void> {
  const isRefused = error instanceof ApiError && error.code === 'FORBIDDEN'
  toaster.add(
    isRefused ? (await import('./access/refused-message.ts')).withAsking(message, error.detail) : message,
  )
}
