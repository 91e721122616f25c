import { type ComponentType, useEffect, useState } from 'react'
import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { hasNotified } from '#platform/notify.ts'
import { overlay } from '#platform/overlay.ts'
import { storage } from '#platform/storage.ts'
import { windowWishes } from '#platform/window-wishes.ts'

const nextTry = 10_000

/**
 * What lies over the pages: messages, windows, the command palette. Its code is fetched with the first thing a person does
 * here, because messages follow from that and may have to say that the network is gone, or when it is wanted before.
 */
export function LateParts() {
  const [Parts, setParts] = useState<ComponentType | null>(null)

  useEffect(() => {
    const wanted = new AbortController()
    let timer = 0
    const load = () => {
      wanted.abort()
      import('./shell/Parts.tsx').then(
        (loaded) => setParts(() => loaded.Parts),
        () => {
          timer = window.setTimeout(load, nextTry)
        },
      )
    }
    const stops = [hasNotified, windowWishes, overlay].map(({ subscribe }) => subscribe(load))
    // There were messages before, and somebody has signed in again since; or windows were left open.
    if (hasNotified.get() || storage.windowConfig.read()?.includes('"isOpen":true') === true) load()
    for (const event of ['pointerdown', 'keydown']) {
      document.addEventListener(event, load, { signal: wanted.signal })
    }
    // On the window, so that an app may use the same keys for something of its own: it is asked first.
    addEventListener('keydown', openByKey)
    return () => {
      wanted.abort()
      for (const stop of stops) stop()
      removeEventListener('keydown', openByKey)
      clearTimeout(timer)
    }
  }, [])

  return Parts && <Parts />
}

function openByKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (event.defaultPrevented || event.isComposing || altKey || isBehindDialog()) return
  const isPalette = ctrlKey !== metaKey && key.toLowerCase() === 'k'
  const isShortcuts = key === '?' && !ctrlKey && !metaKey && !isField(target)
  if (!isPalette && !isShortcuts) return
  event.preventDefault()
  overlay.set(isPalette ? 'palette' : 'shortcuts')
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
