import { useEffect, useState } from 'react'

/** Whether a moment of this browser's clock has passed; renders again when it does. */
export function useIsPast(moment: number): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const wait = moment - Date.now()
    if (wait <= 0) {
      setNow(Date.now())
      return
    }
    const timer = setTimeout(() => setNow(Date.now()), wait + 1)
    return () => clearTimeout(timer)
  }, [moment])
  return now >= moment
}
