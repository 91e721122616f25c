import { useLayoutEffect } from 'react'
import { useConsoleHost } from '../host.ts'

/**
 * While `isUnsaved` is true, leaving the page asks first: by a link, by the browser's buttons, by closing the tab.
 *
 * @example useUnsavedInput(hasChanges)
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const { holdUnsavedInput } = useConsoleHost()
  // A layout effect, because a user who sees a saved form must be able to leave it.
  useLayoutEffect(() => (isUnsaved ? holdUnsavedInput() : undefined), [holdUnsavedInput, isUnsaved])
}
