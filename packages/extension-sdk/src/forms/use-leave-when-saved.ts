import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUnsavedInput } from './use-unsaved-input.ts'

/**
 * Guards a form that is left once it is saved. While it has input, leaving the page asks for confirmation. The returned
 * function replaces the page by another one without a question, so that Back does not lead to the form.
 *
 * @example const leave = useLeaveWhenSaved(label !== ''); await save(); leave('/orgs')
 */
export function useLeaveWhenSaved(hasInput: boolean): (path: string) => void {
  const [destination, setDestination] = useState<string | null>(null)
  const navigate = useNavigate()
  useUnsavedInput(hasInput && destination === null)
  useEffect(() => {
    // Navigates in an effect, because the input counts as unsaved until this render.
    if (destination !== null) void navigate(destination, { replace: true })
  }, [destination, navigate])
  return setDestination
}
