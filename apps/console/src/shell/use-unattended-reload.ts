import { systemEndpoints } from '@pult/contract'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { reloadWithoutLoss } from '#platform/failed-load.ts'

/** Time without use after which an outdated page reloads, and the pause between two checks. Milliseconds. */
const unattendedAfter = 30 * 60_000
const checkEvery = 60_000

/** Input, and media that play. Pointers over changing pages send moves without a user. */
const uses = ['pointerdown', 'keydown', 'wheel', 'timeupdate']

/**
 * Reloads an outdated page that has no user, such as a wall display (decision record 257). Unsaved input and a server
 * that does not answer postpone it.
 */
export function useUnattendedReload(isOutdated: boolean): void {
  useEffect(() => {
    if (!isOutdated) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    let usedAt = performance.now()
    const use = () => {
      usedAt = performance.now()
    }
    for (const type of uses) addEventListener(type, use, { capture: true, passive: true, signal })
    const timer = setInterval(() => {
      if (performance.now() - usedAt < unattendedAfter) return
      // Without an answer, the reload would end on the browser's own error page.
      api(systemEndpoints.live, { background: true, signal }).then(reloadWithoutLoss, () => {})
    }, checkEvery)
    return () => {
      leaving.abort()
      clearInterval(timer)
    }
  }, [isOutdated])
}
