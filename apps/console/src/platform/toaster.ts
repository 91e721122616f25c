import { limits } from '@pult/contract'
import { createToaster } from '@pult/ui'

/** What `ToastRegion` shows. Add to it through `notify`. */
export const toaster = createToaster({ durationMs: limits.notificationDuration })
