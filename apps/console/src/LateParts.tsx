import { pressedKey } from '@pult/ui'
import { type ComponentType, useEffect, useState } from 'react'
import { keepLoading } from '#platform/failed-load.ts'
import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { isField } from '#platform/is-field.ts'
import { hasNotified } from '#platform/notify.ts'
import { overlay } from '#platform/overlay.ts'
import { storage } from '#platform/storage.ts'
import { keepTypedAhead } from '#platform/typed-ahead.ts'
import { windowRequests } from '#platform/window-requests.ts'

/**
 * The layers above the pages: notifications, windows and the command palette. Their code loads on the first user
 * interaction, because notifications result from interactions and may have to report a lost connection, or earlier
 * when a part is needed.
 */
export function LateParts() {
  const [Parts, setParts] = useState<ComponentType | null>(null)

  useEffect(() => {
    const untilLoaded = new AbortController()
    let stopLoading: (() => void) | undefined
    const load = () => {
      untilLoaded.abort()
      stopLoading ??= keepLoading(
        () => import('./shell/Parts.tsx'),
        (loaded) => setParts(() => loaded.Parts),
      )
    }
    const stops = [hasNotified, windowRequests, overlay].map(({ subscribe }) => subscribe(load))
    stops.push(keepTypedAhead())
    // Notifications from an earlier session are still shown, or its windows are still open.
    if (hasNotified.get() || storage.windowConfig.read()?.includes('"isOpen":true') === true) load()
    for (const event of ['pointerdown', 'keydown']) {
      document.addEventListener(event, load, { signal: untilLoaded.signal })
    }
    // On window, so that an app can handle the same keys first.
    addEventListener('keydown', openByKey)
    return () => {
      untilLoaded.abort()
      for (const stop of stops) stop()
      removeEventListener('keydown', openByKey)
      stopLoading?.()
    }
  }, [])

  return Parts && <Parts />
}

function openByKey(event: KeyboardEvent): void {
  const { ctrlKey, metaKey, altKey, target } = event
  if (event.defaultPrevented || altKey || isBehindDialog()) return
  const key = pressedKey(event)
  const isPalette = ctrlKey !== metaKey && key === 'k'
  const isShortcuts = key === '?' && !ctrlKey && !metaKey && !isField(target)
  if (!isPalette && !isShortcuts) return
  event.preventDefault()
  overlay.set(isPalette ? 'palette' : 'shortcuts')
}
