import { useLayoutEffect } from 'react'
import { useConsoleHost } from '../host.ts'

/**
 * Asks for confirmation while `isUnsaved` is true when the user leaves the page: by a link, by the browser's buttons or
 * by closing the tab.
 *
 * @example useUnsavedInput(hasChanges)
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const { holdUnsavedInput } = useConsoleHost()
  // A layout effect releases the guard before the next paint: a user who sees a saved form must be able to leave it.
  useLayoutEffect(() => (isUnsaved ? holdUnsavedInput() : undefined), [holdUnsavedInput, isUnsaved])
}
