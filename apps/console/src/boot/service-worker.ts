import { scriptUrl } from '#platform/trusted-types.ts'
import { boot } from './start.ts'

/**
 * Registers the background worker once the page is usable, so that it takes nothing from the start. Browsers refuse it
 * without https, except on localhost: the console works without it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const stop = boot.phase.subscribe(() => {
    if (boot.phase.get() !== 'done') return
    stop()
    setTimeout(() => {
      navigator.serviceWorker.register(scriptUrl('/sw.js')).then(keepLoadedFiles, () => {})
    }, 2000)
  })
}

/** Tells it which files the page has loaded and still loads. */
async function keepLoadedFiles(): Promise<void> {
  const worker = await navigator.serviceWorker.ready
  const observer = new PerformanceObserver((loaded) => {
    const keep = loaded.getEntries().map(({ name }) => name)
    worker.active?.postMessage({ keep })
  })
  observer.observe({ type: 'resource', buffered: true })
}
