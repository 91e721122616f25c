import { useEffect, useState } from 'react'
import { connection } from '#platform/realtime.ts'
import { useStore } from '#platform/use-store.ts'

/** Interruptions shorter than this are not shown. Milliseconds. */
const calm = 2000

/**
 * Returns why events may be missing: the server does not respond, or a connection to it is being opened. Null while
 * connected.
 */
export function useConnectionTrouble(): 'offline' | 'reconnecting' | null {
  const state = useStore(connection)
  const isReady = state === 'ready'
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
  return state === 'offline' ? 'offline' : 'reconnecting'
}
