import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUnsavedInput } from './use-unsaved-input.ts'

/**
 * For a form that is done with once it is saved. Leaving it asks first while it has input; the function that is answered
 * goes to another page without asking.
 *
 * @example const leave = useLeaveWhenSaved(label !== ''); await save(); leave('/orgs')
 */
export function useLeaveWhenSaved(hasInput: boolean): (path: string) => void {
  const [destination, setDestination] = useState<string | null>(null)
  const navigate = useNavigate()
  useUnsavedInput(hasInput && destination === null)
  useEffect(() => {
    // Here instead of at the save, because only now the input no longer counts as unsaved.
    if (destination !== null) void navigate(destination)
  }, [destination, navigate])
  return setDestination
}
