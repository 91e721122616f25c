import { useEffect } from 'react'
import { moveInLists } from '#platform/list-keys.ts'
import { notify } from '#platform/notify.ts'
import { overlay } from '#platform/overlay.ts'
import { toaster } from '#platform/toaster.ts'
import { closeWindow, windows } from '../windows/windows.ts'
import { LayerBoundary } from './LayerBoundary.tsx'
import { Overlays } from './Overlays.tsx'
import { RememberedWindows } from './RememberedWindows.tsx'
import { texts } from './shell.texts.ts'
import { Toasts } from './Toasts.tsx'

/** The layers above the pages, from bottom to top, and the keys of lists. Each fails on its own. */
export function Parts() {
  useEffect(() => {
    // On window, so that elements can handle the keys first.
    addEventListener('keydown', moveInLists)
    return () => removeEventListener('keydown', moveInLists)
  }, [])
  return (
    <>
      <LayerBoundary onFailure={closeWindows}>
        <RememberedWindows />
      </LayerBoundary>
      <LayerBoundary onFailure={closeOverlay}>
        <Overlays />
      </LayerBoundary>
      <LayerBoundary onFailure={closeToasts}>
        <Toasts />
      </LayerBoundary>
    </>
  )
}

function closeWindows(error: unknown): void {
  for (const { appId } of windows.get()) closeWindow(appId)
  notify.error(texts.windowsFailed, error)
}

function closeOverlay(error: unknown): void {
  overlay.set(null)
  notify.error(texts.overlayFailed, error)
}

function closeToasts(): void {
  for (const { key } of toaster.queue.visibleToasts) toaster.close(key)
}
