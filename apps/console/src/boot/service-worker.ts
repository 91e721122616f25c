import { scriptUrl } from '#platform/trusted-types.ts'

/**
 * Registers the background worker once the page has loaded (BOOT-08). Browsers require https or localhost for it; the
 * console works without it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  addEventListener('load', () => {
    navigator.serviceWorker.register(scriptUrl('/sw.js')).catch(() => {})
  })
}
