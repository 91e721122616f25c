import { systemEndpoints } from '@pult/contract'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api } from './api.ts'
import { build } from './build.ts'
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

/** Minimum age of a document before it reloads, which limits reloads while its code stays missing. Milliseconds. */
const reloadEvery = 30_000

/** Reloads a document whose code failed to load. */
export function reloadForCode(): void {
  if (performance.now() > reloadEvery) reloadWithoutLoss()
}

/** Pause before another attempt to load code. Milliseconds. */
const loadAgainAfter = 10_000

/**
 * Loads code that has no place for an error, until it has loaded. Once the server has another build, the files of this
 * page may be gone permanently, so the page reloads. Returns a function that stops it.
 */
export function keepLoading<Module>(
  load: () => Promise<Module>,
  onLoad: (module: Module) => void,
): () => void {
  let timer = 0
  let isOver = false
  const attempt = () => {
    load().then(
      (module) => {
        if (!isOver) onLoad(module)
      },
      async () => {
        if (await isBuildReplaced()) reloadForCode()
        if (!isOver) timer = window.setTimeout(attempt, loadAgainAfter)
      },
    )
  }
  attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Asks with a call, because not every proxy passes the live connection on. Development builds have no time. */
async function isBuildReplaced(): Promise<boolean> {
  if (build.timestamp === '') return false
  try {
    const { timestamp } = await api(systemEndpoints.build, { background: true })
    return timestamp !== build.timestamp
  } catch {
    return false
  }
}
