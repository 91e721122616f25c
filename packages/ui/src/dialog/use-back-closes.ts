import { useEffect, useEffectEvent } from 'react'

/** https://html.spec.whatwg.org/multipage/interaction.html#closewatcher, where the browser has it. */
interface Watcher extends EventTarget {
  destroy: () => void
}

/**
 * Calls `onClose` while the layer is open and on top, when the user goes back by the button or gesture of a phone. The
 * layer may stay, for example to ask about its input. Browsers without `CloseWatcher` leave the page.
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const { CloseWatcher } = globalThis as { CloseWatcher?: new () => Watcher }
    if (!isOpen || CloseWatcher === undefined) return undefined
    const closed = new AbortController()
    let isEscape = false
    // Browsers send this request for Esc as well, which the layers handle as a key.
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      isEscape = true
      setTimeout(() => {
        isEscape = false
      })
    }
    addEventListener('keydown', press, { capture: true, signal: closed.signal })

    const watch = (): Watcher => {
      const created = new CloseWatcher()
      created.addEventListener('close', () => {
        // It watches for one request only. The next one is below the layers that this request opens.
        watcher = watch()
        if (!isEscape) close()
      })
      return created
    }
    let watcher = watch()
    return () => {
      closed.abort()
      watcher.destroy()
    }
  }, [isOpen])
}
