import { scriptUrl } from '#platform/trusted-types.ts'
import { boot } from './start.ts'

/** For that long nobody has done anything, and nothing starts. Milliseconds. */
const quiet = 2000

/**
 * Registers the background worker once the page is usable and left alone: it is set up and fed by the processors that would
 * otherwise sign somebody in. Browsers refuse it without https, except on localhost: the console works without it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const waiting = new AbortController()
  let timer: number | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = window.setTimeout(register, quiet)
  }
  const register = () => {
    if (boot.phase.get() !== 'done') return wait()
    waiting.abort()
    stop()
    navigator.serviceWorker.register(scriptUrl('/sw.js')).then(keepLoadedFiles, () => {})
  }
  const stop = boot.phase.subscribe(wait)
  const { signal } = waiting
  for (const sign of ['pointerdown', 'keydown', 'input'])
    addEventListener(sign, wait, { capture: true, passive: true, signal })
  wait()
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
