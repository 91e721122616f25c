import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the element when it appears, and leaves the page where it is scrolled to. */
export function useFocusOnMount<Focusable extends HTMLElement>(): RefObject<Focusable | null> {
  const element = useRef<Focusable>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  return element
}
