import { useLayoutEffect } from 'react'
import { useConsoleHost } from '../host.ts'

/**
 * While `isUnsaved` is true, leaving the page asks first: by a link, by the browser's buttons, by closing the tab.
 *
 * @example useUnsavedInput(hasChanges)
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const { holdUnsavedInput } = useConsoleHost()
  // Before anything is seen of the change: who sees a saved form can leave it.
  useLayoutEffect(() => (isUnsaved ? holdUnsavedInput() : undefined), [holdUnsavedInput, isUnsaved])
}
