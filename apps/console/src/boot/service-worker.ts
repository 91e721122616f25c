import { scriptUrl } from '#platform/trusted-types.ts'
import { boot } from './start.ts'

/**
 * Registers the background worker once the page is usable, so that it takes nothing from the start. Browsers refuse it
 * without https, except on localhost: the console works without it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const stop = boot.state.subscribe(() => {
    if (!boot.state.get().done) return
    stop()
    setTimeout(() => {
      navigator.serviceWorker.register(scriptUrl('/sw.js')).catch(() => {})
    }, 2000)
  })
}
