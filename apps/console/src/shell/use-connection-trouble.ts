import { useEffect, useState } from 'react'
import { connection } from '#platform/realtime.ts'
import { useStore } from '#platform/use-store.ts'

/** A connection that is back within this time was never missed. */
const calm = 2000

/** Why nothing new may arrive at the moment; null while all is well. */
export function useConnectionTrouble(): 'offline' | 'reconnecting' | null {
  const isReady = useStore(connection) === 'ready'
  const [lasting, setLasting] = useState(false)

  useEffect(() => {
    if (isReady) return
    const timer = setTimeout(() => setLasting(true), calm)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [isReady])

  if (isReady || !lasting) return null
  return navigator.onLine ? 'reconnecting' : 'offline'
}
