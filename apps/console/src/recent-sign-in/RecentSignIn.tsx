import { useEffect } from 'react'
import { useStore } from '#platform/use-store.ts'
import { proofRequest, recentSignInDialog } from './recent-sign-in.queries.ts'

/** Short messages call themselves dialogs as well, but leave the page as it is. */
const dialogs = ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"])'

/** What had the focus last outside of dialogs. */
let lastOnPage: HTMLElement | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(dialogs) === null) lastOnPage = target
})

/** Where `withRecentSignIn` asks. Stands once beside everything that a signed-in person sees. */
export function RecentSignIn() {
  const request = useStore(proofRequest)
  useEffect(() => {
    if (request?.open === false) return keepFocusOnPage()
  }, [request])
  if (request === null) return null
  const { RecentSignInDialog } = recentSignInDialog.get()
  return <RecentSignInDialog {...request} />
}

/**
 * The proof often follows a dialog that asked for a confirmation, and that is leaving while the proof comes: what the
 * proof would give the focus back to is gone by then.
 */
function keepFocusOnPage(): () => void {
  const timer = setInterval(() => {
    if (document.querySelector(dialogs) !== null) return
    clearInterval(timer)
    if (document.activeElement === document.body) lastOnPage?.focus()
  }, 50)
  return () => clearInterval(timer)
}
