import { useEffect, useState } from 'react'

/** Returns whether a time of this browser's clock has passed. Renders again when it does. */
export function useIsPast(moment: number): boolean {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()))
    return () => clearTimeout(timer)
  }, [moment])
  return passed >= moment
}
