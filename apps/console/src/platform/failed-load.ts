import { useEffect, useRef } from 'react'
import { isWorthRepeating } from './query-client.ts'
import { connection, serverBuild } from './realtime.ts'
import { hasUnsavedInput } from './unsaved-input/unsaved-input.ts'
import { useStore } from './use-store.ts'

/** How browsers report an `import()` whose file did not arrive. */
const failedImport = /dynamically imported module|Importing a module script failed/

/** Returns whether code or data did not arrive, so that the page may work once the server responds again. */
export function isFailedLoad(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The name is that of build/fetch-before-import.ts.
  return error.name === 'NotFetched' || failedImport.test(error.message) || isWorthRepeating(error)
}

/**
 * Reloads the document when the connection is back, because browsers and React keep a failed load as long as the document.
 * Unsaved input prevents it.
 */
export function useReloadOnReturn(isWaiting: boolean): void {
  const isConnected = useStore(connection) === 'ready'
  const isExpected = useRef(false)
  useEffect(() => {
    if (isConnected) {
      if (isExpected.current && !hasUnsavedInput()) location.reload()
      isExpected.current = false
    } else if (isWaiting && serverBuild.get() !== null) {
      // Not during the first connection of a document, which would reload again and again.
      isExpected.current = true
    }
  }, [isConnected, isWaiting])
}
