import { type ComponentType, useEffect, useState } from 'react'

/** The frame is on screen and usable by then. Not as late as the first message, which may say that the network is gone. */
const firstTry = 1500
const nextTry = 10_000

/** Where messages appear. Its code is no part of the first load, and without it the console still works. */
export function LateToasts() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)

  useEffect(() => {
    let timer = 0
    const load = () => {
      import('./Toasts.tsx').then(
        (loaded) => setToasts(() => loaded.Toasts),
        () => {
          timer = window.setTimeout(load, nextTry)
        },
      )
    }
    timer = window.setTimeout(load, firstTry)
    return () => clearTimeout(timer)
  }, [])

  return Toasts && <Toasts />
}
