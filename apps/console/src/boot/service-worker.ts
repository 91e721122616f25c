import { scriptUrl } from '#platform/trusted-types.ts'

/**
 * Registers the background worker once the page has loaded (BOOT-08). Browsers require https or localhost for it; the
 * console works without it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  // Without site data, some browsers already refuse the access to the property.
  const register = async () => navigator.serviceWorker.register(scriptUrl('/sw.js'))
  addEventListener('load', () => {
    register().catch(() => {})
  })
}
