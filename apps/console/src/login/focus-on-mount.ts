import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the element on mount without scrolling the page. */
export function useFocusOnMount<Focusable extends HTMLElement>(): RefObject<Focusable | null> {
  const element = useRef<Focusable>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  return element
}
