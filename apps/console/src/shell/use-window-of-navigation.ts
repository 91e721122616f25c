import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { openInWindow, type WindowWish } from '#platform/window-wishes.ts'

/** A navigation may bring an app that is to be a window from now on: where it was a page, and where it has no address. */
export function useWindowOfNavigation(): void {
  const { state } = useLocation() as { state: { window?: WindowWish } | null }
  const navigate = useNavigate()
  const wish = state?.window
  useEffect(() => {
    if (wish === undefined) return
    openInWindow(wish)
    // Once: not again when the page is reloaded, or reached by the browser's buttons.
    void navigate('.', { replace: true, state: null })
  }, [wish, navigate])
}
