import { type ComponentType, useEffect, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { storage } from '#platform/storage.ts'
import { windowRequests } from '#platform/window-requests.ts'
import { texts } from './shell.texts.ts'

/** The windows. Their code loads when the first one opens, or at the start if some were left open. */
export function RememberedWindows() {
  const [Windows, setWindows] = useState<ComponentType | null>(null)
  useEffect(() => {
    const load = () => {
      import('../windows/Windows.tsx').then(
        (loaded) => setWindows(() => loaded.Windows),
        (error: unknown) => notify.error(texts.windowsFailed, error),
      )
    }
    const isLeftOpen = storage.windowConfig.read()?.includes('"isOpen":true') === true
    if (isLeftOpen || windowRequests.get().length > 0) load()
    return windowRequests.subscribe(load)
  }, [])
  return Windows && <Windows />
}
