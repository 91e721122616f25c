import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { openInWindow, type WindowWish } from '#platform/window-wishes.ts'

/** Opens the window that a navigation's state requests: for an app that was a page before, or that has no URL. */
export function useWindowOfNavigation(): void {
  const { state } = useLocation() as { state: { window?: WindowWish } | null }
  const navigate = useNavigate()
  const wish = state?.window
  useEffect(() => {
    if (wish === undefined) return
    openInWindow(wish)
    // Clears the state, so that a reload or the browser's buttons do not open the window again.
    void navigate('.', { replace: true, state: null })
  }, [wish, navigate])
}
