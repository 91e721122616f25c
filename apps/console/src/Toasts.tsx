import { ToastRegion } from '@pult/ui'
import { texts } from '#platform/platform.texts.ts'
import { toaster } from '#platform/toaster.ts'

export function Toasts() {
  return <ToastRegion toaster={toaster} label={texts.notifications} closeLabel={texts.closeNotification} />
}
