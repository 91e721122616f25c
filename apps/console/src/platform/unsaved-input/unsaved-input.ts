import { lateModule } from '../late-module.ts'
import { isStartingAnew } from '../other-tabs.ts'
import { session } from '../session.ts'
import { storage } from '../storage.ts'

const unsaved = new Set<symbol>()

/** Its code comes as soon as there is something to lose. */
export const leaveDialog = lateModule(() => import('./LeaveDialog.tsx'))

export const hasUnsavedInput = () => unsaved.size > 0

/** Until the answered function is called, leaving the page asks first: by a link, by the browser's buttons, by closing the tab. */
export function holdUnsavedInput(): () => void {
  void leaveDialog.load().catch(() => {})
  const form = Symbol('form')
  unsaved.add(form)
  return () => {
    unsaved.delete(form)
  }
}

/** The token of this page's session, as far as the page knows. */
let ownToken = storage.token.read()
session.subscribe(() => {
  ownToken = storage.token.read()
})

addEventListener('beforeunload', (event) => {
  // Somebody has signed out, or in as somebody else: this page must not stay.
  if (isStartingAnew() || storage.token.read() !== ownToken) return
  if (hasUnsavedInput()) event.preventDefault()
})
