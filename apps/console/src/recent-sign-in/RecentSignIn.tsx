import { useEffect } from 'react'
import { useStore } from '#platform/use-store.ts'
import { proofRequest, recentSignInDialog } from './recent-sign-in.queries.ts'

/** Notifications have the dialog role as well, but are not modal. */
const dialogs = ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"])'

/** The last focused element outside of dialogs. */
let lastOnPage: HTMLElement | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(dialogs) === null) lastOnPage = target
})

/** Shows the dialog for `withRecentSignIn`. Mounted once in the signed-in console. */
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
 * The proof often follows a confirmation dialog that closes at the same time. The element to which the proof dialog
 * would return the focus is then gone.
 */
function keepFocusOnPage(): () => void {
  const timer = setInterval(() => {
    if (document.querySelector(dialogs) !== null) return
    clearInterval(timer)
    if (document.activeElement === document.body) lastOnPage?.focus()
  }, 50)
  return () => clearInterval(timer)
}
