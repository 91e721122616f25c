import { type RefObject, useEffect, useRef } from 'react'

/** Ctrl+S, on Apple keyboards ⌘S, submits the form that gets the reference. */
export function useSaveShortcut(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
      if (key.toLowerCase() !== 's' || ctrlKey === metaKey || altKey || shiftKey) return
      // The browser would save the page as a file.
      event.preventDefault()
      const isUnderDialog = form.current?.closest('[inert], [aria-hidden="true"]')
      if (!repeat && !isUnderDialog) form.current?.requestSubmit()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return form
}
