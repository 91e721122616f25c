import { lateModule } from '../late-module.ts'
import { isPageReloading } from '../session.ts'
import { storage } from '../storage.ts'

/** What would be lost: input, or the progress of an upload, which the user can continue. */
type Held = 'input' | 'upload'

/** Unsaved input of one place: the page or one of the windows. */
export interface UnsavedInput {
  /** Asks before leaving until the returned function is called. @default 'input' */
  hold: (held?: Held) => () => void
  isHeld: () => boolean
}

/** The forms of all places. */
const unsaved = new Map<symbol, Held>()

/** Loads as soon as there is unsaved input. */
export const leaveDialog = lateModule(() => import('./LeaveDialog.tsx'))

/** A place that can be left separately. Closing the tab leaves all of them. */
export function createUnsavedInput(): UnsavedInput {
  const forms = new Set<symbol>()
  return {
    hold: (held = 'input') => {
      void leaveDialog.load().catch(() => {})
      const form = Symbol('form')
      forms.add(form)
      unsaved.set(form, held)
      return () => {
        for (const all of [forms, unsaved]) all.delete(form)
      }
    },
    isHeld: () => forms.size > 0,
  }
}

/** The place of the page. Leaving it by a link, by the browser's buttons or by closing the tab asks first. */
export const pageInput = createUnsavedInput()

/** Whether a reload would lose input, on the page or in a window. */
export const hasUnsavedInput = () => unsaved.size > 0

/** Whether leaving would interrupt uploads and lose nothing else. */
export const hasOnlyUploads = () => unsaved.size > 0 && ![...unsaved.values()].includes('input')

/** Lets the page unload without a question, after the user has agreed. */
export const discardUnsavedInput = () => unsaved.clear()

addEventListener('beforeunload', (event) => {
  // Without a session, or when another user has signed in, the page must not stay.
  if (isPageReloading() || storage.token.read() === null) return
  if (hasUnsavedInput()) event.preventDefault()
})
