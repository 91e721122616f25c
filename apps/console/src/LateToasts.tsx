import { type ComponentType, useEffect, useState } from 'react'
import { hasNotified } from '#platform/notify.ts'

const nextTry = 10_000

/**
 * Where messages appear. Its code is fetched with the first thing a person does here, because messages follow from that
 * and may have to say that the network is gone, or with the first message if that comes before.
 */
export function LateToasts() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)

  useEffect(() => {
    const wanted = new AbortController()
    let timer = 0
    const load = () => {
      wanted.abort()
      import('./Toasts.tsx').then(
        (loaded) => setToasts(() => loaded.Toasts),
        () => {
          timer = window.setTimeout(load, nextTry)
        },
      )
    }
    const stop = hasNotified.subscribe(load)
    // There were messages before, and somebody has signed in again since.
    if (hasNotified.get()) load()
    for (const event of ['pointerdown', 'keydown']) {
      document.addEventListener(event, load, { signal: wanted.signal })
    }
    return () => {
      wanted.abort()
      stop()
      clearTimeout(timer)
    }
  }, [])

  return Toasts && <Toasts />
}
