import { useId, useLayoutEffect } from 'react'
import { lateModule } from '../late-module.ts'
import { session } from '../session.ts'
import { storage } from '../storage.ts'

const unsaved = new Set<string>()

/** Its code comes as soon as there is something to lose. */
export const leaveDialog = lateModule(() => import('./LeaveDialog.tsx'))

export const hasUnsavedInput = () => unsaved.size > 0

/**
 * While `isUnsaved` is true, leaving the page asks first: by a link, by the browser's buttons, by closing the tab.
 *
 * @example useUnsavedInput(formState.isDirty)
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const form = useId()
  // Before anything is seen of the change: who sees a saved form can leave it.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    void leaveDialog.load().catch(() => {})
    unsaved.add(form)
    return () => {
      unsaved.delete(form)
    }
  }, [form, isUnsaved])
}

/** The token of this page's session, as far as the page knows. */
let ownToken = storage.token.read()
session.subscribe(() => {
  ownToken = storage.token.read()
})

addEventListener('beforeunload', (event) => {
  // Somebody has signed out, or in as somebody else: this page must not stay.
  if (storage.token.read() !== ownToken) return
  if (hasUnsavedInput()) event.preventDefault()
})
