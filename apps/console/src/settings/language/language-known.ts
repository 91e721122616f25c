import { storage } from '#platform/storage.ts'
import { createStore } from '#platform/store.ts'

/** Turns true with the first answer about the account's settings, unless the page loads anew for its language. */
export const settingsKnown = createStore(false)

/** Milliseconds. Who waits longer for the settings sees the default language first. */
const patience = 1000

/**
 * Until a browser that was told no language knows the account's: nobody is to begin something on a page that loads anew a
 * moment later.
 */
export function untilLanguageKnown(): Promise<void> | undefined {
  if (storage.locale.read() !== null || settingsKnown.get()) return undefined
  return new Promise((resolve) => {
    const settle = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const stop = settingsKnown.subscribe(settle)
    const timer = setTimeout(settle, patience)
  })
}
