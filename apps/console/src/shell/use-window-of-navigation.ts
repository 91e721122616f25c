import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { openInWindow, type WindowRequest } from '#platform/window-requests.ts'

/** Opens the window that a navigation's state requests: for an app that was a page before, or that has no URL. */
export function useWindowOfNavigation(): void {
  const { state } = useLocation() as { state: { window?: WindowRequest } | null }
  const navigate = useNavigate()
  const request = state?.window
  useEffect(() => {
    if (request === undefined) return
    openInWindow(request)
    // Clears the state, so that a reload or the browser's buttons do not open the window again.
    void navigate('.', { replace: true, state: null })
  }, [request, navigate])
}
