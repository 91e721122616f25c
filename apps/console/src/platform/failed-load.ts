import { systemEndpoints } from '@pult/contract'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api } from './api.ts'
import { isWorthRepeating } from './query-client.ts'
import { connection, serverBuild } from './realtime.ts'
import { openDocument } from './storage.ts'
import { hasUnsavedInput } from './unsaved-input/unsaved-input.ts'
import { useStore } from './use-store.ts'

/** Messages with which browsers report an `import()` whose file failed to load. */
const failedImport = /dynamically imported module|Importing a module script failed/

/** Returns whether code failed to load. Browsers and React cache the failure for the lifetime of the document. */
export function isFailedImport(error: unknown): boolean {
  // build/fetch-before-import.ts sets this name.
  return error instanceof Error && (error.name === 'NotFetched' || failedImport.test(error.message))
}

/** Returns whether code or data failed to load, so that the page may work once the server responds again. */
export const isFailedLoad = (error: unknown): boolean => isFailedImport(error) || isWorthRepeating(error)

/** Calls `recover` when the connection is back. */
export function useOnReturn(isWaiting: boolean, recover: () => void): void {
  const isConnected = useStore(connection) === 'ready'
  const isExpected = useRef(false)
  useEffect(() => {
    if (isConnected) {
      if (isExpected.current) recover()
      isExpected.current = false
    } else if (isWaiting && serverBuild.get() !== null) {
      // Not on the first connection of a document, which would cause a reload loop.
      isExpected.current = true
    }
  }, [isConnected, isWaiting, recover])
}

/** Makes one call, from whose answer the console learns whether a proxy requests a sign-in. */
export function checkServer(): void {
  api(systemEndpoints.live, { background: true }).catch(() => {})
}

/** Interval between checks whether the server responds. Milliseconds. */
const checkEvery = 5000

/** Calls `recover` when the server responds to a call. A single lost response leaves the live connection open. */
export function useOnAnswer(isWaiting: boolean, recover: () => void): void {
  const answered = useEffectEvent(recover)
  useEffect(() => {
    if (!isWaiting) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    let timer = 0
    const check = async () => {
      await api(systemEndpoints.live, { background: true, signal }).then(answered, () => {})
      if (!signal.aborted) checkLater()
    }
    const checkLater = () => {
      timer = window.setTimeout(() => void check(), checkEvery)
    }
    checkLater()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [isWaiting])
}

/** Reloads the document, unless that would lose input. */
export function reloadWithoutLoss(): void {
  if (!hasUnsavedInput()) openDocument()
}
