import { lateModule } from '../late-module.ts'
import { isStartingAnew } from '../other-tabs.ts'
import { session } from '../session.ts'
import { storage } from '../storage.ts'

/** What is typed and not saved in one place: on the page, or in one of the windows. */
export interface UnsavedInput {
  /** Until the answered function is called, leaving asks first. */
  hold: () => () => void
  isHeld: () => boolean
}

/** The forms of all places. */
const unsaved = new Set<symbol>()

/** Its code comes as soon as there is something to lose. */
export const leaveDialog = lateModule(() => import('./LeaveDialog.tsx'))

/** A place that can be left on its own. Closing the tab leaves all of them. */
export function createUnsavedInput(): UnsavedInput {
  const forms = new Set<symbol>()
  return {
    hold: () => {
      void leaveDialog.load().catch(() => {})
      const form = Symbol('form')
      for (const all of [forms, unsaved]) all.add(form)
      return () => {
        for (const all of [forms, unsaved]) all.delete(form)
      }
    },
    isHeld: () => forms.size > 0,
  }
}

/** Of the page: leaving it asks first, by a link, by the browser's buttons, by closing the tab. */
export const pageInput = createUnsavedInput()

/** Anywhere: what a new start of the page would lose. */
export const hasUnsavedInput = () => unsaved.size > 0

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
