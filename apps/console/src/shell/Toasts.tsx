import { ToastRegion } from '@pult/ui'
import { toaster } from '#platform/toaster.ts'
import { texts } from '#platform/toasts.texts.ts'

export function Toasts() {
  return <ToastRegion toaster={toaster} label={texts.notifications} closeLabel={texts.closeNotification} />
}
